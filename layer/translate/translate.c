/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.c - translates SPIR-V to SPIR 1.2 bitcode with the program `nonflat-spir`.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <stdlib.h>
#include <string.h>

static bool is_bitcode(const struct nf_cl_bytes *bytes)
{
    static const unsigned char magic[] = {'B', 'C', 0xC0, 0xDE};
    return bytes->size >= sizeof magic && memcmp(bytes->data, magic, sizeof magic) == 0;
}

static void run(const char *path, const char *family, const struct nf_cl_bytes *module, struct nf_cl_translation *t)
{
    char *option = nf_cl_format("--device=%s", family);
    char *arguments[] = {(char *)path, option, "--short-names", NULL};
    const struct nf_cl_run job = {.name = "the translator",
                                  .takes = "module",
                                  .gives = "bitcode",
                                  .arguments = arguments,
                                  .input = module,
                                  .input_count = 1,
                                  .message_limit = 4096};
    struct nf_cl_outcome outcome = {.message = NULL};
    bool good = option && nf_cl_run(&job, &outcome);
    t->validity = outcome.validity;
    if (good && is_bitcode(&outcome.output)) {
        t->bitcode = outcome.output;
        outcome.output = (struct nf_cl_bytes){NULL, 0};
    } else if (good) {
        t->message = nf_cl_format("the translator gave no bitcode");
    } else {
        t->message = outcome.message;
        outcome.message = NULL;
    }
    nf_cl_outcome_free(&outcome);
    free(option);
}

bool nf_cl_translate(const char *family, const void *module, size_t size, struct nf_cl_translation *t)
{
    const struct nf_cl_bytes input = {(void *)module, size};
    const char *path = nf_cl_translator();
    *t = (struct nf_cl_translation){.validity = NF_CL_TRANSIENT};
    if (path)
        run(path, family, &input, t);
    else
        t->message = nf_cl_format("this device takes bitcode only, and the translator nonflat-spir was not found");
    return t->bitcode.data != NULL;
}
