/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_called_barriers.c - requests inlining of functions that a driver's compiler cannot compile on their own.
 *
 *     %wait = OpFunction %void DontInline %fn              %wait = OpFunction %void Inline %fn
 *     OpControlBarrier %workgroup %workgroup %semantics    OpControlBarrier %workgroup %workgroup %semantics
 *
 * Mesa's llvmpipe compiles functions of more than a few instructions separately, and a kernel with barriers as a
 * coroutine. Only the kernel is a coroutine that can be suspended, and only the kernel has the sub-group built-in
 * variables: the driver crashes on a barrier or such a variable in a called function. The driver inlines the functions
 * with the function control Inline. So all functions get Inline if every kernel, callees included, has at most
 * MOST_WORDS words; otherwise only functions that may execute a barrier or read a sub-group built-in variable get it.
 *
 * A recursive function, directly or through others, cannot be inlined, and the driver crashes on it: a module with a
 * kernel that may call a recursive function is refused, and the message names both.
 *
 * needs: a module that was read.  gives: the words of the module, with other function controls.
 */
#include "workarounds/internal.h"

enum { MOST_WORDS = 1 << 17 }; /* the largest kernel, callees included, in a module that is inlined completely */

struct inlining {
    struct nf_module *m;
    struct nf_call_order order;
    bool *needed; /* by function: the driver cannot compile it separately */
};

/* Returns true if the instruction is a barrier, belongs to an asynchronous copy, or reads an Input variable in a module
 * that uses sub-groups; also for a call of an imported function, which may contain such an instruction. */
static bool is_needed(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    switch (opcode) {
    case OpControlBarrier:
    case OpMemoryBarrier:
    case OpGroupAsyncCopy:
    case OpGroupWaitEvents: return true;
    case OpFunctionCall: return !nf_called_function(m, at)->body;
    case OpLoad: {
        const struct nf_type *type = nf_type_of(m, nf_load_pointer(m, at));
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

bool nf_workaround_mesa_called_barriers(struct nf_module *m, struct nf_words *out)
{
    struct inlining n = {.m = m, .order = nf_order_calls(m)};
    nf_refuse_recursion(m, &n.order);
    find_needed(&n);
    bool all = are_small(&n), any = false;
    *out = (struct nf_words){.arena = m->arena};
    nf_append_words(out, m->words, m->count);
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
