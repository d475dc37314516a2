/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_private_store_forwarding.c - makes accesses to private memory volatile where the pointer's variable is unknown.
 *
 *     %p = OpSelect %_ptr %c %a_1 %b_1                     the same
 *     %x = OpLoad %uint %p Aligned 4                       %x = OpLoad %uint %p Volatile|Aligned 4
 *     OpStore %a_1 %seven Aligned 4                        the same
 *     %y = OpLoad %uint %p Aligned 4                       %y = OpLoad %uint %p Volatile|Aligned 4
 *
 * Mesa replaces %y by %x: a store to a private variable invalidates the values that nir_opt_copy_prop_vars has recorded
 * for that variable, but not those recorded for a pointer that may alias the variable. The pass replaces no volatile
 * load, and records no value for a volatile access. The variable of a pointer is known only if the pointer is derived
 * by access chains, casts and copies from a variable, or from a parameter of a kernel, which is a variable in Mesa. It
 * is unknown, for example, after a select, a phi, a load or a conversion from an integer, and for a parameter of any
 * other function.
 *
 * Instructions of OpenCL.std cannot be volatile. vloadn and vstoren become one access for each component:
 *
 *     %v = OpExtInst %v2uint %std vloadn %n %p 2           %i = OpIMul %ulong %n %ulong_2
 *                                                          %q = OpPtrAccessChain %_ptr %p %i
 *                                                          %v0 = OpLoad %uint %q Volatile|Aligned 4
 *                                                          %q1 = OpPtrAccessChain %_ptr %q %uint_1
 *                                                          %v1 = OpLoad %uint %q1 Volatile|Aligned 4
 *                                                          %v = OpCompositeConstruct %v2uint %v0 %v1
 *
 * Conversions between half and float in memory (vload_half and its variants) go through a private variable of the
 * function (mesa_private_half_access.c).
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

struct forwarding {
    struct nf_edit to;
    bool *of_variable; /* by id: a pointer into a known variable */
    uint32_t *begins, begin_count,
        next;      /* the first blocks of functions that access halves; index of the next block to write */
    uint32_t room; /* the variable for halves in the current function */
};

static void find_of_variable(struct forwarding *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    if (nf_opcode(m, at) == OpVariable)
        w->of_variable[nf_value_id(m, at)] = true;
    else if (nf_derives_pointer(nf_op_find(nf_opcode(m, at))->role))
        w->of_variable[nf_value_id(m, at)] = w->of_variable[nf_value_operand(m, at, 0)];
}

static void find_all(struct forwarding *w)
{
    const struct nf_module *m = w->to.m;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        uint32_t at = f->parameters;
        for (uint32_t k = 0; f->entry_at && k < f->parameter_count; k++, at = nf_next(m, at)) {
            at = nf_parameter_from(m, at);
            w->of_variable[nf_value_id(m, at)] = true;
        }
        for (at = f->body; at && at < f->end; at = nf_next(m, at))
            find_of_variable(w, at);
    }
}

static bool is_unknown(const struct forwarding *w, uint32_t pointer)
{
    return nf_type_of(w->to.m, pointer)->storage == NF_STORAGE_FUNCTION && !w->of_variable[pointer];
}

/* Returns the word of the memory operands to which Volatile must be added; 0 if there is nothing to change. */
static uint32_t operands_to_change(const struct forwarding *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    const uint32_t *words = m->words + at;
    bool wanted = false;
    switch (nf_opcode(m, at)) {
    case OpLoad: wanted = is_unknown(w, nf_load_pointer(m, at)); break;
    case OpStore: wanted = is_unknown(w, nf_store_pointer(m, at)); break;
    case OpCopyMemory:
    case OpCopyMemorySized:
        wanted = is_unknown(w, nf_copy_target(m, at)) || is_unknown(w, nf_copy_source(m, at));
        break;
    default: break;
    }
    if (!wanted) return 0;
    uint32_t mask_at = nf_memory_operands_word(nf_op_find(nf_opcode(m, at)));
    return nf_memory_operands(words, nf_length(m, at), mask_at).mask & NF_MEMORY_VOLATILE ? 0 : mask_at;
}

static bool accesses_halves(const struct forwarding *w, uint32_t at)
{
    uint32_t pointer = nf_half_access_pointer(w->to.m, at);
    return pointer && is_unknown(w, pointer);
}

static void find_halves(struct forwarding *w)
{
    const struct nf_module *m = w->to.m;
    w->begins = NF_NEW(m->arena, uint32_t, m->function_count);
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        uint32_t at = f->body;
        while (at && at < f->end && !accesses_halves(w, at))
            at = nf_next(m, at);
        if (at && at < f->end) w->begins[w->begin_count++] = f->body;
    }
}

/* ---- vloadn, vstoren ---- */

/* The vector type, the base pointer, and the id of the index, in vectors, from the base. */
struct vector_access {
    const struct nf_type *vector;
    uint32_t pointer, offset;
};

/* Returns true if the instruction must be split into components; then `a` describes it. */
static bool is_vector_access(const struct forwarding *w, uint32_t at, struct vector_access *a)
{
    const struct nf_module *m = w->to.m;
    enum nf_role role = nf_opcode(m, at) == OpExtInst ? nf_role_at(m, at) : NF_ROLE_nothing;
    if (role == NF_ROLE_vload)
        *a = (struct vector_access){nf_type(m, nf_value_type(m, at)), nf_extended_operand(m, at, 1),
                                    nf_extended_operand(m, at, 0)};
    else if (role == NF_ROLE_vstore)
        *a = (struct vector_access){nf_type_of(m, nf_extended_operand(m, at, 0)), nf_extended_operand(m, at, 2),
                                    nf_extended_operand(m, at, 1)};
    else
        return false;
    if (!is_unknown(w, a->pointer) || a->vector->kind != NF_KIND_VECTOR || a->vector->count > NF_MOST_COMPONENTS)
        return false;
    return a->vector->element == nf_type_of(m, a->pointer)->element;
}

static void emit_vector_access(struct nf_edit *e, uint32_t at, const struct vector_access *a)
{
    bool loads = nf_role_at(e->m, at) == NF_ROLE_vload;
    uint32_t vector[NF_MOST_COMPONENTS + 2] = {nf_value_type(e->m, at), nf_value_id(e->m, at)},
                                         type = a->vector->element;
    uint32_t pointer_type = nf_type_of(e->m, a->pointer)->id;
    uint32_t first = nf_first_component(e, a->pointer, pointer_type, a->offset, a->vector->count);
    uint32_t mask = NF_MEMORY_VOLATILE | NF_MEMORY_ALIGNED, align = (uint32_t)nf_type(e->m, type)->size;
    for (uint32_t i = 0; i < a->vector->count; i++) {
        uint32_t place = i ? nf_edit_value(e, OpPtrAccessChain, pointer_type, first, nf_edit_number(e, i)) : first;
        uint32_t value = vector[i + 2] = nf_build_id(&e->build);
        if (loads) {
            nf_edit_emit(e, OpLoad, (uint32_t[]){type, value, place, mask, align}, 5);
        } else {
            nf_edit_emit(e, OpCompositeExtract, (uint32_t[]){type, value, nf_extended_operand(e->m, at, 0), i}, 4);
            nf_edit_emit(e, OpStore, (uint32_t[]){place, value, mask, align}, 4);
        }
    }
    if (loads) nf_edit_emit(e, OpCompositeConstruct, vector, a->vector->count + 2);
}

/* Rewrites accesses by OpenCL.std instructions, and adds the variable for halves to the first block of a function.
 * Returns false for all other instructions. */
static bool rewrite_std_access(struct nf_edit *e, uint32_t at, struct forwarding *w)
{
    struct vector_access access;
    if (w->next < w->begin_count && at == w->begins[w->next]) {
        nf_edit_keep(e, at, nf_next(e->m, at));
        w->room = nf_emit_half_buffer(e);
        w->next++;
    } else if (accesses_halves(w, at)) {
        nf_emit_half_access(e, at, w->room);
    } else if (is_vector_access(w, at, &access)) {
        emit_vector_access(e, at, &access);
    } else {
        return false;
    }
    return true;
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    struct forwarding *w = data;
    if (rewrite_std_access(e, at, w)) return true;
    uint32_t mask_at = operands_to_change(w, at), start = e->out.count, length = nf_length(e->m, at);
    if (!mask_at) return false;
    nf_edit_keep(e, at, at + length);
    if (mask_at == length) {
        e->out.at[start] = nf_first_word(nf_opcode(e->m, at), length + 1);
        nf_append_word(&e->out, NF_MEMORY_VOLATILE);
        return true;
    }
    e->out.at[start + mask_at] |= NF_MEMORY_VOLATILE;
    uint32_t second =
        nf_memory_operands(e->m->words + at, length, mask_at).end; /* memory operands of a copy's source */
    if (second < length) e->out.at[start + second] |= NF_MEMORY_VOLATILE;
    return true;
}

bool nf_workaround_mesa_private_store_forwarding(struct nf_module *m, struct nf_words *out)
{
    struct forwarding w = {.to = nf_edit_begin(m), .of_variable = NF_NEW(m->arena, bool, m->bound)};
    struct vector_access access;
    find_all(&w);
    find_halves(&w);
    bool any = w.begin_count;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = operands_to_change(&w, at) || is_vector_access(&w, at, &access);
    if (any) *out = nf_edit_functions(&w.to, rewrite, &w);
    return any;
}
