/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - the size and the layout of each type, as OpenCL C defines them ("Alignment of Types"): scalars are aligned
 * to their size, a vector of three components has the size of a vector of four, a CPacked struct has no padding.
 *
 * needs: a module that was read.  gives: types, index_of[id] for type ids, and for values type_of and generic_values.
 */
#include "module/module.h"

nf_set nf_space_of_storage(uint32_t storage)
{
    switch (storage) {
    case NF_STORAGE_UNIFORM_CONSTANT: return NF_CONSTANT;
    case NF_STORAGE_WORKGROUP: return NF_LOCAL;
    case NF_STORAGE_CROSS_WORKGROUP:
    case NF_STORAGE_DEVICE_ONLY:
    case NF_STORAGE_HOST_ONLY: return NF_GLOBAL;
    case NF_STORAGE_PRIVATE:
    case NF_STORAGE_FUNCTION: return NF_PRIVATE;
    case NF_STORAGE_CODE_SECTION: return NF_CODE;
    default: return 0;
    }
}

nf_set nf_space_of(const struct nf_module *m, const struct nf_type *pointer)
{
    bool is_code = pointer->element && nf_type(m, pointer->element)->kind == NF_KIND_FUNCTION;
    return is_code && pointer->storage != NF_STORAGE_GENERIC ? NF_CODE : nf_space_of_storage(pointer->storage);
}

uint32_t nf_storage_of_space(const struct nf_module *m, nf_set space)
{
    switch (space) {
    case NF_PRIVATE: return NF_STORAGE_FUNCTION;
    case NF_LOCAL: return NF_STORAGE_WORKGROUP;
    case NF_CONSTANT: return NF_STORAGE_UNIFORM_CONSTANT;
    case NF_CODE: return m->code_storage ? m->code_storage : NF_STORAGE_CODE_SECTION;
    default: return NF_STORAGE_CROSS_WORKGROUP;
    }
}

const char *nf_space_name(nf_set space)
{
    switch (space) {
    case NF_PRIVATE: return "private";
    case NF_LOCAL: return "local";
    case NF_GLOBAL: return "global";
    case NF_CONSTANT: return "constant";
    case NF_CODE: return "code";
    default: return "unknown";
    }
}

uint32_t nf_width_of(const struct nf_module *m, const struct nf_type *type)
{
    return type->kind == NF_KIND_INT ? nf_scalar_width(m, type->at) : 0;
}

bool nf_constant(const struct nf_module *m, uint32_t id, int64_t *value)
{
    uint32_t def = id < m->bound ? m->def[id] : 0;
    if (!def) return false;
    const struct nf_type *type = nf_type_of(m, id);
    uint32_t width = nf_width_of(m, type);
    if (!width || width > 64) return false;
    if (nf_opcode(m, def) == OpConstantNull) {
        *value = 0;
        return true;
    }
    if (nf_opcode(m, def) != OpConstant || nf_length(m, def) < 4) return false;
    uint64_t bits = nf_constant_word(m, def, 0);
    if (width > 32 && nf_length(m, def) > 4) bits |= (uint64_t)nf_constant_word(m, def, 1) << 32;
    *value = (int64_t)(bits << (64 - width)) >> (64 - width);
    return true;
}

/* Returns the length of an array: of a specialization constant the default value, of a constant expression 1; sets
 * `*inexact` for both. */
static uint64_t length_of_array(const struct nf_module *m, uint32_t id, bool *inexact)
{
    int64_t value;
    if (nf_constant(m, id, &value)) return value < 0 ? 0 : (uint64_t)value;
    *inexact = true;
    uint32_t def = id < m->bound ? m->def[id] : 0;
    return def && nf_opcode(m, def) == OpSpecConstant && nf_length(m, def) > 3 ? nf_constant_word(m, def, 0) : 1;
}

static uint64_t round_up(uint64_t size, uint32_t align)
{
    return (size + align - 1) / align * align;
}

static uint64_t limit(uint64_t size)
{
    return size > UINT32_MAX ? UINT32_MAX : size;
}

static void lay_out_struct(struct nf_module *m, struct nf_type *type, bool packed)
{
    type->count = nf_length(m, type->at) - 2;
    type->offsets = NF_NEW(m->arena, uint32_t, type->count + 1);
    type->align = 1;
    for (uint32_t i = 0; i < type->count; i++) {
        const struct nf_type *member = nf_type(m, nf_member_type(m, type->at, i));
        uint32_t align = packed || !member->align ? 1 : member->align;
        type->size = limit(round_up(type->size, align));
        type->offsets[i] = (uint32_t)type->size;
        type->size = limit(type->size + member->size);
        if (align > type->align) type->align = align;
        type->generic |= member->generic;
        type->concrete |= member->concrete;
        type->inexact |= member->inexact;
    }
    type->size = limit(round_up(type->size, type->align));
}

static void lay_out_sequence(struct nf_module *m, struct nf_type *type, bool vector)
{
    type->element = nf_type_operand(m, type->at, 0);
    const struct nf_type *element = nf_type(m, type->element);
    type->count = vector ? nf_component_count(m, type->at) : 0;
    if (!vector && nf_opcode(m, type->at) == OpTypeArray)
        type->count = (uint32_t)limit(length_of_array(m, nf_array_length(m, type->at), &type->inexact));
    type->inexact |= element->inexact;
    type->size = limit((vector && type->count == 3 ? 4 : type->count) * element->size);
    type->align = vector ? (uint32_t)(type->size > 128 ? 128 : type->size) : element->align;
    if (!type->align) type->align = 1;
    type->generic = element->generic;
    type->concrete = element->concrete;
    type->aggregate = !vector || element->size >= 8 || element->kind == NF_KIND_POINTER;
}

/* Sets the layout of an integer or a float. Integers of any width (SPV_INTEL_arbitrary_precision_integers) have the
 * layout that LLVM gives them. */
static void lay_out_number(const struct nf_module *m, struct nf_type *type, enum nf_kind kind)
{
    uint64_t bytes = ((uint64_t)nf_scalar_width(m, type->at) + 7) / 8;
    type->kind = (uint8_t)kind;
    type->align = 1;
    while (type->align < bytes && type->align < 8)
        type->align *= 2;
    type->size = round_up(bytes, type->align);
}

static void describe(struct nf_module *m, struct nf_type *type, bool packed)
{
    type->align = 1;
    switch (nf_opcode(m, type->at)) {
    case OpTypeVoid: type->kind = NF_KIND_VOID; break;
    case OpTypeBool: type->kind = NF_KIND_BOOL, type->size = 1; break;
    case OpTypeInt: lay_out_number(m, type, NF_KIND_INT); break;
    case OpTypeFloat: lay_out_number(m, type, NF_KIND_FLOAT); break;
    case OpTypeVector: type->kind = NF_KIND_VECTOR, lay_out_sequence(m, type, true); break;
    case OpTypeRuntimeArray:
    case OpTypeArray: type->kind = NF_KIND_ARRAY, lay_out_sequence(m, type, false); break;
    case OpTypeStruct:
        type->kind = NF_KIND_STRUCT;
        type->aggregate = true;
        lay_out_struct(m, type, packed);
        break;
    case OpTypePointer:
    case OpTypeUntypedPointerKHR:
        type->kind = NF_KIND_POINTER;
        type->storage = nf_pointer_storage_class(m, type->at);
        type->element = nf_opcode(m, type->at) == OpTypePointer ? nf_pointee_type(m, type->at) : 0;
        type->size = type->align = nf_word_size(m);
        type->generic = type->storage == NF_STORAGE_GENERIC;
        type->concrete = nf_space_of_storage(type->storage) & (NF_PRIVATE | NF_LOCAL | NF_GLOBAL);
        break;
    case OpTypeFunction:
        type->kind = NF_KIND_FUNCTION;
        type->element = nf_return_type(m, type->at);
        type->count = nf_length(m, type->at) - 3;
        break;
    default: type->kind = NF_KIND_OPAQUE; break;
    }
}

/* Returns an array, by id, of the types that are decorated CPacked, or NULL if none is. Annotations precede types: sets
 * `*first_type` to the first type. */
static uint8_t *find_packed(struct nf_module *m, uint32_t *first_type)
{
    uint8_t *packed = NULL;
    uint32_t at = NF_HEADER_WORDS;
    for (; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (opcode >= OpTypeVoid && opcode <= OpTypeForwardPointer) break;
        if (opcode != OpDecorate || nf_decoration_at(m, at) != NF_DECORATION_CPACKED) continue;
        if (!packed) packed = NF_NEW(m->arena, uint8_t, m->bound);
        packed[nf_annotated_id(m, at)] = 1;
    }
    *first_type = at;
    return packed;
}

/* Records the type of each value, because it is queried very often. */
static void find_types_of_values(struct nf_module *m)
{
    bool uses_generic = m->uses_generic;
    m->generic_values = NF_NEW(m->arena, uint8_t, m->bound);
    m->type_of = NF_NEW(m->arena, uint32_t, m->bound);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        bool usual = nf_has_type(op) && nf_has_result(op);
        if (!usual && !nf_has_type(op) && !nf_is_unknown(op)) continue;
        uint32_t id = usual ? nf_value_id(m, at) : nf_result_id(m, at);
        uint32_t index = nf_type_index(m, usual ? nf_value_type(m, at) : nf_result_type(m, at));
        m->type_of[id] = index;
        if (uses_generic) m->generic_values[id] = nf_is_generic_pointer(&m->types[index]) && op->opcode != OpFunction;
    }
}

void nf_types(struct nf_module *m)
{
    uint32_t first;
    uint8_t *packed = find_packed(m, &first);
    m->type_count = 1;
    NF_RESERVE(m->arena, m->types, m->type_capacity, 24);
    m->types[0].align = 1;
    for (uint32_t at = first; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
        if (nf_op_find(opcode)->result != 2 || !id || opcode == OpString) continue;
        NF_RESERVE(m->arena, m->types, m->type_capacity, (size_t)m->type_count + 1);
        struct nf_type *type = &m->types[m->type_count];
        *type = (struct nf_type){.id = id, .at = at};
        m->index_of[id] = m->type_count++;
        if (nf_is_pointer_type_at(m, at)) describe(m, type, false);
    }
    find_types_of_values(m);
    /* Pointers were described above, because a struct may contain a pointer that is declared after it. */
    for (uint32_t i = 1; i < m->type_count; i++)
        if (!nf_is_pointer_type_at(m, m->types[i].at)) describe(m, &m->types[i], packed && packed[m->types[i].id]);
}
