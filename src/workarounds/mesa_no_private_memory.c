/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_no_private_memory.c - adds a private variable to each kernel of a module that computes private pointers.
 *
 *     %p = OpConvertUToPtr %_ptr_Function_uint %bits       %p = OpConvertUToPtr %_ptr_Function_uint %bits
 *
 *                                                          and at the beginning of the kernel:
 *     %entry = OpLabel                                     %entry = OpLabel
 *                                                          %own = OpVariable %_ptr_Function_array Function
 *                                                          (stores 0 to two elements, loads one by the address)
 *                                                          OpBranchConditional %loaded %gone %rest
 *                                                          %gone = OpLabel
 *                                                          OpReturn
 *                                                          %rest = OpLabel
 *
 * A kernel without private variables never executes an access through a pointer that may be private. llvmpipe compiles
 * the access all the same, dereferences the null pointer that is the address of the kernel's missing private memory,
 * and crashes. The added variable gives the kernel private memory. Mesa removes unused variables, and variables whose
 * loads it can replace by the stored value. So the loaded element depends on the address of the variable, and control
 * flow depends on the loaded value; it is always 0, so the kernel continues. The variable is as long as the variable
 * that mesa_local_at_null.c adds to local memory, for the same reason: arrays that are indexed from one.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

struct reserve {
    struct nf_edit to;
    uint32_t first, rest; /* labels: the first block of the kernel, and the block that now has its terminator */
};

static bool is_private(const struct nf_module *m, uint32_t type_id)
{
    const struct nf_type *type = nf_type(m, type_id);
    return type->kind == NF_KIND_POINTER && type->storage == NF_STORAGE_FUNCTION;
}

/* Returns true if the result is a private pointer that is null, undefined, or converted from another type. */
static bool makes_private(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    bool made = opcode == OpConvertUToPtr || opcode == OpConstantNull || opcode == OpUndef || opcode == OpBitcast;
    if (!made || !is_private(m, nf_value_type(m, at))) return false;
    return opcode != OpBitcast || !is_private(m, nf_type_of(m, nf_value_operand(m, at, 0))->id);
}

static uint32_t emit(struct reserve *s, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t words[6] = {type, nf_build_id(&s->to.build)};
    memcpy(words + 2, operands, count * sizeof *operands);
    nf_edit_emit(&s->to, opcode, words, count + 2);
    return words[1];
}
#define EMIT(s, opcode, type, ...)                                                                                     \
    emit((s), (opcode), (type), (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t private_pointer(struct reserve *s, uint32_t element)
{
    return nf_edit_define(&s->to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_FUNCTION, element}, 2);
}

/* Emits the variable. The variable is the first of the kernel; its uses follow the kernel's own variables. */
static uint32_t emit_variable(struct reserve *s)
{
    uint32_t uint = nf_edit_define(&s->to, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
    uint32_t count = nf_edit_number(&s->to, NF_NULL_GUARD_WORDS);
    uint32_t words = nf_edit_define(&s->to, OpTypeArray, 0, (uint32_t[]){uint, count}, 2);
    return EMIT(s, OpVariable, private_pointer(s, words), NF_STORAGE_FUNCTION);
}

static void emit_use(struct reserve *s, uint32_t variable)
{
    struct nf_edit *e = &s->to;
    uint32_t uint = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){32, 0}, 2), to_uint = private_pointer(s, uint);
    uint32_t word = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){e->m->address_bits, 0}, 2);
    uint32_t truth = nf_edit_define(e, OpTypeBool, 0, NULL, 0);
    uint32_t zero = nf_edit_number(e, 0), one = nf_edit_number(e, 1), gone = nf_build_id(&e->build);
    if (e->m->address_bits == 64) nf_edit_need(e, NF_CAPABILITY_INT64);
    nf_edit_emit(e, OpStore, (uint32_t[]){EMIT(s, OpInBoundsAccessChain, to_uint, variable, zero), zero}, 2);
    nf_edit_emit(e, OpStore, (uint32_t[]){EMIT(s, OpInBoundsAccessChain, to_uint, variable, one), zero}, 2);
    uint32_t address = EMIT(s, OpConvertPtrToU, word, variable);
    if (word != uint) address = EMIT(s, OpUConvert, uint, address);
    uint32_t index = EMIT(s, OpBitwiseAnd, uint, address, one);
    uint32_t loaded = EMIT(s, OpLoad, uint, EMIT(s, OpInBoundsAccessChain, to_uint, variable, index));
    uint32_t never = EMIT(s, OpINotEqual, truth, loaded, zero);
    s->rest = nf_build_id(&e->build);
    nf_edit_emit(e, OpBranchConditional, (uint32_t[]){never, gone, s->rest}, 3);
    nf_edit_emit(e, OpLabel, &gone, 1);
    nf_edit_emit(e, OpReturn, NULL, 0);
    nf_edit_emit(e, OpLabel, &s->rest, 1);
}

/* Emits a phi; its predecessor `first` becomes `rest`, which now ends with that block's terminator. */
static void emit_phi(struct reserve *s, uint32_t at)
{
    const struct nf_module *m = s->to.m;
    uint32_t start = s->to.out.count, length = nf_length(m, at);
    nf_edit_keep(&s->to, at, at + length);
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
        if (nf_phi_parent(m, at, i) == s->first) s->to.out.at[start + 4 + 2 * i] = s->rest;
}

static void rewrite_kernel(struct reserve *s, const struct nf_function *f)
{
    const struct nf_module *m = s->to.m;
    uint32_t variable = 0, at = f->at;
    s->first = nf_declared_id(m, f->body);
    for (; at <= f->body; at = nf_next(m, at))
        nf_edit_keep(&s->to, at, nf_next(m, at));
    variable = emit_variable(s);
    uint32_t rest = nf_after_variables(m, f);
    nf_edit_keep(&s->to, at, rest);
    emit_use(s, variable);
    for (at = rest; at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpPhi)
            emit_phi(s, at);
        else
            nf_edit_keep(&s->to, at, nf_next(m, at));
    }
}

/* Returns true if the kernel already begins with the added variable and the branch that depends on it. */
static bool has_reserved(const struct nf_module *m, const struct nf_function *f)
{
    uint32_t first = nf_next(m, f->body), at = first;
    while (!nf_ends_block(nf_opcode(m, at)))
        at = nf_next(m, at);
    if (nf_opcode(m, first) != OpVariable || nf_opcode(m, at) != OpBranchConditional) return false;
    uint32_t load = nf_match_operand(m, nf_match(m, nf_branch_condition(m, at), OpINotEqual), 0, OpLoad);
    uint32_t chain = nf_match_operand(m, load, 0, OpInBoundsAccessChain);
    return chain && nf_base_pointer(m, chain) == nf_value_id(m, first);
}

bool nf_workaround_mesa_no_private_memory(struct nf_module *m, struct nf_words *out)
{
    bool any = false, changed = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count && !any; at = nf_next(m, at))
        any = makes_private(m, at);
    if (!any || !m->kernel_count) return false;
    struct reserve s = {.to = nf_edit_begin(m)};
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        bool puts = f->entry_at && f->body && !has_reserved(m, f);
        if (puts)
            rewrite_kernel(&s, f);
        else
            nf_edit_keep(&s.to, f->at, f->end);
        changed |= puts;
    }
    if (!changed) return false;
    nf_edit_module_scope(&s.to);
    nf_edit_keep(&s.to, NF_HEADER_WORDS, m->body_at);
    *out = nf_edit_end(&s.to);
    return true;
}
