/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite_entry.c - what a function does before its first instruction: variables of ours, arguments that arrive as
 * bits.
 *
 *     kernel void k(struct s by_value) { by_value.n++; }      kernel void k(struct s shared) { struct s by_value =
 * shared; ...
 *
 * On some drivers all work-items of a group share a by-value argument's one copy, so a kernel that may write it gets
 * one for each work-item. The copies are declared behind the first label, and filled behind the input's own variables.
 */
#include "rewrite.h"

/* A by-value argument of a kernel that may be written: on some drivers all work-items of a group share its one copy. */
static bool is_written_argument(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    if (!m->instances[o->instance].root || !o->f->entry_at || nf_hints(o)) return false;
    const struct nf_type *type = nf_type(m, m->words[at + 1]);
    struct nf_value v = m->values[m->words[at + 2]];
    if (type->kind != NF_KIND_POINTER || type->storage != NF_STORAGE_FUNCTION || !type->element || !v.node)
        return false;
    uint32_t region = nf_place_of(m, v).region; /* may be new, and have moved all others */
    const struct nf_region *r = &m->graph->regions[region];
    return r->stored || r->host;
}

void nf_declare_copies(struct nf_output *o)
{
    struct nf_module *m = o->m;
    for (uint32_t at = o->f->parameters; nf_opcode(m, at) != OpLabel; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionParameter || !is_written_argument(o, at)) continue;
        uint32_t id = m->words[at + 2], copy = nf_new_id(o);
        NF_EMIT(o, OpVariable, nf_memory_type(o, m->words[at + 1]), copy, NF_STORAGE_FUNCTION);
        if (!o->by_value_count) nf_note_made(o, (uint32_t[]){NF_COPIES_KEY, o->f->id}, 2, o->f->id);
        o->by_value[o->by_value_count++] = id;
        o->by_value[o->by_value_count++] = copy;
    }
}

void nf_copy_arguments(struct nf_output *o)
{
    struct nf_module *m = o->m;
    enum { ALIGNED = 2 };
    for (uint32_t i = 0; i < o->by_value_count; i += 2) {
        uint32_t id = o->by_value[i], copy = o->by_value[i + 1];
        const struct nf_type *type = nf_type(m, nf_type_of(m, id)->element);
        uint32_t size = nf_address_constant(o, type->size);
        if (type->size) NF_EMIT(o, OpCopyMemorySized, copy, o->renamed[id], size, ALIGNED, type->align);
        o->renamed[id] = copy;
    }
    o->by_value_count = 0;
}

void nf_decode_parameters(struct nf_output *o)
{
    for (uint32_t i = 0; i < o->decode_count; i += 2)
        nf_from_memory(o, o->decode_queue[i], o->decode_queue[i + 1]);
    o->decode_count = 0;
}

uint32_t nf_pointer_slot(struct nf_output *o, uint32_t type)
{
    struct nf_module *m = o->m;
    for (uint32_t i = 0; i < o->slot_count; i += 3)
        if (o->slots[i] == type) return o->slots[i + 2];
    NF_RESERVE(m, o->slots, o->slot_capacity, (size_t)o->slot_count + 3);
    o->slots[o->slot_count++] = type;
    o->slots[o->slot_count++] = nf_pointer_type(o, NF_STORAGE_FUNCTION, type);
    o->slots[o->slot_count++] = nf_new_id(o);
    return o->slots[o->slot_count - 1];
}

/* They were asked for behind the place where they belong. */
void nf_declare_slots(struct nf_output *o)
{
    enum { WORDS = 4 };
    uint32_t needed = o->slot_count / 3 * WORDS, behind = o->bodies.count - o->variables_at;
    if (!needed) return;
    for (uint32_t i = 0; i < needed; i++)
        nf_put(o->m, &o->bodies, 0);
    uint32_t *to = o->bodies.at + o->variables_at;
    memmove(to + needed, to, behind * sizeof *to);
    for (uint32_t i = 0; i < o->slot_count; i += 3, to += WORDS)
        memcpy(to, (uint32_t[]){WORDS << 16 | OpVariable, o->slots[i + 1], o->slots[i + 2], NF_STORAGE_FUNCTION},
               WORDS * sizeof *to);
    o->slot_count = 0;
}
