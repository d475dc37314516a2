/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.c - copies functions of the library (library/library.cl) into the module that needs them.
 *
 * A function is copied with its types and constants, except the types and constants that the module already has. The
 * library is read when the first function is requested, so that a module which needs no function costs nothing.
 *
 * needs: the module that is being edited.  gives: copies of the requested functions in that module.
 */
#include "supply/internal.h"

static const uint32_t library_words[] = {
#include "supply/library/words.inc"
};

static uint32_t find_function(const struct nf_module *m, const char *name)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_is_linkage(m, at) && strcmp(nf_string(m, at + 3), name) == 0) return nf_annotated_id(m, at);
    return 0;
}

/* Reads the library. Its blocks are in LLVM's order, so nf_supply_blocks() sorts them first. */
static void read_library(struct nf_library *l)
{
    struct nf_module *m = l->to->m, first = {.arena = m->arena, .options = m->options};
    struct nf_words ordered;
    l->m = NF_NEW(m->arena, struct nf_module, 1);
    *l->m = first;
    l->bodies.arena = m->arena;
    nf_read(&first, library_words, sizeof library_words);
    if (nf_supply_blocks(&first, &ordered))
        nf_read_again(l->m, &ordered);
    else
        *l->m = first;
    nf_types(l->m);
    l->mapped = NF_NEW(m->arena, uint32_t, l->m->bound);
}

static uint32_t map(struct nf_library *l, uint32_t id);

/* Defines a type or a constant of the library in the module. */
static uint32_t define(struct nf_library *l, uint32_t at)
{
    const struct nf_module *m = l->m;
    uint32_t type = nf_result_type(m, at), first = nf_operand_at(m, at, 0), count = nf_next(m, at) - first;
    uint32_t *operands = NF_NEW(m->arena, uint32_t, count + 1);
    if (count) memcpy(operands, m->words + first, count * sizeof *operands);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) operands[at + walk.at - first] = map(l, nf_current_operand(&walk));
    if (nf_opcode(m, at) == OpTypeInt) nf_edit_need_int(l->to, nf_scalar_width(m, at));
    return nf_edit_define(l->to, nf_opcode(m, at), type ? map(l, type) : 0, operands, count);
}

static uint32_t map(struct nf_library *l, uint32_t id)
{
    const struct nf_module *m = l->m;
    uint32_t at = m->def[id];
    if (l->mapped[id]) return l->mapped[id];
    /* The module imports OpenCL.std: it calls the replaced function of that set, or import_with_std() has added it. */
    if (id == m->ext_opencl) return l->to->m->ext_opencl;
    l->mapped[id] = at < m->body_at ? define(l, at) : nf_build_id(&l->to->build);
    if (nf_opcode(m, at) == OpFunction) {
        NF_RESERVE(m->arena, l->wanted, l->wanted_capacity, (size_t)l->wanted_count + 1);
        l->wanted[l->wanted_count++] = id;
    }
    return l->mapped[id];
}

static void copy_instruction(struct nf_library *l, uint32_t at)
{
    const struct nf_module *m = l->m;
    uint32_t start = l->bodies.count, type = nf_result_type(m, at), id = nf_result_id(m, at);
    nf_append_words(&l->bodies, m->words + at, nf_length(m, at));
    if (type) l->bodies.at[start + 1] = map(l, type);
    if (id) l->bodies.at[start + 1 + !!type] = map(l, id);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) l->bodies.at[start + walk.at] = map(l, nf_current_operand(&walk));
}

uint32_t nf_library_import(struct nf_library *l, const char *name)
{
    if (!l->m) read_library(l);
    uint32_t id = find_function(l->m, name);
    if (!id)
        nf_fail(l->to->m->arena, NF_REFUSED, 0, "the device lacks the function %s, and Nonflat has no replacement",
                name);
    return map(l, id);
}

/* Copying a body requests its callees, so `wanted_count` grows during the loop. */
void nf_library_emit(struct nf_library *l)
{
    for (uint32_t i = 0; i < l->wanted_count; i++) {
        const struct nf_function *f = &l->m->functions[l->m->index_of[l->wanted[i]]];
        for (uint32_t at = f->at; at < f->end; at = nf_next(l->m, at))
            copy_instruction(l, at);
    }
    nf_append_words(&l->to->out, l->bodies.at, l->bodies.count);
}
