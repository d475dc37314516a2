/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_packed_private.c - drops CPacked from structures whose layout it does not change, if a kernel takes such a
 * structure by value.
 *
 *     OpDecorate %pair CPacked                             (nothing)
 *     %pair = OpTypeStruct %ulong %four_bytes %uint        %pair = OpTypeStruct %ulong %four_bytes %uint
 *
 * LLVM writes C++ classes with explicit padding, as packed structures. The driver then places a kernel argument of such
 * a type at any byte offset, and Mesa's llvmpipe rounds an address in private memory down to a multiple of the size of
 * the access: it reads other bytes, such as half of an address. Without the decoration the argument has the alignment
 * of its members, which is the Alignment that the parameter itself declares.
 *
 * The hard case: the layout of an unpacked structure that contains a packed structure must not change either. If it
 * would change, the inner structure stays packed.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/workarounds.h"

struct packed {
    const struct nf_module *m;
    bool *dropped;   /* by type id: it is packed, and the decoration is dropped */
    bool *held;      /* by type id: it is packed, and must stay so */
    uint32_t *align; /* by type id: its alignment without the dropped decorations */
};

static const struct nf_type *member_of(const struct packed *p, const struct nf_type *type, uint32_t i)
{
    return nf_type(p->m, nf_member_type(p->m, type->at, i));
}

/* Returns true if the natural alignment of the members gives the same layout. Stores the alignment of the structure
 * in `*align`. */
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

/* Keeps the decoration of all packed members. Returns true if a member would have lost the decoration. */
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

/* Computes the alignment of a type, and whether its decoration is dropped. Returns true if another structure must
 * now stay packed. */
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

/* Computes all types, whose members come first, until no further structure must stay packed. */
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
        if (nf_decorates(m, at, NF_DECORATION_CPACKED)) packed[nf_annotated_id(m, at)] = *any = true;
    return packed;
}

/* Returns true if a kernel has a by-value parameter whose type loses the decoration. */
static bool is_argument(const struct packed *p)
{
    const struct nf_module *m = p->m;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        for (uint32_t at = f->at; f->entry_at && at < f->body; at = nf_next(m, at)) {
            if (nf_opcode(m, at) != OpFunctionParameter) continue;
            const struct nf_type *type = nf_type(m, nf_value_type(m, at));
            if (type->kind == NF_KIND_POINTER && type->storage == NF_STORAGE_FUNCTION && p->dropped[type->element])
                return true;
        }
    }
    return false;
}

bool nf_workaround_mesa_packed_private(struct nf_module *m, struct nf_words *out)
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
        bool decorates = nf_decorates(m, at, NF_DECORATION_CPACKED);
        if (!decorates || !p.dropped[nf_annotated_id(m, at)]) nf_edit_keep(&e, at, nf_next(m, at));
    }
    *out = nf_edit_end(&e);
    return true;
}
