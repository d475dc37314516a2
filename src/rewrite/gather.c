/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather.c - rewrites masked gathers and scatters through generic pointers (SPV_INTEL_masked_gather_scatter).
 *
 *     %x = OpMaskedGatherINTEL %v2uint %p 4 %mask %fill
 *
 *     %b = OpCompositeExtract %ulong %p 0            for each component: its flat address;
 *     %c = OpCompositeExtract %bool %mask 0
 *          OpBranchConditional %c %do %join          if its mask is true,
 *     %q = OpConvertUToPtr %_ptr_Workgroup_uint %b   the pointer in its space, or a dispatch,
 *     %l = OpLoad %uint %q Aligned 4
 *     %j = OpPhi %uint %f %before %l %do             else the component of %fill
 *
 * A vector of generic pointers is a vector of integers in the output, and no instruction gathers through integers. Each
 * component has the union of the sets of all components.
 *
 * needs: instances and nf_gather_node().  gives: the instructions of each component, in blocks of their own.
 */
#include "rewrite/internal.h"

/* The output's operands of a gather or scatter; `index` is the component that is being emitted. */
struct gather {
    uint32_t at, pointers, mask, values; /* values: the values to store, or the result where the mask is false */
    uint32_t alignment, pointer_type, element_type, index;
    nf_set set;
};

static struct gather operands_of(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    bool loads = nf_role_at(m, at) == NF_ROLE_gather;
    uint32_t vector = nf_operand(m, at, !loads);
    nf_set evidence = nf_evidence(nf_instance_at(m, o->body.instance), nf_gather_node(m, at));
    struct gather g = {.at = at, .pointers = nf_memory_form(o, vector)};
    g.set = nf_value_set_by(m, evidence & (nf_set) ~(NF_LOOSE | NF_COUNT));
    g.values = nf_memory_form(o, nf_operand(m, at, loads ? 3 : 0));
    g.alignment = nf_operand(m, at, loads ? 1 : 2);
    g.mask = nf_mapped(o, nf_operand(m, at, loads ? 2 : 3));
    g.pointer_type = nf_type_of(m, vector)->element;
    g.element_type = nf_memory_type(o, nf_type(m, g.pointer_type)->element);
    return g;
}

static uint32_t component(struct nf_output *o, const struct gather *g, uint32_t type, uint32_t vector)
{
    return NF_EMIT_NEW(o, OpCompositeExtract, type, vector, g->index);
}

/* Emits the load or, with a `value`, the store of one component. Returns the loaded value. */
static uint32_t access_component(struct nf_output *o, const struct gather *g, uint32_t value)
{
    uint32_t address = component(o, g, o->address_type, g->pointers), result = value ? 0 : nf_new_id(o);
    struct nf_tuple tuple = nf_tuple_from_integer(o, address, g->set, 0, g->pointer_type);
    struct nf_operand_form forms[4] = {{.generic_type = g->pointer_type}};
    uint32_t count = 1;
    if (nf_single(g->set)) {
        forms[0].word = tuple.part[nf_number(g->set)];
        forms[0].type = nf_part_type(o, g->pointer_type, g->set);
        forms[0].space = g->set;
    } else {
        forms[0].tuple = tuple;
    }
    if (value) forms[count++] = (struct nf_operand_form){.word = value, .type = g->element_type};
    if (g->alignment) {
        forms[count++] = (struct nf_operand_form){.word = NF_MEMORY_ALIGNED};
        forms[count++] = (struct nf_operand_form){.word = g->alignment};
    }
    struct nf_split_access access = {value ? OpStore : OpLoad, value ? 0 : g->element_type, result, forms, count};
    nf_emit_split_access(o, &access);
    return result;
}

/* Emits the access of one component under its mask. Returns the component of a gather's result, 0 for a scatter. */
static uint32_t do_component(struct nf_output *o, const struct gather *g, bool loads)
{
    uint32_t before = o->body.block.label, inside = nf_new_id(o), join = nf_new_id(o);
    uint32_t old = component(o, g, g->element_type, g->values);
    uint32_t chosen = component(o, g, nf_bool_type(o), g->mask);
    NF_EMIT(o, OpBranchConditional, chosen, inside, join);
    nf_begin_block(o, inside);
    nf_repeat_line(o);
    uint32_t loaded = access_component(o, g, loads ? 0 : old), end = o->body.block.label;
    NF_EMIT(o, OpBranch, join);
    nf_begin_block(o, join);
    uint32_t value = loads ? NF_EMIT_NEW(o, OpPhi, g->element_type, old, before, loaded, end) : 0;
    nf_repeat_line(o);
    return value;
}

bool nf_emit_gather(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    if (nf_keeps_generic(o) || !nf_gathered_type(m, at)) return false;
    bool loads = nf_role_at(m, at) == NF_ROLE_gather;
    enum { LARGEST = 64 }; /* components of the longest vector that a compiler emits */
    const struct nf_type *vector = nf_gathered_type(m, at);
    if (vector->count > LARGEST) nf_fail(m->arena, NF_REFUSED, at, "a %u-pointer vector is too long", vector->count);
    struct gather g = operands_of(o, at);
    uint32_t id = nf_result_id(m, at), type = loads ? nf_memory_type(o, nf_result_type(m, at)) : 0, whole = g.values;
    for (g.index = 0; g.index < vector->count; g.index++) {
        uint32_t value = do_component(o, &g, loads);
        if (!loads) continue;
        bool last = g.index + 1 == vector->count;
        uint32_t next = last ? o->body.renamed[id] : nf_new_id(o);
        NF_EMIT(o, OpCompositeInsert, type, next, value, whole, g.index);
        whole = next;
    }
    return true;
}
