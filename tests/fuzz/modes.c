/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modes.c - the property of specialize.c, with one mode for each input instead of all of them, and with the input
 * placed so that reads beyond its end are detected without sanitizers: many times as many inputs in the same time. The
 * mode is a hash of the input.
 */
#include "property.h"

#include <string.h>

static unsigned sum_of(const uint8_t *data, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + data[i];
    return sum >> 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const nf_mode modes[] = {NF_MODE_AUTO, NF_MODE_DYNAMIC, NF_MODE_AUTO, NF_MODE_HINT, NF_MODE_STATIC};
    const uint8_t *edge = fuzz_at_an_edge(data, size);
    if (!edge) return 0;
    unsigned sum = sum_of(edge, size);
    struct fuzz_run run;
    fuzz_start(&run, edge, size, modes[sum % 5], sum / 5 % 4 == 0);
    if (nf_result_outcome(run.result) == NF_UNCHANGED && memcmp(nf_result_bytes(run.result), edge, size) != 0)
        fuzz_fail("%s: unchanged, but other bytes", run.what);
    fuzz_finish(&run);
    return 0;
}
