/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constants.c - values and objects at module scope, each evaluated after its operands. Values that depend on the
 * address of a local object are evaluated anew for each group, because the object is created anew.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

static const struct cell *scope_value(const struct module *m, uint32_t id)
{
    if (id >= m->bound || !m->ids[id].defined) nfj_cannot(m, "%%%u is used before it is defined", id);
    return m->constants.at + ~m->ids[id].ref;
}

static void make_scalar(const struct judge *judge, const uint32_t *w, struct cell *to)
{
    const struct module *m = judge->module;
    const struct type *type = nfj_type(m, w[1]);
    uint64_t bits = w[3];
    if (w[0] >> 16 > 4) bits |= (uint64_t)w[4] << 32;
    to->bits = bits & mask_of(type->bits);
}

static void make_composite(const struct judge *judge, const uint32_t *w, struct cell *to)
{
    const struct module *m = judge->module;
    for (uint32_t i = 3; i < w[0] >> 16; i++) {
        uint32_t cells = nfj_type(m, m->ids[w[i]].type)->cells;
        memcpy(to, scope_value(m, w[i]), cells * sizeof *to);
        to += cells;
    }
}

static void make_null(const struct judge *judge, uint32_t type_id, struct cell *to)
{
    const struct module *m = judge->module;
    const struct type *type = nfj_type(m, type_id);
    if (type->is_pointer) {
        for (uint32_t i = 0; i < type->cells; i++)
            to[i].bits = nfj_null(judge, type->space);
    } else if (type->op == SpvOpTypeStruct || type->op == SpvOpTypeArray) {
        for (uint32_t i = 0; i < type->count; i++) {
            uint32_t next;
            uint64_t offset;
            uint32_t cell = nfj_chain_step(judge->module, type, i, &next, &offset);
            make_null(judge, next, to + cell);
        }
    }
}

static void note_builtin(struct judge *judge, uint32_t id, uint32_t object, uint32_t type)
{
    int builtin = judge->module->ids[id].builtin;
    if (builtin < 0) return;
    struct builtin_variable variable = {object, type, builtin};
    PUSH(judge->builtins, variable);
}

static bool is_local(const struct judge *judge, const struct cell *cells, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (cells[i].prov && cells[i].prov != PROV_MIXED &&
            judge->objects.at[PROV_INDEX(cells[i].prov)].space == SPACE_LOCAL)
            return true;
    return false;
}

static uint32_t initializer_of(const uint32_t *w)
{
    uint32_t at = (w[0] & 0xffff) == SpvOpVariable ? 4 : 5, length = w[0] >> 16;
    return length > at ? w[at] : 0;
}

static void initialize(struct judge *judge, const uint32_t *w, uint32_t object)
{
    struct module *m = judge->module;
    uint32_t id = initializer_of(w);
    const struct cell *from = scope_value(m, id);
    struct type *type = m->types[m->ids[id].type];
    const struct leaf *leaves = nfj_leaves(m, type);
    for (uint32_t i = 0; i < type->cells; i++)
        nfj_store_leaf(&judge->objects.at[object], leaves[i].offset, leaves[i].size, &from[i]);
}

static void make_variable(struct judge *judge, uint32_t word, struct cell *to)
{
    const uint32_t *w = judge->module->words + word;
    struct module *m = judge->module;
    const struct type *pointer = nfj_type(m, w[1]);
    bool untyped = (w[0] & 0xffff) != SpvOpVariable;
    uint32_t pointee = untyped ? w[4] : pointer->element;
    struct type *type = m->types[pointee];
    uint64_t align = type->align;
    if (m->ids[w[2]].alignment > align) align = m->ids[w[2]].alignment;
    uint32_t number = nfj_new_object(judge, pointer->space, type->size, align, m->ids[w[2]].name);
    struct object *o = &judge->objects.at[number];
    o->read_only = pointer->space == SPACE_CONSTANT || m->ids[w[2]].builtin >= 0;
    if (pointer->space == SPACE_LOCAL) PUSH(judge->locals, number);
    note_builtin(judge, w[2], number, pointee);
    if (initializer_of(w)) {
        initialize(judge, w, number);
        if (is_local(judge, scope_value(m, initializer_of(w)), type->cells)) PUSH(judge->local_scope, word);
    }
    *to = nfj_pointer_to(judge, number, pointer->space);
}

static void make_function_pointer(struct judge *judge, const uint32_t *w, struct cell *to)
{
    struct module *m = judge->module;
    uint32_t index = w[3] < m->bound ? m->ids[w[3]].function : 0;
    if (!index) nfj_cannot(m, "%%%u is no function", w[3]);
    struct function *f = &m->functions.at[index - 1];
    if (!f->object) f->object = nfj_new_object(judge, SPACE_CODE, 1, 64, m->ids[f->id].name);
    *to = nfj_pointer_to(judge, f->object, SPACE_CODE);
}

static void make_operation(struct judge *judge, uint32_t word, struct cell *to, uint32_t cells)
{
    struct module *m = judge->module;
    struct item item = {.judge = judge, .module = m};
    item.frame = nfj_alloc(cells * sizeof *item.frame);
    struct inst in = nfj_decode_one(m, word, (uint16_t)m->words[word + 3], word + 4, word + (m->words[word] >> 16));
    in.dst = 0;
    in.run(&item, &in);
    memcpy(to, item.frame, cells * sizeof *to);
    free(item.frame);
}

static void make(struct judge *judge, uint32_t word)
{
    struct module *m = judge->module;
    const uint32_t *w = m->words + word;
    uint32_t cells = nfj_type(m, w[1])->cells;
    struct cell *to = m->constants.at + ~m->ids[w[2]].ref;
    memset(to, 0, cells * sizeof *to);
    switch (w[0] & 0xffff) {
    case SpvOpConstantTrue:
    case SpvOpSpecConstantTrue: to->bits = 1; break;
    case SpvOpConstantFalse:
    case SpvOpSpecConstantFalse: break;
    case SpvOpConstant:
    case SpvOpSpecConstant: make_scalar(judge, w, to); break;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite: make_composite(judge, w, to); break;
    case SpvOpConstantNull: make_null(judge, w[1], to); break;
    case SpvOpUndef:
        for (uint32_t i = 0; i < cells; i++)
            to[i].undef = UINT64_MAX;
        break;
    case SpvOpVariable:
    case 4418: make_variable(judge, word, to); break;
    case 5600: make_function_pointer(judge, w, to); break; /* OpConstantFunctionPointerINTEL */
    case SpvOpSpecConstantOp: make_operation(judge, word, to, cells); break;
    default: nfj_cannot(m, "%s at word %u", nfj_op_name((uint16_t)w[0]), word);
    }
}

/* Values given on the command line replace those of specialization constants, in the module's words. */
static void specialize(struct judge *judge, uint32_t word)
{
    struct module *m = judge->module;
    uint32_t *w = m->words + word;
    for (int i = 0; i < judge->options->spec_count; i++) {
        const struct spec *spec = &judge->options->specs[i];
        if ((int32_t)spec->id != m->ids[w[2]].spec) continue;
        if ((w[0] & 0xffff) == SpvOpSpecConstant) {
            w[3] = (uint32_t)spec->value;
            if (w[0] >> 16 > 4) w[4] = (uint32_t)(spec->value >> 32);
        } else {
            w[0] = (w[0] & 0xffff0000) | (spec->value ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse);
        }
    }
}

static void make_with_operands(struct judge *judge, uint32_t word);

/* Compilers write constant expressions before their operands. */
static void make_operands(struct judge *judge, uint32_t word)
{
    const struct module *m = judge->module;
    const uint32_t *w = m->words + word;
    uint32_t opcode = w[0] & 0xffff, first = 4;
    if (opcode == SpvOpConstant || opcode == SpvOpSpecConstant) return;
    if (opcode == SpvOpConstantComposite || opcode == SpvOpSpecConstantComposite) first = 3;
    for (uint32_t i = first; i < w[0] >> 16; i++) {
        if (w[i] >= m->bound || m->ids[w[i]].defined || !m->ids[w[i]].scope) continue;
        make_with_operands(judge, m->ids[w[i]].scope);
    }
}

static void make_with_operands(struct judge *judge, uint32_t word)
{
    struct module *m = judge->module;
    struct id_info *id = &m->ids[m->words[word + 2]];
    uint32_t cells = nfj_type(m, m->words[word + 1])->cells;
    if (id->defined || !id->scope) return;
    id->scope = 0; /* evaluation has begun: in a cycle of constants, an operand then refers to no value */
    make_operands(judge, word);
    specialize(judge, word);
    id->ref = ~(int32_t)m->constants.count;
    m->constants.count += cells;
    if (m->constants.count > m->constants.room)
        m->constants.at = nfj_grow(m->constants.at, &m->constants.room, m->constants.count, sizeof *m->constants.at);
    make(judge, word);
    id->defined = true;
    if (is_local(judge, m->constants.at + ~id->ref, cells)) PUSH(judge->local_scope, word);
}

void nfj_make_scope(struct judge *judge)
{
    struct module *m = judge->module;
    struct cell undefined = {0, UINT64_MAX, 0, 0};
    PUSH(m->constants, undefined); /* reference -1: the value of an undefined id */
    for (uint32_t i = 0; i < m->scope.count; i++)
        m->ids[m->words[m->scope.at[i] + 2]].scope = m->scope.at[i];
    for (uint32_t i = 0; i < m->scope.count; i++)
        make_with_operands(judge, m->scope.at[i]);
}

/* Prepares a new group: local objects become undefined again, and pointers to the previous ones dangle. */
void nfj_remake_local_scope(struct judge *judge)
{
    struct module *m = judge->module;
    for (uint32_t i = 0; i < judge->locals.count; i++) {
        struct object *o = &judge->objects.at[judge->locals.at[i]];
        nfj_set_undefined(o, 0, o->size);
        o->has_prov = false;
        o->owner = judge->group;
        o->generation = (uint8_t)((o->generation + 1) % 255);
    }
    for (uint32_t i = 0; i < judge->local_scope.count; i++) {
        uint32_t word = judge->local_scope.at[i];
        const uint32_t *w = m->words + word;
        struct cell *to = m->constants.at + ~m->ids[w[2]].ref;
        if ((w[0] & 0xffff) != SpvOpVariable && (w[0] & 0xffff) != 4418)
            make(judge, word);
        else if (judge->objects.at[PROV_INDEX(to->prov)].space == SPACE_LOCAL)
            *to = nfj_pointer_to(judge, PROV_INDEX(to->prov), SPACE_LOCAL);
        else
            initialize(judge, w, PROV_INDEX(to->prov));
    }
}
