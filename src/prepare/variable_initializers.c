/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variable_initializers.c - replaces the initializers of a function's variables by stores.
 *
 *     %v = OpVariable %_ptr_Function_p Function %null      %v = OpVariable %_ptr_Function_p Function
 *                                                          ...the function's other variables...
 *                                                               OpStore %v %null
 *
 * LLVM's SPIR-V back end writes such initializers. An initializer with a generic, private or local pointer is not
 * constant in the output, where a pointer in memory is a flat address. In bitcode the translator turns a variable with
 * an initializer into a module-scope variable: all work-items and all calls share it, and it is initialized once.
 *
 * The hard case: a variable in a later block is initialized each time that the block is executed, so its store stays in
 * that block.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "prepare/internal.h"

struct initializers {
    const uint8_t *marks;  /* by id: the initializers that are replaced; NULL: all */
    uint32_t first, after; /* in the current function: its entry block, and the end of the variables there */
};

/* Returns true for a variable whose initializer is replaced. */
static bool lowers(const struct initializers *s, const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpVariable || nf_length(m, at) <= 4) return false;
    return !s->marks || s->marks[nf_variable_initializer(m, at)];
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
        if (lowers(s, m, variable)) put_store(e, variable);
    if (!lowers(s, m, at)) return false;
    nf_edit_emit(e, OpVariable, m->words + at + 1, 3);
    if (at > s->after) put_store(e, at);
    return true;
}

/* Returns true if an initializer of a function's variable is replaced. */
static bool lowers_any(const struct nf_module *m, const struct initializers *s)
{
    bool any = false;
    for (uint32_t at = m->body_at; nf_has_role(m, NF_ROLE_variable) && at < m->count && !any; at = nf_next(m, at))
        any = lowers(s, m, at);
    return any;
}

static bool lower(struct nf_module *m, struct nf_words *lowered, struct initializers s)
{
    if (!lowers_any(m, &s)) return false;
    struct nf_edit e = nf_edit_begin(m);
    *lowered = nf_edit_functions(&e, put, &s);
    return true;
}

/* Marks the values of the module scope that contain a pointer whose integer in memory is a flat address. */
static void mark_flat(const struct nf_module *m, uint8_t *marks)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at), opcode = nf_opcode(m, at);
        if (!id || !nf_result_type(m, at)) continue;
        bool composite = opcode == OpConstantComposite || opcode == OpSpecConstantComposite;
        marks[id] = nf_type_of(m, id)->generic || nf_is_flat_constant(m, id) ||
                    (composite && nf_has_marked_operand(m, at, marks));
    }
}

bool nf_lower_flat_initializers(struct nf_module *m, struct nf_words *lowered)
{
    if (!lowers_any(m, &(struct initializers){.marks = NULL})) return false;
    uint8_t *marks = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    nf_types(m);
    mark_flat(m, marks);
    bool any = lower(m, lowered, (struct initializers){.marks = marks});
    nf_arena_drop(m->arena, marks);
    return any;
}

bool nf_lower_variable_initializers(struct nf_module *m, struct nf_words *lowered)
{
    return lower(m, lowered, (struct initializers){.marks = NULL});
}
