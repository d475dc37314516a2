/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c - blocks in an order in which definitions come before their uses.
 *
 *     OpBranch %b                      SPIR-V wants a block before all blocks that it dominates (section 2.16.1).
 * Shipped %a = OpLabel ... uses %x         translators write LLVM's order, which may have %a here, and drivers take it.
 * The %b = OpLabel ... defines %x      stages behind this one walk from first to last: there %b comes before %a.
 *
 * The order is reverse postorder of the control flow, as far as a function needs it: only functions in which the reader
 * saw a use before its definition are touched. Blocks that are never reached keep their order, behind all others; what
 * they use may still come later, but its value does not matter.
 *
 * needs: read.  gives: words of those functions in another order, definitions where they are now.
 */
#include "core.h"

struct block {
    uint32_t at, end;      /* word offsets: the label, behind the last instruction */
    uint32_t next_operand; /* of its terminator: where the walk over its successors is */
    bool seen;
};

struct order {
    struct nf_module *m;
    const struct nf_function *f;
    struct block *blocks;
    uint32_t count;
    uint32_t *index; /* by id of a label: its block + 1 */
    uint32_t *sorted, sorted_count;
};

static uint32_t terminator_of(const struct nf_module *m, const struct block *block)
{
    uint32_t at = block->at;
    while (nf_next(m, at) < block->end && !nf_ends_block(nf_opcode(m, at)))
        at = nf_next(m, at);
    return at;
}

static void find_blocks(struct order *o)
{
    struct nf_module *m = o->m;
    uint32_t capacity = 0;
    for (uint32_t at = o->f->body; at < o->f->end && nf_opcode(m, at) != OpFunctionEnd; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpLabel) {
            NF_RESERVE(m, o->blocks, capacity, (size_t)o->count + 1);
            o->blocks[o->count].at = at;
            o->index[m->words[at + 1]] = ++o->count;
        }
        o->blocks[o->count - 1].end = nf_next(m, at);
    }
}

/* The next successor of a block that was not seen yet; the number of blocks when there is none. The last is taken
 * first, so that a loop's or branch's first way comes first in the end. */
static uint32_t next_successor(struct order *o, struct block *block)
{
    struct nf_module *m = o->m;
    uint32_t at = terminator_of(m, block);
    if (!block->next_operand) block->next_operand = nf_length(m, at);
    while (block->next_operand > 1) {
        uint32_t word = m->words[at + --block->next_operand];
        if (word >= m->bound || !o->index[word] || m->def[word] < o->f->body || m->def[word] >= o->f->end) continue;
        uint32_t successor = o->index[word] - 1;
        if (successor < o->count && !o->blocks[successor].seen) return successor;
    }
    return o->count;
}

/* Depth first, without recursion: a function may have a hundred thousand blocks in a row. */
static void sort(struct order *o)
{
    uint32_t *stack = NF_NEW(o->m, uint32_t, o->count), depth = 0, *postorder = NF_NEW(o->m, uint32_t, o->count);
    uint32_t finished = 0;
    o->blocks[0].seen = true;
    stack[depth++] = 0;
    while (depth) {
        uint32_t successor = next_successor(o, &o->blocks[stack[depth - 1]]);
        if (successor == o->count) {
            postorder[finished++] = stack[--depth];
            continue;
        }
        o->blocks[successor].seen = true;
        stack[depth++] = successor;
    }
    o->sorted = NF_NEW(o->m, uint32_t, o->count);
    while (finished)
        o->sorted[o->sorted_count++] = postorder[--finished];
    for (uint32_t i = 0; i < o->count; i++)
        if (!o->blocks[i].seen) o->sorted[o->sorted_count++] = i;
}

/* Write the blocks in their new order, and note where definitions have gone. */
static void move_blocks(struct order *o, struct nf_moves *moves)
{
    struct nf_module *m = o->m;
    uint32_t start = o->blocks[0].at, end = o->blocks[o->count - 1].end, to = start;
    uint32_t *old = NF_NEW(m, uint32_t, end - start);
    memcpy(old, m->words + start, (end - start) * sizeof *old);
    for (uint32_t i = 0; i < o->count; i++) {
        const struct block *block = &o->blocks[o->sorted[i]];
        memcpy(m->words + to, old + (block->at - start), (block->end - block->at) * sizeof *old);
        nf_note_move(m, moves, to, block->at);
        to += block->end - block->at;
    }
    nf_note_move(m, moves, end, end);
    for (uint32_t at = start; at < end; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        uint32_t id = op->result & 2 ? m->words[at + 1 + (op->result & 1)] : 0;
        bool unknown = op->opcode == 0xffff && nf_length(m, at) > 2 && m->words[at + 2] < m->bound;
        if (unknown && m->def[m->words[at + 2]] >= start && m->def[m->words[at + 2]] < end) id = m->words[at + 2];
        if (id) m->def[id] = at;
    }
}

void nf_order_blocks(struct nf_module *m)
{
    uint32_t *index = NULL;
    struct nf_moves moves = {0};
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (!m->functions[i].unordered || !m->functions[i].body) continue;
        if (!index) index = NF_NEW(m, uint32_t, m->bound);
        struct order o = {.m = m, .f = &m->functions[i], .index = index};
        find_blocks(&o);
        sort(&o);
        move_blocks(&o, &moves);
        nf_drop(m, o.blocks);
    }
    m->moves = moves;
}
