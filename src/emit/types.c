/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - writes types: the type of a value, and the type of the same value in memory.
 *
 *     OpTypeInt 32 0                    uint      in memory u32, a typedef of uint that may alias
 *     OpTypeVector %bool 4              char4     in memory uchar4: true is -1 in a value, 1 in memory
 *     OpTypePointer CrossWorkgroup %f   global f32 *    in memory u64, or u32 for 32-bit addresses
 *     OpTypeStruct %a %b                T12, a typedef of a structure with members m0 and m1
 *     OpTypeArray %uint %uint_4         T13, a structure with the array as its member a
 *
 * A type is declared only if the OpenCL C text that is written names it. A module-scope variable whose initializer
 * contains a NaN or an infinity is declared with a twin of its type, R12, in which floats are integers, because OpenCL
 * C has no literal for a NaN or an infinity that every compiler takes in an initializer.
 *
 * needs: types of the module.  gives: OpenCL C text, and the declarations before all other text.
 */
#include "emit/internal.h"

bool nf_is_vector(const struct nf_type *type)
{
    return type->kind == NF_KIND_VECTOR;
}

uint32_t nf_bits_of_type(const struct nf_emitter *e, const struct nf_type *type)
{
    const struct nf_type *scalar = nf_scalar_of(e->m, type);
    if (scalar->kind == NF_KIND_BOOL) return 8;
    return scalar->kind == NF_KIND_INT || scalar->kind == NF_KIND_FLOAT ? nf_scalar_width(e->m, scalar->at) : 0;
}

bool nf_is_half(const struct nf_emitter *e, const struct nf_type *type)
{
    return nf_scalar_of(e->m, type)->kind == NF_KIND_FLOAT && nf_bits_of_type(e, type) == 16;
}

bool nf_is_bool(const struct nf_emitter *e, const struct nf_type *type)
{
    return nf_scalar_of(e->m, type)->kind == NF_KIND_BOOL;
}

bool nf_is_narrow(const struct nf_emitter *e, const struct nf_type *type)
{
    return type->kind == NF_KIND_INT && nf_bits_of_type(e, type) < 32;
}

static void say_integer_type(struct nf_emitter *e, const struct nf_type *type, uint32_t bits, bool is_signed)
{
    if (!is_signed) nf_say_char(e, 'u');
    switch (bits) {
    case 8: nf_say_string(e, "char"); break;
    case 16: nf_say_string(e, "short"); break;
    case 32: nf_say_string(e, "int"); break;
    case 64: nf_say_string(e, "long"); break;
    default: nf_refuse(e, type->at, "an integer of %u bits", bits);
    }
}

static void say_float_type(struct nf_emitter *e, const struct nf_type *type, uint32_t bits)
{
    /* The encoding, of SPV_KHR_bfloat16 and similar extensions, is the third operand. */
    if (nf_length(e->m, type->at) > 3)
        nf_refuse(e, type->at, "a floating-point type of another encoding than IEEE 754's");
    switch (bits) {
    case 16:
        if (nf_has_feature(e, NF_C_FP16)) e->needs |= NF_NEEDS_FP16;
        nf_say_string(e, nf_has_feature(e, NF_C_FP16) ? "half" : e->widens ? "float" : "ushort");
        break;
    case 32: nf_say_string(e, "float"); break;
    case 64:
        if (!nf_has_feature(e, NF_C_FP64)) nf_refuse(e, type->at, "the compiler has no double (cl_khr_fp64)");
        e->needs |= NF_NEEDS_FP64;
        nf_say_string(e, "double");
        break;
    default: nf_refuse(e, type->at, "a floating-point number of %u bits", bits);
    }
}

void nf_say_scalar(struct nf_emitter *e, const struct nf_type *type, bool is_signed)
{
    uint32_t bits = nf_bits_of_type(e, type);
    if (type->kind == NF_KIND_INT)
        say_integer_type(e, type, bits, is_signed);
    else if (type->kind == NF_KIND_FLOAT)
        say_float_type(e, type, bits);
    else if (type->kind == NF_KIND_BOOL)
        nf_say_string(e, "bool");
    else
        nf_refuse(e, type->at, "a vector whose components are not numbers");
}

static void say_vector_size(struct nf_emitter *e, const struct nf_type *type)
{
    uint32_t n = type->count;
    if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16) nf_refuse(e, type->at, "a vector of %u components", n);
    nf_say_number(e, n);
}

void nf_say_space(struct nf_emitter *e, const struct nf_type *pointer)
{
    nf_set space = nf_space_of(e->m, pointer);
    if (pointer->storage == NF_STORAGE_GENERIC) nf_refuse(e, pointer->at, "a generic pointer");
    if (!(space & (NF_PRIVATE | NF_LOCAL | NF_GLOBAL | NF_CONSTANT)))
        nf_refuse(e, pointer->at, space == NF_CODE ? "a function pointer" : "a pointer of storage class %u",
                  pointer->storage);
    nf_say_string(e, nf_space_name(space));
}

/* Writes the type of an image, with its access qualifier. Refuses images that the device or the language version
 * lacks. */
static void say_image_type(struct nf_emitter *e, const struct nf_type *type)
{
    static const char *const dimensions[] = {"1d", "2d", "3d", NULL, NULL, "1d_buffer"};
    const uint32_t *operands = e->m->words + type->at + 2;
    uint32_t dimension = operands[1], access = nf_length(e->m, type->at) > 9 ? operands[7] : 0;
    if (!nf_has_feature(e, NF_C_IMAGES)) nf_refuse(e, type->at, "the device has no images");
    if (dimension >= sizeof dimensions / sizeof *dimensions || !dimensions[dimension] || access > 2)
        nf_refuse(e, type->at, "an image of dimension %u", dimension);
    if (access == 2 && e->version < 200) nf_refuse(e, type->at, "a read_write image, which OpenCL C 1.2 does not have");
    if (access == 1 && dimension == 2) e->needs |= NF_NEEDS_3D_WRITES;
    nf_say_text(e, "%s image%s%s%s%s_t",
                access == 0   ? "read_only"
                : access == 1 ? "write_only"
                              : "read_write",
                dimensions[dimension], operands[3] ? "_array" : "", operands[4] ? "_msaa" : "",
                operands[2] == 1 ? "_depth" : "");
}

static void say_opaque_type(struct nf_emitter *e, const struct nf_type *type)
{
    switch (nf_opcode(e->m, type->at)) {
    case OpTypeEvent: nf_say_string(e, "event_t"); break;
    case OpTypeSampler: nf_say_string(e, "sampler_t"); break;
    case OpTypeImage: say_image_type(e, type); break;
    default: nf_refuse(e, type->at, "%s has no type in OpenCL C 1.2", nf_op_find(nf_opcode(e->m, type->at))->name);
    }
}

static void say_declared_type(struct nf_emitter *e, const struct nf_type *type)
{
    e->facts[type->id] |= NF_ID_USED;
    nf_say_name(e, type->id, 'T');
}

void nf_say_pointee(struct nf_emitter *e, uint32_t type)
{
    const struct nf_type *pointee = nf_type(e->m, type);
    bool is_opaque = pointee->kind == NF_KIND_OPAQUE && nf_opcode(e->m, pointee->at) != OpTypeEvent;
    bool is_bytes = !type || pointee->kind == NF_KIND_VOID || pointee->kind == NF_KIND_FUNCTION || is_opaque ||
                    pointee->kind == NF_KIND_NONE;
    if (is_bytes)
        nf_say_string(e, "u8");
    else
        nf_say_memory_type(e, type);
}

void nf_say_type(struct nf_emitter *e, uint32_t id, bool is_signed)
{
    const struct nf_type *type = nf_type(e->m, id);
    switch (type->kind) {
    case NF_KIND_VOID: nf_say_string(e, "void"); break;
    case NF_KIND_BOOL:
    case NF_KIND_INT:
    case NF_KIND_FLOAT: nf_say_scalar(e, type, is_signed); break;
    case NF_KIND_VECTOR:
        if (nf_is_bool(e, type))
            nf_say_string(e, "char");
        else
            nf_say_scalar(e, nf_type(e->m, type->element), is_signed);
        say_vector_size(e, type);
        break;
    case NF_KIND_ARRAY:
    case NF_KIND_STRUCT: say_declared_type(e, type); break;
    case NF_KIND_POINTER:
        nf_say_space(e, type);
        nf_say_char(e, ' ');
        nf_say_pointee(e, type->element);
        nf_say_string(e, " *");
        break;
    case NF_KIND_OPAQUE: say_opaque_type(e, type); break;
    default: nf_refuse(e, type->at, "a value of a type that OpenCL C does not have");
    }
}

/* Writes the short name of the scalar type as it is stored in memory, such as u8 or f32, and notes the extension that
 * it needs. Refuses double on a compiler without double, and any width but 8, 16, 32 and 64 bits. */
static void say_scalar_in_memory(struct nf_emitter *e, const struct nf_type *type)
{
    uint32_t bits = nf_bits_of_type(e, type);
    if (type->kind == NF_KIND_FLOAT && bits == 64) {
        if (!nf_has_feature(e, NF_C_FP64)) nf_refuse(e, type->at, "the compiler has no double (cl_khr_fp64)");
        e->needs |= NF_NEEDS_FP64;
    }
    bool is_emulated = type->kind == NF_KIND_FLOAT && bits == 16 && !nf_has_feature(e, NF_C_FP16);
    if (type->kind == NF_KIND_FLOAT && bits == 16 && !is_emulated) e->needs |= NF_NEEDS_FP16;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) nf_refuse(e, type->at, "a number of %u bits", bits);
    nf_say_char(e, type->kind == NF_KIND_FLOAT && !is_emulated ? 'f' : 'u');
    nf_say_number(e, bits);
}

void nf_say_memory_type(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type(e->m, id);
    bool widens = e->widens;
    switch (type->kind) {
    case NF_KIND_BOOL: nf_say_string(e, "u8"); break;
    case NF_KIND_INT:
    case NF_KIND_FLOAT: say_scalar_in_memory(e, type); break;
    case NF_KIND_POINTER: nf_say_string(e, e->m->address_bits == 32 ? "u32" : "u64"); break;
    case NF_KIND_VECTOR:
        e->widens = false;
        if (nf_is_bool(e, type)) {
            nf_say_string(e, "uchar");
            say_vector_size(e, type);
        } else {
            nf_say_type(e, id, false);
        }
        e->widens = widens;
        break;
    default: nf_say_type(e, id, false); break;
    }
}

void nf_say_cast(struct nf_emitter *e, uint32_t type, bool is_signed)
{
    nf_say_char(e, '(');
    nf_say_type(e, type, is_signed);
    nf_say_char(e, ')');
}

void nf_say_raw_type(struct nf_emitter *e, uint32_t id)
{
    static const char *const names[] = {[2] = "ushort", [4] = "uint", [8] = "ulong"};
    const struct nf_type *type = nf_type(e->m, id), *scalar = nf_scalar_of(e->m, type);
    if (type->kind == NF_KIND_STRUCT || type->kind == NF_KIND_ARRAY) {
        e->facts[id] |= NF_ID_TYPE_RAW;
        nf_say_raw_name(e, id);
    } else if (scalar->kind == NF_KIND_FLOAT && scalar->size <= 8 && names[scalar->size]) {
        nf_say_string(e, names[scalar->size]);
        if (nf_is_vector(type)) say_vector_size(e, type);
    } else {
        nf_say_memory_type(e, id);
    }
}

/* Declares a structure or an array; `raw`: its twin in which floats are integers. */
static void declare_type(struct nf_emitter *e, const struct nf_type *type, bool raw)
{
    void (*say)(struct nf_emitter * e, uint32_t id) = raw ? nf_say_raw_type : nf_say_memory_type;
    const struct nf_module *m = e->m;
    bool packed = nf_decorations_of(e, type->id)->packed;
    nf_say_text(e, "typedef struct __attribute__((%smay_alias)) {", packed ? "packed, " : "");
    for (uint32_t i = 0; type->kind == NF_KIND_STRUCT && i < type->count; i++) {
        nf_say_char(e, ' ');
        say(e, nf_member_type(m, type->at, i));
        nf_say_char(e, ' ');
        nf_say_member(e, i);
        nf_say_char(e, ';');
    }
    if (type->kind == NF_KIND_ARRAY) {
        nf_say_char(e, ' ');
        say(e, type->element);
        nf_say_text(e, " a[%u];", type->count);
    }
    nf_say_string(e, " } ");
    if (raw)
        nf_say_raw_name(e, type->id);
    else
        nf_say_name(e, type->id, 'T');
    nf_say_string(e, ";\n");
}

/* Marks the types of the members of a used type as used. */
static void use_members(struct nf_emitter *e, const struct nf_type *type)
{
    uint8_t used = e->facts[type->id] & (NF_ID_USED | NF_ID_TYPE_RAW);
    if (type->kind == NF_KIND_ARRAY) e->facts[type->element] |= used;
    for (uint32_t i = 0; type->kind == NF_KIND_STRUCT && i < type->count; i++)
        e->facts[nf_member_type(e->m, type->at, i)] |= used;
}

/* The declarations have the order of the module: only a pointer may precede its pointee type, and in memory it is an
 * integer. */
void nf_declare_types(struct nf_emitter *e)
{
    const struct nf_module *m = e->m;
    for (uint32_t i = m->type_count; i-- > 1;)
        if (e->facts[m->types[i].id]) use_members(e, &m->types[i]);
    for (uint32_t i = 1; i < m->type_count; i++) {
        const struct nf_type *type = &m->types[i];
        if (type->kind != NF_KIND_STRUCT && type->kind != NF_KIND_ARRAY) continue;
        if (type->size >= UINT32_MAX) nf_refuse(e, type->at, "a type of 4 GB or more");
        if (e->facts[type->id] & NF_ID_USED) declare_type(e, type, false);
        if (e->facts[type->id] & NF_ID_TYPE_RAW) declare_type(e, type, true);
    }
}
