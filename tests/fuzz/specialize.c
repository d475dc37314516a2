/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.c - the property: whatever the bytes are, in every mode, the specializer returns with bounded time and
 * memory and a result that is consistent with its status, leaks nothing, and reports nothing about a module that
 * contradicts its summary.
 */
#include "property.h"

#include <stdlib.h>
#include <string.h>

static void try_mode(const uint8_t *data, size_t size, nf_mode mode, int library)
{
    struct fuzz_run run;
    fuzz_start(&run, data, size, mode, library);
    if (mode == NF_MODE_OFF && run.status == NF_OK &&
        (nf_result_size(run.result) != size || memcmp(nf_result_bytes(run.result), data, size) != 0))
        fuzz_fail("mode off changed the module");
    if (nf_result_outcome(run.result) == NF_UNCHANGED && memcmp(nf_result_bytes(run.result), data, size) != 0)
        fuzz_fail("%s: unchanged, but other bytes", run.what);
    fuzz_finish(&run);
}

/* nf_summarize() and the full reader agree on whether the input is a module. */
static void try_summary(const uint8_t *data, size_t size)
{
    nf_summary summary;
    nf_status status = nf_summarize(data, size, &summary);
    struct fuzz_run run;
    fuzz_start(&run, data, size, NF_MODE_AUTO, 0);
    if (run.status == NF_OK && status != NF_OK) fuzz_fail("specialized, but its summary is malformed");
    if (nf_result_outcome(run.result) == NF_SPECIALIZED && !summary.uses_generic)
        fuzz_fail("specialized, but its summary has nothing generic");
    fuzz_finish(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size + 1); /* a separate block, so that reads beyond its end are detected */
    if (!exact) abort();
    if (size) memcpy(exact, data, size);
    try_summary(exact, size);
    for (int mode = NF_MODE_STATIC; mode <= NF_MODE_OFF; mode++)
        try_mode(exact, size, (nf_mode)mode, 0);
    try_mode(exact, size, NF_MODE_AUTO, 1);
    free(exact);
    return 0;
}
