/* SPDX-License-Identifier: Apache-2.0 */
/*
 * definitions.c - selects the types and constants of the input that the output has, and merges equal definitions.
 *
 *     %a = OpTypePointer Generic %int           (gone)
 *     %b = OpTypeStruct %int %a                 %b = OpTypeStruct %int %ulong
 *     %c = OpTypePointer Function %a            %c = OpTypePointer Function %ulong
 *     %d = OpTypePointer Function %ulong        (gone: %d is %c)
 *
 * SPIR-V does not allow a non-aggregate type twice, so the second is dropped and its id replaced (type_of_type). The
 * hard case is a forward pointer, whose id is used before its definition: it is not dropped. Unused definitions are
 * omitted.
 *
 * needs: the types; for nf_find_used(), the bodies.  gives: type_of_type, address_type and used of nf_output.
 */
#include "rewrite/internal.h"

static bool is_unique(uint32_t opcode)
{
    return (opcode >= OpTypeVoid && opcode <= OpTypeVector) || opcode == OpTypePointer || opcode == OpTypeFunction ||
           opcode == OpTypeUntypedPointerKHR || opcode == OpConstant || opcode == OpConstantNull;
}

enum { LONGEST = 256 }; /* most words of a definition that is merged */

static void map_definition(struct nf_output *o, uint32_t at, const uint8_t *forwarded)
{
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    uint32_t id = nf_result_id(m, at), length = nf_length(m, at);
    if (!is_unique(op->opcode) || length > LONGEST) return;
    if (nf_is_generic(m, nf_result_type(m, at))) return; /* a generic null, which is not written */
    if (nf_is_generic(m, id) && m->options->mode != NF_MODE_HINT) {
        o->type_of_type[id] = o->address_type;
        return;
    }
    uint32_t key[LONGEST + 2], first = nf_result_word(op) + 1;
    key[0] = op->opcode;
    key[1] = nf_has_type(op) ? nf_value_type(m, at) : 0;
    if (key[1] && o->type_of_type[key[1]]) key[1] = o->type_of_type[key[1]];
    memcpy(key + 2, m->words + at + first, (length - first) * sizeof *key);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t *word = &key[2 + ids.at - first];
        if (o->type_of_type[*word]) *word = o->type_of_type[*word];
    }
    uint32_t same = nf_find_made(&o->build, key, 2 + length - first);
    if (!same)
        nf_note_made(&o->build, key, 2 + length - first, id);
    else if (!forwarded[id] && !nf_has_type(op)) /* equal constants may remain twice, but not equal types */
        o->type_of_type[id] = same;
}

/* Finds or creates the integer type that generic pointers in memory become. The type must precede all structs. */
static void find_address_type(struct nf_output *o)
{
    struct nf_module *m = o->m;
    for (uint32_t i = 1; i < m->type_count && !o->address_type; i++) {
        const struct nf_type *type = &m->types[i];
        bool plain = type->kind == NF_KIND_INT && nf_length(m, type->at) == 4 && nf_signedness(m, type->at) == 0;
        if (plain && nf_scalar_width(m, type->at) == (m->address_bits == 32 ? 32 : 64)) o->address_type = type->id;
    }
    if (o->address_type) return;
    o->address_type = nf_new_id(o);
    uint32_t width = m->address_bits == 32 ? 32 : 64;
    nf_append_words(&o->early, (uint32_t[]){nf_first_word(OpTypeInt, 4), o->address_type, width, 0}, 4);
    nf_note_made(&o->build, (uint32_t[]){OpTypeInt, 0, width, 0}, 4, o->address_type);
}

void nf_map_definitions(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint8_t *forwarded = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    find_address_type(o);
    if (o->address_type < m->bound) o->used[o->address_type] = 1;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpTypeForwardPointer) forwarded[nf_effect_operand(m, at, 0)] = 1;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        map_definition(o, at, forwarded);
    nf_arena_drop(m->arena, forwarded);
}

/* ---- Used definitions ---- */

bool nf_is_defined_in_body(const struct nf_module *m, uint32_t id)
{
    return id < m->bound && m->def[id] >= m->body_at;
}

bool nf_is_emitted(const struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    if (id >= m->bound || !m->def[id]) return true;
    return nf_is_defined_in_body(m, id) ? o->copies.first[id] != 0 : o->used[id] && !o->type_of_type[id];
}

static void use_operands(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (nf_has_type(op)) nf_memory_type(o, nf_value_type(m, at));
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (!nf_is_defined_in_body(m, nf_current_id(&ids))) nf_memory_type(o, nf_current_id(&ids));
}

/* Returns true if a module-scope instruction of the opcode is written even if nothing uses it. */
static bool is_root(uint32_t opcode)
{
    return opcode == OpEntryPoint || opcode == OpExecutionMode || opcode == OpExecutionModeId || opcode == OpExtInst ||
           opcode == OpVariable || opcode == OpUntypedVariableKHR || opcode == OpExtInstImport || opcode == OpString;
}

void nf_find_used(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t *order = NULL, count = 0, capacity = 0;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
        if (is_root(opcode)) {
            if (id) o->used[id] = 1;
            use_operands(o, at);
        } else if (opcode == OpDecorateId && nf_is_emitted(o, nf_annotated_id(m, at))) {
            use_operands(o, at);
        } else if (!id && !nf_is_annotation(opcode)) {
            use_operands(o, at);
        } else if (id) {
            NF_RESERVE(m->arena, order, capacity, (size_t)count + 1);
            order[count++] = at;
        }
    }
    bool again = true;
    while (again) {
        /* The backward walk visits uses before definitions. Only uses of forward pointers need another round. */
        again = false;
        for (uint32_t i = count; i-- > 0;) {
            uint32_t id = nf_result_id(m, order[i]);
            if (o->used[id] != 1) continue;
            o->used[id] = 2;
            again = true;
            use_operands(o, order[i]);
        }
    }
    nf_arena_drop(m->arena, order);
}
