/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_parameters.c - makes generic parameters of kernels global: the kernel calls a function with its old body.
 *
 *     %k = OpFunction %void None %f                   %k = OpFunction %void None %g
 *     %p = OpFunctionParameter %_ptr_Generic_uchar    %p = OpFunctionParameter %_ptr_CrossWorkgroup_uchar
 *                                                     %q = OpPtrCastToGeneric %_ptr_Generic_uchar %p
 *                                                     OpFunctionCall %void %body %q
 *                                                     %body = OpFunction %void None %f
 *                                                     %r = OpFunctionParameter %_ptr_Generic_uchar
 *     %v = OpLoad %uchar %p                           %v = OpLoad %uchar %r
 *
 * clang passes the captured variables of a block that is enqueued (OpEnqueueKernel) through a generic pointer, so the
 * kernel that invokes the block has such a parameter. A tuple cannot be passed to a kernel: the caller is the host, or
 * the run-time, which copies the captured variables to global memory. In hint mode kernels keep their parameters. The
 * hard case is a kernel that the module also calls as a function, possibly with a private pointer: such a call becomes
 * a call of the new function.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

struct kernels {
    const struct nf_function *changing; /* the kernel that is being written; NULL: a function that does not change */
    uint32_t *body;                     /* by id: for a kernel that changes, the function with its body; for its
                                         * parameter, the parameter of that function */
};

static uint32_t changed_type(struct nf_edit *e, uint32_t type)
{
    const struct nf_type *t = nf_type(e->m, type);
    if (!nf_is_generic(e->m, type) || t->kind != NF_KIND_POINTER) return type;
    return nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_CROSS_WORKGROUP, t->element}, 2);
}

/* Returns true if the function is a kernel with a generic parameter. Works before nf_types(). */
static bool changes(const struct nf_module *m, const struct nf_function *f)
{
    bool any = false;
    if (!f->entry_at || !f->body) return false;
    for (uint32_t at = f->parameters; at < f->body; at = nf_next(m, at))
        any |= nf_opcode(m, at) == OpFunctionParameter && nf_is_generic_type_at(m, m->def[nf_value_type(m, at)]);
    return any;
}

/* Writes the kernel: its parameters, their casts, and the call of the function with its body. */
static void put_kernel(struct nf_edit *e, const struct kernels *k, uint32_t at)
{
    const struct nf_module *m = e->m;
    const struct nf_function *f = k->changing;
    const struct nf_type *type = nf_type(m, f->type);
    uint32_t *types = NF_NEW(m->arena, uint32_t, (size_t)type->count + 1);
    uint32_t *words = NF_NEW(m->arena, uint32_t, (size_t)type->count + 3), count = 0, label = nf_build_id(&e->build);
    types[0] = f->result_type;
    for (uint32_t i = 0; i < type->count; i++)
        types[1 + i] = changed_type(e, nf_parameter_type(m, type->at, i));
    uint32_t changed = nf_edit_define(e, OpTypeFunction, 0, types, type->count + 1);
    nf_edit_emit(e, OpFunction, (uint32_t[]){types[0], f->id, nf_function_control(m, at), changed}, 4);
    words[count++] = types[0];
    words[count++] = nf_build_id(&e->build);
    words[count++] = k->body[f->id];
    for (uint32_t next = f->parameters; next < f->body; next = nf_next(m, next)) {
        if (nf_opcode(m, next) != OpFunctionParameter) continue;
        words[count++] = nf_value_id(m, next);
        nf_edit_emit(e, OpFunctionParameter, (uint32_t[]){types[count - 3], words[count - 1]}, 2);
    }
    nf_edit_emit(e, OpLabel, &label, 1);
    for (uint32_t i = 3; i < count; i++) {
        uint32_t old = nf_type_of(m, words[i])->id;
        if (types[i - 2] != old) words[i] = nf_edit_value(e, OpPtrCastToGeneric, old, words[i], 0);
    }
    nf_edit_emit(e, OpFunctionCall, words, count);
    nf_edit_emit(e, OpReturn, NULL, 0);
    nf_edit_emit(e, OpFunctionEnd, NULL, 0);
}

/* Writes the instruction with the ids of the function that has a kernel's body. Calls of the kernel and its debug
 * information refer to that function; other instructions name the kernel itself. Always returns true. */
static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    struct kernels *k = data;
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at), start, id = nf_result_id(m, at);
    if (opcode == OpFunction) {
        const struct nf_function *f = &m->functions[m->index_of[id]];
        k->changing = k->body[id] ? f : NULL;
        if (k->changing) put_kernel(e, k, at);
    }
    start = e->out.count;
    nf_append_words(&e->out, m->words + at, nf_length(m, at));
    if (opcode == OpFunction || opcode == OpFunctionParameter) {
        if (k->body[id]) e->out.at[start + 2] = k->body[id];
        return true;
    }
    bool names_body = opcode == OpFunctionCall || opcode == OpExtInst;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t operand = nf_current_id(&ids);
        bool kernel = nf_opcode(m, m->def[operand]) == OpFunction;
        if (k->body[operand] && (names_body || !kernel)) e->out.at[start + ids.at] = k->body[operand];
    }
    return true;
}

/* Assigns the ids of the function with the kernel's body. */
static void assign(struct nf_edit *e, struct kernels *k, const struct nf_function *f)
{
    const struct nf_module *m = e->m;
    k->body[f->id] = nf_build_id(&e->build);
    for (uint32_t at = f->parameters; at < f->body; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpFunctionParameter) k->body[nf_value_id(m, at)] = nf_build_id(&e->build);
}

bool nf_lower_kernel_parameters(struct nf_module *m, struct nf_words *lowered)
{
    struct kernels k = {0};
    bool any = false;
    for (uint32_t i = 1; i < m->function_count && m->options->mode != NF_MODE_HINT; i++)
        any |= changes(m, &m->functions[i]);
    if (!any) return false;
    nf_types(m);
    k.body = NF_NEW(m->arena, uint32_t, m->bound);
    struct nf_edit e = nf_edit_begin(m);
    for (uint32_t i = 1; i < m->function_count; i++)
        if (changes(m, &m->functions[i])) assign(&e, &k, &m->functions[i]);
    *lowered = nf_edit_functions(&e, put, &k);
    return true;
}
