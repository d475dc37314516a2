/* SPDX-License-Identifier: Apache-2.0 */
/*
 * temporaries.c - variables that the output adds to a function, for values that must go through memory.
 *
 *     %v = OpVariable %_ptr_Function__ptr_Function_int Function      at the function's beginning
 *          OpStore %v %p Volatile|Aligned 8                          the driver detects that p escapes
 *
 * A variable is declared when the function is complete. The hard case is a driver whose vectorizer executes a block
 * under a mask and does not detect that a pointer escapes in it: the function also stores, at its entry, the parameter
 * or variable from which the pointer is derived.
 *
 * needs: the function's words.  gives: the words with the variables.
 */
#include "rewrite/internal.h"

uint32_t nf_temporary(struct nf_output *o, uint32_t type, uint32_t number)
{
    struct nf_module *m = o->m;
    for (uint32_t i = 0; i < o->body.own_variable_count; i += 3)
        if (o->body.own_variables[i] == type && number-- == 0) return o->body.own_variables[i + 2];
    NF_RESERVE(m->arena, o->body.own_variables, o->body.own_variable_capacity, (size_t)o->body.own_variable_count + 3);
    o->body.own_variables[o->body.own_variable_count++] = type;
    o->body.own_variables[o->body.own_variable_count++] = nf_pointer_type(o, NF_STORAGE_FUNCTION, type);
    o->body.own_variables[o->body.own_variable_count++] = nf_new_id(o);
    return o->body.own_variables[o->body.own_variable_count - 1];
}

static void insert_words(struct nf_output *o, uint32_t at, const struct nf_words *words)
{
    uint32_t behind = o->bodies.count - at;
    for (uint32_t i = 0; i < words->count; i++)
        nf_append_word(&o->bodies, 0);
    uint32_t *to = o->bodies.at + at;
    memmove(to + words->count, to, behind * sizeof *to);
    if (words->count) memcpy(to, words->at, words->count * sizeof *to);
}

/* ---- Addresses that escape under a condition ---- */

static bool is_own_variable(const struct nf_output *o, uint32_t id)
{
    for (uint32_t i = 0; i < o->body.own_variable_count; i += 3)
        if (o->body.own_variables[i + 2] == id) return true;
    return false;
}

/* Returns the word offset of the parameter or variable into which the instruction's result points; 0: unknown. */
static uint32_t root_of(const struct nf_output *o, const uint32_t *words, uint32_t at, const uint32_t *roots)
{
    uint32_t opcode = nf_opcode_of(words[0]);
    if (opcode == OpFunctionParameter || opcode == OpVariable) return at;
    return nf_derives_pointer(nf_op_find(opcode)->role) && words[3] < o->build.next_id ? roots[words[3]] : 0;
}

/* Appends to `stores`, unless it is there, a volatile store of the parameter or variable at `root` for the entry. */
static void store_root_at_entry(struct nf_output *o, uint32_t root, struct nf_words *stores)
{
    const uint32_t *words = o->bodies.at + root;
    uint32_t pointer = words[2], variable = nf_temporary(o, words[1], 0);
    for (uint32_t i = 0; i < stores->count; i += 5)
        if (stores->at[i + 2] == pointer) return;
    nf_append_words(
        stores, (uint32_t[]){nf_first_word(OpStore, 5), variable, pointer, NF_VOLATILE_ALIGNED, NF_ESCAPE_ALIGNMENT},
        5);
}

/* Stores the roots of all pointers that escape after the first block, at the function's entry. */
static void store_escaping_roots(struct nf_output *o)
{
    struct nf_module *m = o->m;
    struct nf_words stores = {.arena = o->m->arena};
    uint32_t *roots = NULL, capacity = 0, labels = 0;
    NF_RESERVE(m->arena, roots, capacity, o->build.next_id);
    for (uint32_t at = o->body.function_at, length; at < o->bodies.count; at += length) {
        const uint32_t *words = o->bodies.at + at;
        uint32_t opcode = nf_opcode_of(words[0]);
        length = nf_length_of(words[0]);
        labels += opcode == OpLabel;
        uint32_t root = root_of(o, words, at, roots);
        if (root) roots[words[2]] = root;
        bool escapes =
            opcode == OpStore && length == 5 && words[3] == NF_VOLATILE_ALIGNED && is_own_variable(o, words[1]);
        if (escapes && labels > 1 && roots[words[2]]) store_root_at_entry(o, roots[words[2]], &stores);
    }
    insert_words(o, o->body.entry_at, &stores);
    nf_arena_drop(m->arena, stores.at);
    nf_arena_drop(m->arena, roots);
}

void nf_declare_temporary_variables(struct nf_output *o)
{
    struct nf_words variables = {.arena = o->m->arena};
    if (!o->body.own_variable_count) return;
    if (nf_hides_escapes(o)) store_escaping_roots(o);
    for (uint32_t i = 0; i < o->body.own_variable_count; i += 3)
        nf_append_words(&variables,
                        (uint32_t[]){nf_first_word(OpVariable, 4), o->body.own_variables[i + 1],
                                     o->body.own_variables[i + 2], NF_STORAGE_FUNCTION},
                        4);
    insert_words(o, o->body.variables_at, &variables);
    nf_arena_drop(o->m->arena, variables.at);
    o->body.own_variable_count = 0;
}
