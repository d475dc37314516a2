/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chains.c - writes access chains, as lvalues and as pointers.
 *
 *     OpInBoundsPtrAccessChain %p %i         v5[(long)v6]      as a pointer (v5 + (long)v6)
 *     OpInBoundsPtrAccessChain %p %i %1      v5[(long)v6].m1   as a pointer &v5[(long)v6].m1
 *
 * Indices are signed. C leaves a pointer outside its object undefined, whereas SPIR-V defines such a pointer unless the
 * chain is InBounds. So a chain that is not InBounds, and whose base was converted from an integer, is written as
 * integer arithmetic: such a base may be any number, such as an address with a tag that the sum removes.
 *
 * needs: the types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

enum { FARTHEST = 8 };

static bool has_element(const struct nf_insn *i)
{
    return i->op->opcode == OpPtrAccessChain || i->op->opcode == OpInBoundsPtrAccessChain;
}

static bool is_chain(const struct nf_insn *i)
{
    return i->form->kind == NF_FORM_chain;
}

static bool is_zero(const struct nf_emitter *e, uint32_t id)
{
    int64_t value;
    return nf_constant(e->m, id, &value) && value == 0;
}

/* Returns true if the pointer is derived from an integer by a conversion and fewer than FARTHEST further casts, copies
 * and chains, none of which is an OpInBoundsPtrAccessChain. */
static bool is_from_integer(const struct nf_emitter *e, uint32_t id)
{
    const struct nf_module *m = e->m;
    for (uint32_t steps = 0; steps < FARTHEST; steps++) {
        uint32_t def = id < m->bound ? m->def[id] : 0, opcode = def ? nf_opcode(m, def) : 0;
        if (opcode == OpConvertUToPtr) return true;
        bool is_derived =
            opcode == OpBitcast || opcode == OpCopyObject || (opcode >= OpAccessChain && opcode <= OpPtrAccessChain);
        if (!is_derived) return false;
        id = nf_operand(m, def, 0);
        if (nf_type_of(m, id)->kind != NF_KIND_POINTER) return true;
    }
    return false;
}

static bool is_integer_sum(const struct nf_emitter *e, const struct nf_insn *i)
{
    bool in_bounds = i->op->opcode == OpInBoundsAccessChain || i->op->opcode == OpInBoundsPtrAccessChain;
    return !in_bounds && is_from_integer(e, i->operands[0]);
}

/* Returns the type of the part of `type` that an index selects; sets `*member` for a structure. Refuses a type that is
 * no structure, array or vector, and an index into a structure that is no constant or names no member. */
static uint32_t step_into(struct nf_emitter *e, const struct nf_insn *i, uint32_t type, uint32_t index,
                          uint32_t *member)
{
    const struct nf_type *t = nf_type(e->m, type);
    int64_t value;
    if (t->kind == NF_KIND_ARRAY || t->kind == NF_KIND_VECTOR) return t->element;
    if (t->kind != NF_KIND_STRUCT || !nf_constant(e->m, index, &value) || value < 0 || value >= t->count)
        nf_refuse(e, i->at, "an index into a type without members");
    *member = (uint32_t)value;
    return nf_member_type(e->m, t->at, *member);
}

/* ---- As arithmetic of integers ---- */

static void say_term(struct nf_emitter *e, uint32_t index, uint64_t size)
{
    nf_say(e, " + (ulong)%i * ", index);
    nf_say_number(e, size);
    nf_say_string(e, "ul");
}

static void say_integer_sum(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t type = nf_type_of(e->m, i->operands[0])->element, member = 0, first = has_element(i) ? 2 : 1;
    nf_say(e, "(%t)((ulong)%p", i->type, i->operands[0]);
    if (first == 2 && !is_zero(e, i->operands[1])) say_term(e, i->operands[1], nf_type(e->m, type)->size);
    for (uint32_t n = first; n < i->count; n++) {
        const struct nf_type *t = nf_type(e->m, type);
        type = step_into(e, i, type, i->operands[n], &member);
        if (t->kind == NF_KIND_STRUCT)
            nf_say(e, " + %uul", t->offsets[member]);
        else
            say_term(e, i->operands[n], nf_type(e->m, type)->size);
    }
    nf_say_char(e, ')');
}

/* ---- As an lvalue ---- */

/* Writes `[index]`. */
static void say_index(struct nf_emitter *e, uint32_t index)
{
    int64_t value;
    nf_say_char(e, '[');
    if (nf_constant(e->m, index, &value) && value >= 0)
        nf_say_number(e, (uint64_t)value);
    else
        nf_say_signed(e, index);
    nf_say_char(e, ']');
}

/* Returns true if the pointer is the name of an object, or a chain that is written as an lvalue. */
static bool is_object(const struct nf_emitter *e, uint32_t id)
{
    uint32_t def = id < e->m->bound ? e->m->def[id] : 0;
    if (!def || nf_is_constant(e, id)) return false;
    if (nf_opcode(e->m, def) == OpVariable) return nf_is_variable_object(e, id);
    if (e->facts[id] & NF_ID_BY_VALUE) return true;
    struct nf_insn i = nf_insn_at(e, def);
    return e->facts[id] & NF_ID_INLINED && is_chain(&i) && !is_integer_sum(e, &i);
}

static void say_chain_object(struct nf_emitter *e, const struct nf_insn *i);

/* Writes the object of a pointer for which is_object() returns true. */
static void say_named_object(struct nf_emitter *e, uint32_t id)
{
    uint32_t def = e->m->def[id];
    if (nf_opcode(e->m, def) == OpVariable) {
        nf_say_variable_object(e, id);
    } else if (e->facts[id] & NF_ID_BY_VALUE) {
        nf_say_name(e, id, 'v');
    } else {
        struct nf_insn i = nf_insn_at(e, def);
        say_chain_object(e, &i);
    }
}

void nf_say_object(struct nf_emitter *e, uint32_t id)
{
    if (is_object(e, id)) {
        say_named_object(e, id);
    } else {
        nf_say_char(e, '*');
        nf_say_postfix(e, id);
    }
}

/* Writes the base of a chain and its element index, up to the first member access. Returns true if the first member
 * access is to be written with an arrow. */
static bool say_base(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t base = i->operands[0];
    if (has_element(i) && !is_zero(e, i->operands[1])) {
        nf_say_postfix(e, base);
        say_index(e, i->operands[1]);
        return false;
    }
    if (is_object(e, base)) {
        say_named_object(e, base);
        return false;
    }
    nf_say_postfix(e, base);
    return true;
}

/* Writes an access chain as an lvalue. */
static void say_chain_object(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_type *base = nf_type_of(e->m, i->operands[0]);
    uint32_t type = base->element, first = has_element(i) ? 2 : 1, member = 0;
    bool into_vector = false, arrow;
    for (uint32_t n = first; n < i->count; n++) {
        into_vector = nf_is_vector(nf_type(e->m, type));
        type = step_into(e, i, type, i->operands[n], &member);
    }
    if (into_vector) {
        nf_say_string(e, "((");
        nf_say_space(e, base);
        nf_say(e, " %m *)&", type);
    }
    arrow = say_base(e, i);
    if (arrow && i->count == first + into_vector) nf_say_string(e, "[0]");
    type = base->element;
    for (uint32_t n = first; n < i->count; n++) {
        const struct nf_type *t = nf_type(e->m, type);
        type = step_into(e, i, type, i->operands[n], &member);
        bool is_component = nf_is_vector(t);
        if (is_component) nf_say_char(e, ')');
        if (!is_component) nf_say_string(e, arrow ? "->" : ".");
        if (t->kind == NF_KIND_STRUCT) nf_say_member(e, member);
        if (t->kind == NF_KIND_ARRAY) nf_say_char(e, 'a');
        if (t->kind != NF_KIND_STRUCT) say_index(e, i->operands[n]);
        arrow = false;
    }
}

/* ---- Alignment ---- */

static uint32_t lowest_bit(uint64_t offset, uint32_t align)
{
    while (align > 1 && offset & (align - 1))
        align /= 2;
    return align;
}

uint32_t nf_assumed_alignment(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *pointer = nf_type_of(e->m, id);
    uint32_t def = id < e->m->bound ? e->m->def[id] : 0, natural = nf_type(e->m, pointer->element)->align, member = 0;
    struct nf_insn i = {0};
    if (def) i = nf_insn_at(e, def);
    if (!def || i.form->kind != NF_FORM_chain || is_integer_sum(e, &i)) return natural;
    uint32_t type = nf_type_of(e->m, i.operands[0])->element, first = has_element(&i) ? 2 : 1;
    uint32_t align = nf_type(e->m, type)->align;
    for (uint32_t n = first; n < i.count; n++) {
        const struct nf_type *t = nf_type(e->m, type);
        type = step_into(e, &i, type, i.operands[n], &member);
        align = lowest_bit(t->kind == NF_KIND_STRUCT ? t->offsets[member] : nf_type(e->m, type)->size, align);
    }
    return align > natural ? align : natural;
}

/* ---- As a pointer ---- */

void nf_form_chain(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t base = i->operands[0], first = has_element(i) ? 2 : 1, type = nf_type_of(e->m, base)->element, member = 0;
    if (is_integer_sum(e, i)) {
        say_integer_sum(e, i);
        return;
    }
    for (uint32_t n = first; n < i->count; n++)
        type = step_into(e, i, type, i->operands[n], &member);
    if (type != nf_type(e->m, i->type)->element) nf_say(e, "(%t)", i->type);
    if (i->count > first) {
        nf_say_char(e, '&');
        say_chain_object(e, i);
    } else if (first == 2 && !is_zero(e, i->operands[1])) {
        nf_say(e, "(%p + %i)", base, i->operands[1]);
    } else {
        nf_say_value(e, base);
    }
}
