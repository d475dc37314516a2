/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helpers.c - stubs for the helper programs, which are not built for Windows: nonflat-spir and nonflat-cl need LLVM,
 * and nonflat-try isolates drivers that exist on Linux only. So devices that get bitcode are not served, source goes to
 * the driver, and no build is tried in a separate process.
 */
#include "layer/translate/translate.h"

#include <stdlib.h>

static const char *find(const char *name, const char *given)
{
    if (given)
        nf_cl_log(NF_CL_ERROR, "%s is not started: there are no helper programs on Windows; ignored: %s", name, given);
    return NULL;
}

const char *nf_cl_translator(void)
{
    return find("nonflat-spir", nf_cl_config()->spir);
}

const char *nf_cl_compiler(void)
{
    return find("nonflat-cl", nf_cl_config()->cl);
}

const char *nf_cl_build_tester(void)
{
    return NULL;
}

bool nf_cl_append_program(struct nf_cl_bytes *key, const char *path)
{
    (void)key;
    (void)path;
    return false;
}

bool nf_cl_run(const struct nf_cl_run *run, struct nf_cl_outcome *outcome)
{
    *outcome = (struct nf_cl_outcome){.validity = NF_CL_TRANSIENT};
    outcome->message = nf_cl_format("%s could not be started: there are no helper programs on Windows", run->name);
    return false;
}

void nf_cl_try(const struct nf_cl_trial *trial, struct nf_cl_tried *tried)
{
    *tried = (struct nf_cl_tried){.end = NF_CL_UNTRIED};
    tried->message =
        nf_cl_format("%s could not be started: there are no helper programs on Windows", trial->arguments[0]);
}

void nf_cl_tried_free(struct nf_cl_tried *tried)
{
    free(tried->message);
    tried->message = NULL;
}

void nf_cl_testers_end(void)
{
}
