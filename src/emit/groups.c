/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.c - writes the operations of work-groups and sub-groups.
 *
 *     OpGroupIAdd %uint %Workgroup ExclusiveScan %x     work_group_scan_exclusive_add(x), if the compiler has it
 *     OpGroupNonUniformShuffle %uint %Subgroup %x %i    sub_group_shuffle(x, i), if the compiler has it
 *
 * The functions of work-groups are from OpenCL C 2.0; for older compilers supply/collectives.c has replaced the
 * operations. Sub-groups need cl_khr_subgroups and its extensions. A device without them can still run a module that
 * uses sub-groups, if the caller requests sub-groups of one work-item: then each operation is computed from the value
 * of its only work-item.
 *
 * needs: scopes that are constants.  gives: OpenCL C text.
 */
#include "emit/internal.h"

enum { REDUCE, INCLUSIVE, EXCLUSIVE, CLUSTERED };

/* Returns the index of the first operand after the scope, which OpSubgroup... instructions lack. */
static uint32_t first_operand(const struct nf_insn *i)
{
    return strncmp(i->op->name, "OpSubgroup", 10) == 0 ? 0 : 1;
}

/* Returns true if the scope of the operation is a sub-group, false if it is a work-group. Refuses any other scope, and
 * one that is not constant. */
static bool is_of_subgroup(struct nf_emitter *e, const struct nf_insn *i)
{
    int64_t scope;
    if (first_operand(i) == 0) return true;
    if (!nf_constant(e->m, i->operands[0], &scope)) nf_refuse(e, i->at, "a scope that is not constant");
    if (scope != NF_SCOPE_SUBGROUP && scope != NF_SCOPE_WORKGROUP)
        nf_refuse(e, i->at, "an operation of scope %u", (uint32_t)scope);
    return scope == NF_SCOPE_SUBGROUP;
}

bool nf_is_collective(const struct nf_emitter *e, const struct nf_insn *i)
{
    int64_t scope;
    switch (i->form->kind) {
    case NF_FORM_group:
    case NF_FORM_broadcast:
    case NF_FORM_reduce:
    case NF_FORM_signed_reduce: return nf_constant(e->m, i->operands[0], &scope) && scope == NF_SCOPE_WORKGROUP;
    default: return false;
    }
}

/* Returns true if the compiler has sub-groups, and notes that the program needs them; false if each work-item is a
 * sub-group. Refuses the operation if neither is so. */
static bool has_subgroups(struct nf_emitter *e, const struct nf_insn *i)
{
    if (nf_has_feature(e, NF_C_SUBGROUPS)) {
        e->needs |= NF_NEEDS_SUBGROUPS;
        return true;
    }
    if (!nf_has_feature(e, NF_C_SINGLE_SUBGROUPS)) nf_refuse(e, i->at, "sub-groups, which the compiler does not have");
    return false;
}

/* Writes `work_group_` or `sub_group_`, and returns true. Writes nothing and returns false if the scope is a sub-group
 * and each work-item is one. Refuses an operation that the compiler lacks. */
static bool say_prefix(struct nf_emitter *e, const struct nf_insn *i)
{
    if (is_of_subgroup(e, i)) {
        if (!has_subgroups(e, i)) return false;
        nf_say_string(e, "sub_group_");
        return true;
    }
    if (!nf_has_feature(e, NF_C_COLLECTIVES))
        nf_refuse(e, i->at, "a collective function of a work-group, which the compiler does not have");
    nf_say_string(e, "work_group_");
    return true;
}

void nf_form_group(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, say_prefix(e, i) ? "%s(%v)" : "", i->form->text, i->operands[1]);
    if (is_of_subgroup(e, i) && !nf_has_feature(e, NF_C_SUBGROUPS)) nf_say_value(e, i->operands[1]);
}

void nf_form_broadcast(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_type *index = nf_type_of(e->m, i->operands[2]);
    if (!say_prefix(e, i)) {
        nf_say_value(e, i->operands[1]);
        return;
    }
    nf_say(e, "broadcast(%v", i->operands[1]);
    if (!nf_is_vector(index)) {
        nf_say(e, ", %v)", i->operands[2]);
        return;
    }
    for (uint32_t n = 0; n < index->count; n++)
        nf_say(e, ", %p.s%u", i->operands[2], n);
    nf_say_char(e, ')');
}

/* ---- Reductions and scans ---- */

/* Writes the result of an exclusive scan of one work-item: the identity of the operation. For a half on a compiler
 * without halves that is a float, which expressions.c narrows. */
static void say_identity(struct nf_emitter *e, const struct nf_insn *i, bool is_signed)
{
    const struct nf_type *type = nf_type(e->m, i->type);
    const char *name = i->form->text;
    uint32_t bits = nf_bits_of_type(e, type);
    bool is_float = type->kind == NF_KIND_FLOAT, is_min = strcmp(name, "min") == 0, is_max = strcmp(name, "max") == 0;
    if (bits == 0 || bits > 64) nf_refuse(e, i->at, "a group operation on this type");
    uint64_t highest = ((uint64_t)1 << (bits - 1)) - 1;
    if (strcmp(name, "mul") == 0 || strcmp(name, "logical_and") == 0)
        nf_say(e, "(%t)1", i->type);
    else if (strcmp(name, "and") == 0 || (is_min && !is_signed && !is_float))
        nf_say_integer(e, UINT64_MAX, bits);
    else if (is_min && is_signed)
        nf_say_integer(e, highest, bits);
    else if (is_max && is_signed)
        nf_say_integer(e, highest + 1, bits);
    else if (is_float && (is_min || is_max))
        nf_say(e, is_min ? "(%t)INFINITY" : "(%t)-INFINITY", i->type);
    else
        nf_say_zero(e, i->type);
}

static void say_reduction(struct nf_emitter *e, const struct nf_insn *i, bool is_signed)
{
    static const char *const names[] = {"reduce_", "scan_inclusive_", "scan_exclusive_", "clustered_reduce_"};
    uint32_t operation = i->operands[1];
    bool non_uniform = strncmp(i->op->name, "OpGroupNonUniform", 17) == 0 && operation != CLUSTERED;
    if (operation > CLUSTERED) nf_refuse(e, i->at, "group operation %u", operation);
    if (is_signed) nf_say(e, "(%t)", i->type);
    if (!say_prefix(e, i)) {
        if (operation == EXCLUSIVE)
            say_identity(e, i, is_signed);
        else
            nf_say_value(e, i->operands[2]);
        return;
    }
    nf_say(e, "%s%s%s(", non_uniform ? "non_uniform_" : "", names[operation], i->form->text);
    if (is_signed)
        nf_say_signed(e, i->operands[2]);
    else
        nf_say_value(e, i->operands[2]);
    if (operation == CLUSTERED && i->count > 3) nf_say(e, ", %v", i->operands[3]);
    nf_say_char(e, ')');
}

void nf_form_reduce(struct nf_emitter *e, const struct nf_insn *i)
{
    say_reduction(e, i, false);
}

void nf_form_signed_reduce(struct nf_emitter *e, const struct nf_insn *i)
{
    say_reduction(e, i, true);
}

/* ---- Sub-groups ---- */

static bool compares_values(const struct nf_insn *i)
{
    return strstr(i->form->text, "all_equal");
}

/* Writes the test whether a value equals itself, which is false only for a NaN. */
static void say_self_comparison(struct nf_emitter *e, uint32_t value)
{
    const struct nf_type *type = nf_type_of(e->m, value);
    if (nf_scalar_of(e->m, type)->kind != NF_KIND_FLOAT)
        nf_say_string(e, "true");
    else
        nf_say(e, nf_is_vector(type) ? "all(%v == %v)" : "%v == %v", value, value);
}

/* Writes the result of the operation if each work-item is a sub-group. */
static void say_single(struct nf_emitter *e, const struct nf_insn *i)
{
    const char *name = i->form->text;
    uint32_t first = first_operand(i), value = first < i->count ? i->operands[first] : 0;
    if (strcmp(name, "elect") == 0)
        nf_say_string(e, "true");
    else if (compares_values(i))
        say_self_comparison(e, value);
    else if (strcmp(name, "ballot") == 0)
        nf_say(e, "(uint4)(%v ? 1u : 0u, 0u, 0u, 0u)", value);
    else if (strcmp(name, "inverse_ballot") == 0)
        nf_say(e, "(%p.s0 & 1u) != 0", value);
    else if (strcmp(name, "ballot_bit_extract") == 0)
        nf_say(e, "(%p[%p >> 5] >> (%p & 31u) & 1u) != 0", value, i->operands[first + 1], i->operands[first + 1]);
    else if (strncmp(name, "ballot_find", 11) == 0)
        nf_say_string(e, "0u");
    else
        nf_say_value(e, value);
}

/* A comparison needs the values of halves; every other operation moves their bits. */
void nf_form_subgroup(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t first = first_operand(i);
    if (!is_of_subgroup(e, i)) nf_refuse(e, i->at, "an operation of scope Workgroup");
    e->widens = compares_values(i) && !nf_has_feature(e, NF_C_FP16);
    if (!has_subgroups(e, i)) {
        say_single(e, i);
        return;
    }
    nf_say(e, "sub_group_%s(", i->form->text);
    for (uint32_t n = first; n < i->count; n++)
        nf_say(e, n > first ? ", %v" : "%v", i->operands[n]);
    nf_say_char(e, ')');
}

void nf_form_ballot_count(struct nf_emitter *e, const struct nf_insn *i)
{
    static const char *const names[] = {"sub_group_ballot_bit_count", "sub_group_ballot_inclusive_scan",
                                        "sub_group_ballot_exclusive_scan"};
    uint32_t operation = i->operands[1];
    if (operation > EXCLUSIVE) nf_refuse(e, i->at, "group operation %u", operation);
    if (!has_subgroups(e, i)) {
        nf_say(e, operation == EXCLUSIVE ? "0u" : "(%p.s0 & 1u)", i->operands[2]);
        return;
    }
    nf_say(e, "%s(%v)", names[operation], i->operands[2]);
}

/* In a sub-group of one work-item, distance 0 selects the value of the work-item itself, any other distance the
 * alternative value. */
void nf_form_intel_shuffle(struct nf_emitter *e, const struct nf_insn *i)
{
    bool is_down = i->form->text[0] == 'd';
    if (has_subgroups(e, i)) {
        nf_say(e, "intel_sub_group_shuffle_%s(%v, %v, %v)", i->form->text, i->operands[0], i->operands[1],
               i->operands[2]);
        return;
    }
    nf_say(e, "(%p == 0 ? %v : %v)", i->operands[2], i->operands[is_down ? 0 : 1], i->operands[is_down ? 1 : 0]);
}
