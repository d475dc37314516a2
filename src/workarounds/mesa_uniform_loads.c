/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_uniform_loads.c - makes the address of a load that may be inactive for all work-items non-uniform.
 *
 *     %x = OpLoad %uint %p Aligned 4               %i = OpLoad %uint %SubgroupLocalInvocationId
 *                                                  %j = OpIAdd %uint %i %uint_1
 *                                                  %k = OpIMul %uint %i %j
 *                                                  %zero = OpBitwiseAnd %uint %k %uint_1
 *                                                  %q = OpPtrAccessChain %_ptr %p %zero
 *                                                  %x = OpLoad %uint %q Aligned 4
 *
 * The product of two consecutive integers is even, so %zero is 0, which Mesa does not deduce.
 *
 * Mesa's llvmpipe, from 26 on, executes a load with a uniform address once for a whole sub-group, even in a branch that
 * no work-item of the sub-group takes. The pointer may then be null, or an address of another memory, and the process
 * crashes. Loads from non-uniform addresses are executed for active work-items only.
 *
 * The first block of a kernel is always executed, and a pointer derived from a variable or from a kernel's own argument
 * is always valid in its storage class: such loads keep their uniform address, and so do loads of private memory. The
 * hard case is such a pointer whose integer is compared with a constant: Mesa loads from the constant in the branch
 * where both are equal.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

enum { BUILT_IN_SUBGROUP_LOCAL_INVOCATION_ID = 41 };

struct uniform_loads {
    struct nf_edit to;
    struct nf_built_ins built_ins;
    bool *unknown;  /* by id: a pointer that is possibly no valid address of its storage class */
    bool *computed; /* by id: a pointer, unknown as well, whose integer the program computes with */
    bool changed;
};

/* ---- Pointers that may be invalid ---- */

static bool is_unknown(const struct uniform_loads *u, uint32_t id)
{
    const struct nf_module *m = u->to.m;
    if (m->def[id] >= m->body_at) return u->unknown[id];
    return m->def[id] && nf_opcode(m, m->def[id]) != OpVariable;
}

static void mark(struct uniform_loads *u, uint32_t id, bool unknown)
{
    u->changed |= unknown && !u->unknown[id];
    u->unknown[id] |= unknown;
}

/* Marks a pointer whose integer the program computes with, and the pointers that it is derived from: in a branch where
 * the integer equals a constant, Mesa replaces each of them by a constant address. */
static void mark_bases(struct uniform_loads *u, uint32_t id)
{
    const struct nf_module *m = u->to.m;
    while (m->def[id] >= m->body_at && nf_type_of(m, id)->kind == NF_KIND_POINTER && !u->computed[id]) {
        u->computed[id] = true;
        mark(u, id, true);
        if (!nf_derives_pointer(nf_role_at(m, m->def[id]))) return;
        id = nf_value_operand(m, m->def[id], 0);
    }
}

/* Marks the parameters of a callee whose arguments at this call may be invalid, and the arguments whose integers the
 * callee computes with. */
static void mark_parameters(struct uniform_loads *u, uint32_t at)
{
    const struct nf_module *m = u->to.m;
    const struct nf_function *callee = nf_called_function(m, at);
    uint32_t arguments = nf_length(m, at) - 4, parameter = callee->parameters;
    for (uint32_t i = 0; i < arguments && i < callee->parameter_count; i++, parameter = nf_next(m, parameter)) {
        parameter = nf_parameter_from(m, parameter);
        mark(u, nf_value_id(m, parameter), is_unknown(u, nf_argument(m, at, i)));
        if (u->computed[nf_value_id(m, parameter)]) mark_bases(u, nf_argument(m, at, i));
    }
}

static bool derives_from_unknown(const struct uniform_loads *u, uint32_t at)
{
    const struct nf_module *m = u->to.m;
    switch (nf_opcode(m, at)) {
    case OpVariable:
    case OpFunctionParameter: return false;
    case OpSelect: return is_unknown(u, nf_select_true(m, at)) || is_unknown(u, nf_select_false(m, at));
    case OpPhi:
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
            if (is_unknown(u, nf_phi_value(m, at, i))) return true;
        return false;
    default:
        if (!nf_derives_pointer(nf_op_find(nf_opcode(m, at))->role)) return true;
        return nf_type_of(m, nf_value_operand(m, at, 0))->kind != NF_KIND_POINTER ||
               is_unknown(u, nf_value_operand(m, at, 0));
    }
}

static void mark_instruction(struct uniform_loads *u, uint32_t at)
{
    const struct nf_module *m = u->to.m;
    uint32_t id = nf_result_id(m, at);
    if (id && nf_type_of(m, id)->kind == NF_KIND_POINTER) mark(u, id, derives_from_unknown(u, at));
    if (nf_opcode(m, at) == OpConvertPtrToU) mark_bases(u, nf_value_operand(m, at, 0));
    if (nf_opcode(m, at) == OpFunctionCall) mark_parameters(u, at);
}

/* Marks all pointers that may be invalid. The search starts with the parameters of functions whose address is taken,
 * and iterates to a fixed point, so pointers that depend only on each other in a loop count as valid. */
static void mark_all(struct uniform_loads *u)
{
    const struct nf_module *m = u->to.m;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        uint32_t at = f->parameters;
        for (uint32_t k = 0; f->address_taken && k < f->parameter_count; k++, at = nf_next(m, at)) {
            at = nf_parameter_from(m, at);
            u->unknown[nf_value_id(m, at)] = true;
        }
    }
    do {
        u->changed = false;
        for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
            mark_instruction(u, at);
    } while (u->changed);
}

/* ---- Loads through these pointers ---- */

/* Returns the word of the pointer through which the instruction loads; 0 if it loads nothing. */
static uint32_t pointer_word(const struct nf_module *m, uint32_t at)
{
    switch (nf_opcode(m, at)) {
    case OpLoad:
    case OpAtomicLoad: return 3;
    case OpCopyMemory:
    case OpCopyMemorySized: return 2;
    case OpExtInst: return nf_role_at(m, at) == NF_ROLE_vload ? 6 : 0;
    default: return 0;
    }
}

/* Returns true if rewrite() has already changed the pointer. */
static bool has_nonuniform_address(const struct nf_module *m, uint32_t pointer)
{
    uint32_t at = m->def[pointer];
    if (at < m->body_at || nf_opcode(m, at) != OpPtrAccessChain || nf_length(m, at) != 5) return false;
    return nf_match_operand(m, nf_match(m, nf_chain_index(m, at, 0), OpBitwiseAnd), 0, OpIMul);
}

static uint32_t word_to_change(const struct uniform_loads *u, uint32_t at)
{
    const struct nf_module *m = u->to.m;
    uint32_t word = pointer_word(m, at), pointer = word ? nf_word(m, at, word) : 0;
    if (!word || !is_unknown(u, pointer)) return 0;
    const struct nf_type *type = nf_type_of(m, pointer);
    bool shared =
        type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_FUNCTION && nf_type(m, type->element)->size;
    return shared && !has_nonuniform_address(m, pointer) ? word : 0;
}

static void rewrite(struct uniform_loads *u, uint32_t at)
{
    const struct nf_module *m = u->to.m;
    uint32_t word = word_to_change(u, at), pointer = nf_word(m, at, word), one = nf_edit_number(&u->to, 1);
    uint32_t uint = nf_edit_define(&u->to, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
    uint32_t own =
        nf_edit_value(&u->to, OpLoad, uint, nf_built_in(&u->built_ins, BUILT_IN_SUBGROUP_LOCAL_INVOCATION_ID, uint), 0);
    uint32_t even = nf_edit_value(&u->to, OpIMul, uint, own, nf_edit_value(&u->to, OpIAdd, uint, own, one));
    uint32_t zero = nf_edit_value(&u->to, OpBitwiseAnd, uint, even, one);
    uint32_t other = nf_edit_value(&u->to, OpPtrAccessChain, nf_type_of(m, pointer)->id, pointer, zero);
    uint32_t start = u->to.out.count;
    nf_edit_keep(&u->to, at, nf_next(m, at));
    u->to.out.at[start + word] = other;
}

/* Returns the end of the code that every work-item executes: the terminator of a kernel's first block; in any other
 * function, which has no such code, the beginning of the function. */
static uint32_t end_of_unconditional(const struct nf_module *m, const struct nf_function *f)
{
    uint32_t at = f->body;
    if (!f->entry_at || !at) return f->at;
    while (!nf_ends_block(nf_opcode(m, at)))
        at = nf_next(m, at);
    return at;
}

static bool rewrite_function(struct uniform_loads *u, const struct nf_function *f)
{
    const struct nf_module *m = u->to.m;
    uint32_t first = end_of_unconditional(m, f);
    bool any = false;
    nf_edit_keep(&u->to, f->at, first);
    for (uint32_t at = first; at < f->end; at = nf_next(m, at)) {
        if (word_to_change(u, at)) {
            rewrite(u, at);
            any = true;
        } else {
            nf_edit_keep(&u->to, at, nf_next(m, at));
        }
    }
    return any;
}

bool nf_workaround_mesa_uniform_loads(struct nf_module *m, struct nf_words *out)
{
    struct uniform_loads u = {.to = nf_edit_begin(m), .unknown = NF_NEW_ARRAY(m->arena, bool, m->bound)};
    u.computed = NF_NEW_ARRAY(m->arena, bool, m->bound);
    bool any = false;
    u.built_ins.to = &u.to;
    mark_all(&u);
    for (uint32_t i = 1; i < m->function_count; i++)
        any |= rewrite_function(&u, &m->functions[i]);
    if (!any) return false;
    nf_built_ins_emit(&u.built_ins, 0);
    *out = nf_edit_end(&u.to);
    return true;
}
