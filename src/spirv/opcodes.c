/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opcodes.c - look-ups in the generated tables, and iteration over the operands of one instruction.
 */
#include "spirv/spirv.h"

#include <stdio.h>
#include <string.h>

#define NF_WANT_OPCODES
#define NF_WANT_OPENCL_STD
#define NF_WANT_DEBUG_INFO
#define NF_WANT_CAPABILITIES
#include "spirv/opcodes.inc"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct nf_op *find_row(const struct nf_op *rows, size_t count, uint32_t number)
{
    for (size_t low = 0, high = count; low < high;) {
        size_t middle = (low + high) / 2;
        if (rows[middle].opcode == number) return &rows[middle];
        if (rows[middle].opcode < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct nf_op *nf_op_find_std(uint32_t number)
{
    return find_row(std_rows, COUNT(std_rows), number);
}

/* Returns the row of an instruction of OpenCL.DebugInfo.100, or NULL. */
static const struct nf_op *find_debug(uint32_t number)
{
    return find_row(debug_rows, COUNT(debug_rows), number);
}

const char *nf_capability_name(uint32_t number, char text[16])
{
    for (size_t i = 0; i < COUNT(capability_rows); i++)
        if (capability_rows[i].number == number) return capability_rows[i].name;
    snprintf(text, 16, "%u", number);
    return text;
}

bool nf_capability_find(const char *name, size_t length, uint32_t *number)
{
    for (size_t i = 0; i < COUNT(capability_rows); i++) {
        const char *known = capability_rows[i].name;
        if (strlen(known) != length || memcmp(known, name, length) != 0) continue;
        *number = capability_rows[i].number;
        return true;
    }
    return false;
}

/* Returns the number of words of the string at `at`, its NUL byte included; 0 if it does not end inside the
 * instruction. */
static uint32_t string_words(const struct nf_operands *walk)
{
    for (uint32_t i = walk->at; i < walk->count; i++) {
        uint32_t word = walk->words[i];
        if (!(word & 0xff) || !(word & 0xff00) || !(word & 0xff0000) || !(word & 0xff000000)) return i - walk->at + 1;
    }
    return 0;
}

/* The bits of a memory-access mask that have a parameter, in the order of the parameters, and whether it is an id. */
static const struct {
    uint32_t bit;
    bool is_id;
} memory_parameters[] = {{NF_MEMORY_ALIGNED, false},
                         {NF_MEMORY_MAKE_AVAILABLE, true},
                         {NF_MEMORY_MAKE_VISIBLE, true},
                         {NF_MEMORY_ALIAS_SCOPE, true},
                         {NF_MEMORY_NO_ALIAS, true}};

/* Records which parameters follow a memory-access mask. */
static void expect_memory_access(struct nf_operands *walk, uint32_t mask)
{
    walk->pending = 0;
    walk->pending_count = (mask & NF_MEMORY_ALIGNED) != 0;
    if (!(mask & NF_MEMORY_IDS)) return;
    walk->pending_count = 0;
    for (size_t i = 0; i < COUNT(memory_parameters); i++)
        if (mask & memory_parameters[i].bit)
            walk->pending |= (uint32_t)memory_parameters[i].is_id << walk->pending_count++;
}

/* Continues with the letters of the extended instruction. In a set without a table all operands are ids, or all count
 * as literals. */
static void enter_extended(struct nf_operands *walk, uint32_t number)
{
    const struct nf_op *op = walk->set == NF_EXT_OPENCL_STD   ? nf_op_find_std(number)
                             : walk->set == NF_EXT_DEBUG_INFO ? find_debug(number)
                                                              : NULL;
    walk->letters = op ? op->operands : walk->set == NF_EXT_LITERALS ? "L" : "I";
    walk->broken |= op && walk->count < op->words;
}

/* Continues with the letters of an OpSpecConstantOp's inner opcode. The minimum length in the row of that opcode
 * excludes the word in which the OpSpecConstantOp names it. */
static void enter_constant(struct nf_operands *walk, uint32_t opcode)
{
    const struct nf_op *op = nf_op_find(opcode);
    walk->letters = op->operands;
    walk->broken |= walk->count < op->words + 1u;
}

/* Interprets the word at `at` by the current letter, and selects the letter of the next word. */
static void take_letter(struct nf_operands *walk)
{
    char letter = *walk->letters;
    uint32_t word = walk->words[walk->at];
    walk->kind = NF_OPERAND_LITERAL;
    switch (letter) {
    case 'i':
    case 'I':
        walk->kind = NF_OPERAND_ID;
        walk->letters += letter == 'i';
        return;
    case 's':
        walk->length = string_words(walk);
        walk->broken |= !walk->length;
        walk->letters++;
        return;
    case 'm':
        expect_memory_access(walk, word);
        walk->letters++;
        return;
    case 'o': enter_constant(walk, word); return;
    case 'e': enter_extended(walk, word); return;
    case 'p':
        walk->kind = NF_OPERAND_ID;
        walk->flip = !walk->flip;
        return;
    case 'q':
    case 'Q':
        walk->kind = (letter == 'q') != walk->flip ? NF_OPERAND_ID : NF_OPERAND_LITERAL;
        walk->flip = !walk->flip;
        return;
    case 'w':
        walk->kind = walk->flip ? NF_OPERAND_ID : NF_OPERAND_LITERAL;
        walk->length = walk->flip ? 1 : walk->selector_words;
        walk->flip = !walk->flip;
        return;
    default: walk->letters += letter == 'l'; return;
    }
}

bool nf_operands_step(struct nf_operands *walk)
{
    walk->at += walk->length;
    walk->length = 1;
    if (walk->broken || walk->at >= walk->count) {
        walk->broken |= walk->at > walk->count || walk->pending_count || walk->flip;
        return false;
    }
    if (walk->pending_count) {
        walk->kind = walk->pending & 1 ? NF_OPERAND_ID : NF_OPERAND_LITERAL;
        walk->pending >>= 1;
        walk->pending_count--;
        return true;
    }
    if (!*walk->letters) {
        walk->broken = true;
        return false;
    }
    take_letter(walk);
    walk->broken |= walk->at + walk->length > walk->count;
    return !walk->broken;
}

/* Makes the ids of the memory operands the current consecutive ids. Returns false if there may be other ids. */
static bool begin_last_run(struct nf_ids *ids)
{
    uint32_t length = nf_length_of(ids->words[0]);
    if (nf_op_find(nf_opcode_of(ids->words[0]))->more != NF_MORE_IN_MEMORY) return false;
    uint32_t first = nf_last_memory_ids(ids->words, ids->end, length);
    if (!first) return false;
    ids->at = first;
    ids->end = length;
    ids->more = false;
    return true;
}

bool nf_ids_continue(struct nf_ids *ids)
{
    struct nf_operands *rest = &ids->rest;
    if (!ids->walks) {
        if (begin_last_run(ids)) return true;
        *rest = nf_operands_begin(ids->words, nf_length_of(ids->words[0]), ids->set, ids->selector_words);
        rest->at = ids->end - 1;
        ids->walks = true;
    }
    while (nf_operands_next(rest))
        if (rest->kind == NF_OPERAND_ID) {
            ids->at = rest->at;
            return true;
        }
    ids->more = false;
    return false;
}

uint32_t nf_memory_operands_word(const struct nf_op *op)
{
    if (op->more == NF_MORE_IN_MEMORY) return nf_first_operand(op) + op->ids; /* after the leading ids */
    const char *letter = strchr(op->operands, 'm');
    return letter ? nf_first_operand(op) + (uint32_t)(letter - op->operands) : 0;
}

struct nf_memory_operands nf_memory_operands(const uint32_t *words, uint32_t length, uint32_t at)
{
    struct nf_memory_operands found = {.end = at};
    if (at >= length) return found;
    found.mask = words[found.end++];
    for (size_t i = 0; i < COUNT(memory_parameters) && found.end < length; i++) {
        if (!(found.mask & memory_parameters[i].bit)) continue;
        if (memory_parameters[i].bit == NF_MEMORY_ALIGNED) found.align = words[found.end];
        found.end++;
    }
    return found;
}
