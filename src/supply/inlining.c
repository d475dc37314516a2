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
 * The hard case: a function that is its own callee, by way of others or not, can be put nowhere and is left as it is.
 *
 * needs: read.  gives: the same words but for functions' controls.
 */
#include "supply/parts.h"

enum { MOST_WORDS = 1 << 17 }; /* of a kernel with all that it calls */

struct call {
    uint32_t caller, next; /* index into functions; of the next call of the same function, 0: none */
};

struct inlining {
    const struct nf_module *m;
    struct call *calls;
    uint32_t call_count, call_capacity;
    uint32_t *first_call; /* by function: who calls it */
    uint32_t *unsized;    /* by function: how many of its calls are of functions whose size is not known */
    uint64_t *size;       /* by function: words, callees included; 0: not known */
    bool *needed;         /* by function: the driver cannot compile it by itself */
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

static void note_call(struct inlining *n, uint32_t caller, uint32_t callee)
{
    if (!n->m->functions[callee].body) return;
    NF_RESERVE(n->m->arena, n->calls, n->call_capacity, (size_t)n->call_count + 1);
    n->calls[n->call_count] = (struct call){caller, n->first_call[callee]};
    n->first_call[callee] = n->call_count++;
    n->unsized[caller]++;
}

static void look(struct inlining *n, uint32_t function)
{
    const struct nf_module *m = n->m;
    const struct nf_function *f = &m->functions[function];
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        if (is_needed(m, at)) n->needed[function] = true;
        if (nf_opcode(m, at) == OpFunctionCall) note_call(n, function, m->index_of[m->words[at + 3]]);
    }
}

/* Callees first: a function's size is known when those of all its callees are. */
static void add_up(struct inlining *n)
{
    const struct nf_module *m = n->m;
    uint32_t *ready = NF_NEW(m->arena, uint32_t, m->function_count), count = 0;
    for (uint32_t i = 1; i < m->function_count; i++) {
        n->size[i] = m->functions[i].end - m->functions[i].at;
        if (!n->unsized[i]) ready[count++] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = n->first_call[ready[i]]; c; c = n->calls[c].next) {
            uint32_t caller = n->calls[c].caller;
            uint64_t sum = n->size[caller] + n->size[ready[i]];
            n->size[caller] = sum < UINT32_MAX ? sum : UINT32_MAX;
            n->needed[caller] |= n->needed[ready[i]];
            if (!--n->unsized[caller]) ready[count++] = caller;
        }
}

static bool are_small(const struct inlining *n)
{
    for (uint32_t i = 1; i < n->m->function_count; i++)
        if (n->m->functions[i].entry_at && n->size[i] > MOST_WORDS) return false;
    return true;
}

bool nf_supply_inlining(struct nf_module *m, struct nf_words *out)
{
    struct inlining n = {.m = m, .call_count = 1};
    n.first_call = NF_NEW(m->arena, uint32_t, m->function_count);
    n.unsized = NF_NEW(m->arena, uint32_t, m->function_count);
    n.size = NF_NEW(m->arena, uint64_t, m->function_count);
    n.needed = NF_NEW(m->arena, bool, m->function_count);
    NF_RESERVE(m->arena, n.calls, n.call_capacity, 1);
    for (uint32_t i = 1; i < m->function_count; i++)
        look(&n, i);
    add_up(&n);
    bool all = are_small(&n), any = false;
    *out = (struct nf_words){.arena = m->arena};
    nf_put_all(out, m->words, m->count);
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        if (!n.first_call[i] || n.unsized[i] || f->entry_at || !(all || n.needed[i])) continue;
        uint32_t *control = &out->at[f->at + 3],
                 wanted = (*control & ~(uint32_t)NF_FUNCTION_DONT_INLINE) | NF_FUNCTION_INLINE;
        any |= *control != wanted;
        *control = wanted;
    }
    return any;
}
