/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plain.c - instructions that are written as they are, but for their ids.
 *
 *     %c = OpCompositeInsert %pair %p %b 0     %c = OpCompositeInsert %pair2 %p_canonical %b 0
 *
 * needs: the ids and tuples of the operands.  gives: the instruction, and the result's id or tuple.
 */
#include "rewrite/parts.h"

/* No device has all its memory below HIGH, and no address has its top bit set but a global one, whatever its form. */
enum { HIGH = 40, SIGN = 63 };

/* The integer whose top bits `id` is made of alone, or 0. */
static uint32_t top_of(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    int64_t value;
    if (at >= m->body_at && nf_opcode(m, at) == OpUConvert) at = m->def[m->words[at + 3]];
    if (at < m->body_at || nf_operand_count(m, at) != 2 || !nf_constant(m, m->words[at + 4], &value)) return 0;
    bool shifted = nf_opcode(m, at) == OpShiftRightLogical || nf_opcode(m, at) == OpShiftRightArithmetic;
    bool masked = nf_opcode(m, at) == OpBitwiseAnd && !((uint64_t)value & (((uint64_t)1 << HIGH) - 1));
    return (shifted && value >= HIGH && value < SIGN) || masked ? m->words[at + 3] : 0;
}

static bool is_number(const struct nf_module *m, uint32_t id)
{
    return nf_constant(m, id, &(int64_t){0});
}

/* Is it a number that addresses are below, and those with a tag are not? `word >> 48 != 0` is written `word < 1 << 48` by
 * compilers. */
static bool is_bound(const struct nf_module *m, uint32_t id)
{
    int64_t value;
    uint32_t at = m->def[id];
    if (at >= m->body_at && nf_opcode(m, at) == OpConvertPtrToU) at = m->def[id = m->words[at + 3]];
    if (nf_is_number_constant(m, id)) id = m->words[at + 4];
    if (at >= m->body_at && nf_opcode(m, at) == OpConvertUToPtr) id = m->words[at + 3];
    return nf_constant(m, id, &value) && value >= (int64_t)1 << HIGH && value < (int64_t)3 << NF_TAG_AT;
}

/* The integer whose top bits are looked at by a comparison, a switch, or a count of zeros before the first one; or 0. */
static uint32_t looked_at(const struct nf_module *m, uint32_t at)
{
    if (nf_role_at(m, at) == NF_ROLE_top_bits)
        return nf_opcode(m, at) == OpExtInst ? m->words[at + 5] : nf_operand(m, at, 0);
    if (nf_opcode(m, at) == OpSwitch) return top_of(m, nf_operand(m, at, 0));
    if (nf_role_at(m, at) != NF_ROLE_compare_bits) return 0;
    uint32_t x = nf_operand(m, at, 0), y = nf_operand(m, at, 1);
    if (is_number(m, x) || is_bound(m, x)) x = y, y = nf_operand(m, at, 0);
    bool orders = nf_opcode(m, at) != OpIEqual && nf_opcode(m, at) != OpINotEqual;
    return orders && is_bound(m, y) ? x : is_number(m, y) ? top_of(m, x) : 0;
}

/* A program that tells addresses from other words by their top bits sees the tag there. */
static void check_test(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t address = nf_hints(o) || m->address_bits == 32 ? 0 : looked_at(m, at);
    if (!address || m->def[address] < m->body_at || nf_form_of(o, address)) return;
    nf_set evidence = nf_evidence(nf_instance_at(m, o->body.instance), m->analysis->values[address].node);
    if (evidence & (NF_PRIVATE | NF_LOCAL))
        nf_fail(o->m->arena, NF_REFUSED, at,
                "the top bits of an address are looked at, where its space stands: it may be in several");
}

static nf_set evidence_of(const struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    if (m->def[id] < m->body_at || nf_form_of(o, id)) return 0;
    return nf_evidence(nf_instance_at(m, o->body.instance), m->analysis->values[id].node);
}

/* An address that has lost its tag is no other's equal. */
static void check_compared(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    if (nf_hints(o) || m->address_bits == 32) return;
    nf_set a = evidence_of(o, nf_operand(m, at, 0)), b = evidence_of(o, nf_operand(m, at, 1));
    bool addresses = a & (NF_PRIVATE | NF_LOCAL) && b & (NF_PRIVATE | NF_LOCAL);
    if (addresses && (a ^ b) & NF_LOST)
        nf_fail(o->m->arena, NF_REFUSED, at,
                "an address is compared whose top bits were taken off, and with them its space: it may be in several");
}

/* The instruction as it is, ids mapped, generic pointers in memory's form. */
void nf_emit_plain(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    bool converts = op->opcode == OpConvertPtrToU || op->opcode == OpConvertUToPtr;
    if (converts && nf_emit_concrete_conversion(o, at)) return;
    if (nf_emit_vector(o, at)) return;
    check_test(o, at);
    if (nf_role_at(m, at) == NF_ROLE_compare_bits) check_compared(o, at);
    uint32_t near[32], length = nf_length(m, at), *words = length > 32 ? NF_NEW(m->arena, uint32_t, length) : near;
    uint32_t id = nf_result_id(m, at), form = 0;
    memcpy(words, m->words + at, length * sizeof *words);
    if (nf_has_type(op)) words[1] = nf_memory_type(o, words[1]);
    if (nf_has_result(op))
        words[nf_result_word(op)] = form = nf_is_generic_value(m, id) ? nf_new_id(o) : o->body.renamed[id];
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) words[walk.at] = nf_memory_form(o, words[walk.at]);
    nf_put_all(&o->bodies, words, length);
    if (id && nf_is_generic_value(m, id)) nf_from_memory(o, form, id);
}
