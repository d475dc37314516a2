/* SPDX-License-Identifier: Apache-2.0 */
/*
 * use_analysis.c - records the uses of each id, before the graph is built.
 *
 *          OpStore %variable %p        %variable: only loaded and stored as a whole
 *
 * A walk from the first instruction to the last records variables and known bits. A second walk, from the last to the
 * first, visits uses before definitions. The hard case is an instruction that the opcode table lacks: any of its words
 * may be an id, so each of them counts as a use.
 *
 * needs: types, definitions.  gives: promotable and takes_generic (nf_analysis); bits, fills, reach... (nf_constrainer)
 */
#include "infer/internal.h"

/* ---- Variables, and pointers that are only stored through ---- */

/* Records a store. A pointer that is only used to store zeros or constant counts adds no address to any cell: an arena
 * that a loop clears first keeps separate cells for links and keys. */
static void note_store(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint8_t *fill = &c->fills[nf_store_pointer(m, at)];
    uint32_t id = nf_store_object(m, at);
    bool count = nf_constant(m, id, &(int64_t){0}) && !nf_is_far(c, id) && nf_is_tracked_type(m, nf_type_of(m, id));
    *fill = (count || nf_is_zero(m, id)) && *fill != NF_NO_FILL ? NF_FILL : NF_NO_FILL;
}

/* Records a use other than as a store's pointer. `whole` uses (loads, lifetime markers) keep a variable promotable. */
static void note_use(struct nf_constrainer *c, uint32_t id, bool whole)
{
    c->fills[id] = NF_NO_FILL;
    if (whole) return;
    c->m->analysis->promotable[id] = 0;
    c->whole[id] = false;
}

/* Records a variable of a function. Without an initializer it counts as only loaded and stored whole until another use
 * is found. Unoptimized code has such a variable for every pointer. */
static void note_variable(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_type(m, nf_value_type(m, at))->element);
    m->analysis->promotable[nf_value_id(m, at)] = type->kind == NF_KIND_POINTER;
    c->whole[nf_value_id(m, at)] = nf_length(m, at) == 4; /* no initializer */
}

/* ---- All instructions ---- */

static void note_operands(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    enum nf_role role = nf_role_at(m, at);
    uint32_t opcode = nf_opcode(m, at), escapes_from = nf_note_steps(c, at, role), index = 0;
    bool touches = opcode == OpLifetimeStart || opcode == OpLifetimeStop;
    bool generic = false;
    struct nf_ids ids = nf_ids_at(m, at);
    if (opcode == OpStore) {
        note_store(c, at);
        generic = m->generic_values[nf_store_pointer(m, at)];
        index += nf_ids_next(&ids);
    }
    while (nf_ids_next(&ids)) {
        uint32_t id = nf_current_id(&ids);
        generic |= m->generic_values[id];
        note_use(c, id, touches || (opcode == OpLoad && ids.at == 3));
        if (index++ >= escapes_from) c->reach[id].escapes = true;
    }
    if (generic) m->analysis->takes_generic[at / 8] |= (uint8_t)(1u << at % 8);
    if (nf_is_unknown(nf_op_find(opcode)))
        for (uint32_t i = 1; i < nf_length(m, at); i++)
            if (nf_word(m, at, i) < m->bound) note_use(c, nf_word(m, at, i), false);
}

void nf_collect_uses(struct nf_constrainer *c)
{
    struct nf_module *m = c->m;
    uint32_t count = 0, capacity = 0, first = 0, *instructions = NULL;
    NF_RESERVE(m->arena, instructions, capacity, (size_t)(m->count - m->body_at) / 4 + 1);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        NF_RESERVE(m->arena, instructions, capacity, (size_t)count + 1);
        instructions[count++] = at;
        if (nf_opcode(m, at) == OpVariable) note_variable(c, at);
        nf_note_bits(c, at);
        if (nf_opcode(m, at) != OpFunctionEnd) continue;
        for (; c->revisit && first < count; first++)
            if (instructions[first] >= c->revisit) nf_note_bits(c, instructions[first]);
        first = count;
        c->revisit = 0;
    }
    while (count)
        note_operands(c, instructions[--count]);
    nf_arena_drop(m->arena, instructions);
}
