/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arbitrary_width_ints.c - widens integers of arbitrary width (SPV_INTEL_arbitrary_precision_integers), as bit-fields
 * use them, for a device that has 8, 16, 32 and 64 bits.
 *
 *     %i40 = OpTypeInt 40 0                  %i40 = OpTypeInt 64 0
 *     %v = OpLoad %i40 %p Aligned 8          %v0 = OpLoad %uint %p0 Aligned 8      %p0, %p4: pointers to units of %p
 *                                            %v4 = OpLoad %uchar %p4 Aligned 4
 *                                            %v = (%v0 | %v4 << 32) & %mask
 *     %s = OpIAdd %i40 %v %w                 %a = OpIAdd %i40 %v %w
 *                                            %s = OpBitwiseAnd %i40 %a %mask
 *     %c = OpSLessThan %bool %v %w           %c = OpSLessThan %bool (%v << 24 >> 24) (%w << 24 >> 24)
 *
 * Widened values are zero-extended. A result that may have more bits is masked, and an operand whose sign matters is
 * sign-extended first. In memory such an integer occupies as many bytes as its bits need, and the following bytes
 * belong to other objects. So it is accessed in aligned units of 1, 2, 4 or 8 bytes.
 *
 * Hard cases: the wider type may be declared already, and SPIR-V allows only one declaration of it and of each type
 * derived from it, so existing declarations are used; and NoSignedWrap and NoUnsignedWrap do not hold in the wider
 * type, so they are dropped. Vectors of such integers, widths above 64 bits, and instructions that compilers do not
 * emit for such integers are refused; the message names them.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/internal.h"

enum { WIDEST = 64, WORD_BITS = 32 };
enum {
    STD_S_ABS = 141,
    STD_S_CLAMP = 149,
    STD_U_CLAMP,
    STD_CLZ,
    STD_CTZ,
    STD_S_MAX = 156,
    STD_U_MAX,
    STD_S_MIN,
    STD_U_MIN
};
enum { STD_POPCOUNT = 166, STD_U_ABS = 201 };

/* The rule by which an instruction on integers of unsupported width is rewritten. */
enum {
    PLAIN = 1,        /* only the instruction's types change */
    TRUNCATED = 2,    /* the result may have more bits and must be masked */
    SIGNED = 4,       /* the result depends on the signs of the operands */
    FIRST_SIGNED = 8, /* the result depends on the sign of the first operand */
    CONVERTS = 16     /* converts between integers: becomes a copy if both now have the same width */
};

struct widths {
    struct nf_edit to;
    uint32_t *mapped;     /* by id: the type that replaces it, 0: itself */
    bool *declared_later; /* by id: a pointer type declared ahead by OpTypeForwardPointer */
};

/* ---- Unsupported widths ---- */

static bool is_unsupported_width(uint32_t bits)
{
    return bits != 8 && bits != 16 && bits != 32 && bits != 64;
}

static uint32_t wider(uint32_t bits)
{
    uint32_t result = 8;
    while (result < bits)
        result *= 2;
    return result;
}

/* Returns the width of an integer type that the device lacks, 0 for any other type. */
static uint32_t unsupported_width(const struct nf_module *m, const struct nf_type *type)
{
    uint32_t bits = nf_width_of(m, type);
    return bits && is_unsupported_width(bits) ? bits : 0;
}

static uint32_t unsupported_width_of(const struct nf_module *m, uint32_t id)
{
    return unsupported_width(m, nf_type_of(m, id));
}

static bool has_unsupported_width(const struct nf_module *m, uint32_t at)
{
    struct nf_operands walk = nf_walk(m, at);
    if (unsupported_width(m, nf_type(m, nf_result_type(m, at)))) return true;
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID && unsupported_width_of(m, nf_current_operand(&walk))) return true;
    return false;
}

static uint32_t rule_of_function(const struct nf_module *m, uint32_t at)
{
    if (nf_extended_set(m, at) != m->ext_opencl) return 0;
    switch (nf_extended_number(m, at)) {
    case STD_S_ABS:
    case STD_S_CLAMP:
    case STD_S_MAX:
    case STD_S_MIN: return SIGNED | TRUNCATED;
    case STD_U_ABS:
    case STD_U_CLAMP:
    case STD_U_MAX:
    case STD_U_MIN:
    case STD_POPCOUNT:
    case STD_CLZ:
    case STD_CTZ: return PLAIN;
    default: return 0;
    }
}

/* Returns the rule for the instruction; 0: it is not supported for integers of unsupported width. */
static uint32_t rule_of(const struct nf_module *m, uint32_t at)
{
    switch (nf_opcode(m, at)) {
    case OpUDiv:
    case OpUMod:
    case OpShiftRightLogical:
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpBitwiseAnd:
    case OpBitFieldInsert:
    case OpBitFieldUExtract:
    case OpBitCount:
    case OpIEqual:
    case OpINotEqual:
    case OpUGreaterThan:
    case OpUGreaterThanEqual:
    case OpULessThan:
    case OpULessThanEqual:
    case OpConvertUToF:
    case OpConvertUToPtr:
    case OpSelect:
    case OpPhi:
    case OpCopyObject:
    case OpCompositeConstruct:
    case OpCompositeExtract:
    case OpCompositeInsert:
    case OpFunctionParameter:
    case OpFunctionCall:
    case OpReturnValue:
    case OpVariable:
    case OpFunction:
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpPtrAccessChain:
    case OpInBoundsPtrAccessChain:
    case OpExpectKHR: return PLAIN;
    case OpIAdd:
    case OpISub:
    case OpIMul:
    case OpSNegate:
    case OpNot:
    case OpShiftLeftLogical:
    case OpConvertFToU:
    case OpConvertFToS:
    case OpConvertPtrToU:
    case OpBitFieldSExtract: return TRUNCATED;
    case OpSDiv:
    case OpSRem:
    case OpSMod: return SIGNED | TRUNCATED;
    case OpShiftRightArithmetic: return FIRST_SIGNED | TRUNCATED;
    case OpSGreaterThan:
    case OpSGreaterThanEqual:
    case OpSLessThan:
    case OpSLessThanEqual:
    case OpConvertSToF: return SIGNED;
    case OpUConvert: return CONVERTS | TRUNCATED;
    case OpSConvert: return CONVERTS | SIGNED | TRUNCATED;
    case OpBitcast:
        return unsupported_width_of(m, nf_value_operand(m, at, 0)) == unsupported_width_of(m, nf_value_id(m, at))
                   ? CONVERTS
                   : 0;
    case OpExtInst: return rule_of_function(m, at);
    default: return 0;
    }
}

/* ---- Emitting ---- */

static uint32_t map(const struct widths *w, uint32_t id)
{
    return id < w->to.m->bound && w->mapped[id] ? w->mapped[id] : id;
}

static uint32_t emit(struct widths *w, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t words[8] = {type, nf_build_id(&w->to.build)};
    memcpy(words + 2, operands, count * sizeof *operands);
    nf_edit_emit(&w->to, opcode, words, count + 2);
    return words[1];
}
#define EMIT(w, opcode, type, ...)                                                                                     \
    emit((w), (opcode), (type), (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t int_type(struct widths *w, uint32_t bits)
{
    return nf_edit_int_type(&w->to, bits);
}

/* Defines a constant of the type that replaces integers of `bits` bits. */
static uint32_t constant_of(struct widths *w, uint32_t bits, uint64_t value)
{
    uint32_t words[2] = {(uint32_t)value, (uint32_t)(value >> WORD_BITS)}, type = int_type(w, wider(bits));
    return nf_edit_define(&w->to, OpConstant, type, words, bits > WORD_BITS ? 2 : 1);
}

static uint64_t mask_of(uint32_t bits)
{
    return ((uint64_t)1 << bits) - 1;
}

/* Emits the sign extension of `value` from `bits` bits to the whole widened type. */
static uint32_t sign_extend(struct widths *w, uint32_t value, uint32_t bits)
{
    uint32_t type = int_type(w, wider(bits)), above = constant_of(w, bits, wider(bits) - bits);
    return EMIT(w, OpShiftRightArithmetic, type, EMIT(w, OpShiftLeftLogical, type, value, above), above);
}

/* Emits the instruction at `at` with its types replaced. Returns its index in the output. */
static uint32_t copy(struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    uint32_t start = w->to.out.count, type = nf_result_type(m, at);
    struct nf_operands walk = nf_walk(m, at);
    nf_append_words(&w->to.out, m->words + at, nf_length(m, at));
    if (type) w->to.out.at[start + 1] = map(w, type);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) w->to.out.at[start + walk.at] = map(w, nf_current_operand(&walk));
    return start;
}

/* ---- Memory ---- */

struct access {
    uint32_t pointer, storage, bits, align;
    uint32_t operands[2];
};

/* Describes the access, of the type of `value`, that the instruction at `at` makes through `pointer`. `memory` is the
 * index, in this instruction, of the word where its memory operands begin, if it has any. */
static struct access access_at(const struct widths *w, uint32_t at, uint32_t pointer, uint32_t value, uint32_t memory)
{
    const struct nf_module *m = w->to.m;
    struct nf_memory_operands said = nf_memory_operands(m->words + at, nf_length(m, at), memory);
    const struct nf_type *type = nf_type_of(m, value);
    uint32_t align = said.align ? said.align & (0u - said.align) : type->align;
    uint32_t mask = (said.mask & NF_MEMORY_VOLATILE) | NF_MEMORY_ALIGNED;
    return (struct access){pointer, nf_type_of(m, pointer)->storage, unsupported_width(m, type), align, {mask, 0}};
}

/* Returns the size, in bytes, of the largest aligned unit at `offset` inside of the integer, and sets its alignment in
 * the memory operands. Returns 0 at the end of the integer. */
static uint32_t unit_bytes(struct access *a, uint32_t offset)
{
    uint32_t left = (a->bits + 7) / 8 - offset, align = offset ? offset & (0u - offset) : a->align, bytes = 8;
    if (!left) return 0;
    if (align > a->align) align = a->align;
    while (bytes > left || bytes > align)
        bytes /= 2;
    a->operands[1] = align;
    return bytes;
}

static uint32_t piece_pointer(struct widths *w, const struct access *a, uint32_t offset, uint32_t bytes)
{
    uint32_t type = nf_edit_define(&w->to, OpTypePointer, 0, (uint32_t[]){a->storage, int_type(w, 8 * bytes)}, 2);
    bool same = type == map(w, nf_type_of(w->to.m, a->pointer)->id);
    uint32_t first = same ? a->pointer : EMIT(w, OpBitcast, type, a->pointer);
    if (!offset) return first;
    return EMIT(w, OpInBoundsPtrAccessChain, type, first, nf_edit_number(&w->to, offset / bytes));
}

static void emit_load(struct widths *w, uint32_t at)
{
    struct access a = access_at(w, at, nf_load_pointer(w->to.m, at), nf_value_id(w->to.m, at), 4);
    uint32_t type = int_type(w, wider(a.bits)), whole = 0;
    for (uint32_t offset = 0, bytes; (bytes = unit_bytes(&a, offset)); offset += bytes) {
        uint32_t from = piece_pointer(w, &a, offset, bytes), piece_type = int_type(w, 8 * bytes);
        uint32_t piece = EMIT(w, OpLoad, piece_type, from, a.operands[0], a.operands[1]);
        if (piece_type != type) piece = EMIT(w, OpUConvert, type, piece);
        if (offset) piece = EMIT(w, OpShiftLeftLogical, type, piece, constant_of(w, a.bits, 8 * (uint64_t)offset));
        whole = whole ? EMIT(w, OpBitwiseOr, type, whole, piece) : piece;
    }
    nf_edit_emit(&w->to, OpBitwiseAnd,
                 (uint32_t[]){type, nf_value_id(w->to.m, at), whole, constant_of(w, a.bits, mask_of(a.bits))}, 4);
}

static void emit_store(struct widths *w, uint32_t at)
{
    struct access a = access_at(w, at, nf_store_pointer(w->to.m, at), nf_store_object(w->to.m, at), 3);
    uint32_t type = int_type(w, wider(a.bits));
    for (uint32_t offset = 0, bytes; (bytes = unit_bytes(&a, offset)); offset += bytes) {
        uint32_t piece = nf_store_object(w->to.m, at), piece_type = int_type(w, 8 * bytes);
        if (offset) piece = EMIT(w, OpShiftRightLogical, type, piece, constant_of(w, a.bits, 8 * (uint64_t)offset));
        if (piece_type != type) piece = EMIT(w, OpUConvert, piece_type, piece);
        uint32_t to = piece_pointer(w, &a, offset, bytes);
        nf_edit_emit(&w->to, OpStore, (uint32_t[]){to, piece, a.operands[0], a.operands[1]}, 4);
    }
}

/* ---- Arithmetic ---- */

/* Emits a count of zeros; returns false for any other instruction. For clz the zeros above the original width are
 * subtracted from the result; for ctz the bit above the original width is set in the operand, which limits the
 * count. */
static bool emit_count(struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    bool leading = nf_extended_number(m, at) == STD_CLZ;
    if (nf_opcode(m, at) != OpExtInst || (!leading && nf_extended_number(m, at) != STD_CTZ)) return false;
    uint32_t bits = unsupported_width_of(m, nf_value_id(m, at)), type = int_type(w, wider(bits)),
             value = nf_extended_operand(m, at, 0);
    if (leading) {
        uint32_t count = EMIT(w, OpExtInst, type, nf_extended_set(m, at), STD_CLZ, value);
        nf_edit_emit(&w->to, OpISub,
                     (uint32_t[]){type, nf_value_id(m, at), count, constant_of(w, bits, wider(bits) - bits)}, 4);
    } else {
        value = EMIT(w, OpBitwiseOr, type, value, constant_of(w, bits, (uint64_t)1 << bits));
        nf_edit_emit(&w->to, OpExtInst, (uint32_t[]){type, nf_value_id(m, at), nf_extended_set(m, at), STD_CTZ, value},
                     5);
    }
    return true;
}

/* Emits sign extensions for operands of the instruction at `at`, then the instruction with the extended operands.
 * Returns its index in the output. */
static uint32_t emit_sign_extended(struct widths *w, uint32_t at, uint32_t rule)
{
    const struct nf_module *m = w->to.m;
    uint32_t first = nf_operand_at(m, at, 0) - at + (nf_opcode(m, at) == OpExtInst ? 2 : 0);
    uint32_t with[8] = {0}, last = rule & FIRST_SIGNED ? first + 1 : nf_length(m, at);
    for (uint32_t i = first; i < last && i < first + 8; i++) {
        uint32_t bits = unsupported_width_of(m, nf_word(m, at, i));
        if (bits) with[i - first] = sign_extend(w, nf_word(m, at, i), bits);
    }
    uint32_t start = copy(w, at);
    for (uint32_t i = first; i < last && i < first + 8; i++)
        if (with[i - first]) w->to.out.at[start + i] = with[i - first];
    return start;
}

static void emit_computed(struct widths *w, uint32_t at, uint32_t rule)
{
    const struct nf_module *m = w->to.m;
    uint32_t start = rule & (SIGNED | FIRST_SIGNED) ? emit_sign_extended(w, at, rule) : copy(w, at);
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at), bits = unsupported_width(m, nf_type(m, type));
    if (rule & CONVERTS && map(w, type) == map(w, nf_type_of(m, nf_value_operand(m, at, 0))->id))
        w->to.out.at[start] = nf_first_word(OpCopyObject, 4);
    if (!(rule & TRUNCATED) || !bits) return;
    w->to.out.at[start + 2] = nf_build_id(&w->to.build);
    uint32_t more = w->to.out.at[start + 2];
    nf_edit_emit(&w->to, OpBitwiseAnd, (uint32_t[]){map(w, type), id, more, constant_of(w, bits, mask_of(bits))}, 4);
}

static void emit_switch(struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    uint32_t start = copy(w, at), bits = unsupported_width_of(m, nf_switch_selector(m, at)),
             literal = bits > WORD_BITS ? 2 : 1;
    for (uint32_t i = 3; i + literal < nf_length(m, at); i += literal + 1)
        w->to.out.at[start + i + literal - 1] &= (uint32_t)mask_of(bits - WORD_BITS * (literal - 1));
}

static void rewrite_unsupported(struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    uint32_t rule = rule_of(m, at), id = nf_result_id(m, at), type = nf_result_type(m, at);
    switch (nf_opcode(m, at)) {
    case OpLoad: emit_load(w, at); return;
    case OpStore: emit_store(w, at); return;
    case OpSwitch: emit_switch(w, at); return;
    case OpUndef:
        nf_edit_emit(&w->to, OpCopyObject,
                     (uint32_t[]){map(w, type), id, constant_of(w, unsupported_width(m, nf_type(m, type)), 0)}, 3);
        return;
    default: break;
    }
    if (!rule)
        nf_fail(m->arena, NF_REFUSED, at,
                "the device has no integers of this width, and Nonflat cannot replace %s on them",
                nf_op_find(nf_opcode(m, at))->name);
    if (!emit_count(w, at)) emit_computed(w, at, rule);
}

/* ---- Module scope ---- */

/* Widens a type. If the widened type is already declared, the existing type replaces it. */
static void map_type(struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    uint32_t opcode = nf_opcode(m, at), count = nf_length(m, at) - 2, id = nf_declared_id(m, at);
    uint32_t *key = NF_NEW(m->arena, uint32_t, count + 2);
    key[0] = opcode;
    memcpy(key + 2, m->words + at + 2, count * sizeof *key);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) key[walk.at] = map(w, nf_current_operand(&walk));
    if (opcode == OpTypeInt) key[2] = wider(key[2]);
    bool once = opcode != OpTypeStruct && opcode != OpTypeArray && opcode != OpTypeRuntimeArray;
    uint32_t made = once && !w->declared_later[id] ? nf_find_made(&w->to.build, key, count + 2) : 0;
    if (made)
        w->mapped[id] = made;
    else
        nf_note_made(&w->to.build, key, count + 2, id);
}

static bool is_type(uint32_t opcode)
{
    return opcode >= OpTypeVoid && opcode < OpTypeForwardPointer;
}

static void check_type(const struct nf_module *m, uint32_t at)
{
    bool vector = nf_opcode(m, at) == OpTypeVector;
    uint32_t id = nf_declared_id(m, at), bits = unsupported_width(m, nf_type(m, vector ? nf_element_type(m, at) : id));
    if (bits && (vector || bits > WIDEST))
        nf_fail(m->arena, NF_REFUSED, at, "the device has no %sintegers of %u bits, and Nonflat cannot replace them",
                vector ? "vectors of " : "", bits);
}

static void map_types(struct widths *w)
{
    const struct nf_module *m = w->to.m;
    w->to.knows_input = true; /* nf_edit_define() must not note the types of the input: map_type() widens them */
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpTypeForwardPointer) w->declared_later[nf_effect_operand(m, at, 0)] = true;
        if (!is_type(nf_opcode(m, at))) continue;
        check_type(m, at);
        map_type(w, at);
    }
}

static bool names_extension(const struct nf_module *m, uint32_t at)
{
    bool names = nf_opcode(m, at) == OpExtension, needs = nf_opcode(m, at) == OpCapability;
    return (names && strcmp(nf_string(m, at + 1), "SPV_INTEL_arbitrary_precision_integers") == 0) ||
           (needs && nf_capability_at(m, at) == NF_CAPABILITY_ANY_WIDTH);
}

/* Returns true for names and decorations of a replaced type, and for wrap decorations that no longer hold. */
static bool is_stale(const struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    uint32_t opcode = nf_opcode(m, at);
    if (opcode != OpName && opcode != OpDecorate) return false;
    uint32_t id = nf_annotated_id(m, at), what = opcode == OpDecorate ? nf_decoration_at(m, at) : 0;
    bool wraps = what == NF_DECORATION_NO_SIGNED_WRAP || what == NF_DECORATION_NO_UNSIGNED_WRAP;
    return map(w, id) != id || (wraps && unsupported_width_of(m, id));
}

static void emit_constant(struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    uint32_t start = copy(w, at), bits = unsupported_width(m, nf_type(m, nf_value_type(m, at))),
             last = bits > WORD_BITS;
    if (nf_opcode(m, at) == OpUndef)
        w->to.out.at[start] = nf_first_word(OpConstantNull, 3);
    else if (nf_opcode(m, at) == OpConstant || nf_opcode(m, at) == OpSpecConstant)
        w->to.out.at[start + 3 + last] &= (uint32_t)mask_of(bits - WORD_BITS * last);
    else if (nf_opcode(m, at) != OpConstantNull)
        nf_fail(m->arena, NF_REFUSED, at,
                "the device has no integers of %u bits, and Nonflat cannot replace a computed constant", bits);
}

static void rewrite_definition(struct widths *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    uint32_t opcode = nf_opcode(m, at);
    if (names_extension(m, at) || is_stale(w, at)) return;
    if (is_type(opcode) && w->mapped[nf_declared_id(m, at)]) return;
    if (unsupported_width(m, nf_type(m, nf_result_type(m, at)))) {
        emit_constant(w, at);
        return;
    }
    uint32_t start = copy(w, at);
    if (opcode == OpTypeInt) w->to.out.at[start + 2] = wider(nf_scalar_width(m, at));
}

bool nf_needs_arbitrary_width_ints(const struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    bool taken = !(profile->flags & NF_PROFILE_SPIR12) &&
                 nf_profile_takes_extension(profile, "SPV_INTEL_arbitrary_precision_integers");
    return !taken && nf_declares(m, NF_CAPABILITY_ANY_WIDTH);
}

bool nf_supply_arbitrary_width_ints(struct nf_module *m, struct nf_words *out)
{
    struct widths w = {.to = nf_edit_begin(m)};
    if (!nf_needs_arbitrary_width_ints(m)) return false;
    w.mapped = NF_NEW(m->arena, uint32_t, m->bound);
    w.declared_later = NF_NEW(m->arena, bool, m->bound);
    map_types(&w);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        nf_note_move(m, &w.to.moves, w.to.out.count, nf_input_word(m, at));
        if (has_unsupported_width(m, at))
            rewrite_unsupported(&w, at);
        else
            copy(&w, at);
    }
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpTypeInt) int_type(&w, wider(nf_scalar_width(m, at)));
    nf_edit_module_scope(&w.to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        nf_note_move(m, &w.to.moves, w.to.out.count, nf_input_word(m, at));
        rewrite_definition(&w, at);
    }
    *out = nf_edit_end(&w.to);
    return true;
}
