/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vectorizer_hints.c - execution modes that stop a driver from vectorizing a kernel.
 *
 *     OpEntryPoint Kernel %k "k"        OpEntryPoint Kernel %k "k"
 *                                       OpExecutionMode %k VecTypeHint 262149     (float4)
 *     %v = OpLoad %uint %generic        %v = OpFunctionCall %uint %nonflat.OpLoad.1 %tag %private %local
 *
 * Intel's drivers for CPUs run several work-items of a kernel as one vector. Their vectorizer has four defects:
 *
 *   - It takes minutes for kernels with a branch for each space at each access (SHA-256 over three memories: 61 s, and
 *     2 s without vectorizing).
 *   - It miscompiles some loops over several memories that the work-items leave in different iterations, also where the
 *     program has explicit address spaces.
 *   - It moves stores over calls of functions in which an address becomes an integer.
 *   - Its code for loops over lists that end with a constant integer, in private or local memory, crashes the process.
 *
 * The vectorizer skips a kernel whose VecTypeHint is a vector of floats; needs_hint() selects the kernels that get one.
 *
 * SYCL compilers mark functions DontInline in unoptimized code, and where the program requests it. If Intel's compiler
 * may inline a function, it moves no store over the call; but it takes minutes for kernels that grow to many thousand
 * instructions (SHA-256, unoptimized: 93 s instead of 0.8 s). So DontInline is removed, unless the function is OptNone
 * or large (find_large()).
 *
 * The hard case is a module with sub-groups, whose results are right only if its work-items run as one vector: it gets
 * no hint, and all its functions may be inlined (calls.c). A kernel that has a hint keeps it.
 *
 * needs: the bodies of the instances.  gives: execution modes.
 */
#include "rewrite/internal.h"

enum {
    FLOAT4 = 4 << 16 | 5,  /* operand of VecTypeHint: 4 components of data type 5, float */
    MANY = 16,             /* limit of the dispatched accesses in a module */
    INLINED_MOST = 1 << 14 /* limit of the words of a kernel with all its callees inlined */
};

/* Adds the hazards of each instance to all instances that reach it by calls. Without recursion one pass suffices. */
static void mark_callers(const struct nf_module *m, uint8_t *hazards)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < m->analysis->order_count; n++) {
            const struct nf_function_analysis *f = m->functions[m->analysis->order[n]].analysis;
            for (uint32_t i = f->instances; i; i = nf_instance_at(m, i)->next) {
                const struct nf_instance *caller = nf_instance_at(m, i);
                uint8_t all = hazards[i];
                for (uint32_t c = 0; caller->live && c < f->call_count; c++)
                    all |= hazards[nf_instance_at(m, caller->callees[c])->same_as];
                changed |= all != hazards[i];
                hazards[i] = all;
            }
        }
    }
}

static bool has_hint(const struct nf_module *m, uint32_t kernel)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpExecutionMode && nf_mode_entry_point(m, at) == kernel &&
            nf_execution_mode(m, at) == NF_MODE_VEC_TYPE_HINT)
            return true;
    return false;
}

/* Returns true if the profile's driver vectorizes kernels, and a hint can turn that off for one. */
static bool can_stop_vectorizer(const struct nf_output *o)
{
    return nf_has_fault(o->m->options->profile, NF_FAULT_INTEL_VECTORIZER) && !o->m->uses_subgroups;
}

void nf_note_hazard(struct nf_output *o, enum nf_hazard hazard)
{
    if (!can_stop_vectorizer(o)) return;
    if (!o->hazards) o->hazards = NF_NEW(o->m->arena, uint8_t, o->m->analysis->instance_count);
    o->hazards[o->body.instance] |= (uint8_t)hazard;
    if (hazard == NF_HAZARD_DISPATCH) o->dispatched++;
}

/* Returns an array by function: true if the function reaches a cycle of calls, or if such a function, or a kernel
 * larger than INLINED_MOST, reaches it. */
static bool *find_large(const struct nf_module *m)
{
    const struct nf_call_order order = nf_order_calls(m);
    bool *large = NF_NEW(m->arena, bool, m->function_count);
    for (uint32_t i = 1; i < m->function_count; i++)
        large[i] = order.waiting[i] || (m->functions[i].entry_at && order.size[i] > INLINED_MOST);
    for (uint32_t i = order.count; i-- > 0;)
        for (uint32_t c = order.first[order.functions[i]]; c; c = order.calls[c].next)
            large[order.functions[i]] |= large[order.calls[c].caller];
    return large;
}

bool nf_may_inline(struct nf_output *o)
{
    if (!can_stop_vectorizer(o)) return true;
    if (!o->large) o->large = find_large(o->m);
    return !o->large[o->body.f - o->m->functions];
}

static bool needs_hint(const struct nf_output *o, const struct nf_function *kernel)
{
    const uint8_t both = NF_HAZARD_ESCAPE | NF_HAZARD_CALLED;
    uint8_t hazards = 0;
    for (uint32_t i = kernel->analysis->instances; i; i = nf_instance_at(o->m, i)->next)
        hazards |= o->hazards[i];
    if (hazards & NF_HAZARD_NUMBER) return true;
    return (hazards & NF_HAZARD_DISPATCH && o->dispatched >= MANY) || (hazards & both) == both;
}

void nf_emit_vector_hints(struct nf_output *o, struct nf_words *out)
{
    struct nf_module *m = o->m;
    if (!o->hazards) return;
    mark_callers(m, o->hazards);
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        if (!f->entry_at || !needs_hint(o, f) || has_hint(m, f->id)) continue;
        nf_append_words(out, (uint32_t[]){nf_first_word(OpExecutionMode, 4), f->id, NF_MODE_VEC_TYPE_HINT, FLOAT4}, 4);
    }
}
