/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - invariants of a module between two stages: no id has two definitions, nf_module.def names them, and each
 * id that a function uses has a definition; blocks only branch to blocks of their own function.
 *
 *     %b = OpLabel
 *          OpBranch %b            %b must be a label of this function
 *
 * The hard case is an instruction that the opcode table lacks: any of its words may be an id, so they are not checked.
 *
 * needs: a module that was read.  gives: the unchanged module, or a refusal.
 */
#include "check/check.h"

static void broken(struct nf_module *m, uint32_t at, const char *stage, const char *what, uint32_t id)
{
    nf_fail(m->arena, NF_REFUSED, at, "internal error behind %s: %s %%%u", stage, what, id);
}

static void check_definition(struct nf_module *m, uint32_t at, const char *stage)
{
    uint32_t id = nf_result_id(m, at);
    if (!id) return;
    if (id >= m->bound) broken(m, at, stage, "the bound is not above", id);
    if (m->def[id] != at) broken(m, at, stage, "another definition has the id", id);
}

/* Checks the operands of an instruction of the function `f`. */
static void check_operands(struct nf_module *m, const struct nf_function *f, uint32_t at, const char *stage)
{
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);) {
        uint32_t id = nf_current_id(&ids);
        if (id >= m->bound || !m->def[id]) broken(m, at, stage, "nothing defines", id);
        uint32_t def = m->def[id];
        bool own = def >= f->at && def < f->end;
        if (nf_opcode(m, def) == OpLabel && !own) broken(m, at, stage, "another function has the block", id);
        if (def >= m->body_at && !own && nf_opcode(m, def) != OpFunction)
            broken(m, at, stage, "another function defines", id);
    }
}

static void check_function(struct nf_module *m, uint32_t index, const char *stage)
{
    const struct nf_function *f = &m->functions[index];
    if (m->def[f->id] != f->at || m->index_of[f->id] != index) broken(m, f->at, stage, "the record differs of", f->id);
    uint32_t parameters = 0;
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        parameters += op->opcode == OpFunctionParameter;
        if (!nf_is_unknown(op)) check_operands(m, f, at, stage);
    }
    if (parameters != f->parameter_count) broken(m, f->at, stage, "the number of parameters differs of", f->id);
}

void nf_check_module(struct nf_module *m, const char *stage)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at))
        check_definition(m, at, stage);
    for (uint32_t i = 1; i < m->function_count; i++)
        check_function(m, i, stage);
}

void nf_check_output(struct nf_module *m, const struct nf_words *output, const char *stage, bool keeps_generic)
{
    if (!output->count) return;
    struct nf_module made = {.arena = m->arena, .options = m->options};
    nf_read(&made, output->at, (size_t)output->count * 4);
    nf_check_module(&made, stage);
    if (made.uses_generic && !keeps_generic)
        broken(m, 0, stage, "a generic pointer is left in a module with the bound", made.bound);
}
