/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - computes sizes, alignments and the flattening of types: a value of any type is a sequence of cells, one for
 * each scalar in it, and `leaves` gives the offset of each in memory. The layout is the C layout of the OpenCL
 * environment.
 */
#include "judge.h"

#include <stdlib.h>

#define MAX_CELLS (1u << 24)

uint64_t nfj_round_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) / align * align;
}

const struct type *nfj_type(const struct module *module, uint32_t id)
{
    if (id >= module->bound || !module->types[id]) nfj_cannot(module, "%%%u is not a type that is known", id);
    return module->types[id];
}

static enum space space_of_class(const struct module *module, uint32_t class)
{
    switch (class) {
    case SpvStorageClassFunction: return SPACE_PRIVATE;
    case SpvStorageClassWorkgroup: return SPACE_LOCAL;
    case SpvStorageClassCrossWorkgroup:
    case 5936: /* DeviceOnlyINTEL */
    case 5937: /* HostOnlyINTEL */ return SPACE_GLOBAL;
    case SpvStorageClassUniformConstant: return SPACE_CONSTANT;
    case SpvStorageClassGeneric: return SPACE_GENERIC;
    case SpvStorageClassInput: return SPACE_INPUT;
    case SpvStorageClassCodeSectionINTEL: return SPACE_CODE;
    default: nfj_cannot(module, "storage class %u", class);
    }
}

static void set_scalar(struct type *type, unsigned bits, bool is_float)
{
    type->bits = (uint8_t)bits;
    type->is_float = is_float;
    type->size = (bits + 7) / 8;
    type->align = (uint32_t)type->size;
    type->cells = 1;
}

static void set_pointer(struct module *m, struct type *type, uint32_t class, uint32_t element)
{
    set_scalar(type, m->address_bits, false);
    type->is_pointer = true;
    type->space = (uint8_t)space_of_class(m, class);
    type->element = element;
}

static void set_vector(struct module *m, struct type *type, const uint32_t *w)
{
    const struct type *element = nfj_type(m, w[2]);
    uint32_t room = 1;
    while (room < w[3])
        room *= 2;
    type->element = w[2];
    type->count = w[3];
    type->bits = element->bits;
    type->is_float = element->is_float;
    type->is_pointer = element->is_pointer;
    type->space = element->space;
    type->size = element->size * room;
    type->align = (uint32_t)type->size;
    type->cells = w[3];
}

static void set_array(struct module *m, struct type *type, const uint32_t *w)
{
    const struct type *element = nfj_type(m, w[2]);
    const struct id_info *length = w[3] < m->bound ? &m->ids[w[3]] : NULL;
    uint16_t op = length && length->word ? m->words[length->word] & 0xffff : 0;
    if (op != SpvOpConstant && op != SpvOpSpecConstant) nfj_cannot(m, "length of array %%%u", w[1]);
    type->element = w[2];
    type->count = m->words[length->word + 3];
    type->size = element->size * type->count;
    type->align = element->align;
    if ((uint64_t)element->cells * type->count > MAX_CELLS) nfj_cannot(m, "array %%%u is too long", w[1]);
    type->cells = element->cells * type->count;
}

static void set_struct(struct module *m, struct type *type, const uint32_t *w, uint32_t length)
{
    bool packed = m->ids[w[1]].packed;
    type->count = length - 2;
    type->members = nfj_alloc(type->count * sizeof *type->members);
    type->offsets = nfj_alloc(type->count * sizeof *type->offsets);
    type->align = 1;
    for (uint32_t i = 0; i < type->count; i++) {
        const struct type *member = nfj_type(m, w[2 + i]);
        type->members[i] = w[2 + i];
        type->offsets[i] = packed ? type->size : nfj_round_up(type->size, member->align ? member->align : 1);
        type->size = type->offsets[i] + member->size;
        type->cells += member->cells;
        if (!packed && member->align > type->align) type->align = member->align;
    }
    type->size = nfj_round_up(type->size, type->align);
}

static void set_function(struct type *type, const uint32_t *w, uint32_t length)
{
    type->element = w[2];
    type->count = length - 3;
    type->members = nfj_alloc(type->count * sizeof *type->members);
    for (uint32_t i = 0; i < type->count; i++)
        type->members[i] = w[3 + i];
}

void nfj_read_type(struct module *m, uint32_t word)
{
    const uint32_t *w = m->words + word;
    uint32_t op = w[0] & 0xffff, length = w[0] >> 16;
    struct type *type = m->types[w[1]]; /* a forward-declared pointer */
    if (!type) type = nfj_alloc(sizeof *type);
    type->op = (uint16_t)op;
    type->align = 1;
    switch (op) {
    case SpvOpTypeBool: set_scalar(type, 1, false); break;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        if (w[2] > 64 || !w[2]) nfj_cannot(m, "a scalar of %u bits", w[2]);
        set_scalar(type, w[2], op == SpvOpTypeFloat);
        break;
    case SpvOpTypeVector: set_vector(m, type, w); break;
    case SpvOpTypeArray: set_array(m, type, w); break;
    case SpvOpTypeStruct: set_struct(m, type, w, length); break;
    case SpvOpTypePointer: set_pointer(m, type, w[2], w[3]); break;
    case SpvOpTypeForwardPointer:
        type->op = SpvOpTypePointer;
        set_pointer(m, type, w[2], 0);
        break;
    case 4417: /* OpTypeUntypedPointerKHR */ set_pointer(m, type, w[2], 0); break;
    case SpvOpTypeFunction: set_function(type, w, length); break;
    case SpvOpTypeEvent: set_scalar(type, 64, false); break;
    default: break; /* void and opaque types: no cells */
    }
    m->types[w[1]] = type;
}

/* Appends the leaves of `type` at `offset` to `to`. @return the next free element. */
static struct leaf *flatten(const struct module *m, const struct type *type, uint64_t offset, struct leaf *to)
{
    if (type->op == SpvOpTypeStruct) {
        for (uint32_t i = 0; i < type->count; i++)
            to = flatten(m, nfj_type(m, type->members[i]), offset + type->offsets[i], to);
        return to;
    }
    if (type->op == SpvOpTypeArray || type->op == SpvOpTypeVector) {
        const struct type *element = nfj_type(m, type->element);
        for (uint32_t i = 0; i < type->count; i++)
            to = flatten(m, element, offset + i * element->size, to);
        return to;
    }
    if (type->cells) {
        to->offset = (uint32_t)offset;
        to->size = (uint32_t)type->size;
        to++;
    }
    return to;
}

const struct leaf *nfj_leaves(struct module *m, struct type *type)
{
    if (!type->leaves) {
        type->leaves = nfj_alloc(type->cells * sizeof *type->leaves);
        flatten(m, type, 0, type->leaves);
    }
    return type->leaves;
}

/*
 * Takes one step of a composite index. @return the cell where member `index` of `type` begins; sets its type and
 * offset.
 */
uint32_t nfj_chain_step(struct module *m, const struct type *type, uint32_t index, uint32_t *next, uint64_t *offset)
{
    if (type->op == SpvOpTypeStruct) {
        uint32_t cell = 0;
        if (index >= type->count) nfj_cannot(m, "member %u of a struct of %u", index, type->count);
        for (uint32_t i = 0; i < index; i++)
            cell += nfj_type(m, type->members[i])->cells;
        *next = type->members[index];
        *offset = type->offsets[index];
        return cell;
    }
    const struct type *element = nfj_type(m, type->element);
    *next = type->element;
    *offset = index * element->size;
    return index * element->cells;
}
