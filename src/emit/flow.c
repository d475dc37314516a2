/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow.c - control flow of a function: blocks in reverse postorder, dominators, loops, and the block below which each
 * block is written.
 *
 * A block is written below its immediate dominator: nested in the branch that is its only entry, or, if it has several
 * entries, after the branches. A block that its dominator's loop does not contain is written after that loop:
 *
 *     entry -> header -> body -> header      header: merges {}, exits {done}; body is nested in header
 *              header -> done
 *
 * In irreducible control flow, an edge goes back to a block that does not dominate the source of the edge. Such an edge
 * forms no loop, and the block has several incoming edges: it is written after the branches of its dominator, with a
 * label, and structure.c writes jumps to it.
 *
 * needs: a function of the module that was read.  gives: struct nf_flow.
 */
#include "emit/internal.h"

/* ---- Blocks and edges ---- */

static uint32_t block_number(const struct nf_emitter *e, uint32_t label)
{
    return e->block_of[label] - 1;
}

/* Returns the number of labels that the terminator at `at` names, and stores them in `labels` if that is not NULL. */
static uint32_t list_targets(const struct nf_module *m, uint32_t at, uint32_t *labels)
{
    uint32_t opcode = nf_opcode(m, at), length = nf_length(m, at), count = 0;
    uint32_t first = opcode == OpBranch ? 1 : opcode == OpBranchConditional || opcode == OpSwitch ? 2 : length;
    uint32_t width = opcode == OpSwitch && nf_width_of(m, nf_type_of(m, nf_switch_selector(m, at))) > 32 ? 2 : 1;
    uint32_t step = opcode == OpSwitch ? width + 1 : 1, end = opcode == OpBranchConditional ? 4 : length;
    for (uint32_t i = first; i < end && i < length; i += step) {
        if (labels) labels[count] = nf_word(m, at, i);
        count++;
    }
    return count;
}

static void list_blocks(struct nf_emitter *e, const struct nf_function *f, struct nf_flow *flow)
{
    const struct nf_module *m = e->m;
    uint32_t targets = 0;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        flow->count += nf_opcode(m, at) == OpLabel;
        if (nf_ends_block(nf_opcode(m, at))) targets += list_targets(m, at, NULL);
    }
    flow->blocks = NF_NEW(e->arena, struct nf_block_info, flow->count + 1);
    flow->successors = NF_NEW(e->arena, uint32_t, targets + 1);
    flow->same = NF_NEW(e->arena, uint32_t, targets + 1);
    uint32_t used = 0, number = 0;
    struct nf_block_info *block = flow->blocks;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpLabel) {
            block = &flow->blocks[number++];
            *block = (struct nf_block_info){.label = nf_declared_id(m, at),
                                            .at = at,
                                            .order = NF_NO_BLOCK,
                                            .dominator = NF_NO_BLOCK,
                                            .loop = NF_NO_BLOCK,
                                            .outer = NF_NO_BLOCK,
                                            .merges = NF_NO_BLOCK,
                                            .exits = NF_NO_BLOCK,
                                            .next = NF_NO_BLOCK};
        }
        if (!nf_ends_block(nf_opcode(m, at))) continue;
        block->end = at;
        block->successors = used;
        block->successor_count = list_targets(m, at, flow->successors + used);
        used += block->successor_count;
    }
    for (uint32_t i = 0; i < used; i++) {
        uint32_t label = flow->successors[i], target = block_number(e, label);
        if (target >= flow->count || flow->blocks[target].label != label)
            nf_refuse(e, f->at, "a branch to %u, which is not a block of the function", label);
        flow->successors[i] = target;
    }
    for (uint32_t i = 0; i < flow->count; i++)
        if (!flow->blocks[i].end) nf_refuse(e, flow->blocks[i].at, "a block without an end");
}

/* Numbers the reachable blocks in reverse postorder. */
static void find_order(struct nf_emitter *e, struct nf_flow *flow)
{
    uint32_t *stack = NF_NEW_ARRAY(e->arena, uint32_t, flow->count + 1);
    uint32_t *next = NF_NEW_ARRAY(e->arena, uint32_t, flow->count + 1);
    uint8_t *seen = NF_NEW_ARRAY(e->arena, uint8_t, flow->count + 1);
    uint32_t depth = 1, left = flow->count;
    flow->order = NF_NEW(e->arena, uint32_t, flow->count + 1);
    stack[0] = 0;
    seen[0] = 1;
    while (depth) {
        uint32_t number = stack[depth - 1];
        const struct nf_block_info *block = &flow->blocks[number];
        if (next[number] < block->successor_count) {
            /* The last target is visited first, so that the first target comes first in the order. */
            uint32_t to = flow->successors[block->successors + block->successor_count - 1 - next[number]++];
            if (!seen[to]) seen[to] = 1, stack[depth++] = to;
        } else {
            flow->order[--left] = number;
            depth--;
        }
    }
    flow->reached = flow->count - left;
    memmove(flow->order, flow->order + left, flow->reached * sizeof *flow->order);
    for (uint32_t i = 0; i < flow->reached; i++)
        flow->blocks[flow->order[i]].order = i;
    nf_arena_drop(e->arena, stack);
    nf_arena_drop(e->arena, next);
    nf_arena_drop(e->arena, seen);
}

/* The reachable predecessors of all blocks, in one array: those of block i from index first[i] to first[i + 1] - 1. */
struct predecessors {
    uint32_t *first, *blocks;
};

static struct predecessors find_predecessors(struct nf_emitter *e, const struct nf_flow *flow)
{
    struct predecessors p = {NF_NEW(e->arena, uint32_t, flow->count + 2), NULL};
    for (uint32_t i = 0; i < flow->reached; i++) {
        const struct nf_block_info *block = &flow->blocks[flow->order[i]];
        for (uint32_t s = 0; s < block->successor_count; s++)
            p.first[flow->successors[block->successors + s] + 2]++;
    }
    for (uint32_t i = 2; i < flow->count + 2; i++)
        p.first[i] += p.first[i - 1];
    p.blocks = NF_NEW(e->arena, uint32_t, p.first[flow->count + 1] + 1);
    for (uint32_t i = 0; i < flow->reached; i++) {
        const struct nf_block_info *block = &flow->blocks[flow->order[i]];
        for (uint32_t s = 0; s < block->successor_count; s++)
            p.blocks[p.first[flow->successors[block->successors + s] + 1]++] = flow->order[i];
    }
    return p;
}

/* ---- Dominators ---- */

static uint32_t common_dominator(const struct nf_flow *flow, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (flow->blocks[a].order > flow->blocks[b].order)
            a = flow->blocks[a].dominator;
        while (flow->blocks[b].order > flow->blocks[a].order)
            b = flow->blocks[b].dominator;
    }
    return a;
}

/* Computes immediate dominators after Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm. */
static void find_dominators(struct nf_flow *flow, const struct predecessors *p)
{
    flow->blocks[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < flow->reached; i++) {
            uint32_t number = flow->order[i], dominator = NF_NO_BLOCK;
            for (uint32_t n = p->first[number]; n < p->first[number + 1]; n++) {
                uint32_t from = p->blocks[n];
                if (flow->blocks[from].dominator == NF_NO_BLOCK) continue;
                dominator = dominator == NF_NO_BLOCK ? from : common_dominator(flow, dominator, from);
            }
            changed |= flow->blocks[number].dominator != dominator;
            flow->blocks[number].dominator = dominator;
        }
    }
}

static bool dominates(const struct nf_flow *flow, uint32_t a, uint32_t b)
{
    while (flow->blocks[b].order > flow->blocks[a].order)
        b = flow->blocks[b].dominator;
    return a == b;
}

/* ---- Loops ---- */

/* Returns the header of the outermost loop found so far that contains the block; the block itself if there is none. */
static uint32_t outermost(const struct nf_flow *flow, uint32_t number)
{
    const struct nf_block_info *block = &flow->blocks[number];
    uint32_t header = block->is_header ? number : block->loop;
    if (header == NF_NO_BLOCK) return number;
    while (flow->blocks[header].outer != NF_NO_BLOCK)
        header = flow->blocks[header].outer;
    return header;
}

/* Adds to the loop of `header` all blocks that reach `from` without passing the header. */
static void fill_loop(struct nf_flow *flow, const struct predecessors *p, uint32_t header, uint32_t from,
                      uint32_t *work)
{
    uint32_t count = 0;
    work[count++] = from;
    while (count) {
        uint32_t number = outermost(flow, work[--count]);
        if (number == header) continue;
        struct nf_block_info *block = &flow->blocks[number];
        if (block->is_header)
            block->outer = header;
        else
            block->loop = header;
        for (uint32_t n = p->first[number]; n < p->first[number + 1]; n++)
            if (outermost(flow, p->blocks[n]) != header) work[count++] = p->blocks[n];
    }
}

/* Finds the natural loops, inner loops first. */
static void find_loops(struct nf_emitter *e, struct nf_flow *flow, const struct predecessors *p)
{
    uint32_t *work = NF_NEW_ARRAY(e->arena, uint32_t, p->first[flow->count + 1] + 1);
    for (uint32_t i = flow->reached; i-- > 0;) {
        uint32_t header = flow->order[i];
        for (uint32_t n = p->first[header]; n < p->first[header + 1]; n++) {
            uint32_t from = p->blocks[n];
            if (flow->blocks[from].order < i || !dominates(flow, header, from)) continue;
            flow->blocks[header].is_header = true;
            fill_loop(flow, p, header, from, work);
        }
    }
    nf_arena_drop(e->arena, work);
}

/* ---- Where each block is written ---- */

/* Returns the header of the innermost loop that contains the block, which is the block itself if it is a header;
 * NF_NO_BLOCK outside of loops. */
static uint32_t loop_of(const struct nf_flow *flow, uint32_t number)
{
    return flow->blocks[number].is_header ? number : flow->blocks[number].loop;
}

/* Returns the header of the innermost loop that contains the block; for a header, that of the loop around its own loop.
 * NF_NO_BLOCK if there is none. */
static uint32_t loop_around(const struct nf_flow *flow, uint32_t number)
{
    const struct nf_block_info *block = &flow->blocks[number];
    return block->is_header ? block->outer : block->loop;
}

/* Returns the header of the outermost loop that contains the dominator of the block, but not the block; NF_NO_BLOCK if
 * there is none. */
static uint32_t loop_left(const struct nf_flow *flow, uint32_t number)
{
    uint32_t around = loop_around(flow, number), left = NF_NO_BLOCK;
    uint32_t header = loop_of(flow, flow->blocks[number].dominator);
    while (header != around && header != NF_NO_BLOCK) {
        left = header;
        header = flow->blocks[header].outer;
    }
    return left;
}

static void count_entries(struct nf_flow *flow)
{
    for (uint32_t i = 0; i < flow->reached; i++) {
        uint32_t from = flow->order[i];
        const struct nf_block_info *block = &flow->blocks[from];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t to = flow->successors[block->successors + s];
            bool is_back = flow->blocks[to].is_header && dominates(flow, to, from);
            bool is_again = flow->blocks[to].last_entry == from + 1;
            if (!is_back && !is_again) flow->blocks[to].entries++;
            flow->blocks[to].last_entry = from + 1;
        }
    }
}

bool nf_is_nested(const struct nf_flow *flow, uint32_t from, uint32_t to)
{
    const struct nf_block_info *block = &flow->blocks[to];
    bool is_only = block->entries == 1 && block->dominator == from && block->order > flow->blocks[from].order;
    return is_only && loop_left(flow, to) == NF_NO_BLOCK;
}

/* Fills the lists `merges` and `exits`, from the last block to the first, so that each is in reverse postorder. */
static void place_blocks(struct nf_flow *flow)
{
    for (uint32_t i = flow->reached; i-- > 1;) {
        uint32_t number = flow->order[i], dominator = flow->blocks[number].dominator, left = loop_left(flow, number);
        if (nf_is_nested(flow, dominator, number)) continue;
        uint32_t *list = left != NF_NO_BLOCK ? &flow->blocks[left].exits : &flow->blocks[dominator].merges;
        flow->blocks[number].next = *list;
        *list = number;
    }
}

struct nf_flow nf_find_flow(struct nf_emitter *e, const struct nf_function *f)
{
    struct nf_flow flow = {0};
    list_blocks(e, f, &flow);
    find_order(e, &flow);
    struct predecessors p = find_predecessors(e, &flow);
    find_dominators(&flow, &p);
    find_loops(e, &flow, &p);
    count_entries(&flow);
    place_blocks(&flow);
    return flow;
}
