/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subgroup_sizes.c - removes the requirement of a sub-group size that the device does not have.
 *
 *     OpExecutionMode %k SubgroupSize 16          nothing, on a device with sub-groups of 8 work-items
 *
 * SYCL, HIP and OpenCL programs require a size for speed, or because their code depends on it. Mesa's rusticl ignores a
 * size that the device does not have, except that radeonsi does not finish the build of a kernel that requires 4 or 8.
 * So the requirement is removed, as if the driver ignored it. If the kernel has operations on sub-groups, a warning
 * names the kernel and the sizes, because its results may be wrong: many such programs exchange values among the first
 * work-items of a sub-group only, and are right with another size.
 *
 * The hard case is a function that several kernels call: only the kernels that call it depend on its operations, so the
 * analysis follows the calls of each kernel that requires a size.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "supply/supply.h"

#include <stdio.h>

enum { FIRST_OF_EXTENSIONS = 4096 }; /* the lowest opcode of an instruction of an extension */

static bool is_subgroup_built_in(uint32_t number)
{
    /* SubgroupSize to SubgroupLocalInvocationId, and SubgroupEqMask to SubgroupLtMask */
    return (number >= 36 && number <= 41) || (number >= 4416 && number <= 4420);
}

/* Returns an array by id: true for the built-in variables that concern sub-groups. */
static bool *find_built_ins(const struct nf_module *m)
{
    bool *found = NF_NEW_ARRAY(m->arena, bool, m->bound);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        bool built_in = nf_opcode(m, at) == OpDecorate && nf_decoration_at(m, at) == NF_DECORATION_BUILT_IN;
        if (built_in && nf_length(m, at) > 3 && nf_annotated_id(m, at) < m->bound)
            found[nf_annotated_id(m, at)] = is_subgroup_built_in(nf_word(m, at, 3));
    }
    return found;
}

/* Returns true if the scope is, or may be, a sub-group. Runs before types are known. */
static bool is_subgroup_scope(const struct nf_module *m, uint32_t id)
{
    uint32_t def = m->def[id];
    return nf_opcode(m, def) != OpConstant || nf_word(m, def, 3) == NF_SCOPE_SUBGROUP;
}

/* Returns true if a scope of the instruction is, or may be, a sub-group. */
static bool has_subgroup_scope(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    switch (opcode) {
    case OpControlBarrier: return is_subgroup_scope(m, nf_word(m, at, 1)) || is_subgroup_scope(m, nf_word(m, at, 2));
    case OpMemoryBarrier:
    case OpGroupWaitEvents: return is_subgroup_scope(m, nf_word(m, at, 1));
    default: break;
    }
    if (nf_role_at(m, at) == NF_ROLE_atomic && nf_operand_count(m, at) >= 3)
        return is_subgroup_scope(m, nf_operand(m, at, 1));
    bool group = strncmp(nf_op_find(opcode)->name, "OpGroup", strlen("OpGroup")) == 0;
    return group && nf_length(m, at) > 3 && is_subgroup_scope(m, nf_word(m, at, 3));
}

/* Returns true if the result or the effect of the instruction depends on the size of sub-groups. An instruction that is
 * not in the opcode table counts. */
static bool depends(const struct nf_module *m, uint32_t at, const bool *built_ins)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    bool matrix = nf_opcode(m, at) >= FIRST_OF_EXTENSIONS && strstr(op->name, "Matrix"); /* one per sub-group */
    if (nf_is_unknown(op) || matrix || strncmp(op->name, "OpSubgroup", strlen("OpSubgroup")) == 0) return true;
    if (has_subgroup_scope(m, at)) return true;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (built_ins[nf_current_id(&ids)]) return true;
    return false;
}

/* Returns true if the callee is an imported function that concerns sub-groups, by its name. */
static bool is_imported_dependence(const struct nf_module *m, const struct nf_function *callee)
{
    const char *name = nf_linkage_name(m, callee->id);
    return !callee->body && (strstr(name, "ub_group") || strstr(name, "ubgroup"));
}

/* Returns true if the function itself depends on the size, or calls through a pointer. Marks its callees as reached. */
static bool visit(const struct nf_module *m, const struct nf_function *f, const bool *built_ins, bool *reached)
{
    bool found = is_imported_dependence(m, f);
    for (uint32_t at = f->body; f->body && at < f->end; at = nf_next(m, at)) {
        found |= depends(m, at, built_ins) || nf_opcode(m, at) == OpFunctionPointerCallINTEL;
        if (nf_opcode(m, at) == OpFunctionCall) reached[m->index_of[nf_callee(m, at)]] = true;
    }
    return found;
}

/* Returns true if the function or a callee depends on the size. */
static bool reaches_dependence(const struct nf_module *m, uint32_t function)
{
    const bool *built_ins = find_built_ins(m);
    bool *reached = NF_NEW_ARRAY(m->arena, bool, m->function_count);
    bool *visited = NF_NEW_ARRAY(m->arena, bool, m->function_count);
    reached[function] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 1; i < m->function_count; i++) {
            if (!reached[i] || visited[i]) continue;
            visited[i] = grown = true;
            if (visit(m, &m->functions[i], built_ins, reached)) return true;
        }
    }
    return false;
}

/* Writes the sizes of the set, such as "32 and 64". */
static void list_sizes(uint64_t set, char *text, size_t size)
{
    size_t length = 0;
    for (unsigned n = 0; n < 64 && length < size; n++) {
        if (!(set >> n & 1)) continue;
        const char *between = !length ? "" : set >> n >> 1 ? ", " : " and ";
        int more = snprintf(text + length, size - length, "%s%llu", between, 1ull << n);
        length += more > 0 ? (size_t)more : 0;
    }
}

/* Returns true if the instruction requires a size that the device does not have. */
static bool is_unmet(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpExecutionMode || nf_length(m, at) < 4) return false;
    if (nf_execution_mode(m, at) != NF_MODE_SUBGROUP_SIZE) return false;
    const uint64_t sizes = m->options->profile->subgroup_sizes, size = nf_mode_operand(m, at, 0);
    bool is_power = size && !(size & (size - 1));
    return !is_power || !(sizes & size);
}

/* Returns the kernel to which the execution mode at `at` applies; NULL if it applies to anything else. */
static const struct nf_function *kernel_of(const struct nf_module *m, uint32_t at)
{
    uint32_t id = nf_mode_entry_point(m, at), def = id < m->bound ? m->def[id] : 0;
    const struct nf_function *f = def && nf_opcode(m, def) == OpFunction ? &m->functions[m->index_of[id]] : NULL;
    return f && f->entry_at ? f : NULL;
}

void nf_warn_of_subgroup_sizes(const struct nf_module *m, struct nf_text *log)
{
    char sizes[200] = "";
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        const struct nf_function *kernel = is_unmet(m, at) ? kernel_of(m, at) : NULL;
        if (!kernel || !reaches_dependence(m, (uint32_t)(kernel - m->functions))) continue;
        list_sizes(m->options->profile->subgroup_sizes, sizes, sizeof sizes);
        nf_print(log,
                 "warning: kernel '%s' requires sub-groups of %u work-items and has operations on sub-groups, but the "
                 "device has sub-groups of %s: results may be wrong\n",
                 nf_string(m, kernel->entry_at + 3), nf_mode_operand(m, at, 0), sizes);
    }
}

bool nf_needs_subgroup_sizes(const struct nf_module *m)
{
    return m->options->profile->subgroup_sizes;
}

bool nf_supply_subgroup_sizes(struct nf_module *m, struct nf_words *out)
{
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at && !any; at = nf_next(m, at))
        any = is_unmet(m, at);
    if (!any) return false;
    struct nf_edit e = nf_edit_begin(m);
    nf_edit_keep(&e, m->body_at, m->count);
    nf_edit_module_scope(&e);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (!is_unmet(m, at)) nf_edit_keep(&e, at, nf_next(m, at));
    *out = nf_edit_end(&e);
    return true;
}
