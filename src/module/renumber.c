/* SPDX-License-Identifier: Apache-2.0 */
/*
 * renumber.c - gives the ids new numbers if the bound is much larger than the module, because tables by id would be too
 * large.
 *
 *     ; Bound: 4000000                 ; Bound: 3
 *     %3999998 = OpTypeInt 32 0        %1 = OpTypeInt 32 0
 *
 * needs: instructions of valid length.  gives: the words with new ids, and nf_module.def.
 */
#include <stdlib.h>

#include "module/internal.h"

/* The defined ids, in ascending order, with their new numbers. */
struct numbering {
    struct number {
        uint32_t id, number;
    } * ids;
    uint32_t count, bound;
};

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = ((const struct number *)a)->id, y = ((const struct number *)b)->id;
    return x < y ? -1 : x > y;
}

/* Returns the new number of an id. An undefined id gets a number that stays undefined; an id outside the bound gets a
 * number outside the new bound. */
static uint32_t number_of(const struct numbering *n, uint32_t id)
{
    uint32_t low = 0, high = n->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (n->ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < n->count && n->ids[low].id == id) return n->ids[low].number;
    return n->count + (id && id < n->bound ? 1 : 2);
}

static void number_operands(struct nf_module *m, const struct numbering *n, uint32_t at)
{
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) m->words[at + walk.at] = number_of(n, nf_current_operand(&walk));
}

/* The operands of OpSwitch are renumbered last, because their width depends on the type of the selector, whose
 * definition must be known. */
void nf_renumber_ids(struct nf_module *m)
{
    struct numbering n = {.bound = m->bound};
    uint32_t capacity = 0;
    NF_RESERVE(m->arena, n.ids, capacity, 16);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (nf_is_unknown(op))
            nf_fail(m->arena, NF_REFUSED, at, "the id bound %u is too large for a module with an unknown instruction",
                    m->bound);
        if (!nf_has_result(op)) continue;
        NF_RESERVE(m->arena, n.ids, capacity, (size_t)n.count + 1);
        uint32_t id = nf_word(m, at, nf_result_word(op));
        nf_check_bound(m, at, id);
        n.ids[n.count] = (struct number){id, n.count + 1};
        n.count++;
    }
    qsort(n.ids, n.count, sizeof *n.ids, compare_ids);
    for (uint32_t i = 1; i < n.count; i++)
        if (n.ids[i].id == n.ids[i - 1].id) n.ids[i].number = n.ids[i - 1].number;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (op->opcode != OpSwitch) number_operands(m, &n, at);
        for (uint32_t i = 1; i < nf_first_operand(op); i++)
            m->words[at + i] = number_of(&n, nf_word(m, at, i));
    }
    m->ext_opencl = number_of(&n, m->ext_opencl);
    m->ext_debug = number_of(&n, m->ext_debug);
    m->ext_shader_debug = number_of(&n, m->ext_shader_debug);
    m->bound = n.count + 2;
    nf_find_definitions(m);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpSwitch) continue;
        m->words[at + 1] = number_of(&n, nf_switch_selector(m, at));
        uint32_t selector = nf_switch_selector(m, at);
        number_operands(m, &n, at);
        m->words[at + 1] = selector;
    }
    nf_arena_drop(m->arena, n.ids);
}
