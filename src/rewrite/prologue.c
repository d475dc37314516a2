/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prologue.c - the beginning of a function: by-value arguments are copied, parameters in memory form become tuples.
 *
 *     kernel void k(struct s by_value)        kernel void k(struct s shared)
 *     {                                       {
 *         by_value.n++;                           struct s by_value = shared;
 *                                                 by_value.n++;
 *
 * On some drivers all work-items of a group share one copy of a by-value argument, so a kernel that may write the
 * argument gets a private copy, which is filled after the input's own variables.
 *
 * needs: the instance and nf_function_analysis.written_arguments.  gives: variables and instructions at the beginning
 * of its first block.
 */
#include "rewrite/internal.h"

static bool is_written_argument(const struct nf_output *o, uint32_t at)
{
    const struct nf_function *f = o->body.f;
    return nf_is_by_value(o->m, at) && f->analysis->written_arguments[nf_parameter_index(o->m, f, at)];
}

void nf_declare_copies(struct nf_output *o)
{
    struct nf_module *m = o->m;
    if (!nf_instance_at(m, o->body.instance)->root || !o->body.f->entry_at || nf_keeps_generic(o)) return;
    for (uint32_t at = o->body.f->parameters; nf_opcode(m, at) != OpLabel; at = nf_next(m, at)) {
        if (!is_written_argument(o, at)) continue;
        uint32_t id = nf_value_id(m, at), copy = nf_new_id(o);
        NF_EMIT(o, OpVariable, nf_memory_type(o, nf_value_type(m, at)), copy, NF_STORAGE_FUNCTION);
        nf_remember_copy(o, id, copy, NF_COPY_MADE); /* accesses rely on the alignment of the argument */
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
