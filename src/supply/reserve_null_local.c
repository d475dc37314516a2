/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reserve_null_local.c - local variables begin behind address 0 where local pointers are made of numbers.
 *
 *     %p = OpConvertUToPtr %_ptr_Workgroup_uint %a         the same
 *
 *     %ld = OpVariable %_ptr Workgroup                     %own = OpVariable %_ptr_struct Workgroup
 *                                                          %ld = OpVariable %_ptr Workgroup
 *                                                          and first in each kernel, %word being a pointer to %own's first member:
 *                                                          OpAtomicOr %uint %word %zero
 *
 * Arrays that count from one keep the address in front of their first element. On a device whose local memory begins at 0 and
 * whose addresses have 32 bits, the address in front of the first local variable is the last of the 32 bits' range: its
 * number lies at the end of the window, in front of the next memory's, and a program that reckons with it comes out 4 GB
 * off. So the first local variable there is ours. Mesa takes out what is not accessed, even as
 * volatile: but no atomic. It is as long as the largest type is, so that the others lie as they did: programs keep numbers in the
 * lowest bits of addresses, and count on more than what an int needs.
 *
 * For private memory reserve_private.c has such a variable: whatever makes a pointer of a number gets it.
 *
 * needs: read, types.  gives: another module, to be read again.
 */
#include "supply/internal.h"

struct reserve {
    struct nf_edit to;
    uint32_t at; /* where the variable goes, in the definitions: the first local one is there, if there is any */
    uint32_t type, variable; /* ids: a number of 32 bits, 0: there is none yet; the variable */
};

static bool makes_local_pointer(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpConvertUToPtr && nf_type(m, m->words[at + 1])->storage == NF_STORAGE_WORKGROUP;
}

/* Where the first local variable is defined, and the type of ours, if it is known there. */
static void find_place(struct reserve *l)
{
    const struct nf_module *m = l->to.m;
    for (l->at = NF_HEADER_WORDS; l->at < m->body_at; l->at = nf_next(m, l->at)) {
        const uint32_t *words = m->words + l->at;
        uint32_t opcode = nf_opcode(m, l->at);
        if (opcode == OpTypeInt && words[2] == 32) l->type = words[1];
        if (opcode == OpVariable && words[3] == NF_STORAGE_WORKGROUP) return;
    }
}

/* Has it been done? */
static bool has_reserved(const struct reserve *l, const struct nf_function *f)
{
    const struct nf_module *m = l->to.m;
    uint32_t at = nf_behind_variables(m, f), next = nf_next(m, at);
    if (l->at == m->body_at || nf_opcode(m, at) != OpBitcast || nf_opcode(m, next) != OpAtomicOr) return false;
    return m->words[at + 3] == m->words[l->at + 2] && m->words[next + 3] == m->words[at + 2];
}

static bool rewrite_function(struct reserve *l, const struct nf_function *f)
{
    struct nf_edit *e = &l->to;
    bool is_kernel = f->entry_at && f->body, wanted = is_kernel && !has_reserved(l, f);
    uint32_t first = wanted ? nf_behind_variables(e->m, f) : f->end;
    nf_edit_keep(e, f->at, first);
    if (!wanted) return false;
    uint32_t scope = nf_edit_number(e, NF_SCOPE_WORKGROUP), zero = nf_edit_number(e, 0);
    uint32_t pointer = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_WORKGROUP, l->type}, 2);
    uint32_t word = nf_edit_value(e, OpBitcast, pointer, l->variable, 0);
    nf_edit_emit(e, OpAtomicOr, (uint32_t[]){l->type, nf_build_id(&e->build), word, scope, zero, zero}, 6);
    nf_edit_keep(e, first, f->end);
    return true;
}

/* The variable, and its types: a structure may be declared again, and so may a pointer to it. */
static void emit_variable(struct reserve *l)
{
    uint32_t members[NF_WORDS_IN_FRONT + 1] = {nf_build_id(&l->to.build)}, pointer = nf_build_id(&l->to.build);
    for (uint32_t i = 1; i <= NF_WORDS_IN_FRONT; i++)
        members[i] = l->type;
    nf_edit_emit(&l->to, OpTypeStruct, members, NF_WORDS_IN_FRONT + 1);
    nf_edit_emit(&l->to, OpTypePointer, (uint32_t[]){pointer, NF_STORAGE_WORKGROUP, members[0]}, 3);
    nf_edit_emit(&l->to, OpVariable, (uint32_t[]){pointer, l->variable, NF_STORAGE_WORKGROUP}, 3);
}

bool nf_supply_lowest(struct nf_module *m, struct nf_words *out)
{
    struct reserve l = {.to = nf_edit_begin(m)};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = makes_local_pointer(m, at);
    if (any) find_place(&l);
    if (!l.type) return false;
    l.variable = nf_build_id(&l.to.build);
    any = false;
    for (uint32_t i = 1; i < m->function_count; i++)
        any |= rewrite_function(&l, &m->functions[i]);
    if (!any) return false;
    nf_edit_module_scope(&l.to);
    nf_edit_keep(&l.to, NF_HEADER_WORDS, l.at);
    emit_variable(&l);
    nf_edit_keep(&l.to, l.at, m->body_at);
    *out = nf_edit_end(&l.to);
    return true;
}
