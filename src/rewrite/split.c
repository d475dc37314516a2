/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.c - writes accesses through pointers whose space a condition of their function decides (infer/predicates.c).
 *
 *     %p = OpSelect %_ptr_Generic_int %c %private %local        p is private if c is true, and local if not
 *     %q = OpInBoundsPtrAccessChain %_ptr_Generic_int %p %i     and so is q
 *
 * An access through such a pointer branches on the condition, and needs no tag.
 *
 * needs: the instances.  gives: an access for each space, in blocks that join after it.
 */
#include "rewrite/internal.h"

static uint32_t constant(struct nf_output *o, bool value)
{
    return nf_global(o, value ? OpConstantTrue : OpConstantFalse, nf_bool_type(o), NULL, 0);
}

/* Returns the id of a bool that is true if the arm is in `space`. OpSelect negates the arm's condition, because
 * OpLogicalNot in Oclgrind flips only the lowest bit, and a component of a vector comparison has more bits set. */
static uint32_t emit_arm_is_in(struct nf_output *o, const struct nf_tuple *arm, nf_set space)
{
    if (!arm->condition) return constant(o, arm->set == space);
    if (arm->when_true == space) return arm->condition;
    uint32_t yes = constant(o, true), no = constant(o, false);
    return NF_EMIT_NEW(o, OpSelect, nf_bool_type(o), arm->condition, no, yes);
}

/* Returns true if the arm's space is unknown: the arm is null, or used before its definition (prepare/order.c). */
static bool is_unknown(const struct nf_tuple *arm)
{
    return arm->dead || (!arm->condition && !nf_single(arm->set));
}

void nf_split_select(struct nf_output *o, struct nf_tuple *tuple, uint32_t condition, const struct nf_tuple *yes,
                     const struct nf_tuple *no)
{
    if (is_unknown(yes) || is_unknown(no)) { /* null may be in the space of the other arm */
        const struct nf_tuple *arm = is_unknown(yes) ? no : yes;
        tuple->condition = arm->condition ? arm->condition : condition;
        tuple->when_true = arm->condition ? arm->when_true : (nf_set)(tuple->set & -tuple->set);
        return;
    }
    tuple->when_true = yes->condition ? yes->when_true : yes->set;
    tuple->condition = condition;
    if (!yes->condition && !no->condition) return;
    if (yes->condition && !no->condition) tuple->when_true = (nf_set)(tuple->set & ~no->set);
    uint32_t left = emit_arm_is_in(o, yes, tuple->when_true), right = emit_arm_is_in(o, no, tuple->when_true);
    tuple->condition = NF_EMIT_NEW(o, OpSelect, nf_bool_type(o), condition, left, right);
}

/* ---- Accesses ---- */

void nf_begin_block(struct nf_output *o, uint32_t label)
{
    if (!o->body.exit_label) o->body.exit_label = NF_NEW_ARRAY(o->m->arena, uint32_t, o->m->bound);
    NF_EMIT(o, OpLabel, label);
    o->body.block.label = label;
}

/* Copies the line or scope at `at`; 0: there is none. */
static void repeat(struct nf_output *o, uint32_t at)
{
    if (!at) return;
    uint32_t length = nf_length(o->m, at);
    nf_append_words(&o->bodies, o->m->words + at, length);
    if (nf_opcode(o->m, at) == OpExtInst) o->bodies.at[o->bodies.count - length + 2] = nf_new_id(o);
}

void nf_repeat_line(struct nf_output *o)
{
    repeat(o, o->body.block.scope_at);
    repeat(o, o->body.block.line_at);
}

struct arm {
    uint32_t result, label; /* the result of the access, and the block that ends the arm */
};

static struct arm emit_arm(struct nf_output *o, const struct nf_split_access *access, uint32_t form, nf_set space,
                           uint32_t label, uint32_t join)
{
    struct nf_split_access one = *access;
    one.forms = NF_NEW(o->m->arena, struct nf_operand_form, access->count);
    memcpy(one.forms, access->forms, access->count * sizeof *one.forms);
    struct nf_operand_form *pointer = &one.forms[form];
    pointer->word = pointer->tuple.part[nf_number(space)];
    pointer->type = nf_part_type(o, pointer->generic_type, space);
    pointer->space = space;
    pointer->tuple = (struct nf_tuple){0};
    bool is_void = access->type == nf_void_type(o) && space == access->forms[form].tuple.when_true;
    one.result = !access->result ? 0 : is_void ? access->result : nf_new_id(o);
    nf_begin_block(o, label);
    nf_repeat_line(o);
    nf_emit_split_access(o, &one);
    struct arm arm = {one.result, o->body.block.label};
    NF_EMIT(o, OpBranch, join);
    return arm;
}

/* Emits an access without split pointers: dispatched if one is ambiguous. */
static void emit_leaf(struct nf_output *o, const struct nf_split_access *access)
{
    uint32_t *words = NF_NEW(o->m->arena, uint32_t, access->count + 1);
    for (uint32_t i = 0; i < access->count; i++) {
        if (access->forms[i].tuple.set) {
            nf_dispatch(o, access->opcode, access->type, access->result, access->forms, access->count);
            return;
        }
        words[i] = access->forms[i].word;
    }
    nf_access(o, access->opcode, access->type, access->result, words, access->count, access->forms[0].space);
}

void nf_emit_split_access(struct nf_output *o, const struct nf_split_access *access)
{
    uint32_t form = 0;
    while (form < access->count && !access->forms[form].tuple.condition)
        form++;
    if (form == access->count) {
        emit_leaf(o, access);
        return;
    }
    const struct nf_tuple *tuple = &access->forms[form].tuple;
    uint32_t labels[2] = {nf_new_id(o), nf_new_id(o)}, join = nf_new_id(o);
    NF_EMIT(o, OpBranchConditional, tuple->condition, labels[0], labels[1]);
    struct arm yes = emit_arm(o, access, form, tuple->when_true, labels[0], join);
    struct arm no = emit_arm(o, access, form, (nf_set)(tuple->set & ~tuple->when_true), labels[1], join);
    nf_begin_block(o, join);
    if (yes.result && access->type != nf_void_type(o))
        NF_EMIT(o, OpPhi, access->type, access->result, yes.result, yes.label, no.result, no.label);
    nf_repeat_line(o);
}
