/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - the property: whatever the bytes are, the linker returns a status and a reason, with bounded memory; a valid
 * module, linked alone or with itself, gives a valid one or is refused.
 */
#include "property.h"

#include <stdlib.h>
#include <string.h>

static void try_link(const uint8_t *data, size_t size, size_t count, bool library, bool valid)
{
    const nf_spec_value specs[] = {{0, 4, 7}, {1, 8, ~0ull}, {2, 1, 1}};
    const nf_link_input inputs[2] = {{data, size, specs, 3}, {data, size, NULL, 0}};
    struct fuzz_run run;
    fuzz_start_link(&run, inputs, count, library);
    if (run.status == NF_OK && *nf_result_log(run.result)) fuzz_fail("linked, with a message");
    if (run.status == NF_OK && valid && !fuzz_is_valid(nf_result_bytes(run.result), nf_result_size(run.result), true))
        fuzz_fail("%zu linked: the output is not valid", count);
    fuzz_finish(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size + 1);
    if (!exact) abort();
    if (size) memcpy(exact, data, size);
    bool valid = fuzz_is_valid(data, size, false);
    try_link(exact, size, 1, false, valid);
    try_link(exact, size, 1, true, valid);
    try_link(exact, size, 2, true, valid);
    free(exact);
    return 0;
}
