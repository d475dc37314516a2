/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units.c - the property: whatever the bytes are, the linker returns a status and a reason, within its bounds. Like
 * link.c, but without the validator, which takes most of the time, so that a hundred million inputs can be tried.
 *
 * Input: one module, or two, one after the other: the second begins at the last magic number. Such inputs are created
 * by joining two existing ones.
 */
#include "property.h"

#include <string.h>

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed);

static const nf_spec_value specs[] = {{0, 4, 7}, {1, 8, ~0ull}, {2, 1, 1}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *edge = fuzz_at_an_edge(data, size);
    if (!edge) return 0;
    size_t second = fuzz_last_module(edge, size), first = second ? second : size;
    const nf_link_input inputs[2] = {{edge, first, specs, 3}, {edge + first, size - first, NULL, 0}};
    struct fuzz_run run;
    fuzz_start_link(&run, inputs, second ? 2 : 1, size % 8 == 0);
    if (run.status == NF_OK && *nf_result_log(run.result)) fuzz_fail("linked, with a message");
    fuzz_finish(&run);
    return 0;
}

/* Joins the first modules of both inputs. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed)
{
    size_t first = fuzz_last_module(a, a_size), second = fuzz_last_module(b, b_size);
    (void)seed;
    if (!first) first = a_size / 4 * 4;
    if (!second) second = b_size;
    if (first > most || second > most - first) return 0;
    memcpy(out, a, first);
    memcpy(out + first, b, second);
    return first + second;
}
