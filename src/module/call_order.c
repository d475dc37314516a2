/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_order.c - the functions in the order of the call graph, callees first, and the size of each function together
 * with all its callees.
 *
 *     %leaf    100 words                        order: leaf, middle, kernel
 *     %middle   50 words, calls leaf twice      sizes: 100, 250, 320
 *     %kernel   70 words, calls middle
 *
 * The size of a kernel after inlining decides for which functions the output requests inlining.
 *
 * The hard case: a recursive function cannot be inlined. A recursive function has no position in the order, and neither
 * have its callers. A chain of calls may be as long as the module, so the traversal is not recursive.
 *
 * needs: a module that was read.  gives: struct nf_call_order.
 */
#include "module/module.h"

struct ordering {
    const struct nf_module *m;
    struct nf_call_order *order;
    uint32_t call_count, call_capacity;
};

static void note_call(struct ordering *o, uint32_t caller, uint32_t callee)
{
    struct nf_call_order *order = o->order;
    if (!o->m->functions[callee].body) return;
    NF_RESERVE(o->m->arena, order->calls, o->call_capacity, (size_t)o->call_count + 1);
    order->calls[o->call_count] = (struct nf_call_of){caller, order->first[callee]};
    order->first[callee] = o->call_count++;
    order->waiting[caller]++;
}

static void look_for_calls(struct ordering *o)
{
    const struct nf_module *m = o->m;
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; at < m->functions[i].end; at = nf_next(m, at))
            if (nf_opcode(m, at) == OpFunctionCall) note_call(o, i, m->index_of[nf_callee(m, at)]);
}

/* Adds the size of each function to the size of its callers, once the sizes of all its callees are known. */
static void add_up(struct ordering *o)
{
    const struct nf_module *m = o->m;
    struct nf_call_order *order = o->order;
    for (uint32_t i = 1; i < m->function_count; i++) {
        order->size[i] = m->functions[i].end - m->functions[i].at;
        if (!order->waiting[i]) order->functions[order->count++] = i;
    }
    for (uint32_t i = 0; i < order->count; i++)
        for (uint32_t c = order->first[order->functions[i]]; c; c = order->calls[c].next) {
            uint32_t caller = order->calls[c].caller;
            uint64_t sum = (uint64_t)order->size[caller] + order->size[order->functions[i]];
            order->size[caller] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
            if (!--order->waiting[caller]) order->functions[order->count++] = caller;
        }
}

struct nf_call_order nf_order_calls(const struct nf_module *m)
{
    struct nf_call_order order = {.count = 0};
    struct ordering o = {.m = m, .order = &order, .call_count = 1};
    NF_RESERVE(m->arena, order.calls, o.call_capacity, 1);
    order.first = NF_NEW(m->arena, uint32_t, m->function_count);
    order.waiting = NF_NEW(m->arena, uint32_t, m->function_count);
    order.size = NF_NEW(m->arena, uint32_t, m->function_count);
    order.functions = NF_NEW(m->arena, uint32_t, m->function_count);
    look_for_calls(&o);
    add_up(&o);
    return order;
}

/* Returns a callee of function `i` that has no position in the order. There is such a callee if `i` itself has no
 * position; otherwise returns `i`. */
static uint32_t next_waiting(const struct nf_module *m, const struct nf_call_order *order, uint32_t i)
{
    for (uint32_t callee = 1; callee < m->function_count; callee++)
        for (uint32_t c = order->waiting[callee] ? order->first[callee] : 0; c; c = order->calls[c].next)
            if (order->calls[c].caller == i) return callee;
    return i;
}

/* A kernel without a position in the order reaches a cycle. A walk along callees without a position is inside the cycle
 * after as many steps as there are functions. */
void nf_refuse_recursion(struct nf_module *m, const struct nf_call_order *order)
{
    for (uint32_t kernel = 1; kernel < m->function_count; kernel++) {
        if (!m->functions[kernel].entry_at || !order->waiting[kernel]) continue;
        uint32_t at = kernel;
        for (uint32_t step = 0; step < m->function_count; step++)
            at = next_waiting(m, order, at);
        nf_fail(m->arena, NF_REFUSED, 0, "kernel %s calls %s, which is recursive",
                nf_function_name(m, &m->functions[kernel]), nf_function_name(m, &m->functions[at]));
    }
}
