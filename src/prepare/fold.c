/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.c - folds specialization constants whose values the host gave, before inference.
 *
 *     %which = OpSpecConstantTrue %bool       given 0     %which = OpConstantFalse %bool
 *     %n = OpSpecConstantOp %uint IMul %k %4  k given 3   %n = OpConstant %uint 12
 *     %p = OpSelect %g %which %local %global              only %global flows into p
 *
 * The words are changed in place: a constant is never longer than the operation that it replaces, and the words that
 * remain become OpNop, which is not written to the output. Specialization constants without a given value, and
 * constants that depend on them, do not change.
 *
 * needs: a module that was read.  gives: the module's words, in which those constants are ordinary constants.
 */
#include "prepare/prepare.h"

struct number {
    uint64_t bits;
    unsigned width; /* in bits; 1: a bool */
};

static unsigned width_of(const struct nf_module *m, uint32_t type)
{
    uint32_t at = m->def[type];
    if (nf_opcode(m, at) == OpTypeBool) return 1;
    return nf_opcode(m, at) == OpTypeInt ? nf_scalar_width(m, at) : 0;
}

static uint64_t truncated(uint64_t bits, unsigned width)
{
    return width >= 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

static int64_t as_signed(struct number n)
{
    unsigned shift = 64 - n.width;
    return (int64_t)(n.bits << shift) >> shift;
}

static bool get_number(const struct nf_module *m, uint32_t id, struct number *n)
{
    uint32_t at = id < m->bound ? m->def[id] : 0;
    if (!at || !nf_result_type(m, at)) return false;
    n->width = width_of(m, nf_value_type(m, at));
    n->bits = 0;
    switch (nf_opcode(m, at)) {
    case OpConstantTrue: n->bits = 1; return true;
    case OpConstantFalse:
    case OpConstantNull: return n->width && n->width <= 64;
    case OpConstant: n->bits = truncated(nf_constant_bits(m, at), n->width); return n->width > 1 && n->width <= 64;
    default: return false;
    }
}

/* Replaces the instruction at `at` by a constant of the same type and id. Returns false if it has no room for one. */
static bool put_number(struct nf_module *m, uint32_t at, uint64_t bits)
{
    unsigned width = width_of(m, nf_value_type(m, at));
    uint32_t old = nf_length(m, at), length = width == 1 ? 3 : width > 32 ? 5 : 4;
    if (!width || length > old) return false;
    bits = truncated(bits, width);
    m->words[at] = nf_first_word(width > 1 ? OpConstant : bits ? OpConstantTrue : OpConstantFalse, length);
    if (width > 1) m->words[at + 3] = (uint32_t)bits;
    if (width > 32) m->words[at + 4] = (uint32_t)(bits >> 32);
    for (uint32_t i = length; i < old; i++)
        m->words[at + i] = nf_first_word(OpNop, 1);
    m->folded = true;
    return true;
}

static const nf_spec_value *given_value(const struct nf_module *m, uint32_t spec_id)
{
    for (size_t i = m->options->spec_value_count; i-- > 0;)
        if (m->options->spec_values[i].id == spec_id) return &m->options->spec_values[i];
    return NULL;
}

/* Replaces a specialization constant by a constant with the given bits, of an integer or a float. The size of the value
 * may differ from the size of the type: drivers take a bool as one byte. */
static void fold_constant(struct nf_module *m, uint32_t at, uint64_t value)
{
    uint32_t opcode = nf_opcode(m, at), length = nf_length(m, at);
    if (opcode == OpSpecConstantTrue || opcode == OpSpecConstantFalse) {
        put_number(m, at, value != 0);
    } else if (opcode == OpSpecConstant && length >= 4) {
        m->words[at] = nf_first_word(OpConstant, length);
        m->words[at + 3] = (uint32_t)value;
        if (length > 4) m->words[at + 4] = (uint32_t)(value >> 32);
        m->folded = true;
    }
}

static bool compare(uint32_t opcode, struct number a, struct number b, uint64_t *result)
{
    int64_t x = as_signed(a), y = as_signed(b);
    switch (opcode) {
    case OpIEqual:
    case OpLogicalEqual: *result = a.bits == b.bits; return true;
    case OpINotEqual:
    case OpLogicalNotEqual: *result = a.bits != b.bits; return true;
    case OpUGreaterThan: *result = a.bits > b.bits; return true;
    case OpSGreaterThan: *result = x > y; return true;
    case OpUGreaterThanEqual: *result = a.bits >= b.bits; return true;
    case OpSGreaterThanEqual: *result = x >= y; return true;
    case OpULessThan: *result = a.bits < b.bits; return true;
    case OpSLessThan: *result = x < y; return true;
    case OpULessThanEqual: *result = a.bits <= b.bits; return true;
    case OpSLessThanEqual: *result = x <= y; return true;
    case OpLogicalOr: *result = a.bits | b.bits; return true;
    case OpLogicalAnd: *result = a.bits & b.bits; return true;
    default: return false;
    }
}

static bool compute(uint32_t opcode, struct number a, struct number b, uint64_t *result)
{
    switch (opcode) {
    case OpIAdd: *result = a.bits + b.bits; return true;
    case OpISub: *result = a.bits - b.bits; return true;
    case OpIMul: *result = a.bits * b.bits; return true;
    case OpUDiv: *result = b.bits ? a.bits / b.bits : 0; return b.bits != 0;
    case OpUMod: *result = b.bits ? a.bits % b.bits : 0; return b.bits != 0;
    case OpBitwiseOr: *result = a.bits | b.bits; return true;
    case OpBitwiseXor: *result = a.bits ^ b.bits; return true;
    case OpBitwiseAnd: *result = a.bits & b.bits; return true;
    case OpShiftLeftLogical: *result = b.bits < a.width ? a.bits << b.bits : 0; return b.bits < a.width;
    case OpShiftRightLogical: *result = b.bits < a.width ? a.bits >> b.bits : 0; return b.bits < a.width;
    default: return compare(opcode, a, b, result);
    }
}

static bool compute_unary(uint32_t opcode, struct number a, uint64_t *result)
{
    switch (opcode) {
    case OpUConvert: *result = a.bits; return true;
    case OpSConvert: *result = (uint64_t)as_signed(a); return true;
    case OpSNegate: *result = 0 - a.bits; return true;
    case OpNot: *result = ~a.bits; return true;
    case OpLogicalNot: *result = !a.bits; return true;
    default: return false;
    }
}

static void fold_operation(struct nf_module *m, uint32_t at)
{
    struct number n[3];
    uint32_t count = nf_length(m, at) - 4;
    uint64_t result = 0;
    if (count < 1 || count > 3) return;
    for (uint32_t i = 0; i < count; i++)
        if (!get_number(m, nf_spec_operand(m, at, i), &n[i])) return;
    bool known = count == 1   ? compute_unary(nf_spec_opcode(m, at), n[0], &result)
                 : count == 2 ? compute(nf_spec_opcode(m, at), n[0], n[1], &result)
                              : nf_spec_opcode(m, at) == OpSelect;
    if (count == 3) result = n[0].bits ? n[1].bits : n[2].bits;
    if (known) put_number(m, at, result);
}

void nf_fold(struct nf_module *m)
{
    if (!m->options->spec_value_count || !m->options->spec_values) return;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (!nf_decorates(m, at, NF_DECORATION_SPEC_ID) || nf_length(m, at) < 4) continue;
        const nf_spec_value *value = given_value(m, nf_decoration_operand(m, at, 0));
        if (value) fold_constant(m, m->def[nf_annotated_id(m, at)], value->value);
    }
    for (uint32_t at = NF_HEADER_WORDS; m->folded && at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpSpecConstantOp) fold_operation(m, at);
}
