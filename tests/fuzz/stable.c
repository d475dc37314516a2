/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stable.c - the properties: the same input gives the same output, wherever it is in memory; the other byte order gives
 * the same output in that order; the output of a valid module does not change when specialized again.
 */
#include "property.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *copy_of(const uint8_t *data, size_t size, size_t shift)
{
    uint8_t *copy = malloc(size + shift + 1);
    if (!copy) abort();
    if (size) memcpy(copy + shift, data, size);
    return copy;
}

static void swap_words(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint8_t word[4] = {bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]};
        memcpy(bytes + i, word, 4);
    }
}

static void compare(const struct fuzz_run *a, const struct fuzz_run *b, bool swapped, const char *what)
{
    size_t size = nf_result_size(a->result);
    if (a->status != b->status || size != nf_result_size(b->result)) fuzz_fail("%s: %s differs", a->what, what);
    if (!size) return;
    uint8_t *bytes = copy_of(nf_result_bytes(b->result), size, 0);
    if (swapped) swap_words(bytes, size);
    if (memcmp(nf_result_bytes(a->result), bytes, size) != 0) fuzz_fail("%s: %s differs", a->what, what);
    free(bytes);
}

static void try_mode(const uint8_t *data, size_t size, nf_mode mode, bool valid)
{
    struct fuzz_run first, other;
    uint8_t *shifted = copy_of(data, size, 1), *swapped = copy_of(data, size, 0);
    swap_words(swapped, size);
    fuzz_start(&first, data, size, mode, 0);
    fuzz_start(&other, shifted + 1, size, mode, 0);
    compare(&first, &other, false, "the second run");
    fuzz_finish(&other);
    fuzz_start(&other, swapped, size, mode, 0);
    compare(&first, &other, true, "the other byte order");
    fuzz_finish(&other);
    if (first.status == NF_OK && mode != NF_MODE_HINT && valid) {
        fuzz_start(&other, nf_result_bytes(first.result), nf_result_size(first.result), mode, 0);
        if (nf_result_outcome(other.result) != NF_UNCHANGED) fuzz_fail("%s: the output is changed again", first.what);
        fuzz_finish(&other);
    }
    fuzz_finish(&first);
    free(shifted);
    free(swapped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool valid = fuzz_is_valid(data, size, false);
    try_mode(data, size, NF_MODE_AUTO, valid);
    try_mode(data, size, NF_MODE_HINT, valid);
    try_mode(data, size, NF_MODE_DYNAMIC, valid);
    return 0;
}
