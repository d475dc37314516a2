/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomics.c - atomic operations, barriers and fences, with the functions of OpenCL C 1.2.
 *
 *     OpAtomicIAdd %uint %p Device AcquireRelease %x      mem_fence(...); uint v9 = atomic_add((volatile global uint *)p, x);
 *                                                         mem_fence(...);
 *     OpAtomicLoad                                        atomic_or(p, 0u): 1.2 has no atomic load
 *     OpAtomicFAddEXT                                     a loop of atomic_cmpxchg (helpers.c)
 *
 * OpenCL C 1.2 has relaxed atomics only, so the order is that of fences around them. Private memory has no atomics, as
 * only one work-item accesses it: there the operations are plain ones.
 *
 * needs: scopes and orders that are constants.  gives: text.
 */
#include "emit/internal.h"

enum {
    BEFORE = NF_SEMANTICS_RELEASE | NF_SEMANTICS_ACQUIRE_RELEASE | NF_SEMANTICS_SEQUENTIALLY_CONSISTENT,
    AFTER = NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_ACQUIRE_RELEASE | NF_SEMANTICS_SEQUENTIALLY_CONSISTENT
};

#define BOTH_FENCES "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"

static uint32_t constant_of(struct nf_emitter *e, const struct nf_insn *i, uint32_t operand)
{
    int64_t value;
    if (operand >= i->count || !nf_constant(e->m, i->operands[operand], &value))
        nf_refuse(e, i->at, "a scope or an order that is no constant");
    return (uint32_t)value;
}

/* ---- The parts of an atomic operation ---- */

struct atomic {
    const struct nf_insn *i;
    const struct nf_type *pointer, *type; /* of the pointer, and of what it points to */
    uint32_t bits, semantics;
    bool is_signed, is_private;
};

static struct atomic describe(struct nf_emitter *e, const struct nf_insn *i, bool is_signed)
{
    struct atomic a = {.i = i, .pointer = nf_type_of(e->m, i->operands[0]), .is_signed = is_signed};
    a.type = nf_type(e->m, a.pointer->element);
    a.bits = nf_bits_of_type(e, a.type);
    a.semantics = constant_of(e, i, 2);
    a.is_private = nf_space_of(e->m, a.pointer) == NF_PRIVATE;
    if (nf_is_vector(a.type) || (a.bits != 32 && a.bits != 64))
        nf_refuse(e, i->at, "an atomic operation on %u bits", a.bits);
    if (a.bits == 64 && !a.is_private && !nf_has_feature(e, NF_C_INT64_ATOMICS))
        nf_refuse(e, i->at,
                  "an atomic operation on 64 bits, which the compiler does not have (cl_khr_int64_base_atomics)");
    if (a.bits == 64 && !a.is_private) e->needs |= NF_NEEDS_ATOMICS64;
    return a;
}

static const char *integer_name(const struct atomic *a)
{
    if (a->bits == 64) return a->is_signed ? "long" : "ulong";
    return a->is_signed ? "int" : "uint";
}

/* Writes `atomic_add((volatile global uint *)p`. */
static void say_function(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    nf_say(e, "%s%s((volatile ", a->bits == 64 ? "atom_" : "atomic_", name);
    nf_say_space(e, a->pointer);
    nf_say(e, " %s *)%p", integer_name(a), a->i->operands[0]);
}

/* Writes an operand in the integer type that represents it in memory. */
static void say_operand(struct nf_emitter *e, const struct atomic *a, uint32_t operand)
{
    uint32_t id = a->i->operands[operand];
    if (a->is_signed)
        nf_say_signed(e, id);
    else if (a->type->kind == NF_KIND_FLOAT)
        nf_say(e, "as_%s(%v)", integer_name(a), id);
    else
        nf_say_stored(e, id);
}

static void say_fence(struct nf_emitter *e, bool wanted)
{
    if (wanted) nf_say_string(e, "mem_fence(" BOTH_FENCES "); ");
}

/* Begins the statement of an operation: the fence, and the variable if the result is used. Writes the beginning of the
 * conversion of the result to its type. */
static void open_operation(struct nf_emitter *e, const struct atomic *a)
{
    say_fence(e, a->semantics & BEFORE && !a->is_private);
    if (!a->i->id || !e->uses[a->i->id]) return;
    nf_assign(e, a->i);
    if (a->type->kind == NF_KIND_FLOAT)
        nf_say(e, "as_%t(", a->i->type);
    else if (a->is_signed || a->type->kind == NF_KIND_POINTER)
        nf_say(e, "(%t)(", a->i->type);
}

static void close_operation(struct nf_emitter *e, const struct atomic *a)
{
    bool used = a->i->id && e->uses[a->i->id];
    bool opened = a->type->kind == NF_KIND_FLOAT || a->is_signed || a->type->kind == NF_KIND_POINTER;
    nf_say_string(e, used && opened ? "); " : "; ");
    say_fence(e, a->semantics & AFTER && !a->is_private);
}

/* ---- Private memory ---- */

static void say_private_object(struct nf_emitter *e, const struct atomic *a)
{
    nf_say_string(e, "*(volatile private ");
    nf_say(e, "%m *)%p", a->type->id, a->i->operands[0]);
}

/* Writes the new value, made of the old one in `old`. */
static void say_new_value(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    static const struct {
        const char *name, *sign;
    } signs[] = {{"add", "+"}, {"sub", "-"}, {"and", "&"}, {"or", "|"}, {"xor", "^"}, {"inc", "+ 1"}, {"dec", "- 1"}};
    bool is_float = a->type->kind == NF_KIND_FLOAT;
    for (size_t n = 0; n < sizeof signs / sizeof *signs; n++) {
        if (strcmp(signs[n].name, name) != 0) continue;
        nf_say(e, n < 5 ? "old %s %v" : "old %s", signs[n].sign, n < 5 ? a->i->operands[3] : 0);
        return;
    }
    if (strcmp(name, "cmpxchg") == 0)
        nf_say(e, "old == %v ? %v : old", a->i->operands[5], a->i->operands[4]);
    else if (strcmp(name, "xchg") == 0)
        nf_say_stored(e, a->i->operands[3]);
    else if (a->is_signed)
        nf_say(e, "%s((%I)old, %i)", name, a->type->id, a->i->operands[3]);
    else
        nf_say(e, is_float ? "f%s(old, %v)" : "%s(old, %v)", name, a->i->operands[3]);
}

static void say_private(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    bool used = a->i->id && e->uses[a->i->id];
    if (used) nf_declare_result(e, a->i);
    nf_say(e, "{ %m old = ", a->type->id);
    say_private_object(e, a);
    nf_say_string(e, "; ");
    if (used) {
        nf_say_name(e, a->i->id, 'v');
        nf_say(e, a->type->kind == NF_KIND_POINTER ? " = (%t)old; " : " = old; ", a->i->type);
    }
    if (strcmp(name, "load") != 0) {
        say_private_object(e, a);
        nf_say_string(e, " = ");
        say_new_value(e, a, name);
        nf_say_string(e, "; ");
    }
    nf_say_char(e, '}');
}

/* ---- The operations ---- */

/* Writes the call of an operation other than a store. */
static void say_call(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    bool is_load = strcmp(name, "load") == 0;
    say_function(e, a, is_load ? "or" : name);
    if (is_load) {
        nf_say_string(e, a->bits == 64 ? ", 0ul" : ", 0u");
    } else if (strcmp(name, "cmpxchg") == 0) {
        nf_say_string(e, ", ");
        say_operand(e, a, 5);
        nf_say_string(e, ", ");
        say_operand(e, a, 4);
    } else if (a->i->count > 3) {
        nf_say_string(e, ", ");
        say_operand(e, a, 3);
    }
    nf_say_char(e, ')');
}

static void say_atomic(struct nf_emitter *e, const struct nf_insn *i, bool is_signed)
{
    struct atomic a = describe(e, i, is_signed);
    const char *name = strcmp(i->form->text, "store") == 0 ? "xchg" : i->form->text;
    if (a.is_private) {
        say_private(e, &a, name);
        return;
    }
    open_operation(e, &a);
    say_call(e, &a, name);
    close_operation(e, &a);
}

void nf_form_atomic(struct nf_emitter *e, const struct nf_insn *i)
{
    say_atomic(e, i, false);
}

void nf_form_signed_atomic(struct nf_emitter *e, const struct nf_insn *i)
{
    say_atomic(e, i, true);
}

void nf_form_float_atomic(struct nf_emitter *e, const struct nf_insn *i)
{
    struct atomic a = describe(e, i, false);
    if (a.is_private) {
        say_private(e, &a, i->form->text);
        return;
    }
    say_fence(e, a.semantics & BEFORE);
    if (e->uses[i->id]) nf_assign(e, i);
    nf_say_float_atomic(e, i->form->text, a.pointer);
    nf_say_string(e, "((volatile ");
    nf_say_space(e, a.pointer);
    nf_say(e, " %s *)%p, %v); ", integer_name(&a), i->operands[0], i->operands[3]);
    say_fence(e, a.semantics & AFTER);
}

void nf_form_atomic_flag(struct nf_emitter *e, const struct nf_insn *i)
{
    struct atomic a = describe(e, i, false);
    bool sets = strcmp(i->form->text, "set") == 0;
    if (a.is_private) nf_refuse(e, i->at, "an atomic flag in private memory");
    say_fence(e, a.semantics & BEFORE);
    if (sets && e->uses[i->id]) nf_assign(e, i);
    say_function(e, &a, "xchg");
    nf_say(e, sets ? ", 1u) != 0; " : ", 0u); ");
    say_fence(e, a.semantics & AFTER);
}

/* ---- Barriers ---- */

static void say_flags(struct nf_emitter *e, uint32_t semantics)
{
    bool local = semantics & NF_SEMANTICS_WORKGROUP_MEMORY, global = semantics & NF_SEMANTICS_CROSS_WORKGROUP_MEMORY;
    nf_say_string(e, local && global ? BOTH_FENCES : global ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE");
}

void nf_form_barrier(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t scope = constant_of(e, i, 0), semantics = constant_of(e, i, 2);
    bool is_subgroup = scope == NF_SCOPE_SUBGROUP;
    if (is_subgroup && !nf_has_feature(e, NF_C_SUBGROUPS)) {
        if (!nf_has_feature(e, NF_C_SINGLE_SUBGROUPS))
            nf_refuse(e, i->at, "sub-groups, which the compiler does not have");
        nf_say_char(e, ';');
        return;
    }
    if (!is_subgroup && scope != NF_SCOPE_WORKGROUP) nf_refuse(e, i->at, "a barrier of scope %u", scope);
    if (is_subgroup) e->needs |= NF_NEEDS_SUBGROUPS;
    nf_say_string(e, is_subgroup ? "sub_group_barrier(" : "barrier(");
    say_flags(e, semantics);
    nf_say_string(e, ");");
}

void nf_form_memory_barrier(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t semantics = constant_of(e, i, 1);
    nf_say_string(e, "mem_fence(");
    if (semantics & (NF_SEMANTICS_WORKGROUP_MEMORY | NF_SEMANTICS_CROSS_WORKGROUP_MEMORY))
        say_flags(e, semantics);
    else
        nf_say_string(e, BOTH_FENCES);
    nf_say_string(e, ");");
}

/* ---- Asynchronous copies ---- */

void nf_form_async_copy(struct nf_emitter *e, const struct nf_insn *i)
{
    int64_t stride;
    bool is_dense = nf_constant(e->m, i->operands[4], &stride) && stride == 1;
    nf_say_string(e, is_dense ? "async_work_group_copy(" : "async_work_group_strided_copy(");
    nf_say_plain_pointer(e, i->operands[1], false, false);
    nf_say_string(e, ", ");
    nf_say_plain_pointer(e, i->operands[2], false, true);
    nf_say(e, ", %v, ", i->operands[3]);
    if (!is_dense) nf_say(e, "%v, ", i->operands[4]);
    nf_say(e, "%v)", i->operands[5]);
}

/* Writes a wait. wait_group_events() takes events in private memory only; events in other memory are waited for one at
 * a time. */
void nf_form_wait_events(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t count = i->operands[1], events = i->operands[2];
    if (nf_space_of(e->m, nf_type_of(e->m, events)) == NF_PRIVATE)
        nf_say(e, "wait_group_events(%v, %v);", count, events);
    else
        nf_say(e, "for (uint at = 0; at < %v; at++) { event_t one = (%v)[at]; wait_group_events(1, &one); }", count,
               events);
}
