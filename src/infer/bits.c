/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bits.c - how many bits of a number can be set: what can hold an address, or its tag, and what cannot.
 *
 *     %w = OpUConvert %ulong %half        32 bits
 *     %h = OpShiftRightLogical %ulong %x %ulong_16    48
 *     %s = OpBitwiseOr %ulong %w %h       48
 *
 * Only instructions of the same expression are looked at; a load, a phi or a call may give all bits.
 *
 * needs: constants, definitions.  gives: numbers of bits.
 */
#include "infer/parts.h"

bool nf_is_number(const struct nf_module *m, uint32_t id, int64_t *value)
{
    if (nf_type_of(m, id)->kind != NF_KIND_VECTOR) return nf_constant(m, id, value);
    uint32_t at = m->def[id];
    if (nf_opcode(m, at) != OpConstantComposite) return false;
    for (uint32_t i = 4; i < nf_length(m, at); i++)
        if (m->words[at + i] != m->words[at + 3]) return false;
    return nf_constant(m, m->words[at + 3], value);
}

uint32_t nf_number_width(const struct nf_module *m, uint32_t id)
{
    return nf_width_of(m, nf_scalar_of(m, nf_type_of(m, id)));
}

uint32_t nf_step_from(const struct nf_module *m, uint32_t id, uint32_t before)
{
    uint32_t at = m->def[id];
    if (at < m->body_at || (nf_opcode(m, at) != OpIAdd && nf_opcode(m, at) != OpISub)) return 0;
    return m->words[at + 3] == before ? m->words[at + 4] : 0;
}

bool nf_goes_on_from(const struct nf_module *m, uint32_t id, uint32_t before)
{
    uint32_t step = nf_step_from(m, id, before);
    int64_t number;
    return step && nf_is_number(m, step, &number);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t nf_log2(uint64_t value)
{
    return 63 - (uint32_t)__builtin_clzll(value);
}

/* Of a number that is not negative. */
static uint32_t bits_in(int64_t value)
{
    return value ? 1 + nf_log2((uint64_t)value) : 0;
}

static uint32_t bits_at(const struct nf_module *m, uint32_t id, int depth);

/* Of `from` bits, those that are left when it is moved down. */
static uint32_t bits_shifted(const struct nf_module *m, uint32_t at, uint32_t from)
{
    int64_t value;
    if (!nf_is_number(m, m->words[at + 4], &value) || value < 0) return from;
    if (nf_opcode(m, at) == OpUDiv) value = value ? nf_log2((uint64_t)value) : 0;
    return from > value ? from - (uint32_t)value : 0;
}

static uint32_t bits_of_result(const struct nf_module *m, uint32_t at, uint32_t width, int depth)
{
    int64_t value;
    uint32_t left;
    bool known;
    switch (nf_opcode(m, at)) {
    case OpUConvert: return smaller(width, bits_at(m, m->words[at + 3], depth));
    case OpUDiv:
    case OpShiftRightLogical: return bits_shifted(m, at, bits_at(m, m->words[at + 3], depth));
    case OpShiftLeftLogical:
        if (!nf_is_number(m, m->words[at + 4], &value) || value < 0 || value > 64) return width;
        return smaller(width, bits_at(m, m->words[at + 3], depth) + (uint32_t)value);
    case OpUMod:
        known = nf_is_number(m, m->words[at + 4], &value) && value > 0;
        left = known ? bits_in(value - 1) : bits_at(m, m->words[at + 4], depth);
        return smaller(bits_at(m, m->words[at + 3], depth), left);
    case OpBitwiseAnd: return smaller(bits_at(m, m->words[at + 3], depth), bits_at(m, m->words[at + 4], depth));
    case OpIAdd:
    case OpBitwiseOr:
    case OpBitwiseXor: {
        uint32_t a = bits_at(m, m->words[at + 3], depth), b = bits_at(m, m->words[at + 4], depth);
        return smaller(width, (a > b ? a : b) + (nf_opcode(m, at) == OpIAdd));
    }
    case OpBitFieldUExtract:
        return nf_is_number(m, m->words[at + 5], &value) && value >= 0 && value < width ? (uint32_t)value : width;
    default: return width;
    }
}

static uint32_t bits_at(const struct nf_module *m, uint32_t id, int depth)
{
    enum { DEEP = 5 };
    uint32_t width = nf_number_width(m, id);
    int64_t value;
    if (nf_is_number(m, id, &value)) return value < 0 ? width : bits_in(value);
    return depth > DEEP || m->def[id] < m->body_at ? width : bits_of_result(m, m->def[id], width, depth + 1);
}

uint32_t nf_bits_of(const struct nf_module *m, uint32_t id)
{
    return bits_at(m, id, 0);
}

bool nf_is_short_number(const struct nf_type *type)
{
    return type->kind == NF_KIND_INT && type->size <= 4;
}

bool nf_is_small_number(const struct nf_module *m, uint32_t at)
{
    if (m->address_bits != 64 || !nf_is_short_number(nf_type(m, nf_result_type(m, at)))) return false;
    return nf_bits_of(m, nf_result_id(m, at)) <= NF_SMALL_BITS;
}
