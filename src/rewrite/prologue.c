/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prologue.c - what a function does first: by-value arguments are copied, parameters in memory form become tuples.
 *
 *     kernel void k(struct s by_value)        kernel void k(struct s shared)
 *     {                                       {
 *         by_value.n++;                           struct s by_value = shared;
 *                                                 by_value.n++;
 *
 * On some drivers all work-items of a group share one copy of a by-value argument, so a kernel that may write the
 * argument gets a private copy, which is filled behind the input's own variables.
 *
 * needs: the instance's parameters.  gives: variables and instructions at the beginning of its first block.
 */
#include "rewrite/internal.h"

static bool is_by_value(const struct nf_module *m, uint32_t at)
{
    const struct nf_type *type = nf_type(m, m->words[at + 1]);
    return nf_opcode(m, at) == OpFunctionParameter && type->kind == NF_KIND_POINTER &&
           type->storage == NF_STORAGE_FUNCTION && type->element;
}

/* Returns true if the instruction only reads through the pointer that is its word `index`. */
static bool only_reads(const struct nf_module *m, uint32_t at, uint32_t index)
{
    enum nf_role role = nf_role_at(m, at);
    return role == NF_ROLE_load || (role == NF_ROLE_copy_memory && index == 2) || nf_debug_at(m, at) != NF_DEBUG_NONE;
}

/* Records a use of a pointer into the by-value argument `argument`: the instruction's result points into it as well, or
 * the argument may be written. */
static void note_argument_use(struct nf_output *o, uint32_t at, uint32_t argument)
{
    struct nf_module *m = o->m;
    uint32_t type = nf_result_type(m, at);
    bool moves = nf_derives_pointer(nf_role_at(m, at)) && type && nf_type(m, type)->kind == NF_KIND_POINTER;
    if (moves)
        o->body.argument_of[nf_result_id(m, at)] = argument;
    else
        o->body.argument_of[argument] = NF_WRITTEN;
}

static bool note_by_value_arguments(struct nf_output *o)
{
    struct nf_module *m = o->m;
    bool any = false;
    for (uint32_t at = o->body.f->parameters; at < o->body.f->body; at = nf_next(m, at)) {
        if (!is_by_value(m, at)) continue;
        if (!o->body.argument_of) o->body.argument_of = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
        o->body.argument_of[m->words[at + 2]] = m->words[at + 2];
        any = true;
    }
    return any;
}

/* Returns true if the opcode has no pointer operand: arithmetic and branches, which are most of a kernel. */
static bool takes_no_pointer(uint32_t opcode)
{
    bool computes = opcode >= OpSNegate && opcode <= OpBitCount && opcode != OpSelect;
    return computes || (opcode >= OpLoopMerge && opcode <= OpBranchConditional);
}

/* Marks the by-value arguments that may be written: all but those whose address is seen to be only read through,
 * because the inference does not trace an address that becomes an integer to its later uses. */
static void find_written_arguments(struct nf_output *o)
{
    struct nf_module *m = o->m;
    if (!note_by_value_arguments(o)) return;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (takes_no_pointer(nf_opcode(m, at))) continue;
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t argument = o->body.argument_of[m->words[at + ids.at]];
            if (argument && argument != NF_WRITTEN && !only_reads(m, at, ids.at)) note_argument_use(o, at, argument);
        }
    }
}

static bool is_written_argument(const struct nf_output *o, uint32_t at)
{
    return o->body.argument_of && is_by_value(o->m, at) && o->body.argument_of[o->m->words[at + 2]] == NF_WRITTEN;
}

void nf_declare_copies(struct nf_output *o)
{
    struct nf_module *m = o->m;
    if (!nf_instance_at(m, o->body.instance)->root || !o->body.f->entry_at || nf_keeps_generic(o)) return;
    find_written_arguments(o);
    for (uint32_t at = o->body.f->parameters; nf_opcode(m, at) != OpLabel; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionParameter || !is_written_argument(o, at)) continue;
        uint32_t id = m->words[at + 2], copy = nf_new_id(o);
        NF_EMIT(o, OpVariable, nf_memory_type(o, m->words[at + 1]), copy, NF_STORAGE_FUNCTION);
        if (!o->body.by_value_count)
            nf_note_made(&o->build, (uint32_t[]){NF_COPIES_KEY, o->body.f->id}, 2, o->body.f->id);
        o->body.by_value[o->body.by_value_count++] = id;
        o->body.by_value[o->body.by_value_count++] = copy;
    }
}

void nf_copy_arguments(struct nf_output *o)
{
    struct nf_module *m = o->m;
    for (uint32_t i = 0; i < o->body.by_value_count; i += 2) {
        uint32_t id = o->body.by_value[i], copy = o->body.by_value[i + 1];
        const struct nf_type *type = nf_type(m, nf_type_of(m, id)->element);
        uint32_t size = nf_address_constant(o, type->size);
        if (type->size) NF_EMIT(o, OpCopyMemorySized, copy, o->body.renamed[id], size, NF_MEMORY_ALIGNED, type->align);
        o->body.renamed[id] = copy;
    }
    o->body.by_value_count = 0;
}

void nf_convert_integer_parameters(struct nf_output *o)
{
    for (uint32_t i = 0; i < o->body.number_parameter_count; i += 2)
        nf_from_memory(o, o->body.number_parameters[i], o->body.number_parameters[i + 1]);
    o->body.number_parameter_count = 0;
}
