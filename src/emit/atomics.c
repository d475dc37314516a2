/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomics.c - atomic operations, with the functions of OpenCL C 2.0 where the compiler has the order and the scope,
 * else with the functions of 1.2.
 *
 *     OpAtomicIAdd %uint %p Device AcquireRelease %x      1.2: mem_fence(...);
 *                                                              uint v9 = atomic_add((volatile global uint *)p, x);
 *                                                              mem_fence(...);
 *                                                         2.0: uint v9 = atomic_fetch_add_explicit(
 *                                                                  (volatile global atomic_uint *)p, x,
 *                                                                  memory_order_acq_rel, memory_scope_device);
 *     OpAtomicLoad                                        1.2: atomic_or(p, 0u), as it has no atomic load
 *     OpAtomicFAddEXT                                     a loop of atomic_cmpxchg (helpers.c)
 *
 * OpenCL C 1.2 has relaxed atomics only, so fences around them impose the order. Fences are also needed in 2.0 if an
 * operation on global memory orders accesses to local memory, or the reverse: in OpenCL C 2.0 an atomic operation
 * orders only the memory that it accesses. Only one work-item accesses private memory, so an operation on private
 * memory is written as a plain load and store.
 *
 * needs: scopes and orders that are constants.  gives: OpenCL C text.
 */
#include "emit/internal.h"

enum {
    BEFORE = NF_SEMANTICS_RELEASE | NF_SEMANTICS_ACQUIRE_RELEASE | NF_SEMANTICS_SEQUENTIALLY_CONSISTENT,
    AFTER = NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_ACQUIRE_RELEASE | NF_SEMANTICS_SEQUENTIALLY_CONSISTENT
};

/* ---- The parts of an atomic operation ---- */

struct atomic {
    const struct nf_insn *i;
    const struct nf_type *pointer, *type; /* the type of the pointer, and its pointee type */
    uint32_t bits, semantics, scope;
    bool is_signed, is_private;
    bool is_explicit; /* the compiler has the operation's order and its scope */
    bool is_fenced;   /* fences around the operation impose its order */
};

/* Returns the part of the semantics that applies to a read: all except release. */
static uint32_t reading(uint32_t semantics)
{
    if (semantics & NF_SEMANTICS_ACQUIRE_RELEASE) semantics |= NF_SEMANTICS_ACQUIRE;
    return semantics & ~(uint32_t)(NF_SEMANTICS_ACQUIRE_RELEASE | NF_SEMANTICS_RELEASE);
}

/* Returns the part of the semantics that applies to a write: all except acquire. */
static uint32_t writing(uint32_t semantics)
{
    if (semantics & NF_SEMANTICS_ACQUIRE_RELEASE) semantics |= NF_SEMANTICS_RELEASE;
    return semantics & ~(uint32_t)(NF_SEMANTICS_ACQUIRE_RELEASE | NF_SEMANTICS_ACQUIRE);
}

/* Returns the memory semantics of the operation: of a load only those of a read, of a store only those of a write.
 * Those of a compare-and-exchange's success include those of its failure, because OpenCL C, unlike SPIR-V, requires
 * that the order for success be at least as strong. */
static uint32_t semantics_of(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t semantics = nf_constant_operand(e, i, 2);
    const char *name = i->form->text;
    if (strcmp(name, "load") == 0) return reading(semantics);
    if (strcmp(name, "store") == 0 || strcmp(name, "clear") == 0) return writing(semantics);
    if (strcmp(name, "cmpxchg") == 0) return semantics | reading(nf_constant_operand(e, i, 3));
    return semantics;
}

/* Returns true if an operation on global memory also orders accesses to local memory, which the module has, or the
 * reverse. */
static bool orders_other_memory(const struct nf_emitter *e, const struct atomic *a)
{
    if (!(a->semantics & (BEFORE | AFTER))) return false;
    if (nf_space_of(e->m, a->pointer) == NF_LOCAL) return a->semantics & NF_SEMANTICS_CROSS_WORKGROUP_MEMORY;
    return a->semantics & NF_SEMANTICS_WORKGROUP_MEMORY && e->has_local_memory;
}

static struct atomic describe(struct nf_emitter *e, const struct nf_insn *i, bool is_signed)
{
    struct atomic a = {.i = i, .pointer = nf_type_of(e->m, i->operands[0]), .is_signed = is_signed};
    a.type = nf_type(e->m, a.pointer->element);
    a.bits = nf_bits_of_type(e, a.type);
    a.scope = nf_constant_operand(e, i, 1);
    a.semantics = semantics_of(e, i);
    a.is_private = nf_space_of(e->m, a.pointer) == NF_PRIVATE;
    a.is_explicit = nf_order_name(e, a.semantics) && nf_scope_name(e, a.scope);
    a.is_fenced = !a.is_explicit || orders_other_memory(e, &a);
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

/* Writes `(volatile global uint *)p`, or with the prefix "atomic_" `(volatile global atomic_uint *)p`. */
static void say_pointer(struct nf_emitter *e, const struct atomic *a, const char *prefix)
{
    nf_say_string(e, "(volatile ");
    nf_say_space(e, a->pointer);
    nf_say(e, " %s%s *)%p", prefix, integer_name(a), a->i->operands[0]);
}

/* Writes `atomic_add((volatile global uint *)p`. */
static void say_function(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    nf_say(e, "%s%s(", a->bits == 64 ? "atom_" : "atomic_", name);
    say_pointer(e, a, "");
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

/* Writes the fence before or after (`side`) an operation, if fences impose its order and that order needs a fence
 * there. `half` is the order of the fence, release or acquire, unless the operation is sequentially consistent. */
static void say_fence(struct nf_emitter *e, const struct atomic *a, uint32_t side, uint32_t half)
{
    if (!(a->semantics & side) || !a->is_fenced || a->is_private) return;
    uint32_t memory = NF_SEMANTICS_WORKGROUP_MEMORY | NF_SEMANTICS_CROSS_WORKGROUP_MEMORY;
    nf_say_fence(e, (a->semantics & NF_SEMANTICS_SEQUENTIALLY_CONSISTENT ? a->semantics : half) | memory, a->scope);
    nf_say_char(e, ' ');
}

static void say_fence_before(struct nf_emitter *e, const struct atomic *a)
{
    say_fence(e, a, BEFORE, NF_SEMANTICS_RELEASE);
}

static void say_fence_after(struct nf_emitter *e, const struct atomic *a)
{
    say_fence(e, a, AFTER, NF_SEMANTICS_ACQUIRE);
}

static bool is_used(const struct nf_emitter *e, const struct atomic *a)
{
    return a->i->id && e->uses[a->i->id];
}

/* Returns true if the integer from memory must be converted to the result's type; then writes the beginning of the
 * conversion, which the caller ends with a parenthesis. */
static bool open_value(struct nf_emitter *e, const struct atomic *a)
{
    bool is_float = a->type->kind == NF_KIND_FLOAT;
    if (!is_float && !a->is_signed && a->type->kind != NF_KIND_POINTER) return false;
    nf_say(e, is_float ? "as_%t(" : "(%t)(", a->i->type);
    return true;
}

/* ---- Private memory ---- */

static void say_private_object(struct nf_emitter *e, const struct atomic *a)
{
    nf_say_string(e, "*(volatile private ");
    nf_say(e, "%m *)%p", a->type->id, a->i->operands[0]);
}

/* Writes the expression for the new value; the text's variable `old` has the previous value. */
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
    else if (strcmp(name, "xchg") == 0 || strcmp(name, "store") == 0)
        nf_say_stored(e, a->i->operands[3]);
    else if (a->is_signed)
        nf_say(e, "%s((%I)old, %i)", name, a->type->id, a->i->operands[3]);
    else
        nf_say(e, is_float ? "f%s(old, %v)" : "%s(old, %v)", name, a->i->operands[3]);
}

static void say_private(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    bool used = is_used(e, a);
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

/* Writes the call of a function of OpenCL C 1.2, which has no loads and stores: an OR with 0 is the load, an exchange
 * the store. */
static void say_call(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    bool is_load = strcmp(name, "load") == 0;
    say_function(e, a, is_load ? "or" : strcmp(name, "store") == 0 ? "xchg" : name);
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

/* Returns the name of the order of the operation itself: relaxed if there are fences around it. */
static const char *order_of(const struct nf_emitter *e, const struct atomic *a)
{
    return nf_order_name(e, a->is_fenced ? NF_SEMANTICS_RELAXED : a->semantics);
}

/* Writes OpenCL C 2.0's name of the operation that OpenCL C 1.2 calls `name`, without `atomic_` and `_explicit`. */
static void say_explicit_name(struct nf_emitter *e, const char *name)
{
    static const char *const names[][2] = {
        {"load", "load"}, {"store", "store"}, {"xchg", "exchange"}, {"inc", "fetch_add"}, {"dec", "fetch_sub"}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        if (strcmp(names[n][0], name) != 0) continue;
        nf_say_string(e, names[n][1]);
        return;
    }
    nf_say(e, "fetch_%s", name);
}

/* Writes `atomic_fetch_add_explicit((volatile global atomic_uint *)p, x, ...)`. */
static void say_explicit_call(struct nf_emitter *e, const struct atomic *a, const char *name)
{
    bool is_step = strcmp(name, "inc") == 0 || strcmp(name, "dec") == 0;
    nf_say_string(e, "atomic_");
    say_explicit_name(e, name);
    nf_say_string(e, "_explicit(");
    say_pointer(e, a, "atomic_");
    if (is_step) {
        nf_say_string(e, a->bits == 64 ? ", 1ul" : ", 1u");
    } else if (a->i->count > 3) {
        nf_say_string(e, ", ");
        say_operand(e, a, 3);
    }
    nf_say(e, ", %s, %s)", order_of(e, a), nf_scope_name(e, a->scope));
}

/* Writes a compare-and-exchange with the function of OpenCL C 2.0, which returns the old value through a pointer. The
 * order of failure has a name because that of success, which includes it, has one. */
static void say_explicit_exchange(struct nf_emitter *e, const struct atomic *a)
{
    uint32_t failure = a->is_fenced ? NF_SEMANTICS_RELAXED : reading(nf_constant_operand(e, a->i, 3));
    bool used = is_used(e, a);
    if (used) nf_declare_result(e, a->i);
    nf_say(e, "{ %s seen = ", integer_name(a));
    say_operand(e, a, 5);
    nf_say_string(e, "; atomic_compare_exchange_strong_explicit(");
    say_pointer(e, a, "atomic_");
    nf_say_string(e, ", &seen, ");
    say_operand(e, a, 4);
    nf_say(e, ", %s", order_of(e, a));
    nf_say(e, ", %s, %s); ", nf_order_name(e, failure), nf_scope_name(e, a->scope));
    if (used) {
        nf_say_name(e, a->i->id, 'v');
        nf_say_string(e, " = ");
        nf_say_string(e, open_value(e, a) ? "seen); " : "seen; ");
    }
    nf_say_string(e, "} ");
}

static void say_atomic(struct nf_emitter *e, const struct nf_insn *i, bool is_signed)
{
    struct atomic a = describe(e, i, is_signed);
    const char *name = i->form->text;
    if (a.is_private) {
        say_private(e, &a, name);
        return;
    }
    say_fence_before(e, &a);
    if (a.is_explicit && strcmp(name, "cmpxchg") == 0) {
        say_explicit_exchange(e, &a);
    } else {
        bool is_converted = false;
        if (is_used(e, &a)) {
            nf_assign(e, i);
            is_converted = open_value(e, &a);
        }
        if (a.is_explicit)
            say_explicit_call(e, &a, name);
        else
            say_call(e, &a, name);
        nf_say_string(e, is_converted ? "); " : "; ");
    }
    say_fence_after(e, &a);
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
    a.is_fenced = true; /* the helper's loop of atomic_cmpxchg() imposes no order */
    say_fence_before(e, &a);
    if (e->uses[i->id]) nf_assign(e, i);
    nf_say_float_atomic(e, i->form->text, a.pointer);
    nf_say_string(e, "((volatile ");
    nf_say_space(e, a.pointer);
    nf_say(e, " %s *)%p, %v); ", integer_name(&a), i->operands[0], i->operands[3]);
    say_fence_after(e, &a);
}

void nf_form_atomic_flag(struct nf_emitter *e, const struct nf_insn *i)
{
    struct atomic a = describe(e, i, false);
    bool sets = strcmp(i->form->text, "set") == 0;
    if (a.is_private) nf_refuse(e, i->at, "an atomic flag in private memory");
    say_fence_before(e, &a);
    if (sets && e->uses[i->id]) nf_assign(e, i);
    if (a.is_explicit) {
        nf_say_string(e, sets ? "atomic_exchange_explicit(" : "atomic_store_explicit(");
        say_pointer(e, &a, "atomic_");
        nf_say(e, ", %su, %s, %s)", sets ? "1" : "0", order_of(e, &a), nf_scope_name(e, a.scope));
    } else {
        say_function(e, &a, "xchg");
        nf_say(e, ", %su)", sets ? "1" : "0");
    }
    nf_say_string(e, sets ? " != 0; " : "; ");
    say_fence_after(e, &a);
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
