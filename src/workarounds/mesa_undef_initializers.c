/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_undef_initializers.c - zeroes undefined constants of the module scope, gives zeros to variables in constant
 * memory that have no initializer, and drops undefined and null initializers of local variables.
 *
 *     %some = OpUndef %uchar                               %some = OpConstantNull %uchar
 *     %plus = OpConstantComposite %struct %some            %plus = OpConstantComposite %struct %some
 *     %op = OpVariable %_ptr_UniformConstant_struct UniformConstant %plus
 *     %tile = OpVariable %_ptr_Workgroup_arr Workgroup %none    %tile = OpVariable %_ptr_Workgroup_arr Workgroup
 *
 * An empty class of C++ is one byte that is never read, and it is undefined in its constants. Mesa does not treat a
 * composite with an undefined member as a constant, and crashes on a variable in constant memory without initializer.
 * Zeros are a valid choice for an undefined value. Local memory cannot be initialized: a driver that validates refuses
 * the undefined or null initializer that compilers nevertheless give local variables.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/workarounds.h"

/* Returns true if a value of the type can be OpConstantNull. */
static bool has_null(const struct nf_module *m, uint32_t type_id)
{
    const struct nf_type *type = nf_type(m, type_id);
    return type->size && type->kind != NF_KIND_OPAQUE && type->kind != NF_KIND_FUNCTION;
}

static bool is_empty(const struct nf_module *m, uint32_t id)
{
    uint32_t opcode = nf_opcode(m, m->def[id]);
    return opcode == OpUndef || opcode == OpConstantNull;
}

static void emit_null(struct nf_edit *e, uint32_t type, uint32_t id)
{
    nf_edit_emit(e, OpConstantNull, (uint32_t[]){type, id}, 2);
}

static bool rewrite_variable(struct nf_edit *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    const uint32_t *words = m->words + at;
    uint32_t element = nf_type(m, nf_value_type(m, at))->element;
    bool initialized = nf_length(m, at) > 4;
    if (nf_variable_storage_class(m, at) == NF_STORAGE_WORKGROUP && initialized &&
        is_empty(m, nf_variable_initializer(m, at))) {
        nf_edit_emit(e, OpVariable, words + 1, 3);
        return true;
    }
    bool imported = m->linkage[nf_value_id(m, at)] & ~(uint32_t)NF_IS_CONSTANT;
    if (nf_variable_storage_class(m, at) != NF_STORAGE_UNIFORM_CONSTANT || initialized || imported || !element ||
        !has_null(m, element))
        return false;
    uint32_t null = nf_build_id(&e->build);
    emit_null(e, element, null);
    nf_edit_emit(e, OpVariable,
                 (uint32_t[]){nf_value_type(m, at), nf_value_id(m, at), nf_variable_storage_class(m, at), null}, 4);
    return true;
}

static bool rewrite(struct nf_edit *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at);
    if (opcode == OpVariable) return rewrite_variable(e, at);
    if (opcode != OpUndef || !has_null(m, nf_value_type(m, at))) return false;
    emit_null(e, nf_value_type(m, at), nf_value_id(m, at));
    return true;
}

bool nf_workaround_mesa_undef_initializers(struct nf_module *m, struct nf_words *out)
{
    struct nf_edit e = nf_edit_begin(m);
    bool any = false;
    nf_edit_keep(&e, m->body_at, m->count);
    nf_edit_module_scope(&e);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (rewrite(&e, at))
            any = true;
        else
            nf_edit_keep(&e, at, nf_next(m, at));
    }
    if (!any) return false;
    *out = nf_edit_end(&e);
    return true;
}
