/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.c - sorts the blocks of a function as SPIR-V requires, for a driver that validates.
 *
 *     %exit = OpLabel ...                       %loop = OpLabel ... OpBranchConditional %c %loop %exit
 *     %loop = OpLabel ... %exit                 %exit = OpLabel ...
 *
 * SPIR-V requires that a block appear before all blocks that it dominates. Shipped translators write LLVM's order,
 * which most drivers accept and Mesa refuses. An order is valid if every block but the first follows one of its
 * predecessors: a dominator of the block is that predecessor or dominates it. Only functions that violate this are
 * sorted.
 *
 *     %x = OpPhi %uint %a %entry %b %switch %b %switch     %x = OpPhi %uint %a %entry %b %switch
 *
 * Duplicate predecessors are removed from phis as well: LLVM has one phi entry for each case of a switch that branches
 * to the block, and SPIR-V allows one for each predecessor.
 *
 * needs: a module that was read.  gives: the same instructions in another order, and phis without duplicates.
 */
#include "prepare/prepare.h"
#include "supply/internal.h"

static uint32_t last_of_block(const struct nf_module *m, uint32_t at)
{
    while (!nf_ends_block(nf_opcode(m, at)))
        at = nf_next(m, at);
    return at;
}

/* Returns true if each block but the first follows one of its predecessors. `reached`, by id of a label, records the
 * successors of the blocks visited so far. */
static bool is_ordered(const struct nf_module *m, const struct nf_function *f, bool *reached)
{
    for (uint32_t at = f->body; at && at < f->end && nf_opcode(m, at) != OpFunctionEnd; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpLabel) continue;
        if (at != f->body && !reached[nf_declared_id(m, at)]) return false;
        struct nf_operands walk = nf_walk(m, last_of_block(m, at));
        while (nf_operands_next(&walk))
            if (walk.kind == NF_OPERAND_ID) reached[nf_current_operand(&walk)] = true;
    }
    return true;
}

static bool is_earlier_block(const struct nf_module *m, uint32_t at, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (nf_phi_parent(m, at, i) == nf_phi_parent(m, at, index)) return true;
    return false;
}

static bool has_duplicate_block(const struct nf_module *m, uint32_t at)
{
    for (uint32_t i = 1; nf_opcode(m, at) == OpPhi && i < nf_phi_count(m, at); i++)
        if (is_earlier_block(m, at, i)) return true;
    return false;
}

static void emit_phi(const struct nf_module *m, uint32_t at, struct nf_words *out)
{
    uint32_t start = out->count;
    nf_append_words(out, m->words + at, 3);
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
        if (!is_earlier_block(m, at, i)) nf_append_words(out, m->words + at + 3 + 2 * i, 2);
    out->at[start] = nf_first_word(OpPhi, out->count - start);
}

bool nf_supply_phis(struct nf_module *m, struct nf_words *out)
{
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = has_duplicate_block(m, at);
    if (!any) return false;
    *out = (struct nf_words){.arena = m->arena};
    nf_append_words(out, m->words, m->body_at);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        if (has_duplicate_block(m, at))
            emit_phi(m, at, out);
        else
            nf_append_words(out, m->words + at, nf_length(m, at));
    }
    return true;
}

bool nf_supply_blocks(struct nf_module *m, struct nf_words *out)
{
    bool *reached = NF_NEW(m->arena, bool, m->bound), any = false;
    for (uint32_t i = 1; i < m->function_count; i++) {
        m->functions[i].unordered = !is_ordered(m, &m->functions[i], reached);
        any |= m->functions[i].unordered;
    }
    if (!any) return false;
    uint32_t *before = NF_NEW(m->arena, uint32_t, m->count);
    memcpy(before, m->words, m->count * sizeof *before);
    nf_order(m);
    *out = (struct nf_words){.arena = m->arena};
    nf_append_words(out, m->words, m->count);
    return memcmp(before, m->words, m->count * sizeof *before) != 0;
}
