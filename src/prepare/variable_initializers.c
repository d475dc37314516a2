/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variable_initializers.c - replaces the initializers of a function's variables by stores.
 *
 *     %v = OpVariable %_ptr_Function_p Function %null      %v = OpVariable %_ptr_Function_p Function
 *                                                          ...the function's other variables...
 *                                                               OpStore %v %null
 *
 * LLVM's SPIR-V back end writes such initializers. Those with generic pointers are no constants in the output, where an
 * address in memory is an integer. In bitcode the translator makes a variable with an initializer one of the module:
 * all work-items and all calls share it, and it is initialized once.
 *
 * The hard case: a variable in a later block is initialized each time that the block is executed.
 *
 * needs: read, types.  gives: the words of a module to be read again.
 */
#include "prepare/parts.h"

/* Returns true for a function's variable with an initializer, which holds generic pointers unless `all` is set. */
static bool has_initializer(const struct nf_module *m, uint32_t at, bool all)
{
    return nf_opcode(m, at) == OpVariable && nf_length(m, at) > 4 &&
           (all || nf_type(m, nf_type(m, nf_value_type(m, at))->element)->generic);
}

static bool has_any(const struct nf_module *m, bool all)
{
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        if (has_initializer(m, at, all)) return true;
    return false;
}

static void put_store(struct nf_edit *e, uint32_t at)
{
    nf_edit_emit(e, OpStore, (uint32_t[]){nf_value_id(e->m, at), nf_variable_initializer(e->m, at)}, 2);
}

static void put_function(struct nf_edit *e, const struct nf_function *f, bool all)
{
    const struct nf_module *m = e->m;
    const uint32_t after = f->body ? nf_after_variables(m, f) : f->end;
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        for (uint32_t variable = f->body; at == after && variable < after; variable = nf_next(m, variable))
            if (has_initializer(m, variable, all)) put_store(e, variable);
        if (!has_initializer(m, at, all)) {
            nf_edit_keep(e, at, nf_next(m, at));
            continue;
        }
        nf_edit_emit(e, OpVariable, m->words + at + 1, 3);
        if (at > after) put_store(e, at);
    }
}

static bool lower(struct nf_module *m, struct nf_words *lowered, bool all)
{
    if (!nf_has_role(m, NF_ROLE_variable) || !has_any(m, all)) return false;
    struct nf_edit e = nf_edit_begin(m);
    for (uint32_t i = 1; i < m->function_count; i++)
        put_function(&e, &m->functions[i], all);
    nf_edit_module_scope(&e);
    nf_edit_keep(&e, NF_HEADER_WORDS, m->body_at);
    *lowered = nf_edit_end(&e);
    return true;
}

bool nf_lower_generic_initializers(struct nf_module *m, struct nf_words *lowered)
{
    nf_types(m);
    return lower(m, lowered, false);
}

bool nf_lower_variable_initializers(struct nf_module *m, struct nf_words *lowered)
{
    return lower(m, lowered, true);
}
