/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uses.c - decides which instructions of a function are written, and which of them as an expression at the use of their
 * result.
 *
 * An instruction without side effects and without uses is not written. An instruction without side effects and with a
 * single use, in its own block, is written at that use, if the text of its form is an expression, the result is not too
 * deep an expression, no side effect lies between (if it reads memory), and the use is not one that can_inline() and
 * inline_operands() exclude, such as the value of a phi or of a select:
 *
 *     %4 = OpLoad %uint %p
 *     %5 = OpIAdd %uint %4 %one        *q = *p + 1u;
 *     OpStore %q %5
 *
 * The hard case is a function whose blocks are not in an order in which definitions precede their uses (`unordered`):
 * there an instruction counts as a use of its operands even if it is not written itself.
 *
 * needs: a function of the module that was read.  gives: uses, block_of, NF_ID_INLINED and NF_ID_CROSSING.
 */
#include "emit/internal.h"

enum { DEEPEST_EXPRESSION = 6 };

enum { NO_LOAD = UINT32_MAX };

static void count_use(struct nf_emitter *e, uint32_t id)
{
    if (e->uses[id] < 2) e->uses[id]++;
}

/* Counts each use in a phi twice, so that its value is not inlined. Phis are counted first, because in a loop the use
 * precedes the definition. */
static void count_phis(struct nf_emitter *e, const struct nf_function *f)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at))
        for (uint32_t i = 0; nf_opcode(m, at) == OpPhi && i < nf_phi_count(m, at); i++)
            count_use(e, nf_phi_value(m, at, i)), count_use(e, nf_phi_value(m, at, i));
}

static bool is_volatile_load(const struct nf_insn *i)
{
    return i->form->kind == NF_FORM_load && nf_is_volatile_access(i);
}

/* Returns true for an instruction that is written at its position even if its result has no use. */
static bool has_effect(const struct nf_insn *i)
{
    return nf_traits_of(i->form) & NF_TRAIT_EFFECT || is_volatile_load(i);
}

static bool is_live(const struct nf_emitter *e, const struct nf_insn *i, bool unordered)
{
    uint32_t opcode = nf_opcode(e->m, i->at);
    if (nf_ends_block(opcode)) return true;
    if (opcode == OpPhi) return false;
    if (i->form->kind == NF_FORM_nothing) return false;
    return unordered || has_effect(i) || (i->id && e->uses[i->id]);
}

static void count_operands(struct nf_emitter *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        count_use(e, nf_current_id(&ids));
}

/* Sets the number of the block of each value and label. Returns the instructions of the function, in order. */
static struct nf_words list_instructions(struct nf_emitter *e, const struct nf_function *f)
{
    const struct nf_module *m = e->m;
    struct nf_words list = {.arena = e->arena};
    uint32_t block = 0;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        if (nf_opcode(m, at) == OpLabel) block++;
        if (id) e->block_of[id] = block;
        nf_append_word(&list, at);
    }
    return list;
}

/* Marks the values that the instruction uses and another block defines, and a phi itself. A phi uses each of its values
 * in the predecessor from which the value comes. */
static void mark_crossing(struct nf_emitter *e, uint32_t at, uint32_t block)
{
    const struct nf_module *m = e->m;
    if (nf_opcode(m, at) == OpPhi) {
        e->facts[nf_result_id(m, at)] |= NF_ID_CROSSING;
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
            if (e->block_of[nf_phi_value(m, at, i)] != e->block_of[nf_phi_parent(m, at, i)])
                e->facts[nf_phi_value(m, at, i)] |= NF_ID_CROSSING;
        return;
    }
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (e->block_of[nf_current_id(&ids)] != block) e->facts[nf_current_id(&ids)] |= NF_ID_CROSSING;
}

/* Returns true if the value may be written at its only use, in the current instruction of block `block`. */
static bool can_inline(const struct nf_emitter *e, uint32_t id, uint32_t block)
{
    const struct nf_module *m = e->m;
    uint32_t def = m->def[id];
    if (!def || e->uses[id] != 1 || e->block_of[id] != block || e->facts[id] & NF_ID_CROSSING) return false;
    if (!nf_has_type(nf_op_find(nf_opcode(m, def))) || nf_opcode(m, def) == OpFunctionParameter) return false;
    struct nf_insn i = nf_insn_at(e, def);
    uint8_t traits = nf_traits_of(i.form);
    if (has_effect(&i) || traits & (NF_TRAIT_STATEMENT | NF_TRAIT_SILENT)) return false;
    /* From an access through `c ? 0 : p` LLVM concludes that c is false, and leaves an llvm.assume, which Oclgrind does
     * not implement. */
    if (i.form->kind == NF_FORM_select && nf_type(m, i.type)->kind == NF_KIND_POINTER) return false;
    return e->depth[id] < DEEPEST_EXPRESSION && (e->moment[id] == NO_LOAD || e->moment[id] == e->effects);
}

/* Marks the operands of the instruction that are written as expressions inside it; none if its text repeats an operand.
 * The two values of a select are excluded, because C would compute only one of them. A pointer that may be less aligned
 * than its type is written as a variable of its own: from `p->m1` a compiler would conclude that p is aligned. */
static void inline_operands(struct nf_emitter *e, const struct nf_insn *i, uint32_t block)
{
    const struct nf_module *m = e->m;
    uint32_t moment = nf_traits_of(i->form) & NF_TRAIT_READS ? e->effects : NO_LOAD;
    uint8_t depth = 0;
    bool repeats = nf_traits_of(i->form) & NF_TRAIT_REPEATS;
    struct nf_ids ids = nf_ids_at(m, i->at);
    while (!repeats && nf_ids_next(&ids)) {
        uint32_t id = nf_current_id(&ids);
        bool is_choice = i->form->kind == NF_FORM_select && ids.at > nf_first_operand(i->op);
        if (is_choice || !can_inline(e, id, block) || nf_is_unaligned_pointer(e, i, id)) continue;
        e->facts[id] |= NF_ID_INLINED;
        if (e->moment[id] < moment) moment = e->moment[id];
        if (e->depth[id] + 1 > depth) depth = (uint8_t)(e->depth[id] + 1);
    }
    if (!i->id) return;
    e->moment[i->id] = moment;
    e->depth[i->id] = depth;
}

void nf_find_uses(struct nf_emitter *e, const struct nf_function *f)
{
    struct nf_words list = list_instructions(e, f);
    uint8_t *live = NF_NEW_ARRAY(e->arena, uint8_t, list.count + 1);
    count_phis(e, f);
    for (uint32_t n = list.count; n-- > 0;) {
        struct nf_insn i = nf_insn_at(e, list.at[n]);
        live[n] = is_live(e, &i, f->unordered);
        if (live[n]) count_operands(e, list.at[n]);
    }
    uint32_t block = 0;
    for (uint32_t n = 0; n < list.count; n++) {
        if (nf_opcode(e->m, list.at[n]) == OpLabel) block++;
        if (live[n] || nf_opcode(e->m, list.at[n]) == OpPhi) mark_crossing(e, list.at[n], block);
    }
    block = 0;
    for (uint32_t n = 0; n < list.count; n++) {
        if (nf_opcode(e->m, list.at[n]) == OpLabel) block++, e->effects++;
        if (!live[n]) continue;
        struct nf_insn i = nf_insn_at(e, list.at[n]);
        inline_operands(e, &i, block);
        e->effects += has_effect(&i);
    }
    nf_arena_drop(e->arena, list.at);
    nf_arena_drop(e->arena, live);
}

bool nf_is_written(const struct nf_emitter *e, const struct nf_insn *i)
{
    if (nf_traits_of(i->form) & NF_TRAIT_SILENT || nf_opcode(e->m, i->at) == OpPhi) return false;
    if (i->id && (e->facts[i->id] & NF_ID_INLINED || nf_loaded_built_in(e, i))) return false;
    return has_effect(i) || (i->id && e->uses[i->id]);
}
