/* SPDX-License-Identifier: Apache-2.0 */
/*
 * built_ins.c - built-in variables for code that is added to a module: the module's own variables, or new variables.
 *
 *     OpEntryPoint Kernel %k "k" %id
 *     OpDecorate %id BuiltIn SubgroupLocalInvocationId
 *     %id = OpVariable %_ptr_Input_uint Input
 *
 * needs: the module that is being edited.  gives: ids of variables, and the module scope with the new variables.
 */
#include "supply/internal.h"

static uint32_t find(const struct nf_module *m, uint32_t which)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_decorates(m, at, NF_DECORATION_BUILT_IN) && nf_decoration_operand(m, at, 0) == which)
            return nf_annotated_id(m, at);
    return 0;
}

static uint32_t find_made(const struct nf_built_ins *b, uint32_t which)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (b->made[i].which == which) return b->made[i].id;
    return 0;
}

uint32_t nf_built_in(struct nf_built_ins *b, uint32_t which, uint32_t type)
{
    uint32_t id = find(b->to->m, which);
    if (!id) id = find_made(b, which);
    if (id || b->count == NF_MOST_BUILT_INS) return id;
    uint32_t pointer = nf_edit_define(b->to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_INPUT, type}, 2);
    b->made[b->count].which = which;
    id = b->made[b->count++].id = nf_build_id(&b->to->build);
    b->variables.arena = b->to->m->arena;
    nf_append_words(&b->variables, (uint32_t[]){4 << 16 | OpVariable, pointer, id, NF_STORAGE_INPUT}, 4);
    return id;
}

static void emit_entry_point(const struct nf_built_ins *b, uint32_t at, uint32_t also)
{
    const struct nf_module *m = b->to->m;
    uint32_t start = b->to->out.count;
    nf_append_words(&b->to->out, m->words + at, nf_length(m, at));
    for (uint32_t i = 0; i < b->count; i++)
        nf_append_word(&b->to->out, b->made[i].id);
    if (also && m->version >= NF_VERSION_1_4) nf_append_word(&b->to->out, also);
    b->to->out.at[start] = (b->to->out.count - start) << 16 | OpEntryPoint;
}

static void decorate(const struct nf_built_ins *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t words[] = {b->made[i].id, NF_DECORATION_BUILT_IN, b->made[i].which};
        nf_edit_emit(b->to, OpDecorate, words, 3);
        nf_edit_emit(b->to, OpDecorate, (uint32_t[]){b->made[i].id, NF_DECORATION_CONSTANT}, 2);
    }
}

static bool begins_types(uint32_t opcode)
{
    return opcode >= OpTypeVoid && opcode <= OpTypeForwardPointer;
}

void nf_built_ins_emit(struct nf_built_ins *b, uint32_t also)
{
    const struct nf_module *m = b->to->m;
    bool decorated = false;
    nf_append_words(&b->to->build.definitions, b->variables.at, b->variables.count);
    nf_edit_module_scope(b->to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (!decorated && begins_types(nf_opcode(m, at))) decorate(b);
        decorated |= begins_types(nf_opcode(m, at));
        if (nf_opcode(m, at) == OpEntryPoint)
            emit_entry_point(b, at, also);
        else
            nf_edit_keep(b->to, at, nf_next(m, at));
    }
}
