/* SPDX-License-Identifier: Apache-2.0 */
/*
 * initializers.c - replaces constants that contain addresses of local variables by private copies.
 *
 *     local int one[4], two[4];
 *     int *table[] = {one, two};                      compilers make a module-scope constant of the initializer list
 *
 *     %table = OpVariable UniformConstant {one, two}  %table = OpVariable UniformConstant {null, null}
 *     kernel: ... OpLoad (%table, i) ...              kernel: %mine = OpVariable Function
 *                                                             OpCopyMemorySized %mine %table
 *                                                             OpStore (%mine, 0) one    OpStore (%mine, 1) two
 *                                                             ... OpLoad (%mine, i) ...
 *
 * Local memory exists only while a kernel runs, so a driver cannot put a local address into a constant: drivers that
 * accept such a module write 0 instead, or crash. Each function that reads the constant gets a private copy of it, into
 * which instructions store the local addresses. This stage runs before inference, so that the analysis finds ordinary
 * stores.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

enum { MAX_PATH = 16 };

struct lowering {
    struct nf_edit to;
    /* By id of the module scope: 1 for a constant that contains a local address, and for a variable with such an
     * initializer. */
    uint8_t *local;
    /* By id, in the function that is being written: the variable that replaces the constant; a pointer derived from
     * that variable maps to itself. */
    uint32_t *copies;
    struct nf_words made; /* all copies: the id of the constant, and the id of the copy */
};

static bool is_local_variable(const struct nf_module *m, uint32_t at)
{
    return nf_is_variable_in(m, at, NF_STORAGE_WORKGROUP);
}

/* ---- Which constants ---- */

/* Marks the constants and variables that contain local addresses. Returns true if the initializer of a variable
 * contains a local address; refuses the module if that variable is not constant. */
static bool find_local(struct lowering *l)
{
    struct nf_module *m = l->to.m;
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (is_local_variable(m, at)) {
            l->local[nf_value_id(m, at)] = 1;
        } else if (nf_is_made_constant(opcode)) {
            l->local[nf_value_id(m, at)] = nf_has_marked_operand(m, at, l->local);
        } else if (opcode == OpVariable && nf_length(m, at) > 4 && l->local[nf_variable_initializer(m, at)]) {
            if (nf_variable_storage_class(m, at) != NF_STORAGE_UNIFORM_CONSTANT &&
                !(m->linkage[nf_value_id(m, at)] & NF_IS_CONSTANT))
                nf_fail(m->arena, NF_REFUSED, at,
                        "a variable that outlives the kernel is initialized with an address of local memory");
            /* A constant that contains the address of this variable cannot stay a constant either. */
            l->local[nf_value_id(m, at)] = 1;
            any = true;
        }
    }
    return any;
}

static bool is_marked_variable(const struct lowering *l, uint32_t id)
{
    const struct nf_module *m = l->to.m;
    return nf_match(m, id, OpVariable) && l->local[id] && !is_local_variable(m, m->def[id]);
}

/* ---- Definitions ---- */

static uint32_t pointer_to(struct lowering *l, uint32_t pointee)
{
    return nf_edit_define(&l->to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_FUNCTION, pointee}, 2);
}

/* Returns the constant with null in place of the local addresses. */
static uint32_t without_local(struct lowering *l, uint32_t id)
{
    struct nf_module *m = l->to.m;
    uint32_t at = m->def[id], type = nf_result_type(m, at), length = nf_length(m, at);
    if (!l->local[id]) return id;
    if (nf_opcode(m, at) != OpConstantComposite && nf_opcode(m, at) != OpSpecConstantComposite)
        return nf_edit_define(&l->to, OpConstantNull, type, NULL, 0);
    uint32_t *parts = NF_NEW(m->arena, uint32_t, length);
    for (uint32_t i = 0; i < nf_constituent_count(m, at); i++)
        parts[i] = without_local(l, nf_constituent(m, at, i));
    return nf_edit_define(&l->to, OpConstantComposite, type, parts, length - 3);
}

/* ---- Functions ---- */

/* Emits stores of the local addresses in the constant `id` to the part of the copy that the `depth` indices in `path`
 * select. */
static void store_addresses(struct lowering *l, uint32_t copy, uint32_t id, uint32_t *path, uint32_t depth)
{
    struct nf_module *m = l->to.m;
    uint32_t at = m->def[id], type = nf_result_type(m, at);
    if (!l->local[id]) return;
    if (depth == MAX_PATH) nf_fail(m->arena, NF_REFUSED, at, "a constant is nested more than %u levels deep", MAX_PATH);
    bool composite = nf_opcode(m, at) == OpConstantComposite || nf_opcode(m, at) == OpSpecConstantComposite;
    for (uint32_t i = 0; composite && i < nf_constituent_count(m, at); i++) {
        path[depth] = nf_edit_number(&l->to, i);
        store_addresses(l, copy, nf_constituent(m, at, i), path, depth + 1);
    }
    if (composite) return;
    uint32_t words[MAX_PATH + 4] = {pointer_to(l, type), nf_build_id(&l->to.build), copy, nf_edit_number(&l->to, 0)};
    memcpy(words + 4, path, depth * sizeof *path);
    nf_edit_emit(&l->to, OpInBoundsPtrAccessChain, words, depth + 4);
    nf_edit_emit(&l->to, OpStore, (uint32_t[]){words[1], id}, 2);
}

static void fill_copy(struct lowering *l, uint32_t variable)
{
    struct nf_module *m = l->to.m;
    const struct nf_type *type = nf_type(m, nf_type_of(m, variable)->element);
    uint32_t copy = l->copies[variable], path[MAX_PATH];
    if (!type->size || type->size > UINT32_MAX)
        nf_fail(m->arena, NF_REFUSED, m->def[variable], "a constant that contains local addresses has no known size");
    nf_edit_emit(
        &l->to, OpCopyMemorySized,
        (uint32_t[]){copy, variable, nf_edit_number(&l->to, (uint32_t)type->size), NF_MEMORY_ALIGNED, type->align}, 5);
    store_addresses(l, copy, nf_variable_initializer(m, m->def[variable]), path, 0);
}

/* Returns the type of a pointer that is derived from a copy: the old type in the storage class Function. Returns 0 for
 * other types. */
static uint32_t derived_type(struct lowering *l, uint32_t at)
{
    struct nf_module *m = l->to.m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    bool concrete = type->storage == NF_STORAGE_UNIFORM_CONSTANT || type->storage == NF_STORAGE_CROSS_WORKGROUP;
    if (type->kind != NF_KIND_POINTER || !concrete) return 0;
    return pointer_to(l, type->element);
}

static bool may_use_copy(enum nf_role role)
{
    return role == NF_ROLE_load || role == NF_ROLE_copy_memory || role == NF_ROLE_chain || role == NF_ROLE_bitcast ||
           role == NF_ROLE_copy || role == NF_ROLE_cast || role == NF_ROLE_compare || role == NF_ROLE_to_integer ||
           role == NF_ROLE_vload || role == NF_ROLE_prefetch || role == NF_ROLE_compare_bits || role == NF_ROLE_nothing;
}

/* Emits one instruction, in which copies replace the constants. Refuses an instruction in which a copy cannot
 * replace the constant. */
static void put_instruction(struct lowering *l, uint32_t at)
{
    struct nf_module *m = l->to.m;
    uint32_t start = l->to.out.count;
    bool uses = false;
    nf_edit_keep(&l->to, at, nf_next(m, at));
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = nf_current_id(&ids);
        if (!l->copies[id]) continue;
        l->to.out.at[start + ids.at] = l->copies[id];
        uses = true;
    }
    if (!uses) return;
    enum nf_role role = nf_role_at(m, at);
    uint32_t type = nf_result_type(m, at) ? derived_type(l, at) : 0;
    if (!may_use_copy(role))
        nf_fail(m->arena, NF_REFUSED, at,
                "an instruction needs a constant that contains local addresses itself, and not a private copy");
    if (!type) return;
    l->to.out.at[start + 1] = type;
    l->copies[nf_result_id(m, at)] = nf_result_id(m, at);
}

static bool uses_marked(const struct lowering *l, const struct nf_function *f, uint32_t *variables, uint32_t *count)
{
    const struct nf_module *m = l->to.m;
    *count = 0;
    for (uint32_t at = f->body; at && at < f->end; at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t id = nf_current_id(&ids), i = 0;
            if (!is_marked_variable(l, id)) continue;
            while (i < *count && variables[i] != id)
                i++;
            if (i == *count) variables[(*count)++] = id;
        }
    }
    return *count != 0;
}

static void put_function(struct lowering *l, const struct nf_function *f, uint32_t *variables)
{
    struct nf_module *m = l->to.m;
    uint32_t count, after;
    if (!uses_marked(l, f, variables, &count)) {
        nf_edit_keep(&l->to, f->at, f->end);
        return;
    }
    after = nf_after_variables(m, f);
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        for (uint32_t i = 0; at == after && i < count; i++)
            fill_copy(l, variables[i]);
        put_instruction(l, at);
        for (uint32_t i = 0; at == f->body && i < count; i++) {
            uint32_t type = pointer_to(l, nf_type_of(m, variables[i])->element), copy = nf_build_id(&l->to.build);
            nf_edit_emit(&l->to, OpVariable, (uint32_t[]){type, copy, NF_STORAGE_FUNCTION}, 3);
            l->copies[variables[i]] = copy;
            nf_append_words(&l->made, (uint32_t[]){variables[i], copy}, 2);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        l->copies[variables[i]] = 0;
}

/* ---- The module ---- */

/* Adds the local variables to the interface of an entry point: from SPIR-V 1.4 on it lists all variables that the
 * kernel uses. Instructions of the output use local variables that only constants of the input use. */
static void list_local_variables(struct lowering *l, uint32_t entry)
{
    struct nf_module *m = l->to.m;
    uint32_t start = l->to.out.count - nf_length(m, entry);
    uint32_t ids = entry + 4 + (uint32_t)strlen(nf_string(m, entry + 3)) / 4;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i];
        bool listed = !is_local_variable(m, m->def[id]);
        for (uint32_t at = ids; at < nf_next(m, entry) && !listed; at++)
            listed = m->words[at] == id;
        if (!listed) nf_append_word(&l->to.out, id);
    }
    l->to.out.at[start] = nf_first_word(OpEntryPoint, l->to.out.count - start);
}

/* Gives the copies of a variable the alignment that the decoration at `at` gives the variable. */
static void align_copies(struct lowering *l, uint32_t at)
{
    const struct nf_module *m = l->to.m;
    for (uint32_t i = 0; i < l->made.count; i += 2)
        if (l->made.at[i] == nf_annotated_id(m, at))
            nf_edit_emit(&l->to, OpDecorate,
                         (uint32_t[]){l->made.at[i + 1], NF_DECORATION_ALIGNMENT, nf_decoration_operand(m, at, 0)}, 3);
}

static void put_module_scope(struct lowering *l)
{
    struct nf_module *m = l->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
        if (nf_is_made_constant(opcode) && l->local[id]) {
            for (uint32_t i = 0; i < nf_operand_count(m, at); i++)
                if (is_marked_variable(l, nf_value_operand(m, at, i)))
                    nf_fail(m->arena, NF_REFUSED, at,
                            "a constant contains the address of another constant that contains local addresses");
        }
        if (opcode == OpVariable && is_marked_variable(l, id)) {
            uint32_t words[5] = {nf_first_word(OpVariable, 5), nf_value_type(m, at), id,
                                 nf_variable_storage_class(m, at), without_local(l, nf_variable_initializer(m, at))};
            nf_append_words(&l->to.build.definitions, words, 5);
            continue;
        }
        nf_edit_keep(&l->to, at, nf_next(m, at));
        if (nf_decorates(m, at, NF_DECORATION_ALIGNMENT) && nf_length(m, at) > 3) align_copies(l, at);
        if (opcode == OpEntryPoint && m->version >= NF_VERSION_1_4) list_local_variables(l, at);
    }
}

bool nf_lower_initializers(struct nf_module *m, struct nf_words *lowered)
{
    struct lowering l = {.to = nf_edit_begin(m), .made = {.arena = m->arena}};
    uint32_t capacity = 0;
    NF_RESERVE(m->arena, l.local, capacity, m->bound);
    if (!find_local(&l)) {
        nf_arena_drop(m->arena, l.local);
        return false;
    }
    nf_types(m);
    l.copies = NF_NEW(m->arena, uint32_t, m->bound);
    uint32_t *variables = NF_NEW(m->arena, uint32_t, m->variable_count + 1);
    for (uint32_t i = 1; i < m->function_count; i++)
        put_function(&l, &m->functions[i], variables);
    nf_edit_module_scope(&l.to);
    put_module_scope(&l);
    *lowered = nf_edit_end(&l.to);
    return true;
}
