/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_parameters.c - makes generic parameters of kernels global ones.
 *
 *     %k = OpFunction %void None %f                   %k = OpFunction %void None %g
 *     %p = OpFunctionParameter %_ptr_Generic_uchar    %p = OpFunctionParameter %_ptr_CrossWorkgroup_uchar
 *                                                     %q = OpPtrCastToGeneric %_ptr_Generic_uchar %p
 *     %v = OpLoad %uchar %p                           %v = OpLoad %uchar %q
 *
 * clang passes the captured variables of a block that is enqueued (OpEnqueueKernel) through a generic pointer, so the
 * kernel that invokes the block has such a parameter. A tuple cannot be passed to a kernel: the caller is the host, or
 * the run-time, which copies the captured variables to global memory. In hint mode kernels keep their parameters. The
 * hard case is a kernel that the module also calls as a function, possibly with a private pointer: it is refused.
 *
 * needs: read.  gives: another module, to be read again.
 */
#include "prepare/prepare.h"

struct kernels {
    const struct nf_function *changing; /* the kernel that is being written; NULL: a function that does not change */
    uint32_t behind;                    /* the casts of its parameters are emitted before this instruction */
    uint32_t *generic;                  /* by id of a parameter: its cast; 0: it does not change */
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

static void refuse_calls(const struct nf_module *m)
{
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpFunctionCall && changes(m, nf_called_function(m, at)))
            nf_fail(m->arena, NF_REFUSED, at, "a kernel that takes a generic pointer is called as a function");
}

static void put_head(struct nf_edit *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    const struct nf_type *type = nf_type(m, nf_function_type(m, at));
    uint32_t *words = NF_NEW(m->arena, uint32_t, (size_t)type->count + 1);
    words[0] = nf_value_type(m, at);
    for (uint32_t i = 0; i < type->count; i++)
        words[1 + i] = changed_type(e, nf_parameter_type(m, type->at, i));
    uint32_t changed = nf_edit_define(e, OpTypeFunction, 0, words, type->count + 1);
    nf_edit_emit(e, OpFunction, (uint32_t[]){words[0], nf_value_id(m, at), nf_function_control(m, at), changed}, 4);
}

static void put_casts(struct nf_edit *e, const struct kernels *k)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = k->changing->parameters; at < k->changing->body; at = nf_next(m, at)) {
        uint32_t id = nf_opcode(m, at) == OpFunctionParameter ? nf_value_id(m, at) : 0;
        if (!id || !nf_is_generic(m, nf_value_type(m, at))) continue;
        nf_edit_emit(e, OpPtrCastToGeneric, (uint32_t[]){nf_value_type(m, at), k->generic[id], id}, 3);
    }
}

static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    struct kernels *k = data;
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at), start;
    if (opcode == OpFunction) {
        const struct nf_function *f = &m->functions[m->index_of[nf_value_id(m, at)]];
        k->changing = changes(m, f) ? f : NULL;
        if (!k->changing) return false;
        k->behind = nf_after_variables(m, f);
        put_head(e, at);
        return true;
    }
    if (!k->changing) return false;
    if (opcode == OpFunctionParameter) {
        uint32_t type = nf_value_type(m, at);
        if (nf_is_generic(m, type)) k->generic[nf_value_id(m, at)] = nf_build_id(&e->build);
        nf_edit_emit(e, OpFunctionParameter, (uint32_t[]){changed_type(e, type), nf_value_id(m, at)}, 2);
        return true;
    }
    if (at == k->behind) put_casts(e, k);
    start = e->out.count;
    nf_append_words(&e->out, m->words + at, nf_length(m, at));
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (k->generic[nf_current_id(&ids)]) e->out.at[start + ids.at] = k->generic[nf_current_id(&ids)];
    return true;
}

bool nf_lower_kernel_parameters(struct nf_module *m, struct nf_words *lowered)
{
    struct kernels k = {0};
    bool any = false;
    for (uint32_t i = 1; i < m->function_count && m->options->mode != NF_MODE_HINT; i++)
        any |= changes(m, &m->functions[i]);
    if (!any) return false;
    refuse_calls(m);
    nf_types(m);
    k.generic = NF_NEW(m->arena, uint32_t, m->bound);
    struct nf_edit e = nf_edit_begin(m);
    *lowered = nf_edit_functions(&e, put, &k);
    return true;
}
