/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.c - looks up the input's definitions and writes instructions, types and constants of the output.
 *
 *     OpCompositeConstruct %struct %a %b           %u = OpUndef %struct; %t = OpCompositeInsert %struct %a %u 0; ...
 *
 * A type is looked up among the written types of the input and among new types, which are written between the
 * definitions of the input and its functions. The hard case is a composite: SPIRV-LLVM-Translator 15 crashes on
 * OpCompositeConstruct of a struct, so for SPIR 1.2 its members are inserted one by one.
 *
 * needs: a module that was read.  gives: words in the section that is being written (nf_fit.to).
 */
#include "fit/internal.h"

/* ---- Looking at the input ---- */

uint32_t nf_fit_type_of(const struct nf_fit *f, uint32_t id)
{
    uint32_t at = id < f->m->bound ? f->m->def[id] : 0;
    uint32_t type = at ? nf_result_type(f->m, at) : 0;
    return type ? f->m->def[type] : 0;
}

bool nf_fit_constant(const struct nf_fit *f, uint32_t id, uint64_t *value)
{
    uint32_t at = id < f->m->bound ? f->m->def[id] : 0;
    if (!at) return false;
    *value = 0;
    if (nf_opcode(f->m, at) == OpConstantNull) return true;
    if (nf_opcode(f->m, at) != OpConstant) return false;
    *value = nf_constant_bits(f->m, at);
    return true;
}

/* ---- Writing ---- */

void nf_fit_emit(struct nf_fit *f, uint32_t opcode, uint32_t count, const uint32_t *operands)
{
    f->changed = true;
    nf_build(f->to, opcode, operands, count);
}

void nf_fit_copy(struct nf_fit *f, uint32_t at)
{
    nf_append_words(f->to, f->m->words + at, nf_length(f->m, at));
}

void nf_fit_copy_part(struct nf_fit *f, uint32_t at, uint32_t length, uint32_t index, uint32_t word)
{
    uint32_t begin = f->to->count;
    nf_append_words(f->to, f->m->words + at, length);
    f->to->at[begin] = nf_first_word(nf_opcode(f->m, at), length);
    if (index) f->to->at[begin + index] = word;
    f->changed = true;
}

/* ---- Types and constants ---- */

static uint32_t define(struct nf_fit *f, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    nf_build_note(&f->build, f->head.at, f->known_head, f->head.count, OpTypePointer);
    f->known_head = f->head.count;
    f->changed = true;
    return nf_build_definition(&f->build, opcode, type, operands, count);
}

uint32_t nf_fit_bool_type(struct nf_fit *f)
{
    return define(f, OpTypeBool, 0, NULL, 0);
}

uint32_t nf_fit_int_type(struct nf_fit *f, uint32_t width)
{
    return define(f, OpTypeInt, 0, (uint32_t[]){width, 0}, 2);
}

uint32_t nf_fit_vector_type(struct nf_fit *f, uint32_t component, uint32_t count)
{
    return define(f, OpTypeVector, 0, (uint32_t[]){component, count}, 2);
}

uint32_t nf_fit_pointer_type(struct nf_fit *f, uint32_t storage, uint32_t pointee)
{
    return define(f, OpTypePointer, 0, (uint32_t[]){storage, pointee}, 2);
}

uint32_t nf_fit_int_constant(struct nf_fit *f, uint32_t type, uint32_t width, uint64_t value)
{
    uint32_t words[] = {(uint32_t)value, (uint32_t)(value >> 32)};
    return define(f, OpConstant, type, words, width > 32 ? 2 : 1);
}

uint32_t nf_fit_address_constant(struct nf_fit *f, uint32_t type, uint64_t value)
{
    return nf_fit_int_constant(f, type, f->m->address_bits == 32 ? 32 : 64, value);
}

uint32_t nf_fit_current(const struct nf_fit *f, uint32_t id)
{
    while (id < f->m->bound && f->replaced[id])
        id = f->replaced[id];
    return id;
}

/* ---- Composites ---- */

static uint32_t insert(struct nf_fit *f, uint32_t type, uint32_t part, uint32_t whole, uint32_t index, uint32_t result)
{
    if (!result) result = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpCompositeInsert, type, result, part, whole, index);
    return result;
}

/* Returns the number of components of the constituent `part` if it is a vector inside of a vector; 0 for any other
 * constituent. */
static uint32_t components(const struct nf_fit *f, uint32_t type, uint32_t part)
{
    uint32_t at = nf_fit_type_of(f, part);
    bool joined = type < f->m->bound && nf_opcode(f->m, f->m->def[type]) == OpTypeVector && at &&
                  nf_opcode(f->m, at) == OpTypeVector;
    return joined ? nf_component_count(f->m, at) : 0;
}

static uint32_t insert_components(struct nf_fit *f, uint32_t type, uint32_t part, uint32_t count, uint32_t whole,
                                  uint32_t index, uint32_t result)
{
    uint32_t component = nf_element_type(f->m, f->m->def[type]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = nf_build_id(&f->build);
        NF_FIT_EMIT(f, OpCompositeExtract, component, value, part, i);
        whole = insert(f, type, value, whole, index + i, i + 1 == count ? result : 0);
    }
    return whole;
}

void nf_fit_construct(struct nf_fit *f, uint32_t type, uint32_t result, uint32_t count, const uint32_t *parts)
{
    if (!f->spir12) {
        uint32_t *words = NF_NEW(f->m->arena, uint32_t, count + 2);
        words[0] = type;
        words[1] = result;
        memcpy(words + 2, parts, count * sizeof *parts);
        nf_fit_emit(f, OpCompositeConstruct, count + 2, words);
        return;
    }
    uint32_t whole = count ? nf_build_id(&f->build) : result, index = 0;
    NF_FIT_EMIT(f, OpUndef, type, whole);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t several = components(f, type, parts[i]), made = i + 1 == count ? result : 0;
        whole = several ? insert_components(f, type, parts[i], several, whole, index, made)
                        : insert(f, type, parts[i], whole, index, made);
        index += several ? several : 1;
    }
}

void nf_fit_alias(struct nf_fit *f, uint32_t type, uint32_t result, uint32_t value)
{
    uint32_t current = nf_fit_current(f, value);
    if (!f->spir12 || result >= f->m->bound || current == result) {
        NF_FIT_EMIT(f, OpCopyObject, type, result, value);
        return;
    }
    f->dropped[result] = f->changed = true;
    f->replaced[result] = current;
}
