/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_local_at_null.c - reserves address 0 of local memory in modules that convert integers to local pointers.
 *
 *     %p = OpConvertUToPtr %_ptr_Workgroup_uint %a         the same
 *
 *     %ld = OpVariable %_ptr Workgroup                     %own = OpVariable %_ptr_struct Workgroup
 *                                                          %ld = OpVariable %_ptr Workgroup
 *                                                          and first in each kernel, with a pointer %word to %own:
 *                                                          OpAtomicOr %uint %word %zero
 *
 * Programs with arrays that are indexed from one compute the address before the first element. On a device whose local
 * memory begins at 0 and whose local addresses have 32 bits, the address before the first local variable is 0xfffffffc:
 * a 64-bit integer that is 2^32 too large, unless a window wraps it (rewrite/flat.c). And the integer of the first
 * variable's address is 0, which programs take for null. So this pass adds a variable that the program does not use,
 * before the first local variable. Mesa removes variables without accesses, and even variables with volatile accesses,
 * but not variables with atomics. The variable is as long as the largest type, so that the alignment of the others does
 * not change: programs store integers in the lowest bits of addresses, and rely on more alignment than an int needs.
 *
 * For private memory mesa_no_private_memory.c adds such a variable, in every module that converts integers to private
 * pointers.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

struct reserve {
    struct nf_edit to;
    uint32_t at; /* where the variable is inserted: at the first local variable, else at the end of the module scope */
    uint32_t type, variable; /* ids: the type of 32-bit integers, 0: none is defined before `at`; the new variable */
};

static bool makes_local_pointer(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpConvertUToPtr && nf_type(m, nf_value_type(m, at))->storage == NF_STORAGE_WORKGROUP;
}

/* Finds the first local variable, and the type of 32-bit integers if its definition precedes the variable. */
static void find_place(struct reserve *l)
{
    const struct nf_module *m = l->to.m;
    for (l->at = NF_HEADER_WORDS; l->at < m->body_at; l->at = nf_next(m, l->at)) {
        uint32_t opcode = nf_opcode(m, l->at);
        if (opcode == OpTypeInt && nf_scalar_width(m, l->at) == 32) l->type = nf_declared_id(m, l->at);
        if (opcode == OpVariable && nf_variable_storage_class(m, l->at) == NF_STORAGE_WORKGROUP) return;
    }
}

/* Returns true if the kernel already begins with an atomic on the first local variable, as rewrite_function() emits
 * it. */
static bool has_reserved(const struct reserve *l, const struct nf_function *f)
{
    const struct nf_module *m = l->to.m;
    uint32_t at = nf_after_variables(m, f), next = nf_next(m, at);
    if (l->at == m->body_at || nf_opcode(m, at) != OpBitcast || nf_opcode(m, next) != OpAtomicOr) return false;
    return nf_value_operand(m, at, 0) == nf_value_id(m, l->at) && nf_value_operand(m, next, 0) == nf_value_id(m, at);
}

static bool rewrite_function(struct reserve *l, const struct nf_function *f)
{
    struct nf_edit *e = &l->to;
    bool is_kernel = f->entry_at && f->body, wanted = is_kernel && !has_reserved(l, f);
    uint32_t first = wanted ? nf_after_variables(e->m, f) : f->end;
    nf_edit_keep(e, f->at, first);
    if (!wanted) return false;
    uint32_t scope = nf_edit_number(e, NF_SCOPE_WORKGROUP), zero = nf_edit_number(e, 0);
    uint32_t pointer = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_WORKGROUP, l->type}, 2);
    uint32_t word = nf_edit_value(e, OpBitcast, pointer, l->variable, 0);
    nf_edit_emit(e, OpAtomicOr, (uint32_t[]){l->type, nf_build_id(&e->build), word, scope, zero, zero}, 6);
    nf_edit_keep(e, first, f->end);
    return true;
}

/* Emits the variable and its types. SPIR-V allows a structure, and a pointer to it, to be declared more than once. */
static void emit_variable(struct reserve *l)
{
    uint32_t members[NF_NULL_GUARD_WORDS + 1] = {nf_build_id(&l->to.build)}, pointer = nf_build_id(&l->to.build);
    for (uint32_t i = 1; i <= NF_NULL_GUARD_WORDS; i++)
        members[i] = l->type;
    nf_edit_emit(&l->to, OpTypeStruct, members, NF_NULL_GUARD_WORDS + 1);
    nf_edit_emit(&l->to, OpTypePointer, (uint32_t[]){pointer, NF_STORAGE_WORKGROUP, members[0]}, 3);
    nf_edit_emit(&l->to, OpVariable, (uint32_t[]){pointer, l->variable, NF_STORAGE_WORKGROUP}, 3);
}

bool nf_workaround_mesa_local_at_null(struct nf_module *m, struct nf_words *out)
{
    struct reserve l = {.to = nf_edit_begin(m)};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = makes_local_pointer(m, at);
    if (any) find_place(&l);
    if (!l.type) return false;
    l.variable = nf_build_id(&l.to.build);
    any = false;
    for (uint32_t i = 1; i < m->function_count; i++)
        any |= rewrite_function(&l, &m->functions[i]);
    if (!any) return false;
    nf_edit_module_scope(&l.to);
    nf_edit_keep(&l.to, NF_HEADER_WORDS, l.at);
    emit_variable(&l);
    nf_edit_keep(&l.to, l.at, m->body_at);
    *out = nf_edit_end(&l.to);
    return true;
}
