/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operands.c - checks that the iteration over ids finds exactly the operands that the iteration over all operands
 * reports as ids.
 *
 * Every instruction of the table is filled with random words, in every possible length: if the full iteration finds
 * that they conform to the grammar, both must agree. Most such words conform to no grammar; the test checks that enough
 * do, of every row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spirv/spirv.h"

/* The longest instructions have more ids than the table can count. */
enum { LONG = 24, LONGEST = 700, ROUNDS = 400 };

static uint32_t next_random(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* Returns a word that is often meaningful: a mask of memory operands, the number of an extended instruction, the end of
 * a string. */
static uint32_t random_word(void)
{
    switch (next_random() % 4) {
    case 0: return next_random() % 8 | (next_random() % 4) << 16;
    case 1: return next_random() % 256;
    case 2: return OpTypePointer + next_random() % 160;
    default: return next_random() | 0x01010101;
    }
}

/* @return true if the words conform to the grammar; then both iterations have found the same ids. */
static int compare_walks(const uint32_t *words, uint32_t count, enum nf_ext_set set, unsigned selector_words)
{
    uint32_t expected[LONGEST], found = 0, seen = 0;
    struct nf_operands walk = nf_operands_begin(words, count, set, selector_words);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) expected[found++] = walk.at;
    if (walk.broken) return 0;
    struct nf_ids ids = nf_ids_begin(words, set, selector_words);
    while (nf_ids_next(&ids)) {
        assert_true(seen < found);
        assert_int_equal(ids.at, expected[seen++]);
    }
    assert_int_equal(seen, found);
    return 1;
}

static void both_walks_agree(void **state)
{
    (void)state;
    uint32_t opcodes = 0;
    for (uint32_t opcode = 0; opcode < NF_OPCODES_KNOWN; opcode++) {
        const struct nf_op *op = nf_op_find(opcode);
        uint32_t words[LONGEST], fitting = 0;
        if (nf_is_unknown(op)) continue;
        for (uint32_t i = 0; i < ROUNDS; i++) {
            uint32_t count = op->words + next_random() % ((i % 50 ? LONG : LONGEST) - op->words);
            words[0] = nf_first_word(opcode, count);
            for (uint32_t k = 1; k < count; k++)
                words[k] = random_word();
            fitting += (uint32_t)compare_walks(words, count, (enum nf_ext_set)(i % 4), 1 + i / 4 % 2);
        }
        assert_true(fitting);
        opcodes++;
    }
    assert_true(opcodes > 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_walks_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
