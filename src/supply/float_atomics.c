/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float_atomics.c - replaces atomic additions, minima and maxima of floats, for a device that lacks them, by loops of
 * compare-exchanges. Each kind of such an operation becomes a call of one new function.
 *
 *     %old = OpAtomicFAddEXT %float %p %device %relaxed %x     %q = OpBitcast %_ptr_CrossWorkgroup_uint %p
 *                                                              %old = OpFunctionCall %float %f %q %x
 *
 *     float f(global uint *p, float x) {
 *         uint seen = atomic_load(p), old;
 *         do { old = seen; seen = atomic_compare_exchange(p, old, as_uint(as_float(old) + x)); } while (seen != old);
 *         return as_float(old);
 *     }
 *
 * The loop ends when no other work-item has changed the word since the load, so some work-item always makes progress.
 * The loop compares integers, because a NaN does not equal itself. A word has the size of the float; a double needs a
 * device with atomic operations on 64-bit integers, because two 32-bit exchanges are not atomic. Floats of 16 bits
 * remain, because no device exchanges 16 bits, and so do operations on private memory.
 *
 * needs: a module that was read, and its types; constant scopes.  gives: the words of a new module, to be read again.
 */
#include "supply/internal.h"

/* Numbers of capabilities for 32 bits; the next number is the capability for 64 bits. */
enum { ADDS = 6033, COMPARES = 5612 };
enum { OPENCL_FMAX = 27, OPENCL_FMIN = 28 };
enum { POINTER = 3, SCOPE, SEMANTICS, VALUE };

/* A function that replaces operations. */
struct replacement {
    uint32_t opcode, pointer_type, scope, semantics, function;
};

struct float_atomics {
    struct nf_edit to;
    struct replacement *made;
    uint32_t count, capacity;
};

static bool lacks(const struct nf_module *m, uint32_t capability, const char *extension)
{
    return (nf_declares(m, capability) || nf_declares(m, capability + 1)) &&
           !nf_profile_takes_extension(m->options->profile, extension);
}

static bool lacks_adding(const struct nf_module *m)
{
    return lacks(m, ADDS, "SPV_EXT_shader_atomic_float_add");
}

static bool lacks_comparing(const struct nf_module *m)
{
    return m->ext_opencl && lacks(m, COMPARES, "SPV_EXT_shader_atomic_float_min_max");
}

bool nf_needs_float_atomics(const struct nf_module *m)
{
    return lacks_adding(m) || lacks_comparing(m);
}

static bool is_replaced(const struct nf_module *m, uint32_t at)
{
    const uint32_t *words = m->words + at;
    uint32_t opcode = nf_opcode(m, at);
    int64_t number;
    bool adds = opcode == OpAtomicFAddEXT && lacks_adding(m);
    bool compares = (opcode == OpAtomicFMinEXT || opcode == OpAtomicFMaxEXT) && lacks_comparing(m);
    if ((!adds && !compares) || nf_type(m, nf_value_type(m, at))->size < sizeof(float)) return false;
    uint32_t storage = nf_type_of(m, words[POINTER])->storage;
    return (storage == NF_STORAGE_CROSS_WORKGROUP || storage == NF_STORAGE_WORKGROUP) &&
           nf_constant(m, words[SCOPE], &number) && nf_constant(m, words[SEMANTICS], &number);
}

/* ---- emitting ---- */

static uint32_t emit(struct nf_edit *e, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t words[8] = {type, nf_build_id(&e->build)};
    memcpy(words + 2, operands, count * sizeof *operands);
    nf_edit_emit(e, opcode, words, count + 2);
    return words[1];
}
#define EMIT(e, opcode, type, ...)                                                                                     \
    emit((e), (opcode), (type), (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Returns the type of a word of the size of a float. */
static uint32_t word_type(struct nf_edit *e, uint32_t type)
{
    uint32_t bits = (uint32_t)nf_type(e->m, type)->size * 8;
    nf_edit_need_int(e, bits);
    if (bits == 64) nf_edit_need(e, NF_CAPABILITY_INT64_ATOMICS);
    return nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){bits, 0}, 2);
}

static uint32_t words_pointer(struct nf_edit *e, uint32_t storage, uint32_t type)
{
    return nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){storage, word_type(e, type)}, 2);
}

/* ---- replacement of atomic operations by calls ---- */

static uint32_t function_for(struct float_atomics *f, const struct replacement *wanted)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const struct replacement *r = &f->made[i];
        if (r->opcode == wanted->opcode && r->pointer_type == wanted->pointer_type && r->scope == wanted->scope &&
            r->semantics == wanted->semantics)
            return r->function;
    }
    NF_RESERVE(f->to.m->arena, f->made, f->capacity, (size_t)f->count + 1);
    f->made[f->count] = *wanted;
    return f->made[f->count++].function = nf_build_id(&f->to.build);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    struct float_atomics *f = data;
    const uint32_t *words = e->m->words + at;
    if (!is_replaced(e->m, at)) return false;
    const struct replacement wanted = {nf_opcode(e->m, at), nf_type_of(e->m, words[POINTER])->id, words[SCOPE],
                                       words[SEMANTICS], 0};
    uint32_t function = function_for(f, &wanted), type = nf_value_type(e->m, at);
    uint32_t storage = nf_type_of(e->m, words[POINTER])->storage;
    uint32_t pointer = EMIT(e, OpBitcast, words_pointer(e, storage, type), words[POINTER]);
    nf_edit_emit(e, OpFunctionCall, (uint32_t[]){type, nf_value_id(e->m, at), function, pointer, words[VALUE]}, 5);
    return true;
}

/* ---- functions with the compare-exchange loops ---- */

/* Emits the result of the operation on two floats. */
static uint32_t compute(struct nf_edit *e, uint32_t opcode, uint32_t type, uint32_t old, uint32_t value)
{
    if (opcode == OpAtomicFAddEXT) return EMIT(e, OpFAdd, type, old, value);
    uint32_t function = opcode == OpAtomicFMinEXT ? OPENCL_FMIN : OPENCL_FMAX;
    return EMIT(e, OpExtInst, type, e->m->ext_opencl, function, old, value);
}

static void emit_loop(struct nf_edit *e, const struct replacement *r, uint32_t type, uint32_t pointer, uint32_t value)
{
    uint32_t uint = word_type(e, type), none = nf_edit_number(e, 0);
    uint32_t boolean = nf_edit_define(e, OpTypeBool, 0, NULL, 0);
    uint32_t before = nf_build_id(&e->build), loop = nf_build_id(&e->build), after = nf_build_id(&e->build);
    uint32_t old = nf_build_id(&e->build), seen = nf_build_id(&e->build);
    nf_edit_emit(e, OpLabel, &before, 1);
    uint32_t first = EMIT(e, OpAtomicLoad, uint, pointer, r->scope, none);
    nf_edit_emit(e, OpBranch, &loop, 1);
    nf_edit_emit(e, OpLabel, &loop, 1);
    nf_edit_emit(e, OpPhi, (uint32_t[]){uint, old, first, before, seen, loop}, 6);
    uint32_t number = EMIT(e, OpBitcast, type, old);
    uint32_t word = EMIT(e, OpBitcast, uint, compute(e, r->opcode, type, number, value));
    nf_edit_emit(e, OpAtomicCompareExchange, (uint32_t[]){uint, seen, pointer, r->scope, r->semantics, none, word, old},
                 8);
    uint32_t done = EMIT(e, OpIEqual, boolean, seen, old);
    nf_edit_emit(e, OpBranchConditional, (uint32_t[]){done, after, loop}, 3);
    nf_edit_emit(e, OpLabel, &after, 1);
    nf_edit_emit(e, OpReturnValue, &number, 1);
}

static void emit_function(struct nf_edit *e, const struct replacement *r)
{
    const struct nf_type *given = nf_type(e->m, r->pointer_type);
    uint32_t type = given->element, words = words_pointer(e, given->storage, type);
    uint32_t takes = nf_edit_define(e, OpTypeFunction, 0, (uint32_t[]){type, words, type}, 3);
    uint32_t pointer = nf_build_id(&e->build), value = nf_build_id(&e->build);
    nf_edit_emit(e, OpFunction, (uint32_t[]){type, r->function, 0, takes}, 4);
    nf_edit_emit(e, OpFunctionParameter, (uint32_t[]){words, pointer}, 2);
    nf_edit_emit(e, OpFunctionParameter, (uint32_t[]){type, value}, 2);
    emit_loop(e, r, type, pointer, value);
    nf_edit_emit(e, OpFunctionEnd, NULL, 0);
}

/* ---- pass over the module ---- */

bool nf_supply_float_atomics(struct nf_module *m, struct nf_words *out)
{
    struct float_atomics f = {.to = nf_edit_begin(m)};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = is_replaced(m, at);
    if (!any) return false;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        if (!rewrite(&f.to, at, &f)) nf_edit_keep(&f.to, at, nf_next(m, at));
    for (uint32_t i = 0; i < f.count; i++)
        emit_function(&f.to, &f.made[i]);
    nf_edit_module_scope(&f.to);
    nf_edit_keep(&f.to, NF_HEADER_WORDS, m->body_at);
    *out = nf_edit_end(&f.to);
    return true;
}
