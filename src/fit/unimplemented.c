/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unimplemented.c - replaces instructions that SPIRV-LLVM-Translator 15 crashes on or lacks.
 *
 *     %s = OpCompositeConstruct %struct %a %b      %u = OpUndef %struct; %t = OpCompositeInsert %struct %a %u 0
 *                                             ->   %s = OpCompositeInsert %struct %b %t 1
 *     OpCopyMemory %p %q                           %v = OpLoad %int %q; OpStore %p %v, or OpCopyMemorySized
 *     %c = OpIAddCarry %struct %a %b               the sum, and whether it is less than %a
 *     %m = OpUMulExtended %struct %a %b            the product, and u_mul_hi of OpenCL.std
 *     %v = OpVectorShuffle %v2 %two %four 1 2      %w = OpVectorShuffle %v4 %two %two 0 1 undefined undefined
 *                                             ->   %v = OpVectorShuffle %v2 %w %four 1 4
 *
 * needs: an instruction of a module that will be translated to SPIR 1.2.  gives: its replacement, appended to
 * nf_fit.to, and the constants that it needs, in nf_fit.build.
 */
#include "fit/internal.h"

enum {
    LONGEST_VECTOR = 16,
    SHUFFLE_INDICES = 5 /* word of the first component index */
};

/* ---- Vectors ---- */

static const uint32_t undefined_component = UINT32_MAX;

/* Returns the number of components of the vector `id`; 0 for any other value, and for a vector longer than
 * LONGEST_VECTOR. */
static uint32_t length_of(const struct nf_fit *f, uint32_t id)
{
    uint32_t type = nf_fit_type_of(f, id);
    uint32_t length = type && nf_opcode(f->m, type) == OpTypeVector ? nf_component_count(f->m, type) : 0;
    return length <= LONGEST_VECTOR ? length : 0;
}

/* Writes `vector` extended with undefined components to the type of `like`, which is longer, and returns its id. */
static uint32_t widen(struct nf_fit *f, uint32_t vector, uint32_t like)
{
    uint32_t own = length_of(f, vector), count = length_of(f, like);
    uint32_t words[4 + LONGEST_VECTOR] = {nf_value_type(f->m, f->m->def[like]), nf_build_id(&f->build), vector, vector};
    for (uint32_t i = 0; i < count; i++)
        words[4 + i] = i < own ? i : undefined_component;
    nf_fit_emit(f, OpVectorShuffle, count + 4, words);
    return words[1];
}

/* Extends the shorter vector of a shuffle to the length of the longer vector. Returns false if they are equally long,
 * or a length is unknown. */
static bool shuffle(struct nf_fit *f, uint32_t at)
{
    uint32_t first = nf_value_operand(f->m, at, 0), second = nf_value_operand(f->m, at, 1),
             length = nf_length(f->m, at);
    uint32_t first_length = length_of(f, first), second_length = length_of(f, second);
    if (!first_length || !second_length || first_length == second_length) return false;
    uint32_t *words = NF_NEW(f->m->arena, uint32_t, length);
    memcpy(words, f->m->words + at + 1, (length - 1) * sizeof *words);
    if (first_length > second_length) {
        words[3] = widen(f, second, first);
    } else {
        words[2] = widen(f, first, second);
        for (uint32_t i = SHUFFLE_INDICES - 1; i < length - 1; i++)
            if (words[i] >= first_length && words[i] != undefined_component) words[i] += second_length - first_length;
    }
    nf_fit_emit(f, OpVectorShuffle, length - 1, words);
    return true;
}

/* ---- Constants ---- */

/* Writes the null constant of a number or bool as an ordinary constant: the translator takes OpConstantNull for
 * pointers and composites only. Returns false for other types. */
static bool null_number(struct nf_fit *f, uint32_t type, uint32_t result)
{
    uint32_t at = type < f->m->bound ? f->m->def[type] : 0, words[] = {type, result, 0, 0};
    switch (at ? nf_opcode(f->m, at) : 0) {
    case OpTypeBool: nf_fit_emit(f, OpConstantFalse, 2, words); return true;
    case OpTypeInt:
    case OpTypeFloat: nf_fit_emit(f, OpConstant, nf_scalar_width(f->m, at) > 32 ? 4 : 3, words); return true;
    default: return false;
    }
}

/* ---- Memory ---- */

static void with_access(struct nf_fit *f, uint32_t opcode, uint32_t count, const uint32_t *operands, uint32_t mask,
                        uint32_t align)
{
    uint32_t words[8];
    memcpy(words, operands, count * sizeof *words);
    if (mask) words[count++] = mask;
    if (mask & NF_MEMORY_ALIGNED) words[count++] = align;
    nf_fit_emit(f, opcode, count, words);
}

static bool copy_memory(struct nf_fit *f, uint32_t at)
{
    uint32_t to = nf_copy_target(f->m, at), from = nf_copy_source(f->m, at), length = nf_length(f->m, at);
    uint32_t type = nf_fit_type_of(f, to);
    if (!type || nf_opcode(f->m, type) != OpTypePointer) return false;
    uint32_t value_type = nf_pointee_type(f->m, type);
    struct nf_memory_operands write = nf_memory_operands(f->m->words + at, length, 3);
    struct nf_memory_operands read =
        write.end < length ? nf_memory_operands(f->m->words + at, length, write.end) : write;
    uint32_t kind = nf_opcode(f->m, f->m->def[value_type]);
    if (kind == OpTypeStruct || kind == OpTypeArray) {
        uint32_t align = write.align < read.align ? write.align : read.align;
        uint32_t mask = ((write.mask | read.mask) & NF_MEMORY_VOLATILE) | (align ? NF_MEMORY_ALIGNED : 0);
        uint32_t size = nf_fit_element_size(f, to);
        with_access(f, OpCopyMemorySized, 3, (uint32_t[]){to, from, size}, mask, align);
        return true;
    }
    uint32_t value = nf_build_id(&f->build);
    with_access(f, OpLoad, 3, (uint32_t[]){value_type, value, from}, read.mask & NF_MEMORY_PLAIN, read.align);
    with_access(f, OpStore, 2, (uint32_t[]){to, value}, write.mask & NF_MEMORY_PLAIN, write.align);
    return true;
}

/* ---- Instructions that return two results in a struct ---- */

static uint32_t emit_value(struct nf_fit *f, uint32_t opcode, uint32_t type, uint32_t left, uint32_t right)
{
    uint32_t words[] = {type, nf_build_id(&f->build), left, right};
    nf_fit_emit(f, opcode, right ? 4 : 3, words);
    return words[1];
}

/* Writes the conversion of a bool, or a vector of bools, to the integers 1 and 0 of `type`. */
static uint32_t as_number(struct nf_fit *f, uint32_t type, uint32_t condition)
{
    struct nf_words *to = f->to;
    uint32_t zero = nf_build_id(&f->build), words[] = {type, 0, condition, 0, zero};
    f->to = &f->build.definitions;
    if (!null_number(f, type, zero)) NF_FIT_EMIT(f, OpConstantNull, type, zero);
    f->to = to;
    words[3] = emit_value(f, OpSNegate, type, emit_value(f, OpNot, type, zero, 0), 0); /* -~0 is 1, of any width */
    words[1] = nf_build_id(&f->build);
    nf_fit_emit(f, OpSelect, 5, words);
    return words[1];
}

static uint32_t is_less(struct nf_fit *f, uint32_t type, uint32_t left, uint32_t right)
{
    uint32_t at = f->m->def[type], result = nf_fit_bool_type(f);
    if (nf_opcode(f->m, at) == OpTypeVector) result = nf_fit_vector_type(f, result, nf_component_count(f->m, at));
    return emit_value(f, OpULessThan, result, left, right);
}

static uint32_t high_half(struct nf_fit *f, uint32_t type, uint32_t number, uint32_t left, uint32_t right)
{
    uint32_t id = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpExtInst, type, id, f->ext_opencl, number, left, right);
    return id;
}

static bool emit_struct_of_two(struct nf_fit *f, uint32_t at)
{
    uint32_t type = nf_value_type(f->m, at), left = nf_value_operand(f->m, at, 0),
             right = nf_value_operand(f->m, at, 1), parts[2];
    if (nf_opcode(f->m, f->m->def[type]) != OpTypeStruct) return false;
    uint32_t member = nf_member_type(f->m, f->m->def[type], 0);
    switch (nf_opcode(f->m, at)) {
    case OpIAddCarry:
        parts[0] = emit_value(f, OpIAdd, member, left, right);
        parts[1] = as_number(f, member, is_less(f, member, parts[0], left));
        break;
    case OpISubBorrow:
        parts[0] = emit_value(f, OpISub, member, left, right);
        parts[1] = as_number(f, member, is_less(f, member, left, right));
        break;
    default:
        parts[0] = emit_value(f, OpIMul, member, left, right);
        parts[1] = high_half(f, member, nf_opcode(f->m, at) == OpUMulExtended ? NF_STD_U_MUL_HI : NF_STD_S_MUL_HI, left,
                             right);
    }
    nf_fit_construct(f, type, nf_value_id(f->m, at), 2, parts);
    return true;
}

/* ---- One instruction ---- */

static bool needs_import(const struct nf_fit *f)
{
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count && !f->ext_opencl; at += nf_length(f->m, at)) {
        uint32_t opcode = nf_opcode(f->m, at);
        if (opcode == OpUMulExtended || opcode == OpSMulExtended) return true;
    }
    return false;
}

/* Imports OpenCL.std if replacements need it; called at OpMemoryModel, which imports precede. */
static void import(struct nf_fit *f)
{
    if (!needs_import(f)) return;
    struct nf_words words = {.arena = f->m->arena};
    nf_append_word(&words, f->ext_opencl = nf_build_id(&f->build));
    nf_append_string(&words, "OpenCL.std");
    nf_fit_emit(f, OpExtInstImport, words.count, words.at);
}

bool nf_fit_unimplemented(struct nf_fit *f, uint32_t at)
{
    switch (nf_opcode(f->m, at)) {
    case OpMemoryModel: import(f); return false;
    case OpCompositeConstruct:
        nf_fit_construct(f, nf_value_type(f->m, at), nf_value_id(f->m, at), nf_length(f->m, at) - 3,
                         f->m->words + at + 3);
        return true;
    case OpConstantNull: return null_number(f, nf_value_type(f->m, at), nf_value_id(f->m, at));
    case OpCopyMemory: return copy_memory(f, at);
    case OpVectorShuffle: return shuffle(f, at);
    case OpIAddCarry:
    case OpISubBorrow:
    case OpUMulExtended:
    case OpSMulExtended: return emit_struct_of_two(f, at);
    default: return false;
    }
}
