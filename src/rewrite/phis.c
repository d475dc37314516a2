/* SPDX-License-Identifier: Apache-2.0 */
/*
 * phis.c - replaces a phi of a generic pointer by one phi for each part, and one for the tag.
 *
 *     %p = OpPhi %_ptr_Generic_int %a %x %b %y      %p_p = OpPhi %_ptr_Function_int %a_p %x %b_p %y
 *                                                   %p_g = OpPhi %_ptr_CrossWorkgroup_int %a_g %x %b_g %y
 *                                                   %p_t = OpPhi %uint %a_t %x %b_t %y
 *
 * The operands are filled in when the function is complete. Hard cases: a pointer whose accesses branch on a condition
 * has no tag, but a phi of it needs a tag, which must be emitted with the pointer. A block that was split ends in
 * another block of the output, which becomes the parent. An operand that needs a cast (to Generic in hint mode, to
 * global on a flat device) gets it at the end of its incoming block.
 *
 * needs: the sets of the instance that is written.  gives: the phis of that instance.
 */
#include "rewrite/internal.h"

/* Values of nf_phi_patch.part for an operand that is not a generic pointer, and for an incoming block. */
enum { PATCH_PLAIN = NF_PARTS + 1, PATCH_LABEL };

static void patch_later(struct nf_output *o, uint32_t value, uint32_t part, uint32_t link)
{
    NF_RESERVE(o->m->arena, o->body.patches, o->body.patch_capacity, (size_t)o->body.patch_count + 1);
    o->body.patches[o->body.patch_count++] = (struct nf_phi_patch){o->bodies.count, value, part, link};
    nf_append_word(&o->bodies, 0);
}

static uint32_t find_link(const struct nf_output *o, uint32_t label, uint32_t phi, uint32_t value)
{
    if (!o->phi_casts.of_block) return 0;
    for (uint32_t l = o->phi_casts.of_block[label]; l; l = o->phi_casts.at[l].next)
        if (o->phi_casts.at[l].phi == phi && o->phi_casts.at[l].value == value) return l;
    return 0;
}

/* Reserves words for the incoming values and blocks of the phi at `at`, for `part` of its result. */
static void put_incoming(struct nf_output *o, uint32_t at, uint32_t part)
{
    for (uint32_t i = 0; i < nf_phi_count(o->m, at); i++) {
        uint32_t value = nf_phi_value(o->m, at, i), parent = nf_phi_parent(o->m, at, i);
        uint32_t link = part < NF_PARTS ? find_link(o, parent, nf_value_id(o->m, at), value) : 0;
        patch_later(o, value, part, link);
        patch_later(o, parent, PATCH_LABEL, 0);
    }
}

static void put_phi(struct nf_output *o, uint32_t at, uint32_t type, uint32_t result, uint32_t part)
{
    nf_append_words(&o->bodies, (uint32_t[]){o->m->words[at], type, result}, 3);
    put_incoming(o, at, part);
}

static void emit_plain_phi(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
        if (nf_is_generic_value(m, nf_phi_value(m, at, i)))
            nf_fail(m->arena, NF_MALFORMED, at, "id %u is a generic pointer, but the result is not",
                    nf_phi_value(m, at, i));
    put_phi(o, at, nf_memory_type(o, nf_value_type(m, at)), o->body.renamed[nf_value_id(m, at)], PATCH_PLAIN);
}

void nf_emit_phi(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t type = nf_value_type(m, at);
    if (!nf_is_generic(m, type)) {
        emit_plain_phi(o, at);
        return;
    }
    const struct nf_tuple tuple = *nf_tuple_of(o, nf_value_id(m, at));
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (nf_has(tuple.set, n)) put_phi(o, at, nf_part_type(o, type, nf_space(n)), tuple.part[n], n);
    if (tuple.tag) put_phi(o, at, nf_uint_type(o), tuple.tag, NF_PARTS);
}

/* Returns true if an instruction must convert the value to the single space `set`: in hint mode a cast to or from
 * Generic, because pointers of unknown space stay generic; on a flat device a cast through an integer. */
static bool needs_cast(const struct nf_output *o, const struct nf_tuple *tuple, nf_set set)
{
    bool generic = (set == NF_GENERIC) != (tuple->set == NF_GENERIC);
    return generic || nf_needs_flat_cast(o, tuple, set);
}

static uint32_t patched_id(struct nf_output *o, const struct nf_phi_patch *patch)
{
    const uint32_t *exit_label = o->body.exit_label;
    switch (patch->part) {
    case PATCH_LABEL:
        return exit_label && exit_label[patch->value] ? exit_label[patch->value] : nf_mapped(o, patch->value);
    case PATCH_PLAIN: return nf_mapped(o, patch->value);
    case NF_PARTS: return nf_tag_as(o, nf_tuple_of(o, patch->value));
    default: break;
    }
    if (patch->link && o->phi_casts.at[patch->link].cast) return o->phi_casts.at[patch->link].cast;
    const struct nf_tuple *tuple = nf_tuple_of(o, patch->value);
    uint32_t type = nf_type_id_of(o->m, patch->value);
    nf_set space = (nf_set)(1u << patch->part);
    /* If the cast is missing, the incoming block is unreachable, so any value is correct. */
    if (needs_cast(o, tuple, space)) return nf_null(o, nf_part_type(o, type, space));
    return nf_part_as(o, tuple, space, type);
}

void nf_fill_in_phis(struct nf_output *o)
{
    for (uint32_t i = 0; i < o->body.patch_count; i++) {
        uint32_t id = patched_id(o, &o->body.patches[i]);
        o->bodies.at[o->body.patches[i].at] = id;
    }
    o->body.patch_count = 0;
}

/* ---- Phis that need a tag ---------------------------------------------------------------------------------------- */

static void queue_tag(struct nf_output *o, uint32_t *count, uint32_t id)
{
    NF_RESERVE(o->m->arena, o->body.worklist, o->body.worklist_capacity, (size_t)*count + 1);
    o->body.worklist[(*count)++] = id;
}

/* Marks `id`, and queues the values from which its tag is computed. */
static void require_tag(struct nf_output *o, uint32_t id, uint32_t *count)
{
    struct nf_module *m = o->m;
    uint32_t at = m->def[id];
    if (at < m->body_at || o->body.tag_required[id] == o->body.instance || !nf_is_generic(m, nf_result_type(m, at)))
        return;
    o->body.tag_required[id] = o->body.instance;
    enum nf_role role = nf_role_at(m, at);
    if (role == NF_ROLE_select) {
        queue_tag(o, count, nf_operand(m, at, 1));
        queue_tag(o, count, nf_operand(m, at, 2));
    } else if (nf_derives_pointer(role)) {
        queue_tag(o, count, nf_operand(m, at, 0));
    }
}

void nf_mark_needed_tags(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t count = 0;
    if (!nf_has_role(m, NF_ROLE_phi)) return;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpPhi || !nf_is_generic(m, nf_value_type(m, at))) continue;
        if (nf_single(nf_tuple_of(o, nf_value_id(m, at))->set)) continue;
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
            queue_tag(o, &count, nf_phi_value(m, at, i));
    }
    if (count && !o->body.tag_required) o->body.tag_required = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    while (count) {
        uint32_t id = o->body.worklist[--count];
        require_tag(o, id, &count);
    }
}

/* ---- Casts at the ends of blocks ---- */

void nf_close_block(struct nf_output *o, uint32_t label)
{
    if (o->body.block.closed || !o->phi_casts.of_block) return;
    o->body.block.closed = true;
    for (uint32_t l = o->phi_casts.of_block[label]; l; l = o->phi_casts.at[l].next) {
        uint32_t value = o->phi_casts.at[l].value;
        const struct nf_tuple *tuple = nf_tuple_of(o, value);
        o->phi_casts.at[l].cast = 0;
        nf_set set = nf_tuple_of(o, o->phi_casts.at[l].phi)->set;
        if (nf_single(set) && needs_cast(o, tuple, set))
            o->phi_casts.at[l].cast = nf_part_as(o, tuple, set, nf_type_id_of(o->m, value));
    }
}

void nf_note_phi_casts(struct nf_output *o)
{
    struct nf_module *m = o->m;
    if (!nf_keeps_generic(o) && !m->analysis->flat) return;
    if (!o->phi_casts.of_block) o->phi_casts.of_block = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    if (!o->phi_casts.count) o->phi_casts.count = 1;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpLabel) o->phi_casts.of_block[nf_declared_id(m, at)] = 0;
    }
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpPhi || !nf_is_generic(m, nf_value_type(m, at))) continue;
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++) {
            NF_RESERVE(m->arena, o->phi_casts.at, o->phi_casts.capacity, (size_t)o->phi_casts.count + 1);
            uint32_t *head = &o->phi_casts.of_block[nf_phi_parent(m, at, i)];
            o->phi_casts.at[o->phi_casts.count] =
                (struct nf_phi_cast){nf_value_id(m, at), nf_phi_value(m, at, i), 0, *head};
            *head = o->phi_casts.count++;
        }
    }
}
