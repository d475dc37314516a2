/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - the property: whatever the bytes, the layer's linker comes back with a status and a reason, memory within
 * bounds; a valid module, linked alone or with itself, gives a valid one or is refused.
 */
#include "property.h"

#include "layer/linker.h"

#include <stdlib.h>
#include <string.h>

static void try_link(const uint8_t *data, size_t size, size_t count, bool library, bool valid)
{
    const nf_spec_value specs[] = {{0, 4, 7}, {1, 8, ~0ull}, {2, 1, 1}};
    const struct nf_cl_link_input inputs[2] = {{data, size, specs, 3}, {data, size, NULL, 0}};
    struct nf_cl_bytes output = {NULL, 0};
    char *message = NULL;
    nf_status status = nf_cl_link_modules(inputs, count, library, &output, &message);
    if (status == NF_OK && (message || !output.data)) fuzz_fail("linked, with a message or without an output");
    if (status != NF_OK && (!message || !*message || output.data))
        fuzz_fail("%s without a reason or with an output", nf_status_string(status));
    if (status == NF_OK && valid && !fuzz_is_valid(output.data, output.size, true))
        fuzz_fail("%zu linked: the output is not valid", count);
    free(output.data);
    free(message);
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
