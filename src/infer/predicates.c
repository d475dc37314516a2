/* SPDX-License-Identifier: Apache-2.0 */
/*
 * predicates.c - finds ambiguous pointers whose space a condition in their own function determines.
 *
 *     %p = OpSelect %_ptr_Generic_int %c %private %local        p is private where c holds, local where not
 *     %q = OpInBoundsPtrAccessChain %_ptr_Generic_int %p %i     and so is q
 *
 * Most ambiguous pointers of real code are of this kind, such as the minimum of two values passed by reference.
 *
 * The hard case is a select of selects. The pointer qualifies as long as there are two spaces in all, and few selects;
 * with more, or if the pointer is a phi, a parameter or loaded from memory, it needs a tag. The pointer also needs a
 * tag if an arm has NF_LOOSE or NF_COUNT: it then has a global part (nf_value_set()), which no condition selects.
 *
 * needs: the instances.  gives: the predicate that the report (`predicated`) and the rewriting (rewrite/split.c) share.
 */
#include "infer/infer.h"

enum { MAX_DEPTH = 8 }; /* largest depth of nested selects */

/* Returns the pointer from which bitcasts, copies and access chains make `id`. In unreachable code a value may derive
 * from itself, so the walk continues only to an earlier definition. */
static uint32_t origin_of(const struct nf_module *m, uint32_t id)
{
    while (m->def[id] >= m->body_at) {
        uint32_t at = m->def[id], next = 0;
        enum nf_role role = nf_role_at(m, at);
        bool untyped = nf_opcode(m, at) >= OpUntypedAccessChainKHR && role == NF_ROLE_chain;
        if (role == NF_ROLE_bitcast || role == NF_ROLE_copy || (role == NF_ROLE_chain && !untyped))
            next = nf_operand(m, at, 0);
        if (!next || m->def[next] >= at || !nf_is_generic(m, nf_result_type(m, m->def[next]))) break;
        id = next;
    }
    return id;
}

static bool has_further_part(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    bool dead, never = nf_is_flat(m) || m->options->mode == NF_MODE_HINT;
    return !never && nf_value_set(m, instance, id, &dead) & ~nf_set_of(m, instance, id) && !dead;
}

/* Returns true if `id` has two spaces and comes from a select of arms that have at most one space or are split too, and
 * no arm's tuple has a part for a space that the arm's set lacks. */
static bool is_split(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, int depth)
{
    nf_set set = nf_set_of(m, instance, id), both = 0;
    if (__builtin_popcount(set) != 2 || depth > MAX_DEPTH) return false;
    id = origin_of(m, id);
    uint32_t at = m->def[id];
    if (nf_role_at(m, at) != NF_ROLE_select || at < m->body_at || nf_set_of(m, instance, id) != set) return false;
    for (uint32_t i = 1; i <= 2; i++) {
        nf_set arm = nf_set_of(m, instance, nf_value_operand(m, at, i));
        both |= arm;
        if (arm && !nf_single(arm) && !is_split(m, instance, nf_value_operand(m, at, i), depth + 1)) return false;
        if (has_further_part(m, instance, nf_value_operand(m, at, i))) return false;
    }
    return both == set;
}

bool nf_is_split(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    nf_mode mode = m->options->mode;
    bool tagged = mode != NF_MODE_HINT || nf_is_merged(m, instance, id);
    return mode != NF_MODE_DYNAMIC && tagged && is_split(m, instance, id, 0);
}
