/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c - sorts blocks and constants so that definitions precede their uses.
 *
 *     OpBranch %b                            OpBranch %b
 *     %a = OpLabel ... uses %x               %b = OpLabel ... defines %x
 *     %b = OpLabel ... defines %x            %a = OpLabel ... uses %x
 *
 * SPIR-V requires that a block precedes all blocks that it dominates (section 2.16.1). Shipped translators emit LLVM's
 * order, in which %a may be first, and drivers accept it. The later stages traverse each function once, from its first
 * instruction to its last.
 *
 * The order is reverse postorder of the control-flow graph. Only functions in which the reader found a use before its
 * definition are sorted. Unreachable blocks follow all others in their old order; they may still use values that are
 * defined later, which is harmless, because they are not executed. In hint mode an operand of a phi is cast to Generic
 * at the end of its parent block, so its definition must precede the end of that block, although the block does not use
 * it.
 *
 * The same translators emit constant expressions before their operands. A constant that depends on itself cannot be
 * sorted: the module is malformed.
 *
 * needs: a module that was read.  gives: the module's words, with those functions and constants in the new order, and
 * nf_module.def for them.
 */
#include "prepare/prepare.h"

struct block {
    uint32_t at, end;      /* word offsets: of the label, and of the end of the last instruction */
    uint32_t next_operand; /* the last word of the terminator that the walk over the successors visited; 0: not begun */
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
            NF_RESERVE(m->arena, o->blocks, capacity, (size_t)o->count + 1);
            o->blocks[o->count].at = at;
            o->index[nf_declared_id(m, at)] = ++o->count;
        }
        o->blocks[o->count - 1].end = nf_next(m, at);
    }
}

/* Returns the next unvisited successor of the block, or the number of blocks if all its successors were visited. The
 * operands are visited from the last to the first, so that the first successor comes first in reverse postorder. */
static uint32_t next_successor(struct order *o, struct block *block)
{
    struct nf_module *m = o->m;
    uint32_t at = terminator_of(m, block);
    if (!block->next_operand) block->next_operand = nf_length(m, at);
    while (block->next_operand > 1) {
        uint32_t word = nf_word(m, at, --block->next_operand);
        if (word >= m->bound || !o->index[word] || m->def[word] < o->f->body || m->def[word] >= o->f->end) continue;
        uint32_t successor = o->index[word] - 1;
        if (successor < o->count && !o->blocks[successor].seen) return successor;
    }
    return o->count;
}

/* Sorts the blocks into reverse postorder, unreachable blocks last. The stack is explicit, because a function may have
 * a chain of a hundred thousand blocks. */
static void sort(struct order *o)
{
    uint32_t *stack = NF_NEW(o->m->arena, uint32_t, o->count), depth = 0,
             *postorder = NF_NEW(o->m->arena, uint32_t, o->count);
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
    o->sorted = NF_NEW(o->m->arena, uint32_t, o->count);
    while (finished)
        o->sorted[o->sorted_count++] = postorder[--finished];
    for (uint32_t i = 0; i < o->count; i++)
        if (!o->blocks[i].seen) o->sorted[o->sorted_count++] = i;
}

/* Updates the definitions of the instructions between `start` and `end` to their new offsets. */
static void find_again(struct nf_module *m, uint32_t start, uint32_t end)
{
    for (uint32_t at = start; at < end; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        uint32_t id = nf_has_result(op) ? nf_word(m, at, nf_result_word(op)) : 0;
        bool unknown = nf_is_unknown(op) && nf_length(m, at) > 2 && nf_value_id(m, at) < m->bound;
        if (unknown && m->def[nf_value_id(m, at)] >= start && m->def[nf_value_id(m, at)] < end) id = nf_value_id(m, at);
        if (id) m->def[id] = at;
    }
}

/* Writes the blocks in their new order. */
static void move_blocks(struct order *o, struct nf_moves *moves)
{
    struct nf_module *m = o->m;
    uint32_t start = o->blocks[0].at, end = o->blocks[o->count - 1].end, to = start;
    uint32_t *old = NF_NEW(m->arena, uint32_t, end - start);
    memcpy(old, m->words + start, (end - start) * sizeof *old);
    for (uint32_t i = 0; i < o->count; i++) {
        const struct block *block = &o->blocks[o->sorted[i]];
        memcpy(m->words + to, old + (block->at - start), (block->end - block->at) * sizeof *old);
        nf_note_move(m, moves, to, block->at);
        to += block->end - block->at;
    }
    nf_note_move(m, moves, end, end);
    find_again(m, start, end);
}

/* Returns true if the phi at `at` has an operand, a generic pointer, that is defined after the end of its parent
 * block. */
static bool has_operand_of_later_block(const struct nf_module *m, uint32_t at, const uint32_t *ends)
{
    if (nf_opcode(m, at) != OpPhi) return false;
    if (!nf_is_generic_type_at(m, m->def[nf_value_type(m, at)])) return false;
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
        if (m->def[nf_phi_value(m, at, i)] > ends[nf_phi_parent(m, at, i)]) return true;
    return false;
}

/* Returns true if the function has a phi for which has_operand_of_later_block() is true. `ends` is scratch space: by
 * label, the last instruction of the block. */
static bool has_late_phi(const struct nf_module *m, const struct nf_function *f, uint32_t *ends)
{
    uint32_t label = 0;
    bool found = false;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpLabel) label = nf_declared_id(m, at);
        ends[label] = at;
    }
    for (uint32_t at = f->body; at < f->end && !found; at = nf_next(m, at))
        found = has_operand_of_later_block(m, at, ends);
    return found;
}

static void find_late_phis(struct nf_module *m)
{
    uint32_t *ends = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    for (uint32_t i = 1; i < m->function_count; i++) {
        struct nf_function *f = &m->functions[i];
        if (f->body && !f->unordered) f->unordered = has_late_phi(m, f, ends);
    }
    nf_arena_drop(m->arena, ends);
}

static void order_blocks(struct nf_module *m, struct nf_moves *moves)
{
    uint32_t *index = NULL;
    if (m->options->mode == NF_MODE_HINT) find_late_phis(m);
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (!m->functions[i].unordered || !m->functions[i].body) continue;
        if (!index) index = NF_NEW(m->arena, uint32_t, m->bound);
        struct order o = {.m = m, .f = &m->functions[i], .index = index};
        find_blocks(&o);
        sort(&o);
        move_blocks(&o, moves);
        nf_arena_drop(m->arena, o.blocks);
    }
}

/* ---- Constants ---- */

enum { WAITING, BEGUN, PLACED };

/* The module scope from its first type on. */
struct constants {
    struct nf_module *m;
    struct nf_moves *moves;
    uint32_t start, end, to;
    uint32_t *placed; /* the words in their new order */
    uint8_t *states;  /* by word offset from `start`: the state of the instruction */
    struct pending {
        uint32_t at;
        bool typed; /* its result type has been visited */
        struct nf_operands walk;
    } * stack; /* each entry waits for the entry above it */
    uint32_t depth, capacity;
};

static void push(struct constants *c, uint32_t at)
{
    NF_RESERVE(c->m->arena, c->stack, c->capacity, (size_t)c->depth + 1);
    c->stack[c->depth++] = (struct pending){at, false, nf_walk(c->m, at)};
    c->states[at - c->start] = BEGUN;
}

/* Returns the offset of the definition of `id` if it is in the module scope and its writing has not begun, otherwise 0.
 * Refuses a constant that contains itself: only types may be cyclic, through an OpTypeForwardPointer. */
static uint32_t waiting_definition(struct constants *c, uint32_t at, uint32_t id)
{
    struct nf_module *m = c->m;
    uint32_t def = id < m->bound ? m->def[id] : 0;
    if (def < c->start || def >= c->end || c->states[def - c->start] == PLACED) return 0;
    if (c->states[def - c->start] == WAITING) return def;
    if (nf_is_made_constant(nf_opcode(m, at)))
        nf_fail(m->arena, NF_MALFORMED, at, "a constant contains itself, through id %u", id);
    return 0;
}

/* Returns a definition that must be written before the instruction, 0 if all of them have been written. */
static uint32_t next_definition(struct constants *c, struct pending *p)
{
    struct nf_module *m = c->m;
    uint32_t def = p->typed ? 0 : waiting_definition(c, p->at, nf_result_type(m, p->at));
    p->typed = true;
    if (nf_opcode(m, p->at) == OpTypeForwardPointer) return 0;
    while (!def && nf_operands_next(&p->walk))
        if (p->walk.kind == NF_OPERAND_ID) def = waiting_definition(c, p->at, nf_current_operand(&p->walk));
    return def;
}

static void place(struct constants *c, uint32_t at)
{
    struct nf_module *m = c->m;
    push(c, at);
    while (c->depth) {
        struct pending *top = &c->stack[c->depth - 1];
        uint32_t before = next_definition(c, top);
        if (before) {
            push(c, before);
            continue;
        }
        memcpy(c->placed + (c->to - c->start), m->words + top->at, nf_length(m, top->at) * sizeof *c->placed);
        nf_note_move(m, c->moves, c->to, top->at);
        c->to += nf_length(m, top->at);
        c->states[top->at - c->start] = PLACED;
        c->depth--;
    }
}

static void order_constants(struct nf_module *m, struct nf_moves *moves)
{
    uint32_t start = NF_HEADER_WORDS;
    while (start < m->body_at && nf_opcode(m, start) != OpTypeVoid && !nf_result_type(m, start))
        start = nf_next(m, start);
    struct constants c = {.m = m, .moves = moves, .start = start, .end = m->body_at, .to = start};
    c.placed = NF_NEW(m->arena, uint32_t, (size_t)(c.end - start) + 1);
    c.states = NF_NEW(m->arena, uint8_t, (size_t)(c.end - start) + 1);
    for (uint32_t at = start; at < c.end; at = nf_next(m, at))
        if (c.states[at - start] == WAITING) place(&c, at);
    memcpy(m->words + start, c.placed, (c.end - start) * sizeof *c.placed);
    nf_note_move(m, moves, c.end, c.end);
    find_again(m, start, c.end);
    nf_arena_drop(m->arena, c.stack);
}

void nf_order(struct nf_module *m)
{
    struct nf_moves moves = {0};
    if (m->unordered_constants) order_constants(m, &moves);
    order_blocks(m, &moves);
    m->moves = moves;
}
