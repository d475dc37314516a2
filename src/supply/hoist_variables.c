/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hoist_variables.c - moves variables to the beginning of their function, for a driver that validates. In bitcode, an
 * alloca elsewhere is dynamic memory, which saves and restores the stack.
 *
 *     %a = OpVariable %ptr Function               %a = OpVariable %ptr Function
 *     %first = OpAccessChain %uint_ptr %a %zero   %b = OpVariable %ptr Function
 *     %b = OpVariable %ptr Function               %first = OpAccessChain %uint_ptr %a %zero
 *
 * LLVM moves computations up to their operands, and so between the allocations of two private arrays; translators keep
 * this order.
 *
 * The hard case: a variable in a later block is initialized each time that the block is executed, so its initializer
 * becomes a store there.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "supply/supply.h"

static bool is_misplaced(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpVariable && at > nf_after_variables(m, nf_function_around(m, at));
}

static void emit_misplaced(struct nf_edit *e, const struct nf_function *f)
{
    for (uint32_t at = nf_after_variables(e->m, f); at < f->end; at = nf_next(e->m, at))
        if (is_misplaced(e->m, at)) nf_edit_emit(e, OpVariable, e->m->words + at + 1, 3);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *unused)
{
    const struct nf_module *m = e->m;
    const uint32_t *words = m->words + at;
    (void)unused;
    if (is_misplaced(m, at)) {
        if (nf_length(m, at) > 4)
            nf_edit_emit(e, OpStore, (uint32_t[]){nf_value_id(m, at), nf_variable_initializer(m, at)}, 2);
        return true;
    }
    const struct nf_function *f = nf_opcode(m, at) == OpLabel ? nf_function_around(m, at) : NULL;
    if (!f || f->body != at) return false;
    nf_edit_emit(e, OpLabel, words + 1, 1);
    emit_misplaced(e, f);
    return true;
}

bool nf_supply_hoist_variables(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, is_misplaced, rewrite, out);
}
