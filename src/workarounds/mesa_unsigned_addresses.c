/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_unsigned_addresses.c - sign-extends private and local addresses that a driver holds in 32 bits and zero-extends.
 *
 *     %a = OpConvertPtrToU %ulong %p               %a0 = OpConvertPtrToU %ulong %p
 *                                                  %a1 = OpUConvert %uint %a0
 *                                                  %a = OpSConvert %ulong %a1
 *     %b = OpConvertPtrToU %ulong %q               %b likewise
 *     %d = OpISub %ulong %a %b                     %d = OpISub %ulong %a %b
 *     %c = OpULessThan %bool %a %b                 %c = OpSLessThan %bool %a %b
 *
 * On Mesa the first variable of private or local memory is at address 0. A pointer before it, as in arrays that are
 * indexed from one, is 0xfffffffc there, so it is 2^32 off when it is subtracted or compared as a 64-bit integer. Such
 * integers are therefore sign-extended.
 *
 * The hard case is an address that flows anywhere else, into memory or back to a pointer: it must keep its
 * zero-extended form, which all other code expects. Such an address is not extended. Neither is an address in the same
 * subtraction or comparison, nor an address that is compared with null, which is 0xffffffff on Mesa. If only the low 32
 * bits of an address are used, both forms are right; so addresses that were sign-extended here do not change when the
 * module is processed again.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

enum { MAX_ROUNDS = 16 };

/* Facts about an integer. */
enum {
    ADDRESS = 1, /* derived from an address, and not a difference of addresses */
    SHORT = 2,   /* derived from a private or local address, which has 32 bits */
    BOUND = 4,   /* flows to code that expects its zero-extended form */
    COMPARED = 8 /* is subtracted or compared */
};

struct offsets {
    struct nf_module *m;
    uint8_t *known; /* by id */
    bool changed;
};

static void mark(struct offsets *o, uint32_t id, uint32_t what)
{
    if ((o->known[id] & what) == what) return;
    o->known[id] |= (uint8_t)what;
    o->changed = true;
}

static bool is_address(const struct offsets *o, uint32_t id)
{
    return o->known[id] & ADDRESS;
}

static bool is_address_of_null(const struct nf_module *m, uint32_t id)
{
    return nf_match_operand(m, nf_match(m, id, OpConvertPtrToU), 0, OpConstantNull);
}

static bool is_module_scope(const struct nf_module *m, uint32_t id)
{
    return m->def[id] < m->body_at;
}

static bool is_comparison(uint32_t opcode)
{
    return opcode >= OpIEqual && opcode <= OpSLessThanEqual;
}

/* The words, from `at` to before `end`, of the values that the result equals or from which it is computed. */
struct operands {
    uint32_t at, end, step;
};

static struct operands operands_of(const struct nf_module *m, uint32_t at)
{
    switch (nf_opcode(m, at)) {
    case OpPhi: return (struct operands){at + 3, nf_next(m, at), 2};
    case OpSelect: return (struct operands){at + 4, at + 6, 1};
    case OpCopyObject: return (struct operands){at + 3, at + 4, 1};
    case OpIAdd:
    case OpISub:
    case OpBitwiseXor: return (struct operands){at + 3, at + 5, 1};
    default: return (struct operands){at, at, 1};
    }
}

/* ---- Finding integers derived from addresses ---- */

/* Returns the pointer whose sign-extended address is the result of the instruction, 0 if there is none. */
static uint32_t signed_pointer(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpSConvert) return 0;
    uint32_t lower = nf_match_operand(m, at, 0, OpUConvert), whole = nf_match_operand(m, lower, 0, OpConvertPtrToU);
    if (!whole || nf_width_of(m, nf_type_of(m, nf_value_id(m, lower))) != 32) return 0;
    return nf_value_operand(m, whole, 0);
}

static void note_address(struct offsets *o, uint32_t at, uint32_t pointer)
{
    const struct nf_module *m = o->m;
    uint32_t storage = nf_type_of(m, pointer)->storage;
    bool is_short = storage == NF_STORAGE_FUNCTION || storage == NF_STORAGE_WORKGROUP;
    if (nf_type_of(m, nf_value_id(m, at))->size == 8) mark(o, nf_value_id(m, at), is_short ? ADDRESS | SHORT : ADDRESS);
}

static void note_result(struct offsets *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at), addresses = 0, what = 0;
    uint32_t pointer = opcode == OpConvertPtrToU ? nf_value_operand(m, at, 0) : signed_pointer(m, at);
    if (pointer) note_address(o, at, pointer);
    struct operands p = operands_of(m, at);
    for (uint32_t i = p.at; i < p.end; i += p.step) {
        addresses += is_address(o, m->words[i]);
        what |= o->known[m->words[i]] & (ADDRESS | SHORT);
    }
    bool distance = opcode == OpISub && is_address(o, nf_value_operand(m, at, 1));
    if (addresses && !distance) mark(o, nf_value_id(m, at), what);
}

/* ---- Finding integers that may be extended ----------------------------------------------------------------------- */

/* Returns true if the result of the instruction stays correct if its operand `one` is sign-extended. */
static bool accepts_signed(const struct offsets *o, uint32_t at, uint32_t one)
{
    const struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at), two = nf_length(m, at) == 5;
    uint32_t left = two ? nf_value_operand(m, at, 0) : 0, right = two ? nf_value_operand(m, at, 1) : 0;
    bool both = is_comparison(opcode) && is_address(o, left) && is_address(o, right);
    switch (opcode) {
    case OpExtInst: return nf_extended_set(m, at) != m->ext_opencl;
    case OpCopyObject:
    case OpUConvert: return true;
    case OpPhi:
    case OpSelect: {
        struct operands p = operands_of(m, at);
        for (uint32_t i = p.at; i < p.end; i += p.step)
            if (!is_address(o, m->words[i]) && !is_module_scope(m, m->words[i])) return false;
        return true;
    }
    case OpIAdd: return is_address(o, left) != is_address(o, right);
    case OpISub: return left == one ? is_address(o, right) || is_module_scope(m, right) : is_address(o, left);
    default: return both && !is_address_of_null(m, left) && !is_address_of_null(m, right);
    }
}

/* Marks all addresses that an instruction combines: as BOUND if one of them is BOUND, as COMPARED if the instruction
 * compares or subtracts them. */
static void propagate_bound(struct offsets *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at), result = nf_result_id(m, at);
    struct nf_ids ids = nf_ids_at(m, at);
    struct operands p = is_comparison(opcode) ? (struct operands){at + 3, at + 5, 1} : operands_of(m, at);
    bool bound = result && is_address(o, result) && o->known[result] & BOUND, distance = false;
    while (nf_ids_next(&ids)) {
        uint32_t id = nf_current_id(&ids);
        if (!is_address(o, id) || id == result) continue;
        bound |= o->known[id] & BOUND || !accepts_signed(o, at, id);
        if (p.at == p.end && bound && opcode != OpUConvert) mark(o, id, BOUND);
    }
    if (p.at == p.end) return;
    distance = is_comparison(opcode) || (opcode == OpISub && is_address(o, nf_value_operand(m, at, 1)));
    bool compared = distance || (result && o->known[result] & COMPARED);
    uint32_t what = (bound ? BOUND : 0) | (compared ? COMPARED : 0);
    for (uint32_t i = p.at; i < p.end; i += p.step)
        if (is_address(o, m->words[i])) mark(o, m->words[i], what);
    if (is_address(o, result) && !distance) mark(o, result, what & BOUND);
}

static void forget(struct offsets *o, const struct nf_function *f)
{
    for (uint32_t at = f->body; at < f->end; at = nf_next(o->m, at))
        if (nf_result_id(o->m, at)) o->known[nf_result_id(o->m, at)] = 0;
}

/* Applies `rule` to all instructions of the function until nothing changes. Returns false if that takes more than
 * MAX_ROUNDS rounds. */
static bool iterate_to_fixpoint(struct offsets *o, const struct nf_function *f,
                                void (*rule)(struct offsets *o, uint32_t at))
{
    o->changed = true;
    for (unsigned round = 0; o->changed && round < MAX_ROUNDS; round++) {
        o->changed = false;
        for (uint32_t at = f->body; at < f->end; at = nf_next(o->m, at))
            rule(o, at);
    }
    return !o->changed;
}

static bool has_short(const struct offsets *o, const struct nf_function *f)
{
    for (uint32_t at = f->body; at < f->end; at = nf_next(o->m, at))
        if (nf_result_id(o->m, at) && o->known[nf_result_id(o->m, at)] & SHORT) return true;
    return false;
}

/* Returns the signed comparison that corresponds to an unsigned comparison; any other opcode is returned as it is. */
static uint32_t signed_comparison(uint32_t opcode)
{
    switch (opcode) {
    case OpUGreaterThan: return OpSGreaterThan;
    case OpUGreaterThanEqual: return OpSGreaterThanEqual;
    case OpULessThan: return OpSLessThan;
    case OpULessThanEqual: return OpSLessThanEqual;
    default: return opcode;
    }
}

static bool may_be_signed(const struct offsets *o, uint32_t id)
{
    return o->known[id] == (ADDRESS | SHORT | COMPARED);
}

static bool changes(const struct offsets *o, uint32_t at)
{
    uint32_t opcode = nf_opcode(o->m, at);
    if (opcode == OpConvertPtrToU) return may_be_signed(o, nf_value_id(o->m, at));
    return signed_comparison(opcode) != opcode &&
           (may_be_signed(o, nf_value_operand(o->m, at, 0)) || may_be_signed(o, nf_value_operand(o->m, at, 1)));
}

/* Returns true if an instruction of the function changes. */
static bool find_changes(struct offsets *o, const struct nf_function *f)
{
    if (!f->body) return false;
    if (!iterate_to_fixpoint(o, f, note_result) || !has_short(o, f) || !iterate_to_fixpoint(o, f, propagate_bound)) {
        forget(o, f);
        return false;
    }
    for (uint32_t at = f->body; at < f->end; at = nf_next(o->m, at))
        if (changes(o, at)) return true;
    return false;
}

/* ---- The module ---- */

static void emit_signed_address(struct nf_edit *e, const uint32_t *words)
{
    uint32_t word = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
    uint32_t address = nf_build_id(&e->build), lower = nf_build_id(&e->build);
    nf_edit_emit(e, OpConvertPtrToU, (uint32_t[]){words[1], address, words[3]}, 3);
    nf_edit_emit(e, OpUConvert, (uint32_t[]){word, lower, address}, 3);
    nf_edit_emit(e, OpSConvert, (uint32_t[]){words[1], words[2], lower}, 3);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    const uint32_t *words = e->m->words + at;
    uint32_t opcode = nf_opcode(e->m, at);
    if (!changes(data, at)) return false;
    if (opcode == OpConvertPtrToU)
        emit_signed_address(e, words);
    else
        nf_edit_emit(e, signed_comparison(opcode), words + 1, 4);
    return true;
}

bool nf_workaround_mesa_unsigned_addresses(struct nf_module *m, struct nf_words *out)
{
    struct nf_edit e = nf_edit_begin(m);
    struct offsets o = {.m = m};
    bool any = false;
    if (m->address_bits != 64) return false;
    o.known = NF_NEW(m->arena, uint8_t, m->bound);
    for (uint32_t i = 1; i < m->function_count; i++)
        any |= find_changes(&o, &m->functions[i]);
    if (any) *out = nf_edit_functions(&e, rewrite, &o);
    return any;
}
