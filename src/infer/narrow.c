/* SPDX-License-Identifier: Apache-2.0 */
/*
 * narrow.c - sums of numbers that are too short for an address, and distances, that never become part of one.
 *
 *     %h = OpUConvert %uint %word                  half an address, or a number that lies in its place
 *     %s = OpIAdd %uint %sum %h                    somewhere about that address, if it is put together with its top
 *          OpStore %out %s                         but it never is
 *
 * Arithmetic may lead anywhere in what its operands point to, and all that lies there is one from then on. Of tagged
 * words, some numbers and some addresses, nothing would stay apart once two of the numbers are added up. So a result
 * counts only if it can get into a wider number: by a conversion that is more than an index, a vector, a call, memory.
 * What is kept in a variable of a short type, as unoptimized code does with everything, is followed to its loads; what
 * is returned, to the results of calls. What is left of a number by a short mask or a small divisor is no part of an
 * address. In the host's memory nothing has a place. The distance of two addresses is as wide as one, and mostly gets into none:
 * where there are distances, wide numbers are followed as well.
 *
 * The hard cases: a loop, where the sum is an operand of itself; a variable, which may be stored to behind its loads.
 *
 * needs: types, definitions.  gives: nf_stays_narrow().
 */
#include "infer/parts.h"

enum { MOST_ROUNDS = 8 }; /* over a function; the last is to see that nothing is new */

/* A walk over the instructions of a function, from the last to the first. */
struct widening {
    struct nf_constrainer *c;
    uint32_t at;                     /* where it is: what is defined there or behind it was looked at */
    uint32_t *late, count, capacity; /* of those instructions, the ones whose results turned out to widen since */
    bool news;                       /* so did a variable, and stores to it may have been looked at */
};

static bool is_number(const struct nf_type *type)
{
    return type->kind == NF_KIND_INT || type->kind == NF_KIND_BOOL || type->kind == NF_KIND_FLOAT;
}

static bool is_short(const struct nf_type *type)
{
    return is_number(type) && type->size <= 4;
}

/* Is `id` a variable of this function's own for one number? */
static bool is_variable(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    return nf_opcode(m, at) == OpVariable && nf_type_of(m, id)->storage == NF_STORAGE_FUNCTION &&
           is_number(nf_type(m, nf_type_of(m, id)->element));
}

static bool widened_by_store(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t pointer = m->words[at + 1];
    if (is_variable(m, pointer)) return c->widens[pointer];
    return nf_type_of(m, pointer)->storage != NF_STORAGE_CROSS_WORKGROUP || !is_short(nf_type_of(m, m->words[at + 2]));
}

/* May what the instruction uses, and a store stores, become part of a number that is wide enough? */
static bool widens_operands(const struct nf_constrainer *c, uint32_t at, enum nf_role role)
{
    const struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at);
    switch (role) {
    case NF_ROLE_store: return widened_by_store(c, at);
    case NF_ROLE_load: return !is_variable(m, m->words[at + 3]) || c->widens[id];
    case NF_ROLE_touch:
    case NF_ROLE_compare:
    case NF_ROLE_compare_bits:
    case NF_ROLE_nothing: return false;
    case NF_ROLE_chain: return is_variable(m, nf_operand(m, at, 0)); /* and that is no index */
    case NF_ROLE_compute_fraction:
        if (!nf_returns_fractions(m)) return false;
        /* fall through */
    case NF_ROLE_number:
    case NF_ROLE_fraction: /* one of half an address has nothing of it */
        return !is_short(nf_type_of(m, id)) && c->widens[id];
    case NF_ROLE_convert: return c->widens[id];
    case NF_ROLE_return: /* of short ones the call's result is asked about */
        return nf_is_root(m, c->f) || !is_short(nf_type_of(m, m->words[at + 1]));
    case NF_ROLE_call:
    case NF_ROLE_call_indirect:
    case NF_ROLE_atomic:
    case NF_ROLE_group_value:
    case NF_ROLE_unknown: return true;
    case NF_ROLE_mask:
    case NF_ROLE_remainder:
        if (nf_is_small_number(m, at)) return false;
        break;
    default: break;
    }
    return !id || !is_number(nf_type_of(m, id)) || c->widens[id];
}

/* The number `id` may become part of a wider one. */
static void note_widened(struct widening *w, uint32_t id)
{
    struct nf_constrainer *c = w->c;
    uint32_t def = c->m->def[id];
    c->widens[id] = 1;
    w->news |= is_variable(c->m, id);
    if (def < w->at) return;
    NF_RESERVE(c->m->arena, w->late, w->capacity, (size_t)w->count + 1);
    w->late[w->count++] = def;
}

static void note_operands(struct widening *w, uint32_t at)
{
    const struct nf_module *m = w->c->m;
    enum nf_role role = nf_role_at(m, at);
    if (!widens_operands(w->c, at, role)) return;
    struct nf_ids ids = nf_ids_at(m, at);
    if (role == NF_ROLE_store) nf_ids_next(&ids); /* where it is stored */
    while (nf_ids_next(&ids))
        if (!w->c->widens[m->words[at + ids.at]]) note_widened(w, m->words[at + ids.at]);
}

/* Backwards, as what becomes of a result is known from its uses; but a phi uses what comes behind it in a loop, which is
 * looked at again at once. */
static void find_widened(struct nf_constrainer *c)
{
    struct nf_module *m = c->m;
    struct widening w = {.c = c, .news = true};
    uint32_t *order = NULL, capacity = 0, count = 0, rounds = 0;
    NF_RESERVE(m->arena, order, capacity, (size_t)(c->f->end - c->f->body) / 4 + 1);
    for (uint32_t at = c->f->body; at < c->f->end; at = nf_next(m, at)) {
        NF_RESERVE(m->arena, order, capacity, (size_t)count + 1);
        order[count++] = at;
    }
    while (w.news && rounds++ < MOST_ROUNDS) {
        w.news = false;
        for (uint32_t i = count; i-- > 0;) {
            note_operands(&w, w.at = order[i]);
            while (w.count)
                note_operands(&w, w.late[--w.count]);
        }
    }
    c->all_widen = w.news;
    nf_drop(m->arena, w.late);
    nf_drop(m->arena, order);
}

bool nf_stays_narrow(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_result_id(m, at);
    const struct nf_type *type = nf_type_of(m, id);
    if (!nf_is_short_number(type) && (type->kind != NF_KIND_INT || !nf_has_distances(c))) return false;
    if (m->address_bits != 64 || at < m->body_at) return false;
    if (!c->widens) c->widens = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    if (c->widened_in != c->f) find_widened(c);
    c->widened_in = c->f;
    if (c->all_widen || c->widens[id]) return false;
    m->graph->finds |= NF_SUMS_NARROW;
    return true;
}
