/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_unnamed_functions.c - names functions that a driver may compile separately.
 *
 *                                                      OpName %f "nonflat.function.92"
 *     %f = OpFunction %void None %fn                   the same
 *
 * Mesa's llvmpipe compiles a function that it does not inline under its OpName, and crashes on a function without
 * OpName, as in modules without debug information.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include <stdio.h>

#include "workarounds/internal.h"

/* Marks functions that have a body and no OpName. Entry points have a name in OpEntryPoint. */
static void find_unnamed(const struct nf_module *m, bool *unnamed)
{
    for (uint32_t i = 1; i < m->function_count; i++)
        unnamed[m->functions[i].id] = m->functions[i].body && !m->functions[i].entry_at;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpName && nf_annotated_id(m, at) < m->bound) unnamed[nf_annotated_id(m, at)] = false;
}

static void emit_names(struct nf_edit *e, const bool *unnamed)
{
    for (uint32_t id = 0; id < e->m->bound; id++) {
        char name[32] = {0};
        if (!unnamed[id]) continue;
        uint32_t length = (uint32_t)snprintf(name, sizeof name, "nonflat.function.%u", id);
        nf_append_words(&e->out, (uint32_t[]){nf_first_word(OpName, length / 4 + 3), id}, 2);
        nf_append_string(&e->out, name);
    }
}

/* Returns true for instructions that precede OpName in the layout of a module. */
static bool is_before_names(uint32_t opcode)
{
    switch (opcode) {
    case OpCapability:
    case OpExtension:
    case OpExtInstImport:
    case OpMemoryModel:
    case OpEntryPoint:
    case OpExecutionMode:
    case OpExecutionModeId:
    case OpString:
    case OpSource:
    case OpSourceExtension:
    case OpSourceContinued: return true;
    default: return false;
    }
}

bool nf_workaround_mesa_unnamed_functions(struct nf_module *m, struct nf_words *out)
{
    bool *unnamed = NF_NEW(m->arena, bool, m->bound), any = false;
    uint32_t at = NF_HEADER_WORDS;
    find_unnamed(m, unnamed);
    for (uint32_t id = 0; id < m->bound && !any; id++)
        any = unnamed[id];
    if (!any) return false;
    struct nf_edit e = nf_edit_begin(m);
    nf_edit_keep(&e, m->body_at, m->count);
    nf_edit_module_scope(&e);
    while (at < m->body_at && is_before_names(nf_opcode(m, at)))
        at = nf_next(m, at);
    nf_edit_keep(&e, NF_HEADER_WORDS, at);
    emit_names(&e, unnamed);
    nf_edit_keep(&e, at, m->body_at);
    *out = nf_edit_end(&e);
    return true;
}
