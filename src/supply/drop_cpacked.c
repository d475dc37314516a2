/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drop_cpacked.c - structures that lie the same with and without CPacked are not packed.
 *
 *     OpDecorate %pair CPacked                             (nothing)
 *     %pair = OpTypeStruct %ulong %four_bytes %uint        %pair = OpTypeStruct %ulong %four_bytes %uint
 *
 * LLVM writes C++ classes with explicit padding, as packed ones. A kernel that gets one by value has it at any byte among
 * its arguments then, and Mesa's llvmpipe rounds an address in private memory down to a multiple of what is accessed: it
 * reads something else, such as half of an address. Without the decoration the argument is aligned as its members are,
 * which is what the parameter's own Alignment says.
 *
 * The hard case: a structure that has such a one in it, not packed itself, must not change either. Where it would, what it
 * has stays packed.
 *
 * needs: read, types.  gives: another module, to be read again.
 */
#include "supply/supply.h"

struct packed {
    const struct nf_module *m;
    bool *dropped;   /* by type id: it is packed, and need not be */
    bool *held;      /* by type id: it is packed, and must be */
    uint32_t *align; /* by type id: without what is dropped */
};

static const struct nf_type *member_of(const struct packed *p, const struct nf_type *type, uint32_t i)
{
    return nf_type(p->m, p->m->words[type->at + 2 + i]);
}

/* Does it lie the same where its members have their own alignment? `*align` is what it has then. */
static bool has_natural_layout(const struct packed *p, const struct nf_type *type, uint32_t *align)
{
    bool same = !type->inexact;
    *align = 1;
    for (uint32_t i = 0; i < type->count; i++) {
        uint32_t own = p->align[member_of(p, type, i)->id];
        same = same && own && type->offsets[i] % own == 0;
        if (own > *align) *align = own;
    }
    return same && type->size % *align == 0;
}

/* What it has in it stays packed. @return whether that is new. */
static bool keep_members_packed(struct packed *p, const struct nf_type *type)
{
    bool any = false;
    for (uint32_t i = 0; i < type->count; i++) {
        const struct nf_type *member = member_of(p, type, i);
        while (member->kind == NF_KIND_ARRAY)
            member = nf_type(p->m, member->element);
        if (!p->dropped[member->id]) continue;
        p->dropped[member->id] = false;
        p->held[member->id] = any = true;
    }
    return any;
}

/* @return whether one is held now that was not. */
static bool settle_type(struct packed *p, const bool *packed, const struct nf_type *type)
{
    uint32_t align = 1;
    p->align[type->id] = type->align;
    if (type->kind == NF_KIND_ARRAY) p->align[type->id] = p->align[type->element];
    if (type->kind != NF_KIND_STRUCT) return false;
    bool same = has_natural_layout(p, type, &align);
    p->dropped[type->id] = packed[type->id] && same && !p->held[type->id];
    if (!packed[type->id] && !same) return keep_members_packed(p, type);
    if (!packed[type->id] || p->dropped[type->id]) p->align[type->id] = align;
    return false;
}

/* A type comes after those that it is made of. */
static void settle(struct packed *p, const bool *packed)
{
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t i = 1; i < p->m->type_count; i++)
            again |= settle_type(p, packed, &p->m->types[i]);
    }
}

static bool *find_packed(struct nf_module *m, bool *any)
{
    bool *packed = NF_NEW(m->arena, bool, m->bound);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpDecorate && m->words[at + 2] == NF_DECORATION_CPACKED)
            packed[m->words[at + 1]] = *any = true;
    return packed;
}

/* Does a kernel get one of them by value? */
static bool is_argument(const struct packed *p)
{
    const struct nf_module *m = p->m;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        for (uint32_t at = f->at; f->entry_at && at < f->body; at = nf_next(m, at)) {
            if (nf_opcode(m, at) != OpFunctionParameter) continue;
            const struct nf_type *type = nf_type(m, m->words[at + 1]);
            if (type->kind == NF_KIND_POINTER && type->storage == NF_STORAGE_FUNCTION && p->dropped[type->element])
                return true;
        }
    }
    return false;
}

bool nf_supply_packed(struct nf_module *m, struct nf_words *out)
{
    bool any = false;
    const bool *packed = find_packed(m, &any);
    if (!any) return false;
    struct packed p = {m, NF_NEW(m->arena, bool, m->bound), NF_NEW(m->arena, bool, m->bound),
                       NF_NEW(m->arena, uint32_t, m->bound)};
    settle(&p, packed);
    if (!is_argument(&p)) return false;
    struct nf_edit e = nf_edit_begin(m);
    nf_edit_keep(&e, m->body_at, m->count);
    nf_edit_module_scope(&e);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        bool decorates = nf_opcode(m, at) == OpDecorate && m->words[at + 2] == NF_DECORATION_CPACKED;
        if (!decorates || !p.dropped[m->words[at + 1]]) nf_edit_keep(&e, at, nf_next(m, at));
    }
    *out = nf_edit_end(&e);
    return true;
}
