/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dispatch.c - writes accesses to memory through a pointer that may be in one of several spaces.
 *
 *     %v = OpLoad %int %p     p in {private, global}    ->    %v = OpFunctionCall %int %nonflat.OpLoad.1 %tag %pp %pg
 *
 *     nonflat.OpLoad.1(tag, p, g):   if (tag == private) return *p;   return *g;
 *
 * The access becomes a call of a helper for its opcode, types, literals and set of spaces, which drivers inline. With
 * two ambiguous pointers (OpCopyMemory), each pair of spaces has its own branch. Most drivers have no atomics on
 * private memory. No other work-item can access it, so a private atomic is a load, the operation and a store.
 *
 * needs: the operands in the form of the output.  gives: helpers, and the call.
 */
#include <stdio.h>

#include "rewrite/internal.h"

/* ---- One access through concrete pointers ---- */

static uint32_t emit_extremum(struct nf_output *o, uint32_t compare, uint32_t type, uint32_t old, uint32_t value)
{
    uint32_t keep = NF_EMIT_NEW(o, compare, nf_bool_type(o), old, value);
    return NF_EMIT_NEW(o, OpSelect, type, keep, old, value);
}

static uint32_t emit_operation(struct nf_output *o, uint32_t opcode, uint32_t type, uint32_t old, const uint32_t *words)
{
    switch (opcode) {
    case OpAtomicIIncrement: return NF_EMIT_NEW(o, OpIAdd, type, old, nf_integer(o, type, 1));
    case OpAtomicIDecrement: return NF_EMIT_NEW(o, OpISub, type, old, nf_integer(o, type, 1));
    case OpAtomicIAdd: return NF_EMIT_NEW(o, OpIAdd, type, old, words[3]);
    case OpAtomicISub: return NF_EMIT_NEW(o, OpISub, type, old, words[3]);
    case OpAtomicAnd: return NF_EMIT_NEW(o, OpBitwiseAnd, type, old, words[3]);
    case OpAtomicOr: return NF_EMIT_NEW(o, OpBitwiseOr, type, old, words[3]);
    case OpAtomicXor: return NF_EMIT_NEW(o, OpBitwiseXor, type, old, words[3]);
    case OpAtomicFAddEXT: return NF_EMIT_NEW(o, OpFAdd, type, old, words[3]);
    case OpAtomicSMin: return emit_extremum(o, OpSLessThan, type, old, words[3]);
    case OpAtomicUMin: return emit_extremum(o, OpULessThan, type, old, words[3]);
    case OpAtomicSMax: return emit_extremum(o, OpSGreaterThan, type, old, words[3]);
    case OpAtomicUMax: return emit_extremum(o, OpUGreaterThan, type, old, words[3]);
    case OpAtomicFMinEXT: return emit_extremum(o, OpFOrdLessThan, type, old, words[3]);
    case OpAtomicFMaxEXT: return emit_extremum(o, OpFOrdGreaterThan, type, old, words[3]);
    case OpAtomicCompareExchange:
    case OpAtomicCompareExchangeWeak: {
        uint32_t equal = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), old, words[5]);
        return NF_EMIT_NEW(o, OpSelect, type, equal, words[4], old);
    }
    default: return words[3]; /* exchange */
    }
}

static bool emit_private_atomic(struct nf_output *o, uint32_t opcode, uint32_t type, uint32_t id, const uint32_t *words)
{
    switch (opcode) {
    case OpAtomicStore: NF_EMIT(o, OpStore, words[0], words[3]); return true;
    case OpAtomicFlagClear: NF_EMIT(o, OpStore, words[0], nf_uint(o, 0)); return true;
    case OpAtomicLoad: NF_EMIT(o, OpLoad, type, id, words[0]); return true;
    case OpAtomicFlagTestAndSet: {
        uint32_t old = NF_EMIT_NEW(o, OpLoad, nf_uint_type(o), words[0]);
        NF_EMIT(o, OpStore, words[0], nf_uint(o, 1));
        NF_EMIT(o, OpINotEqual, type, id, old, nf_uint(o, 0));
        return true;
    }
    default: break;
    }
    if (nf_op_find(opcode)->role != NF_ROLE_atomic) return false;
    NF_EMIT(o, OpLoad, type, id, words[0]);
    NF_EMIT(o, OpStore, words[0], emit_operation(o, opcode, type, id, words));
    return true;
}

void nf_access(struct nf_output *o, uint32_t opcode, uint32_t type, uint32_t id, const uint32_t *words, uint32_t count,
               nf_set first_space)
{
    if (first_space == NF_PRIVATE && emit_private_atomic(o, opcode, type, id, words)) return;
    enum nf_role role = nf_op_find(opcode)->role;
    bool writes = role == NF_ROLE_store || role == NF_ROLE_copy_memory || role == NF_ROLE_atomic;
    if (first_space == NF_CONSTANT && writes) { /* undefined behavior, and not valid SPIR-V */
        if (id) NF_EMIT(o, OpUndef, type, id);
        return;
    }
    nf_append_word(&o->bodies, nf_first_word(opcode, count + 1 + 2 * !!id));
    if (id) nf_append_word(&o->bodies, type), nf_append_word(&o->bodies, id);
    nf_append_words(&o->bodies, words, count);
}

/* ---- Helpers ---- */

struct helper {
    struct nf_output *o;
    uint32_t opcode, result_type;
    const struct nf_operand_form *forms;
    uint32_t count;
    uint32_t *argument; /* by operand: the helper's parameter; for an ambiguous pointer, the parameter of its tag */
    uint32_t *parts;    /* by operand and space: the parameter of an ambiguous pointer's part */
    nf_set *space;      /* by operand: the space of an ambiguous pointer in the arm that is being written */
};

static uint32_t add_parameter(struct nf_output *o, struct nf_words *types, uint32_t type)
{
    nf_append_word(types, type);
    return nf_emit_new(o, OpFunctionParameter, &type, 1);
}

static void emit_parameters(struct helper *h, struct nf_words *types)
{
    struct nf_output *o = h->o;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct nf_operand_form *form = &h->forms[i];
        if (form->tuple.set) {
            h->argument[i] = add_parameter(o, types, nf_uint_type(o));
            for (unsigned n = 0; n < NF_PARTS; n++)
                if (nf_has(form->tuple.set, n))
                    h->parts[i * NF_PARTS + n] =
                        add_parameter(o, types, nf_part_type(o, form->generic_type, nf_space(n)));
        } else if (form->type) {
            h->argument[i] = add_parameter(o, types, form->type);
        }
    }
}

static void emit_arm(struct helper *h)
{
    struct nf_output *o = h->o;
    uint32_t *words = NF_NEW(o->m->arena, uint32_t, h->count + 1);
    nf_set first = h->forms[0].tuple.set ? h->space[0] : 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct nf_operand_form *form = &h->forms[i];
        words[i] = form->tuple.set ? h->parts[i * NF_PARTS + nf_number(h->space[i])]
                   : form->type    ? h->argument[i]
                                   : form->word;
    }
    uint32_t result = h->result_type ? nf_new_id(o) : 0;
    nf_access(o, h->opcode, h->result_type, result, words, h->count, first);
    if (result && h->result_type != nf_void_type(o))
        NF_EMIT(o, OpReturnValue, result);
    else
        nf_emit(o, OpReturn, NULL, 0);
}

/* Advances to the next combination of spaces, lowest spaces first; initially and after the last, to the first. */
static void next_combination(struct helper *h)
{
    for (uint32_t i = 0; i < h->count; i++) {
        nf_set set = h->forms[i].tuple.set, rest = set & (nf_set) ~(2 * h->space[i] - 1);
        h->space[i] = (rest ? rest : set) & (nf_set) - (rest ? rest : set);
        if (rest) return;
    }
}

static uint32_t emit_test(struct helper *h)
{
    struct nf_output *o = h->o;
    uint32_t test = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        if (!h->forms[i].tuple.set) continue;
        uint32_t one = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), h->argument[i], nf_uint(o, h->space[i]));
        test = test ? NF_EMIT_NEW(o, OpLogicalAnd, nf_bool_type(o), test, one) : one;
    }
    return test;
}

static void emit_arms(struct helper *h)
{
    struct nf_output *o = h->o;
    uint32_t combinations = 1;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->forms[i].tuple.set) combinations *= (uint32_t)__builtin_popcount(h->forms[i].tuple.set);
    next_combination(h); /* to the first combination */
    NF_EMIT(o, OpLabel, nf_new_id(o));
    for (; combinations > 1; combinations--) {
        uint32_t arm = nf_new_id(o), other = nf_new_id(o), test = emit_test(h);
        NF_EMIT(o, OpBranchConditional, test, arm, other);
        NF_EMIT(o, OpLabel, arm);
        emit_arm(h);
        NF_EMIT(o, OpLabel, other);
        next_combination(h);
    }
    emit_arm(h);
}

void nf_end_helper(struct nf_output *o, struct nf_words bodies, uint32_t id, const char *what)
{
    char name[64] = {0};
    nf_emit(o, OpFunctionEnd, NULL, 0);
    nf_append_words(&o->helpers, o->bodies.at, o->bodies.count);
    nf_arena_drop(o->m->arena, o->bodies.at);
    o->bodies = bodies;
    /* The number makes the name unique: some consumers merge functions of the same name. */
    snprintf(name, sizeof name, "nonflat.%.32s.%u", what, ++o->helper_count);
    nf_append_words(&o->names, (uint32_t[]){nf_first_word(OpName, (uint32_t)strlen(name) / 4 + 3), id}, 2);
    nf_append_string(&o->names, name);
}

static const char *name_of(const struct helper *h)
{
    if (h->opcode != OpExtInst) return nf_op_find(h->opcode)->name;
    const struct nf_op *op = nf_op_find_std(h->forms[1].word);
    return op ? op->name : "ext";
}

static uint32_t make_helper(struct helper *h)
{
    struct nf_output *o = h->o;
    struct nf_words bodies = o->bodies, types = {.arena = o->m->arena};
    o->bodies = (struct nf_words){.arena = o->m->arena};
    h->argument = NF_NEW(o->m->arena, uint32_t, h->count + 1);
    h->parts = NF_NEW(o->m->arena, uint32_t, (size_t)h->count * NF_PARTS + 1);
    h->space = NF_NEW(o->m->arena, nf_set, h->count + 1);
    uint32_t result = h->result_type ? h->result_type : nf_void_type(o), id = nf_new_id(o);
    nf_append_word(&types, result);
    NF_EMIT(o, OpFunction, result, id, 0, 0);
    emit_parameters(h, &types);
    o->bodies.at[4] = nf_global(o, OpTypeFunction, 0, types.at, types.count);
    emit_arms(h);
    nf_arena_drop(o->m->arena, types.at);
    nf_end_helper(o, bodies, id, name_of(h));
    return id;
}

static void describe_form(struct nf_words *key, const struct nf_operand_form *form)
{
    nf_append_word(key, form->tuple.set ? 2 : form->type ? 1 : 0);
    nf_append_word(key, form->tuple.set ? form->generic_type : form->type ? form->type : form->word);
    if (form->tuple.set) nf_append_word(key, form->tuple.set);
}

uint32_t nf_dispatch(struct nf_output *o, uint32_t opcode, uint32_t result_type, uint32_t result,
                     const struct nf_operand_form *forms, uint32_t count)
{
    struct helper h = {.o = o, .opcode = opcode, .result_type = result_type, .forms = forms, .count = count};
    struct nf_words key = {.arena = o->m->arena}, call = {.arena = o->m->arena};
    nf_append_words(&key, (uint32_t[]){NF_DISPATCH_KEY | opcode, result_type}, 2);
    for (uint32_t i = 0; i < count; i++)
        describe_form(&key, &forms[i]);
    uint32_t helper = nf_find_made(&o->build, key.at, key.count);
    nf_note_hazard(o, NF_HAZARD_DISPATCH);
    if (!helper) {
        helper = make_helper(&h);
        nf_note_made(&o->build, key.at, key.count, helper);
    }
    uint32_t id = result ? result : nf_new_id(o);
    nf_append_words(&call, (uint32_t[]){result_type ? result_type : nf_void_type(o), id, helper}, 3);
    for (uint32_t i = 0; i < count; i++) {
        if (forms[i].tuple.set) {
            nf_append_word(&call, nf_tag_as(o, &forms[i].tuple));
            for (unsigned n = 0; n < NF_PARTS; n++)
                if (nf_has(forms[i].tuple.set, n)) nf_append_word(&call, forms[i].tuple.part[n]);
        } else if (forms[i].type) {
            nf_append_word(&call, forms[i].word);
        }
    }
    nf_emit(o, OpFunctionCall, call.at, call.count);
    nf_arena_drop(o->m->arena, key.at);
    nf_arena_drop(o->m->arena, call.at);
    return id;
}
