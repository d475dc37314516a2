/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_by_value_padding.c - passes a structure with padding by value as an array of integers.
 *
 *     %s = OpTypeStruct %uint %ulong
 *
 *     OpDecorate %p FuncParamAttr ByVal            OpDecorate %p FuncParamAttr ByVal
 *     %k = OpFunction %void None %type             %k = OpFunction %void None %other_type
 *     %p = OpFunctionParameter %_ptr_s             %p = OpFunctionParameter %_ptr_array_of_2_ulong
 *          OpLabel                                      OpLabel
 *                                                  %q = OpBitcast %_ptr_s %p
 *     %b = OpBitcast %_ptr_ulong %p                %b = OpBitcast %_ptr_ulong %q
 *     %x = OpLoad %ulong %b                        %x = OpLoad %ulong %b
 *
 * Mesa copies such an argument member by member, to a kernel and to a called function, and so loses the bytes between
 * the members. These bytes have values if the structure is a union: clang gives a union the type of one of its members,
 * and another member may lie in the padding of that type.
 *
 * Mesa keeps members in registers only if no cast is between them and the argument. So an argument stays as it is if
 * every access through its address is to members: by access chains of its type, or at a constant offset at which the
 * type has no padding. The hard case is an argument that is passed on to another function, whose accesses count too.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

enum { UNKNOWN = -1 };

struct by_value {
    struct nf_edit to;
    uint32_t *root;  /* by id of a pointer: the by-value parameter with padding into which it points */
    int64_t *offset; /* by id of a pointer with a root: its offset in bytes, UNKNOWN if it is not constant */
    bool *other;     /* by id of a pointer with a root: a bitcast between the two may have changed the layout */
    bool *needed;    /* by parameter: its padding may be accessed */
    uint32_t *array; /* by parameter: the type with which it is declared instead; 0: its own */
    uint32_t *cast;  /* by parameter of the current function: its bitcast */
    uint32_t casts;  /* the instruction before which the current function casts its parameters */
    bool changed;
};

/* ---- Finding the parameters -------------------------------------------------------------------------------------- */

/* Returns, by type id, the bytes of a type that are part of a number or of an address. */
static uint64_t *count_value_bytes(struct nf_module *m)
{
    uint64_t *bytes = NF_NEW(m->arena, uint64_t, m->bound);
    for (uint32_t i = 1; i < m->type_count; i++) {
        const struct nf_type *type = &m->types[i];
        bytes[type->id] = type->size;
        if (type->kind == NF_KIND_VECTOR || type->kind == NF_KIND_ARRAY)
            bytes[type->id] = type->count * bytes[type->element];
        if (type->kind != NF_KIND_STRUCT) continue;
        bytes[type->id] = 0;
        for (uint32_t k = 0; k < type->count; k++)
            bytes[type->id] += bytes[nf_member_type(m, type->at, k)];
    }
    return bytes;
}

static void find_parameters(struct by_value *b)
{
    enum { BY_VALUE = 2 };
    struct nf_module *m = b->to.m;
    const uint64_t *bytes = count_value_bytes(m);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (!nf_decorates(m, at, NF_DECORATION_FUNC_PARAM_ATTR) || nf_word(m, at, 3) != BY_VALUE) continue;
        uint32_t id = nf_annotated_id(m, at);
        if (!m->def[id] || nf_opcode(m, m->def[id]) != OpFunctionParameter) continue;
        const struct nf_type *type = nf_type(m, nf_type_of(m, id)->element);
        bool known = type->kind == NF_KIND_STRUCT && !type->inexact && type->size <= UINT32_MAX;
        if (known && bytes[type->id] < type->size) b->root[id] = id;
    }
}

static uint32_t parameter_of(const struct nf_module *m, const struct nf_function *f, uint32_t index)
{
    uint32_t at = nf_parameter_from(m, f->parameters);
    while (index--)
        at = nf_parameter_from(m, nf_next(m, at));
    return nf_value_id(m, at);
}

/* Returns true if the byte is part of a number or of an address in an object of that type, and not padding. */
static bool is_value_byte(const struct nf_module *m, const struct nf_type *type, uint64_t byte)
{
    while (byte < type->size && (type->kind == NF_KIND_STRUCT || type->kind == NF_KIND_ARRAY)) {
        const struct nf_type *part = nf_type(m, type->element);
        if (type->kind == NF_KIND_STRUCT) {
            uint32_t k = 0;
            while (k + 1 < type->count && type->offsets[k + 1] <= byte)
                k++;
            part = nf_type(m, nf_member_type(m, type->at, k));
            byte -= type->offsets[k];
        } else if (part->size)
            byte %= part->size;
        type = part;
    }
    return byte < (type->kind == NF_KIND_VECTOR ? type->count * nf_type(m, type->element)->size : type->size);
}

/* Returns true if an access of that type through the pointer accesses no padding of the argument. Of an access that is
 * longer than the longest vector, which compilers do not emit, nothing is known. */
static bool is_inside_members(const struct by_value *b, uint32_t pointer, const struct nf_type *type)
{
    enum { MOST_ACCESSED = 128 };
    const struct nf_module *m = b->to.m;
    const struct nf_type *argument = nf_type(m, nf_type_of(m, b->root[pointer])->element);
    if (!b->other[pointer]) return true;
    if (b->offset[pointer] == UNKNOWN || type->size > MOST_ACCESSED) return false;
    if ((uint64_t)b->offset[pointer] + type->size > argument->size) return false;
    for (uint64_t i = 0; i < type->size; i++)
        if (is_value_byte(m, type, i) && !is_value_byte(m, argument, (uint64_t)b->offset[pointer] + i)) return false;
    return true;
}

/* Returns the bytes by which the chain moves its base, UNKNOWN if they are not constant, or not from 0 to
 * UINT32_MAX. */
static int64_t distance_of(const struct nf_module *m, uint32_t at)
{
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element);
    uint32_t first = nf_first_part_index(nf_opcode(m, at));
    int64_t distance = 0, index;
    for (uint32_t i = NF_CHAIN_HEAD; i < nf_length(m, at); i++) {
        const struct nf_type *part = i < first ? type : nf_part_of(m, type, nf_word(m, at, i));
        if (!part || !nf_constant(m, nf_word(m, at, i), &index)) return UNKNOWN;
        bool member = i >= first && type->kind == NF_KIND_STRUCT;
        if (!member && (index < 0 || (uint64_t)index > UINT32_MAX || part->size > UINT32_MAX)) return UNKNOWN;
        distance += member ? (int64_t)type->offsets[index] : (int64_t)((uint64_t)index * part->size);
        if (distance < 0 || distance > UINT32_MAX) return UNKNOWN;
        type = part;
    }
    return distance;
}

/* Records that the chain or the bitcast at `at` derives its result from `base`, a pointer into an argument. Returns
 * false if the result is no pointer with a pointee type, or is at an unknown offset and a bitcast is on its way. */
static bool derive(struct by_value *b, uint32_t at, uint32_t base)
{
    const struct nf_module *m = b->to.m;
    uint32_t id = nf_value_id(m, at);
    int64_t distance = nf_opcode(m, at) == OpBitcast ? 0 : distance_of(m, at);
    bool unknown = distance == UNKNOWN || b->offset[base] == UNKNOWN;
    if (nf_type_of(m, id)->kind != NF_KIND_POINTER || !nf_type_of(m, id)->element) return false;
    b->other[id] = b->other[base] || nf_opcode(m, at) == OpBitcast;
    b->offset[id] = unknown ? UNKNOWN : b->offset[base] + distance;
    b->root[id] = b->root[base];
    return !unknown || !b->other[id];
}

static bool is_argument_without_padding(const struct by_value *b, uint32_t at, uint32_t word)
{
    const struct nf_function *callee = nf_called_function(b->to.m, at);
    if (nf_argument_count(b->to.m, at) != callee->parameter_count) return false;
    uint32_t argument = nf_word(b->to.m, at, word), parameter = parameter_of(b->to.m, callee, word - 4);
    return b->root[argument] == argument && b->root[parameter] == parameter && !b->needed[parameter];
}

/* Returns true if the operand in `word`, a pointer into an argument, gives access to none of its padding. */
static bool is_without_padding(struct by_value *b, uint32_t at, uint32_t word)
{
    const struct nf_module *m = b->to.m;
    uint32_t opcode = nf_opcode(m, at), pointer = nf_word(m, at, word);
    switch (nf_op_find(opcode)->role) {
    case NF_ROLE_load: return is_inside_members(b, pointer, nf_type_of(m, nf_value_id(m, at)));
    case NF_ROLE_store: return word == 1 && is_inside_members(b, pointer, nf_type_of(m, nf_store_object(m, at)));
    case NF_ROLE_chain: return word == 3 && nf_type_of(m, pointer)->element && derive(b, at, pointer);
    case NF_ROLE_bitcast: return derive(b, at, pointer);
    default: break;
    }
    if (opcode == OpExtInst) return nf_extended_set(m, at) != m->ext_opencl;
    if (opcode == OpFunctionCall) return is_argument_without_padding(b, at, word);
    return opcode == OpLifetimeStart || opcode == OpLifetimeStop;
}

static void find_uses(struct by_value *b, uint32_t at)
{
    const struct nf_module *m = b->to.m;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        uint32_t root = walk.kind == NF_OPERAND_ID ? b->root[nf_current_operand(&walk)] : 0;
        if (!root || b->needed[root] || nf_opcode(m, at) == OpFunctionParameter || is_without_padding(b, at, walk.at))
            continue;
        b->needed[root] = b->changed = true;
    }
}

/* ---- Rewriting --------------------------------------------------------------------------------------------------- */

/* Returns the id of the type of pointers to an array of integers, or of vectors, that has the size and the alignment of
 * the structure. */
static uint32_t array_type(struct nf_edit *e, const struct nf_type *type)
{
    enum { MOST_BYTES = 8, VECTOR16_BYTES = 64 };
    uint32_t align = type->align, unit = nf_edit_int_type(e, 8 * (align < MOST_BYTES ? align : MOST_BYTES));
    if (align >= VECTOR16_BYTES) nf_edit_need(e, NF_CAPABILITY_VECTOR16);
    if (align > MOST_BYTES) unit = nf_edit_define(e, OpTypeVector, 0, (uint32_t[]){unit, align / MOST_BYTES}, 2);
    uint32_t count = nf_edit_number(e, (uint32_t)(type->size / align));
    uint32_t array = nf_edit_define(e, OpTypeArray, 0, (uint32_t[]){unit, count}, 2);
    return nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_FUNCTION, array}, 2);
}

/* Begins a function, and emits its OpFunction with the type that the changed parameters give it. Returns false, and
 * emits nothing, if no parameter changes. */
static bool begin_function(struct by_value *b, uint32_t at)
{
    struct nf_edit *e = &b->to;
    const struct nf_module *m = e->m;
    const struct nf_function *f = &m->functions[m->index_of[nf_value_id(m, at)]];
    uint32_t *types = NF_NEW(m->arena, uint32_t, f->parameter_count + 1);
    bool any = false;
    types[0] = f->result_type;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        uint32_t id = parameter_of(m, f, i);
        types[i + 1] = b->array[id] ? b->array[id] : nf_type_of_parameter(m, f, i);
        any |= b->array[id];
    }
    b->casts = any && f->body ? nf_after_variables(m, f) : 0;
    if (!any) return false;
    uint32_t type = nf_edit_define(e, OpTypeFunction, 0, types, f->parameter_count + 1);
    nf_edit_emit(e, OpFunction, (uint32_t[]){f->result_type, f->id, nf_function_control(m, at), type}, 4);
    return true;
}

static void emit_casts(struct by_value *b, const struct nf_function *f)
{
    struct nf_edit *e = &b->to;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        uint32_t id = parameter_of(e->m, f, i);
        if (!b->array[id]) continue;
        b->cast[id] = nf_build_id(&e->build);
        nf_edit_emit(e, OpBitcast, (uint32_t[]){nf_type_of_parameter(e->m, f, i), b->cast[id], id}, 3);
    }
}

/* Emits the call with a cast of each argument whose parameter has another type. */
static void emit_call(struct by_value *b, uint32_t at)
{
    struct nf_edit *e = &b->to;
    const struct nf_module *m = e->m;
    const struct nf_function *f = nf_called_function(m, at);
    uint32_t *words = NF_NEW(m->arena, uint32_t, f->parameter_count + 3);
    words[0] = nf_value_type(m, at), words[1] = nf_value_id(m, at), words[2] = f->id;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        uint32_t argument = nf_argument(m, at, i), type = b->array[parameter_of(m, f, i)];
        words[i + 3] = b->cast[argument] ? b->cast[argument] : argument;
        if (!type) continue;
        uint32_t cast = nf_build_id(&e->build);
        nf_edit_emit(e, OpBitcast, (uint32_t[]){type, cast, words[i + 3]}, 3);
        words[i + 3] = cast;
    }
    nf_edit_emit(e, OpFunctionCall, words, f->parameter_count + 3);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    struct by_value *b = data;
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at);
    if (opcode == OpFunction) return begin_function(b, at);
    if (opcode == OpFunctionParameter) {
        uint32_t id = nf_value_id(m, at);
        if (b->array[id]) nf_edit_emit(e, OpFunctionParameter, (uint32_t[]){b->array[id], id}, 2);
        return b->array[id];
    }
    if (b->casts && at == b->casts) emit_casts(b, nf_function_around(m, at));
    if (opcode == OpFunctionCall && nf_argument_count(m, at) == nf_called_function(m, at)->parameter_count)
        emit_call(b, at);
    else
        nf_edit_mapped(e, at, b->cast);
    return true;
}

bool nf_workaround_mesa_by_value_padding(struct nf_module *m, struct nf_words *out)
{
    bool any = false;
    struct by_value b = {.to = nf_edit_begin(m),
                         .root = NF_NEW(m->arena, uint32_t, m->bound),
                         .offset = NF_NEW(m->arena, int64_t, m->bound),
                         .other = NF_NEW(m->arena, bool, m->bound),
                         .needed = NF_NEW(m->arena, bool, m->bound),
                         .array = NF_NEW(m->arena, uint32_t, m->bound),
                         .cast = NF_NEW(m->arena, uint32_t, m->bound),
                         .changed = true};
    find_parameters(&b);
    while (b.changed) {
        b.changed = false;
        for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
            find_uses(&b, at);
    }
    for (uint32_t id = 0; id < m->bound; id++) {
        if (!b.needed[id]) continue;
        b.array[id] = array_type(&b.to, nf_type(m, nf_type_of(m, id)->element));
        any = true;
    }
    if (any) *out = nf_edit_functions(&b.to, rewrite, &b);
    return any;
}
