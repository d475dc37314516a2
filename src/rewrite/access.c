/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access.c - instructions that access memory through a generic pointer: with a concrete pointer, or dispatched.
 *
 *     %s = OpExtInst %float %std sincos %x %p       %s = OpExtInst %float %std sincos %x %temporary
 *                                                        a dispatched store of the temporary's value to p
 *
 * A built-in function that also writes through an ambiguous pointer is called once, with a temporary, and only the
 * store of its value is dispatched: a shipped vectorizer executes a call in a branch for the inactive work-items, too.
 *
 * needs: the tuples of the pointers.  gives: the access, or the call of its helper (dispatch.c).
 */
#include "rewrite/internal.h"

enum { FIRST_ARGUMENT = 5 }; /* of OpExtInst */
enum { FORMAT_OPERAND = 2 }; /* index of printf's format among the operands of OpExtInst */

static bool can_dispatch(enum nf_role role)
{
    switch (role) {
    case NF_ROLE_load:
    case NF_ROLE_store:
    case NF_ROLE_copy_memory:
    case NF_ROLE_atomic:
    case NF_ROLE_vload:
    case NF_ROLE_vstore:
    case NF_ROLE_prefetch:
    case NF_ROLE_touch:
    case NF_ROLE_block_read:
    case NF_ROLE_send:
    case NF_ROLE_receive:
    case NF_ROLE_printf: /* dispatched on its format; pointers among its values are printed as integers */
    case NF_ROLE_unknown: return true;
    default: return false;
    }
}

/* Copies the instruction at `at` to `words` without alias scopes, because the arms of a dispatch access other pointers.
 * In the grammar the scopes come after all other parameters of the memory operands. Returns the number of words. */
static uint32_t without_alias_scopes(struct nf_module *m, uint32_t at, uint32_t *words)
{
    uint32_t length = nf_length(m, at), mask_at = nf_memory_operands_word(nf_op_find(nf_opcode(m, at)));
    const uint32_t scopes = NF_MEMORY_ALIAS_SCOPE | NF_MEMORY_NO_ALIAS;
    memcpy(words, m->words + at, length * sizeof *words);
    for (uint32_t behind; mask_at && mask_at < length; mask_at = behind) { /* a copy may have two sets of operands */
        behind = nf_memory_operands(words, length, mask_at).end;
        uint32_t dropped = (uint32_t)__builtin_popcount(words[mask_at] & scopes);
        words[mask_at] &= ~scopes;
        memmove(words + behind - dropped, words + behind, (length - behind) * sizeof *words);
        length -= dropped, behind -= dropped;
    }
    words[0] = nf_first_word(nf_opcode(m, at), length);
    return length;
}

/* Returns the output's form of an operand of an access. `value`: the operand is stored or printed. */
static struct nf_operand_form form_of(struct nf_output *o, uint32_t at, uint32_t word, bool is_id, bool value)
{
    struct nf_module *m = o->m;
    struct nf_operand_form form = {.word = word};
    if (!is_id) return form;
    bool local = m->def[word] >= m->body_at && nf_opcode(m, m->def[word]) != OpFunction;
    uint32_t type = nf_type_id_of(m, word);
    if (!nf_is_generic_value(m, word)) {
        bool is_number = value && nf_stores_typed_pointer(o, at);
        form.word = is_number ? nf_stored_pointer(o, word) : nf_mapped(o, word);
        form.type = (local || is_number) && type ? nf_memory_type(o, type) : 0;
        if (nf_type(m, type)->kind == NF_KIND_POINTER) form.space = nf_space_of(m, nf_type(m, type));
        return form;
    }
    const struct nf_tuple tuple = nf_narrowed(o, word);
    form.generic_type = type;
    if (value) {
        form.word = nf_to_memory(o, word);
        form.type = nf_keeps_generic(o) ? nf_memory_type(o, type) : o->address_type;
    } else if (nf_single(tuple.set)) {
        form.word = tuple.part[nf_number(tuple.set)];
        form.type = nf_part_type(o, type, tuple.set);
        form.space = tuple.set;
    } else {
        form.tuple = tuple;
    }
    return form;
}

/* Returns the word index of the ambiguous pointer among the built-in function's arguments; 0: it has none. */
static uint32_t ambiguous_operand(struct nf_output *o, uint32_t at)
{
    for (uint32_t i = nf_length(o->m, at); --i >= FIRST_ARGUMENT;) {
        uint32_t id = nf_word(o->m, at, i);
        if (nf_is_generic_value(o->m, id) && !nf_single(nf_narrowed(o, id).set)) return i;
    }
    return 0;
}

uint32_t nf_pointee_in_memory(struct nf_output *o, uint32_t pointer)
{
    return nf_memory_type(o, nf_type_of(o->m, pointer)->element);
}

void nf_copy_back(struct nf_output *o, uint32_t at, uint32_t pointer, uint32_t variable)
{
    uint32_t type = nf_pointee_in_memory(o, pointer);
    struct nf_operand_form forms[2] = {form_of(o, at, pointer, true, false),
                                       {.word = NF_EMIT_NEW(o, OpLoad, type, variable), .type = type}};
    nf_emit_split_access(o, &(struct nf_split_access){OpStore, 0, 0, forms, 2});
}

/* Emits a built-in function with a temporary in place of its ambiguous pointer, and the store of the temporary. */
static void emit_out(struct nf_output *o, uint32_t at, uint32_t ambiguous)
{
    struct nf_module *m = o->m;
    uint32_t pointer = nf_word(m, at, ambiguous), length = nf_length(m, at),
             *words = NF_NEW(m->arena, uint32_t, length);
    uint32_t variable = nf_temporary(o, nf_pointee_in_memory(o, pointer), 0);
    words[0] = nf_memory_type(o, nf_result_type(m, at));
    words[1] = o->body.renamed[nf_result_id(m, at)];
    words[2] = nf_extended_set(m, at);
    words[3] = nf_extended_number(m, at);
    for (uint32_t i = FIRST_ARGUMENT; i < length; i++)
        words[i - 1] = i == ambiguous ? variable : form_of(o, at, nf_word(m, at, i), true, false).word;
    nf_emit(o, OpExtInst, words, length - 1);
    nf_copy_back(o, at, pointer, variable);
}

/* Returns true if the operand is a value that is stored or printed, so that an ambiguous pointer becomes an integer. In
 * hint mode this includes the generic packet pointer of a pipe. */
static bool is_value(struct nf_output *o, uint32_t id, enum nf_role role, uint32_t index)
{
    switch (role) {
    case NF_ROLE_send:
    case NF_ROLE_receive: return nf_keeps_generic(o) && nf_is_generic_value(o->m, id);
    case NF_ROLE_store: return index == 1;
    case NF_ROLE_vstore: return index == 2;
    case NF_ROLE_printf:
        return index > FORMAT_OPERAND && nf_is_generic_value(o->m, id) && !nf_single(nf_narrowed(o, id).set);
    default: return false;
    }
}

void nf_emit_access(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t ambiguous_out = nf_role_at(m, at) == NF_ROLE_out ? ambiguous_operand(o, at) : 0;
    if (ambiguous_out) {
        emit_out(o, at, ambiguous_out);
        return;
    }
    uint32_t near[64], length = nf_length(m, at), *words = length > 64 ? NF_NEW(m->arena, uint32_t, length) : near;
    uint32_t id = nf_result_id(m, at), opcode = nf_opcode(m, at);
    const struct nf_op *op = nf_op_find(opcode);
    enum nf_role role = nf_role_at(m, at);
    struct nf_operand_form near_forms[16],
        *forms = length > 16 ? NF_NEW(m->arena, struct nf_operand_form, length) : near_forms;
    bool generic_result = id && nf_is_generic_value(m, id), ambiguous = false;
    uint32_t first_word = nf_first_operand(op), count = 0;
    memcpy(words, m->words + at, length * sizeof *words);
    struct nf_operands walk = nf_operands_begin(
        words, length,
        opcode == OpExtInst && nf_extended_set(m, at) == m->ext_opencl ? NF_EXT_OPENCL_STD : NF_EXT_OTHER, 1);
    bool touches_several = false;
    for (struct nf_operands look = walk; nf_operands_next(&look);)
        touches_several |= look.kind == NF_OPERAND_ID && nf_is_generic_value(m, words[look.at]) &&
                           !nf_single(nf_narrowed(o, words[look.at]).set);
    if (touches_several && role != NF_ROLE_printf) {
        length = without_alias_scopes(m, at, words);
        walk.count = length;
    }
    while (nf_operands_next(&walk)) {
        uint32_t index = walk.at - first_word;
        bool id_operand = walk.kind == NF_OPERAND_ID, value = id_operand && is_value(o, words[walk.at], role, index);
        forms[count] = form_of(o, at, words[walk.at], id_operand, value);
        ambiguous |= forms[count++].tuple.set != 0;
    }
    if (opcode >= OpReadPipe && opcode <= OpReservedWritePipe && !nf_keeps_generic(o))
        nf_fail(m->arena, NF_REFUSED, at, "SPIR-V requires a generic pointer to the packet of a pipe");
    if ((generic_result && role == NF_ROLE_unknown && !nf_keeps_generic(o)) || (ambiguous && !can_dispatch(role)))
        nf_fail(m->arena, NF_REFUSED, at,
                "the pointer may be in several spaces, and this instruction cannot be dispatched");
    uint32_t type = nf_result_type(m, at) ? nf_memory_type(o, nf_result_type(m, at)) : 0;
    uint32_t result = generic_result ? nf_new_id(o) : id ? o->body.renamed[id] : 0;
    nf_emit_split_access(o, &(struct nf_split_access){opcode, type, result, forms, count});
    if (generic_result) nf_from_memory(o, result, id);
}

/* Emits the instruction, but no debug information about ambiguous pointers, and no lifetime that is not private. */
void nf_emit_silent(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at);
    bool lifetime = opcode == OpLifetimeStart || opcode == OpLifetimeStop;
    if (lifetime && nf_tuple_of(o, nf_effect_operand(m, at, 0))->set != NF_PRIVATE) return;
    if (opcode != OpExtInst || nf_extended_set(m, at) == m->ext_opencl) {
        nf_emit_access(o, at);
        return;
    }
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        if (walk.kind != NF_OPERAND_ID || !nf_is_generic_value(m, nf_current_operand(&walk))) continue;
        if (!nf_single(nf_tuple_of(o, nf_current_operand(&walk))->set)) return;
    }
    nf_emit_access(o, at);
}
