/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interfaces.c - completes the interface of entry points. Below SPIR-V 1.4 an interface lists the variables of storage
 * class Input and Output that the entry point and its callees use, from 1.4 on all module-scope variables that they
 * use.
 *
 *     OpEntryPoint Kernel %k "k" %gid                      OpEntryPoint Kernel %k "k" %gid %table %word
 *     %table = OpVariable %_ptr UniformConstant %words     (its initializer is the address of %word)
 *
 * llvm-spirv lists the variables that the kernel itself uses, but not the variables that only an initializer or a
 * called function uses. Built-in variables of another storage class are not listed: prepare/inputs.c moves them to
 * storage class Input. Drivers that validate refuse a module whose entry points are incomplete. Listed variables keep
 * their order.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "supply/internal.h"

struct interfaces {
    struct nf_edit to;
    uint32_t *seen; /* by id: the number, from 1, of the last entry point that reaches it */
    uint32_t *left; /* work list: ids whose definitions are still to be scanned */
    uint32_t count, capacity, entry;
};

static void reach(struct interfaces *i, uint32_t id)
{
    if (i->seen[id] == i->entry) return;
    i->seen[id] = i->entry;
    NF_RESERVE(i->to.m->arena, i->left, i->capacity, (size_t)i->count + 1);
    i->left[i->count++] = id;
}

/* Adds to the work list the module-scope variables, made constants and functions that the instructions from `at` to
 * `end` use. */
static void find_references(struct interfaces *i, uint32_t at, uint32_t end)
{
    const struct nf_module *m = i->to.m;
    for (; at < end; at = nf_next(m, at)) {
        struct nf_operands walk = nf_walk(m, at);
        while (nf_operands_next(&walk)) {
            uint32_t id = nf_current_operand(&walk), def = walk.kind == NF_OPERAND_ID && id < m->bound ? m->def[id] : 0;
            uint32_t opcode = def ? nf_opcode(m, def) : 0;
            bool scope = def < m->body_at && (opcode == OpVariable || nf_is_made_constant(opcode));
            if (opcode == OpFunction || scope) reach(i, id);
        }
    }
}

/* Returns true if the module's version requires the module-scope variable `id` in interfaces. */
static bool belongs(const struct nf_module *m, uint32_t id)
{
    uint32_t storage = nf_variable_storage_class(m, m->def[id]);
    return m->version >= NF_VERSION_1_4 || storage == NF_STORAGE_INPUT || storage == NF_STORAGE_OUTPUT;
}

static void emit_entry_point(struct interfaces *i, uint32_t at)
{
    const struct nf_module *m = i->to.m;
    struct nf_words *out = &i->to.out;
    uint32_t start = out->count, length = nf_length(m, at);
    nf_append_words(out, m->words + at, length);
    i->entry++;
    reach(i, nf_entry_point_function(m, at));
    while (i->count) {
        uint32_t id = i->left[--i->count], def = m->def[id];
        bool function = nf_opcode(m, def) == OpFunction;
        find_references(i, def, function ? m->functions[m->index_of[id]].end : nf_next(m, def));
    }
    uint32_t named = at + 3 + (uint32_t)(strlen(nf_string(m, at + 3)) / 4) + 1;
    for (; named < at + length; named++)
        if (m->words[named] < m->bound) i->seen[m->words[named]] = 0;
    for (uint32_t v = 0; v < m->variable_count; v++)
        if (i->seen[m->variables[v]] == i->entry && belongs(m, m->variables[v])) nf_append_word(out, m->variables[v]);
    out->at[start] = nf_first_word(OpEntryPoint, out->count - start);
}

bool nf_supply_interfaces(struct nf_module *m, struct nf_words *out)
{
    if (!m->kernel_count) return false;
    struct interfaces i = {.to = nf_edit_begin(m)};
    i.seen = NF_NEW(m->arena, uint32_t, m->bound);
    nf_edit_keep(&i.to, m->body_at, m->count);
    nf_edit_module_scope(&i.to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpEntryPoint)
            emit_entry_point(&i, at);
        else
            nf_edit_keep(&i.to, at, nf_next(m, at));
    }
    *out = nf_edit_end(&i.to);
    return out->count != m->count;
}
