/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_idle.c - the idle copy of a module, which a trial launches: its kernels return at once if launched in three
 * dimensions, and execute fully otherwise. A truncated module is refused, wherever it was cut, and never read or
 * written beyond its end. Takes no input; a small module is defined here, word by word.
 */
#include "layer/build_test/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OP(opcode, length) ((uint32_t)(length) << 16 | (opcode))

/* The ids: 1 the kernel, 2 void, 3 uint, 4 its type, 5 its first block, 6 a pointer type, 7 a variable, 8 a helper, 9
 * its block. */
enum { BOUND = 10 };
static const uint32_t module[] = {
    0x07230203, 0x00010000, 0,         BOUND, 0,  OP(17, 2),  6,                        /* OpCapability Kernel */
    OP(14, 3),  2,          2,                                                          /* OpMemoryModel */
    OP(15, 4),  6,          1,         0x6b,                                            /* OpEntryPoint Kernel %1 "k" */
    OP(71, 3),  7,          21,                                                         /* OpDecorate %7 Volatile */
    OP(19, 2),  2,          OP(21, 4), 3,     32, 0,                                    /* OpTypeVoid, OpTypeInt */
    OP(33, 3),  4,          2,                                                          /* OpTypeFunction */
    OP(32, 4),  6,          7,         3,                                               /* OpTypePointer Function %3 */
    OP(54, 5),  2,          8,         0,     4,  OP(248, 2), 9, OP(253, 1), OP(56, 1), /* the helper */
    OP(54, 5),  2,          1,         0,     4,                                        /* the kernel */
    OP(248, 2), 5,          OP(59, 4), 6,     7,  7,                                    /* OpLabel, OpVariable */
    OP(57, 4),  2,          8,         8, /* OpFunctionCall, whose result is void */
    OP(253, 1), OP(56, 1),
};
enum { WORDS = sizeof module / sizeof *module };

/* New ids: bool, a pointer to Input, the variable and the constant; then the first block, and three ids for the early
 * return. */
enum { TRUTH = BOUND, POINTER, DIMENSIONS, THREE, FIRST, LOADED, EQUAL, END, NEW_BOUND };
static const uint32_t expected[] = {
    0x07230203, 0x00010000, 0,          NEW_BOUND,  0,         OP(17, 2),  6,         OP(14, 3),  2,
    2,          OP(15, 5),  6,          1,          0x6b,      DIMENSIONS, OP(71, 4), DIMENSIONS, 11,
    30, /* BuiltIn WorkDim */
    OP(71, 3),  7,          21,         OP(19, 2),  2,         OP(21, 4),  3,         32,         0,
    OP(33, 3),  4,          2,          OP(32, 4),  6,         7,          3,         OP(20, 2),  TRUTH,
    OP(32, 4),  POINTER,    1,          3,          OP(43, 4), 3,          THREE,     3,          OP(59, 4),
    POINTER,    DIMENSIONS, 1,          OP(54, 5),  2,         8,          0,         4,          OP(248, 2),
    9,          OP(253, 1), OP(56, 1),  OP(54, 5),  2,         1,          0,         4,          OP(248, 2),
    FIRST,      OP(59, 4),  6,          7,          7,         OP(61, 4),  3,         LOADED,     DIMENSIONS,
    OP(170, 5), TRUTH,      EQUAL,      LOADED,     THREE,     OP(250, 4), EQUAL,     END,        5,
    OP(248, 2), END,        OP(253, 1), OP(248, 2), 5,         OP(57, 4),  2,         8,          8,
    OP(253, 1), OP(56, 1),
};

/* Makes the idle copy of the first `count` words, in a buffer of exactly that size. */
static bool make(const uint32_t *words, size_t count, struct nf_bytes *idle)
{
    struct nf_bytes input = {malloc(count * sizeof *words + 1), count * sizeof *words};
    assert_non_null(input.data);
    memcpy(input.data, words, input.size);
    bool made = nf_try_make_idle(&input, idle);
    free(input.data);
    return made;
}

static void it_returns_at_once(void **unused)
{
    struct nf_bytes idle;
    (void)unused;
    assert_true(make(module, WORDS, &idle));
    assert_int_equal(idle.size, sizeof expected);
    assert_memory_equal(idle.data, expected, sizeof expected);
    free(idle.data);
}

static void a_cut_module_is_refused(void **unused)
{
    struct nf_bytes idle;
    (void)unused;
    for (size_t count = 0; count < WORDS; count++)
        if (make(module, count, &idle)) free(idle.data); /* it was cut between two instructions */
    uint32_t wrong[WORDS];
    memcpy(wrong, module, sizeof wrong);
    wrong[5] = OP(17, 0);
    assert_false(make(wrong, WORDS, &idle));
    wrong[5] = OP(17, 0xffff);
    assert_false(make(wrong, WORDS, &idle));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_returns_at_once),
        cmocka_unit_test(a_cut_module_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
