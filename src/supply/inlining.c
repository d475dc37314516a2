/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inlining.c - functions that a driver's compiler has to put into their callers.
 *
 *     %wait = OpFunction %void DontInline %fn              %wait = OpFunction %void Inline %fn
 *     OpControlBarrier %workgroup %workgroup %semantics    OpControlBarrier %workgroup %workgroup %semantics
 *
 * Mesa's llvmpipe compiles functions of more than a few instructions by themselves, and a kernel with barriers as a
 * coroutine. A function has no coroutine that it could leave: over a barrier in one that is called by another function,
 * and over what only the kernel knows of sub-groups, the driver ends the process. It puts into their callers those
 * functions that the module asks it to. So all are asked for, while the kernels stay small enough, and in
 * larger ones those that may come to a barrier or ask for sub-groups.
 *
 * A function that is its own callee, by way of others or not, can be put nowhere, and over it the driver ends the process:
 * where a kernel comes to one, it is refused by its name.
 *
 * needs: read.  gives: the same words but for functions' controls.
 */
#include "supply/internal.h"

enum { MOST_WORDS = 1 << 17 }; /* of a kernel with all that it calls */

struct inlining {
    struct nf_module *m;
    struct nf_call_order order;
    bool *needed; /* by function: the driver cannot compile it by itself */
};

/* What waits for other work-items, and what asks who they are. Imports may do either. */
static bool is_needed(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    switch (opcode) {
    case OpControlBarrier:
    case OpMemoryBarrier:
    case OpGroupAsyncCopy:
    case OpGroupWaitEvents: return true;
    case OpFunctionCall: return !m->functions[m->index_of[m->words[at + 3]]].body;
    case OpLoad: {
        const struct nf_type *type = nf_type_of(m, m->words[at + 3]);
        return m->uses_subgroups && type->kind == NF_KIND_POINTER && type->storage == NF_STORAGE_INPUT;
    }
    default: return false;
    }
}

static void find_needed(struct inlining *n)
{
    const struct nf_module *m = n->m;
    n->needed = NF_NEW(m->arena, bool, m->function_count);
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; at < m->functions[i].end && !n->needed[i]; at = nf_next(m, at))
            n->needed[i] = is_needed(m, at);
    for (uint32_t i = 0; i < n->order.count; i++)
        for (uint32_t c = n->order.first[n->order.functions[i]]; c; c = n->order.calls[c].next)
            n->needed[n->order.calls[c].caller] |= n->needed[n->order.functions[i]];
}

static bool are_small(const struct inlining *n)
{
    for (uint32_t i = 1; i < n->m->function_count; i++)
        if (n->m->functions[i].entry_at && n->order.size[i] > MOST_WORDS) return false;
    return true;
}

/* A callee of function `i` that has no place in the order either; there is one if `i` has none. */
static uint32_t next_waiting(const struct inlining *n, uint32_t i)
{
    for (uint32_t callee = 1; callee < n->m->function_count; callee++)
        for (uint32_t c = n->order.waiting[callee] ? n->order.first[callee] : 0; c; c = n->order.calls[c].next)
            if (n->order.calls[c].caller == i) return callee;
    return i;
}

/* From a kernel without a place calls lead to a cycle, in no more steps than there are functions. */
static void refuse_recursion(const struct inlining *n)
{
    for (uint32_t kernel = 1; kernel < n->m->function_count; kernel++) {
        if (!n->m->functions[kernel].entry_at || !n->order.waiting[kernel]) continue;
        uint32_t at = kernel;
        for (uint32_t step = 0; step < n->m->function_count; step++)
            at = next_waiting(n, at);
        struct nf_module *m = n->m;
        nf_fail(m->arena, NF_REFUSED, 0, "kernel %s calls %s, which is recursive",
                nf_function_name(m, &m->functions[kernel]), nf_function_name(m, &m->functions[at]));
    }
}

bool nf_supply_inlining(struct nf_module *m, struct nf_words *out)
{
    struct inlining n = {.m = m, .order = nf_order_calls(m)};
    refuse_recursion(&n);
    find_needed(&n);
    bool all = are_small(&n), any = false;
    *out = (struct nf_words){.arena = m->arena};
    nf_put_all(out, m->words, m->count);
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        if (!n.order.first[i] || n.order.waiting[i] || f->entry_at || !(all || n.needed[i])) continue;
        uint32_t *control = &out->at[f->at + 3],
                 wanted = (*control & ~(uint32_t)NF_FUNCTION_DONT_INLINE) | NF_FUNCTION_INLINE;
        any |= *control != wanted;
        *control = wanted;
    }
    return any;
}
