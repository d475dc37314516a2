/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variable_initializers.c - replaces the initializers of a function's variables by stores.
 *
 *     %v = OpVariable %_ptr_Function_p Function %null      %v = OpVariable %_ptr_Function_p Function
 *                                                          ...the function's other variables...
 *                                                               OpStore %v %null
 *
 * LLVM's SPIR-V back end writes such initializers. An initializer with generic pointers is not constant in the output,
 * where an address in memory is an integer. In bitcode the translator turns a variable with an initializer into a
 * module-scope variable: all work-items and all calls share it, and it is initialized once.
 *
 * The hard case: a variable in a later block is initialized each time that the block is executed, so its store stays in
 * that block.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "prepare/internal.h"

struct initializers {
    /* Returns true for a variable whose initializer is replaced. */
    bool (*lowers)(const struct nf_module *m, uint32_t at);
    uint32_t first, after; /* in the current function: its entry block, and the end of the variables there */
};

static bool has_initializer(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpVariable && nf_length(m, at) > 4;
}

static bool has_generic_initializer(const struct nf_module *m, uint32_t at)
{
    return has_initializer(m, at) && nf_type(m, nf_type(m, nf_value_type(m, at))->element)->generic;
}

static void put_store(struct nf_edit *e, uint32_t at)
{
    nf_edit_emit(e, OpStore, (uint32_t[]){nf_value_id(e->m, at), nf_variable_initializer(e->m, at)}, 2);
}

static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    const struct nf_module *m = e->m;
    struct initializers *s = data;
    if (nf_opcode(m, at) == OpFunction) {
        const struct nf_function *f = nf_function_around(m, at);
        s->first = f->body;
        s->after = f->body ? nf_after_variables(m, f) : f->end;
    }
    for (uint32_t variable = s->first; at == s->after && variable < at; variable = nf_next(m, variable))
        if (s->lowers(m, variable)) put_store(e, variable);
    if (!s->lowers(m, at)) return false;
    nf_edit_emit(e, OpVariable, m->words + at + 1, 3);
    if (at > s->after) put_store(e, at);
    return true;
}

static bool lower(struct nf_module *m, struct nf_words *lowered, struct initializers s)
{
    bool any = false;
    for (uint32_t at = m->body_at; nf_has_role(m, NF_ROLE_variable) && at < m->count && !any; at = nf_next(m, at))
        any = s.lowers(m, at);
    if (!any) return false;
    struct nf_edit e = nf_edit_begin(m);
    *lowered = nf_edit_functions(&e, put, &s);
    return true;
}

bool nf_lower_generic_initializers(struct nf_module *m, struct nf_words *lowered)
{
    nf_types(m);
    return lower(m, lowered, (struct initializers){.lowers = has_generic_initializer});
}

bool nf_lower_variable_initializers(struct nf_module *m, struct nf_words *lowered)
{
    return lower(m, lowered, (struct initializers){.lowers = has_initializer});
}
