/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.c - writes the output module: the bodies of the live instances, then the other sections.
 *
 *     f, for {private}          f, for {private}
 *     f, for {local}            f.42, for {local}
 *     g, never called           (gone)
 *
 * One instance of a function keeps the function's id: the one that unknown callers use, or an open or the first one.
 *
 * needs: the instances.  gives: the output's words.
 */
#include "rewrite/internal.h"

/* Assigns a function id to each emitted instance. A root, or an open instance whose address is taken, keeps the input's
 * id, because entry points, exports and function pointers name it; otherwise an open or else the first instance. */
static void choose_ids(struct nf_output *o, const struct nf_function *f)
{
    struct nf_module *m = o->m;
    uint32_t keeper = 0;
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        if (!instance->live || instance->same_as != i) continue;
        bool known = instance->root || (instance->open && f->address_taken);
        if (!keeper || known || !(nf_instance_at(m, keeper)->root || nf_instance_at(m, keeper)->open)) keeper = i;
    }
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next)
        if (nf_instance_at(m, i)->live && nf_instance_at(m, i)->same_as == i)
            nf_instance_at(m, i)->emitted_id = i == keeper ? f->id : nf_new_id(o);
}

static void rewrite_instances(struct nf_output *o, nf_counts *counts, const struct nf_function *f)
{
    struct nf_module *m = o->m;
    uint32_t *list = NF_NEW(m->arena, uint32_t, f->analysis->instance_count + 1), count = 0;
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next)
        if (nf_instance_at(m, i)->live && nf_instance_at(m, i)->same_as == i) list[count++] = i;
    for (uint32_t i = count; i-- > 0;)
        nf_rewrite_instance(o, list[i]);
    counts->functions += count;
    if (count) counts->clones += count - 1;
}

/* Frees the arrays for bodies, to limit the peak of memory: the sections are written next. */
static void drop_body(struct nf_output *o)
{
    struct nf_body *b = &o->body;
    void *const arrays[] = {b->renamed,           b->tuple_index,       b->tuples,          b->raw_of,
                            b->patches,           b->exit_label,        b->tag_required,    b->worklist,
                            b->own_variables,     b->tuple_variable_of, b->tuple_variables, o->phi_casts.at,
                            o->phi_casts.of_block};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        nf_arena_drop(o->m->arena, arrays[i]);
    *b = (struct nf_body){.f = NULL};
    o->phi_casts = (struct nf_phi_casts){.at = NULL};
}

static uint32_t find_debug_none(const struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; m->ext_debug && at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpExtInst && nf_extended_set(m, at) == m->ext_debug && nf_extended_number(m, at) == 0)
            return nf_value_id(m, at);
    return 0;
}

void nf_rewrite(struct nf_module *m, nf_counts *counts, struct nf_words *output)
{
    struct nf_output *o = NF_NEW(m->arena, struct nf_output, 1);
    o->m = m;
    o->build = nf_build_begin(m->arena, m->bound);
    o->early = o->bodies = o->helpers = o->names = o->declarations = (struct nf_words){.arena = m->arena};
    o->type_of_type = NF_NEW(m->arena, uint32_t, m->bound);
    o->used = NF_NEW(m->arena, uint8_t, m->bound);
    o->copies.first = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    o->copies.annotated = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    o->body.renamed = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    o->body.tuple_index = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    o->body.tuple_count = 1;
    NF_RESERVE(m->arena, o->body.tuples, o->body.tuple_capacity, 8);
    nf_reserve_words(&o->bodies, (size_t)(m->count - m->body_at) + 64);
    o->debug_none = find_debug_none(m);
    nf_find_annotated(o);
    nf_map_definitions(o);
    nf_begin_addresses(o);
    nf_find_concrete_memory(o);
    for (uint32_t i = 1; i < m->function_count; i++)
        choose_ids(o, &m->functions[i]);
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (m->functions[i].body)
            rewrite_instances(o, counts, &m->functions[i]);
        else
            nf_emit_declaration(o, &m->functions[i]);
    }
    drop_body(o);
    nf_write_module(o, output);
    nf_build_end(&o->build);
    nf_arena_drop(m->arena, o->copies.at);
    nf_arena_drop(m->arena, o->copies.first);
    nf_arena_drop(m->arena, o->copies.annotated);
}
