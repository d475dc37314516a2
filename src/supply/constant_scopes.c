/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant_scopes.c - replaces computed scopes and memory semantics by constants, for a device that requires constants.
 *
 *     %order = OpFunctionParameter %uint                    every call passes %uint_0 or %uint_4
 *     %semantics = OpFunctionCall %uint %mask_of %order     it returns 896, 898, 900, 904 or 912
 *     %old = OpAtomicIAdd %uint %p %scope %semantics %one
 *
 *     %old = OpAtomicIAdd %uint %p %uint_1 %uint_912 %one
 *
 * SYCL's atomics and barriers take both as function arguments, so in unoptimized modules they are parameters, loads of
 * private variables and results of calls. value_sets.c finds the values that such an operand may have. A single value
 * replaces the operand; several are replaced by the strongest, because a stronger memory order or a wider memory scope
 * allows no outcome that the weaker one forbids. An operand about which nothing is known becomes the strongest of all.
 *
 * The hard case is an execution scope: it determines which work-items take part, so a wider scope is not safe. The
 * execution scope of a barrier or a group operation is never replaced.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/internal.h"

enum {
    ORDERS = NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE | NF_SEMANTICS_ACQUIRE_RELEASE |
             NF_SEMANTICS_SEQUENTIALLY_CONSISTENT,
    ALL_MEMORY = NF_SEMANTICS_SUBGROUP_MEMORY | NF_SEMANTICS_WORKGROUP_MEMORY | NF_SEMANTICS_CROSS_WORKGROUP_MEMORY
};

struct scopes {
    struct nf_edit to;
    struct nf_values_of values;
};

/* ---- Finding the operands ---- */

/* The words of the instruction that hold the memory scope and the memory semantics; 0: there is none. */
struct operands {
    uint32_t scope, semantics[2];
};

static struct operands operands_of(const struct nf_module *m, uint32_t at)
{
    enum { CONTROL_BARRIER = 224, MEMORY_BARRIER = 225, ARRIVE = 6142, WAIT = 6143 };
    uint32_t opcode = nf_opcode(m, at), first = nf_operand_at(m, at, 0) - at;
    bool exchange = opcode == OpAtomicCompareExchange || opcode == OpAtomicCompareExchangeWeak;
    if (nf_role_at(m, at) == NF_ROLE_atomic && nf_operand_count(m, at) >= 3)
        return (struct operands){first + 1, {first + 2, exchange ? first + 3 : 0}};
    if (opcode == CONTROL_BARRIER || opcode == ARRIVE || opcode == WAIT) return (struct operands){2, {3, 0}};
    if (opcode == MEMORY_BARRIER) return (struct operands){1, {2, 0}};
    return (struct operands){0, {0, 0}};
}

static bool is_computed(const struct nf_module *m, uint32_t id)
{
    return m->def[id] > m->body_at;
}

/* Returns true if the scope is CrossDevice and the device supports no more than Device. The two scopes are equivalent
 * on it, because the device's writes become visible outside of it only after the kernel. */
static bool is_too_wide(const struct nf_module *m, uint32_t id)
{
    int64_t scope;
    return m->options->profile->flags & NF_PROFILE_DEVICE_SCOPE && nf_constant(m, id, &scope) &&
           scope == NF_SCOPE_CROSS_DEVICE;
}

static bool has_any(const struct nf_module *m, uint32_t at)
{
    struct operands o = operands_of(m, at);
    const uint32_t words[] = {o.scope, o.semantics[0], o.semantics[1]};
    for (size_t i = 0; i < 3; i++)
        if (words[i] && is_computed(m, nf_word(m, at, words[i]))) return true;
    return o.scope && is_too_wide(m, nf_word(m, at, o.scope));
}

/* ---- Rewriting ---- */

static uint32_t widest(const struct scopes *s, const struct nf_values *set)
{
    uint32_t limit =
        s->to.m->options->profile->flags & NF_PROFILE_DEVICE_SCOPE ? NF_SCOPE_DEVICE : NF_SCOPE_CROSS_DEVICE;
    uint64_t scope = set->any || !set->count ? NF_SCOPE_CROSS_DEVICE : set->at[0];
    for (uint32_t i = 1; i < set->count; i++)
        scope = scope < set->at[i] ? scope : set->at[i];
    return scope < limit ? limit : (uint32_t)scope;
}

/* Returns semantics at least as strong as each value of the set. `allowed` limits the order if there are several
 * values: a load cannot release, and a store cannot acquire. */
static uint32_t strongest(const struct nf_values *set, uint32_t allowed)
{
    uint32_t all = 0;
    if (set->any) return NF_SEMANTICS_SEQUENTIALLY_CONSISTENT | ALL_MEMORY;
    for (uint32_t i = 0; i < set->count; i++)
        all |= (uint32_t)set->at[i];
    uint32_t order = all & ORDERS, memory = all & ~(uint32_t)ORDERS;
    if (order & NF_SEMANTICS_SEQUENTIALLY_CONSISTENT) return memory | NF_SEMANTICS_SEQUENTIALLY_CONSISTENT;
    if (set->count == 1) return all;
    if (order & NF_SEMANTICS_ACQUIRE_RELEASE) order |= NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE;
    order &= (NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE) & allowed;
    return memory | (order == (NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE) ? NF_SEMANTICS_ACQUIRE_RELEASE : order);
}

static uint32_t allowed_orders(const struct nf_module *m, uint32_t at, bool unequal)
{
    uint32_t opcode = nf_opcode(m, at);
    return opcode == OpAtomicLoad || unequal ? NF_SEMANTICS_ACQUIRE
           : opcode == OpAtomicStore         ? NF_SEMANTICS_RELEASE
                                             : NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE;
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    struct scopes *s = data;
    const struct nf_module *m = e->m;
    if (!has_any(m, at)) return false;
    struct operands o = operands_of(m, at);
    uint32_t start = e->out.count;
    nf_append_words(&e->out, m->words + at, nf_length(m, at));
    if (is_too_wide(m, nf_word(m, at, o.scope)))
        e->out.at[start + o.scope] = nf_edit_number(e, NF_SCOPE_DEVICE);
    else if (is_computed(m, nf_word(m, at, o.scope)))
        e->out.at[start + o.scope] =
            nf_edit_number(e, widest(s, nf_values_request(&s->values, nf_word(m, at, o.scope))));
    for (int i = 0; i < 2; i++) {
        uint32_t word = o.semantics[i];
        if (word && is_computed(m, nf_word(m, at, word)))
            e->out.at[start + word] = nf_edit_number(
                e, strongest(nf_values_request(&s->values, nf_word(m, at, word)), allowed_orders(m, at, i == 1)));
    }
    return true;
}

bool nf_supply_constant_scopes(struct nf_module *m, struct nf_words *out)
{
    struct scopes s = {.to = nf_edit_begin(m)};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = has_any(m, at);
    if (!any) return false;
    s.values = nf_values_begin(m);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        struct operands o = operands_of(m, at);
        const uint32_t words[] = {o.scope, o.semantics[0], o.semantics[1]};
        for (size_t i = 0; i < 3; i++)
            if (words[i] && is_computed(m, nf_word(m, at, words[i])))
                nf_values_request(&s.values, nf_word(m, at, words[i]));
    }
    nf_values_solve(&s.values);
    *out = nf_edit_functions(&s.to, rewrite, &s);
    return true;
}
