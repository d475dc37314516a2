/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tuple_variables.c - replaces a variable of one generic pointer by one for the tag and one for each part.
 *
 *     %v = OpVariable %_ptr_Function_pointer          %v_t = OpVariable %_ptr_Function_uint
 *          OpStore %v %p                              %v_p, %v_g = one more for each space
 *     %q = OpLoad %_ptr_Generic_int %v                     OpStore %v_t %p_t ... and likewise for loads
 *
 * Unoptimized code stores every pointer in such a variable. As a flat address the pointer would be converted at every
 * access, and a 32-bit address has no room for a tag. A variable stays if it has other uses than debug information and
 * nonvolatile loads and stores.
 *
 * needs: the sets of the instance that is written.  gives: the variables of the parts, and the accesses to them.
 */
#include "rewrite/internal.h"

/* Returns true if the instruction declares a variable of a generic pointer without an initializer. */
static bool may_be_tuple(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpVariable && nf_length(m, at) == 4 &&
           nf_is_generic(m, nf_type(m, nf_value_type(m, at))->element);
}

/* Returns true if word `index` is the pointer operand of a load or store that is not volatile. */
static bool is_nonvolatile_access(const struct nf_module *m, uint32_t at, uint32_t index)
{
    uint32_t opcode = nf_opcode(m, at), mask_at = opcode == OpLoad ? 4 : 3;
    bool pointer = (opcode == OpLoad && index == 3) || (opcode == OpStore && index == 1);
    return pointer && !(nf_length(m, at) > mask_at && nf_word(m, at, mask_at) & NF_MEMORY_VOLATILE);
}

/* Returns the set of the pointer that the instruction loads or stores; 0 if it is dead. */
static nf_set set_of_access(const struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    bool dead;
    uint32_t value = nf_opcode(m, at) == OpLoad ? nf_value_id(m, at) : nf_store_object(m, at);
    nf_set set = nf_value_set(m, nf_instance_at(m, o->body.instance), value, &dead);
    return dead ? 0 : set;
}

static void note_use(struct nf_output *o, uint32_t at, uint32_t index)
{
    struct nf_tuple_variable *variable = &o->body.tuple_variables[o->body.tuple_variable_of[nf_word(o->m, at, index)]];
    if (is_nonvolatile_access(o->m, at, index))
        variable->set |= set_of_access(o, at);
    else if (nf_debug_at(o->m, at) == NF_DEBUG_NONE)
        variable->open = true;
}

void nf_find_tuple_variables(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t first = o->body.tuple_variable_count;
    if (nf_keeps_generic(o) || o->body.f->unknown_ops || !nf_has_role(m, NF_ROLE_variable)) return;
    /* NF_FAULT_INTEL_ESCAPING_ADDRESSES: only addresses that are loaded from volatile memory are known to be safe. */
    if (m->address_bits == 64 && nf_hides_escapes(o)) return;
    if (!o->body.tuple_variable_of)
        o->body.tuple_variable_of = NF_NEW_ARRAY(m->arena, uint32_t, m->bound),
        first = o->body.tuple_variable_count = 1;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (!may_be_tuple(m, at)) continue;
        NF_RESERVE(m->arena, o->body.tuple_variables, o->body.tuple_variable_capacity,
                   (size_t)o->body.tuple_variable_count + 1);
        o->body.tuple_variables[o->body.tuple_variable_count] = (struct nf_tuple_variable){0};
        o->body.tuple_variable_of[nf_value_id(m, at)] = o->body.tuple_variable_count++;
    }
    for (uint32_t at = o->body.f->body; first < o->body.tuple_variable_count && at < o->body.f->end;
         at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids))
            if (o->body.tuple_variable_of[nf_current_id(&ids)]) note_use(o, at, ids.at);
    }
}

/* Returns the tuple variable that replaces the variable `id`, or NULL; with a single set it has one part and no tag. */
static struct nf_tuple_variable *tuple_variable_at(struct nf_output *o, uint32_t id)
{
    uint32_t index = o->body.tuple_variable_of ? o->body.tuple_variable_of[id] : 0;
    struct nf_tuple_variable *variable = index ? &o->body.tuple_variables[index] : NULL;
    return variable && !variable->open && variable->set ? variable : NULL;
}

static void declare_parts(struct nf_output *o, uint32_t at, struct nf_tuple_variable *variable)
{
    struct nf_module *m = o->m;
    uint32_t type = nf_type(m, nf_value_type(m, at))->element;
    uint32_t first = o->body.renamed[nf_value_id(m, at)]; /* this part keeps the variable's id, and so its name */
    if (nf_single(variable->set)) {
        uint32_t pointee = nf_part_type(o, type, variable->set);
        variable->part[nf_number(variable->set)] = first;
        NF_EMIT(o, OpVariable, nf_pointer_type(o, NF_STORAGE_FUNCTION, pointee), first, NF_STORAGE_FUNCTION);
        return;
    }
    variable->tag = first;
    NF_EMIT(o, OpVariable, nf_pointer_type(o, NF_STORAGE_FUNCTION, nf_uint_type(o)), first, NF_STORAGE_FUNCTION);
    for (unsigned n = 0; n < NF_PARTS; n++) {
        if (!nf_has(variable->set, n)) continue;
        uint32_t pointer = nf_pointer_type(o, NF_STORAGE_FUNCTION, nf_part_type(o, type, nf_space(n)));
        variable->part[n] = NF_EMIT_NEW(o, OpVariable, pointer, NF_STORAGE_FUNCTION);
    }
}

static void load_parts(struct nf_output *o, uint32_t at, const struct nf_tuple_variable *variable)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_value_id(m, at), type = nf_value_type(m, at);
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set};
    if (!nf_single(tuple.set)) tuple.tag = NF_EMIT_NEW(o, OpLoad, nf_uint_type(o), variable->tag);
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(tuple.set & space)) continue;
        if (!variable->part[n]) { /* no pointer of this space is stored in it */
            tuple.part[n] = nf_null(o, nf_part_type(o, type, space));
            continue;
        }
        tuple.part[n] = nf_part_id(o, &tuple, id);
        NF_EMIT(o, OpLoad, nf_part_type(o, type, space), tuple.part[n], variable->part[n]);
    }
    nf_set_tuple(o, id, tuple);
}

static void store_parts(struct nf_output *o, uint32_t at, const struct nf_tuple_variable *variable)
{
    struct nf_module *m = o->m;
    uint32_t value = nf_store_object(m, at), type = nf_type_id_of(m, value);
    const struct nf_tuple tuple = *nf_tuple_of(o, value);
    if (variable->tag) NF_EMIT(o, OpStore, variable->tag, nf_tag_as(o, &tuple));
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (nf_has(variable->set, n)) NF_EMIT(o, OpStore, variable->part[n], nf_part_as(o, &tuple, nf_space(n), type));
}

bool nf_emit_tuple_variable(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at);
    if (opcode != OpVariable && opcode != OpLoad && opcode != OpStore) return false;
    uint32_t id = opcode == OpVariable ? nf_value_id(m, at)
                  : opcode == OpLoad   ? nf_load_pointer(m, at)
                                       : nf_store_pointer(m, at);
    struct nf_tuple_variable *variable = tuple_variable_at(o, id);
    if (!variable) return false;
    if (opcode == OpVariable)
        declare_parts(o, at, variable);
    else if (opcode == OpLoad)
        load_parts(o, at, variable);
    else
        store_parts(o, at, variable);
    return true;
}
