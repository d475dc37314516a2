/* SPDX-License-Identifier: Apache-2.0 */
/*
 * private_constants.c - gives each function its own copy of a constant in private memory that the module declares
 * outside of functions, for a driver that validates.
 *
 *     %table = OpVariable %ptr Function %init             ...
 *     %f = OpFunction ...                                 %f = OpFunction ...
 *     %entry = OpLabel                                    %entry = OpLabel
 *                                                         %own = OpVariable %ptr Function %init
 *     OpCopyMemorySized %to %table %ulong_24              OpCopyMemorySized %to %own %ulong_24
 *
 * SPIR-V allows variables of this storage class in functions only. clang 15 makes such constants for the initializers
 * of arrays in kernels, and its translator writes them as they are.
 *
 * The hard case: a constant that refers to such a variable needs the address of one variable, so the variable stays
 * where it is.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "supply/supply.h"

struct private_constants {
    struct nf_edit to;
    uint32_t *copy;           /* by id of a constant that is copied: its copy in the current function, 0: none */
    bool *copied;             /* by id: the constant is copied */
    struct nf_words made;     /* pairs: a constant, and a copy of it */
    uint32_t begin_of_copies; /* the index in `made` of the first pair of the current function */
};

static bool is_private_constant(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpVariable && nf_variable_storage_class(m, at) == NF_STORAGE_FUNCTION;
}

/* Finds the constants that are copied: those that no other definition refers to. Returns true if there is one, and no
 * instruction of a function is missing in the opcode table: such an instruction may use any of the constants. */
static bool find_copied(struct private_constants *p)
{
    const struct nf_module *m = p->to.m;
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (is_private_constant(m, at)) p->copied[nf_value_id(m, at)] = any = true;
    for (uint32_t at = NF_HEADER_WORDS; any && at < m->body_at; at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (!nf_is_name_or_decoration(m, at) && nf_opcode(m, at) != OpEntryPoint && nf_ids_next(&ids))
            if (nf_current_id(&ids) != nf_result_id(m, at)) p->copied[nf_current_id(&ids)] = false;
    }
    for (uint32_t i = 1; i < m->function_count; i++)
        if (m->functions[i].unknown_ops) return false;
    any = false;
    for (uint32_t id = 0; id < m->bound; id++)
        any |= p->copied[id];
    return any;
}

/* Emits the label of the function's first block, and a copy of each constant that the function uses. */
static void emit_copies(struct private_constants *p, const struct nf_function *f)
{
    const struct nf_module *m = p->to.m;
    nf_edit_keep(&p->to, f->body, nf_next(m, f->body));
    for (uint32_t i = p->begin_of_copies; i < p->made.count; i += 2)
        p->copy[p->made.at[i]] = 0;
    p->begin_of_copies = p->made.count;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t id = nf_current_id(&ids), start = p->to.out.count;
            if (!p->copied[id] || p->copy[id]) continue;
            p->copy[id] = nf_build_id(&p->to.build);
            nf_append_words(&p->made, (uint32_t[]){id, p->copy[id]}, 2);
            nf_append_words(&p->to.out, m->words + m->def[id], nf_length(m, m->def[id]));
            p->to.out.at[start + 2] = p->copy[id];
        }
    }
}

/* Emits an instruction of a function, with copies in place of the constants. */
static void emit_instruction(struct private_constants *p, uint32_t at)
{
    const struct nf_module *m = p->to.m;
    const struct nf_function *f = nf_opcode(m, at) == OpLabel ? nf_function_around(m, at) : NULL;
    if (f && f->body == at)
        emit_copies(p, f);
    else
        nf_edit_mapped(&p->to, at, p->copy);
}

/* Emits a name or a decoration of a copied constant for each copy. The decoration Constant is for module scope only. */
static void emit_annotations(struct private_constants *p, uint32_t at)
{
    const struct nf_module *m = p->to.m;
    if (nf_decorates(m, at, NF_DECORATION_CONSTANT)) return;
    for (uint32_t i = 0; i < p->made.count; i += 2) {
        uint32_t start = p->to.out.count;
        if (p->made.at[i] != nf_annotated_id(m, at)) continue;
        nf_append_words(&p->to.out, m->words + at, nf_length(m, at));
        p->to.out.at[start + 1] = p->made.at[i + 1];
    }
}

/* Emits an entry point without the copied constants, which newer modules list in its interface. */
static void emit_entry_point(struct private_constants *p, uint32_t at)
{
    const struct nf_module *m = p->to.m;
    uint32_t start = p->to.out.count, from = at;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        if (!p->copied[nf_current_id(&ids)]) continue;
        nf_append_words(&p->to.out, m->words + from, at + ids.at - from);
        from = at + ids.at + 1;
    }
    nf_append_words(&p->to.out, m->words + from, nf_next(m, at) - from);
    p->to.out.at[start] = nf_first_word(OpEntryPoint, p->to.out.count - start);
}

static void emit_definition(struct private_constants *p, uint32_t at)
{
    const struct nf_module *m = p->to.m;
    if (nf_opcode(m, at) == OpEntryPoint)
        emit_entry_point(p, at);
    else if (nf_is_name_or_decoration(m, at) && p->copied[nf_annotated_id(m, at)])
        emit_annotations(p, at);
    else if (nf_opcode(m, at) != OpVariable || !p->copied[nf_value_id(m, at)])
        nf_edit_keep(&p->to, at, nf_next(m, at));
}

bool nf_supply_private_constants(struct nf_module *m, struct nf_words *out)
{
    struct private_constants p = {.to = nf_edit_begin(m), .made = {.arena = m->arena}};
    p.copied = NF_NEW(m->arena, bool, m->bound);
    p.copy = NF_NEW(m->arena, uint32_t, m->bound);
    if (!find_copied(&p)) return false;
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; at < m->functions[i].end; at = nf_next(m, at))
            emit_instruction(&p, at);
    nf_edit_module_scope(&p.to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        emit_definition(&p, at);
    *out = nf_edit_end(&p.to);
    return true;
}
