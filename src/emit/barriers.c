/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barriers.c - writes barriers and fences, and the names of orders and scopes.
 *
 *     OpMemoryBarrier Device AcquireRelease|Workgroup...  1.2: mem_fence(CLK_LOCAL_MEM_FENCE);
 *                                                         2.0: atomic_work_item_fence(CLK_LOCAL_MEM_FENCE,
 *                                                                  memory_order_acq_rel, memory_scope_device);
 *     OpControlBarrier Workgroup Device ...               1.2: barrier(...);
 *                                                         2.0: work_group_barrier(..., memory_scope_device);
 *
 * OpenCL C 1.2 has neither orders nor scopes. In 2.0 mem_fence() and barrier() have the scope of the work-group, so a
 * wider scope must be stated where the compiler supports it.
 *
 * needs: scopes and orders that are constants.  gives: OpenCL C text, and the names for atomics.c.
 */
#include "emit/internal.h"

enum { ACQUIRES = NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_ACQUIRE_RELEASE };
enum { RELEASES = NF_SEMANTICS_RELEASE | NF_SEMANTICS_ACQUIRE_RELEASE };

uint32_t nf_constant_operand(struct nf_emitter *e, const struct nf_insn *i, uint32_t operand)
{
    int64_t value;
    if (operand >= i->count || !nf_constant(e->m, i->operands[operand], &value))
        nf_refuse(e, i->at, "a scope or an order that is not constant");
    return (uint32_t)value;
}

/* ---- Names ---- */

/* Sequential consistency replaces acquire and release on a compiler that has only that order, also where only one of
 * the two orders of a compare-and-exchange is sequentially consistent. */
const char *nf_order_name(const struct nf_emitter *e, uint32_t semantics)
{
    bool is_sequential = semantics & NF_SEMANTICS_SEQUENTIALLY_CONSISTENT;
    bool acquires = semantics & ACQUIRES, releases = semantics & RELEASES;
    if (e->version < 200) return NULL;
    if (!is_sequential && !acquires && !releases) return "memory_order_relaxed";
    if (is_sequential || !nf_has_feature(e, NF_C_ATOMIC_ORDER_ACQ_REL))
        return nf_has_feature(e, NF_C_ATOMIC_ORDER_SEQ_CST) ? "memory_order_seq_cst" : NULL;
    if (!releases) return "memory_order_acquire";
    return acquires ? "memory_order_acq_rel" : "memory_order_release";
}

/* The work-group replaces the narrower scopes, which not every compiler has for atomics. If the compiler lacks the
 * scope of all devices, the scope of one device replaces it: as in OpenCL C 1.2, an atomic then reaches no further than
 * the device. */
const char *nf_scope_name(const struct nf_emitter *e, uint32_t scope)
{
    if (e->version < 200) return NULL;
    if (scope != NF_SCOPE_CROSS_DEVICE && scope != NF_SCOPE_DEVICE) return "memory_scope_work_group";
    if (scope == NF_SCOPE_CROSS_DEVICE && nf_has_feature(e, NF_C_ATOMIC_SCOPE_ALL_DEVICES))
        return "memory_scope_all_svm_devices";
    return nf_has_feature(e, NF_C_ATOMIC_SCOPE_DEVICE) ? "memory_scope_device" : NULL;
}

/* ---- Fences ---- */

static void say_flags(struct nf_emitter *e, uint32_t semantics)
{
    bool local = semantics & NF_SEMANTICS_WORKGROUP_MEMORY, global = semantics & NF_SEMANTICS_CROSS_WORKGROUP_MEMORY;
    nf_say_string(e, local && global ? "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"
                     : global        ? "CLK_GLOBAL_MEM_FENCE"
                                     : "CLK_LOCAL_MEM_FENCE");
}

void nf_say_fence(struct nf_emitter *e, uint32_t semantics, uint32_t scope)
{
    const uint32_t orders = ACQUIRES | RELEASES | NF_SEMANTICS_SEQUENTIALLY_CONSISTENT;
    const char *order = nf_order_name(e, semantics), *reach = nf_scope_name(e, scope);
    bool is_explicit = order && reach && semantics & orders;
    nf_say_string(e, is_explicit ? "atomic_work_item_fence(" : "mem_fence(");
    say_flags(e, semantics);
    if (is_explicit) nf_say(e, ", %s, %s", order, reach);
    nf_say_string(e, ");");
}

void nf_form_memory_barrier(struct nf_emitter *e, const struct nf_insn *i)
{
    const uint32_t both = NF_SEMANTICS_WORKGROUP_MEMORY | NF_SEMANTICS_CROSS_WORKGROUP_MEMORY;
    uint32_t semantics = nf_constant_operand(e, i, 1);
    nf_say_fence(e, semantics & both ? semantics : semantics | both, nf_constant_operand(e, i, 0));
}

/* ---- Barriers ---- */

/* Writes a barrier of a work-group or a sub-group; `scope` is the memory scope. */
static void say_barrier(struct nf_emitter *e, bool is_subgroup, uint32_t scope, uint32_t semantics)
{
    bool is_wide = scope == NF_SCOPE_CROSS_DEVICE || scope == NF_SCOPE_DEVICE;
    const char *reach = is_wide ? nf_scope_name(e, scope) : NULL;
    nf_say_string(e, is_subgroup ? "sub_group_barrier(" : reach ? "work_group_barrier(" : "barrier(");
    say_flags(e, semantics);
    if (reach) nf_say(e, ", %s", reach);
    nf_say_string(e, ");");
}

void nf_form_barrier(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t scope = nf_constant_operand(e, i, 0);
    bool is_subgroup = scope == NF_SCOPE_SUBGROUP;
    if (is_subgroup && !nf_has_feature(e, NF_C_SUBGROUPS)) {
        if (!nf_has_feature(e, NF_C_SINGLE_SUBGROUPS))
            nf_refuse(e, i->at, "sub-groups, which the compiler does not have");
        nf_say_char(e, ';');
        return;
    }
    if (!is_subgroup && scope != NF_SCOPE_WORKGROUP) nf_refuse(e, i->at, "a barrier of scope %u", scope);
    if (is_subgroup) e->needs |= NF_NEEDS_SUBGROUPS;
    say_barrier(e, is_subgroup, nf_constant_operand(e, i, 1), nf_constant_operand(e, i, 2));
}
