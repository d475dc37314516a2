/* SPDX-License-Identifier: Apache-2.0 */
/*
 * older.c - replaces instructions that are newer than the device's SPIR-V version by older instructions.
 *
 * SPIRV-LLVM-Translator 15 crashes on most of them, so they are replaced on the way to SPIR 1.2 as well. The size of a
 * pointee is computed as the distance to the next element, which needs no layout rules and which compilers
 * constant-fold:
 *
 *     %d = OpPtrDiff %long %p %q                 %next = OpPtrAccessChain %ptr %q %one
 *                                           ->   %size = %next - %q;  %d = (%p - %q) / %size     as integers
 *     %s = OpSelect %struct %c %a %b             the same for each member, then OpCompositeConstruct
 *     %t = OpCopyLogical %struct2 %s             extraction of each member, then OpCompositeConstruct
 *
 * needs: an instruction that the device may lack.  gives: its replacement in the section that is being written
 * (nf_fit.to).
 */
#include "fit/internal.h"

enum { MEMBER_LIMIT = 4096 };

/* ---- Pointers as integers ---- */

static uint32_t word_width(const struct nf_fit *f)
{
    return f->m->address_bits == 32 ? 32 : 64;
}

static uint32_t word_type(struct nf_fit *f)
{
    return nf_fit_int_type(f, word_width(f));
}

static uint32_t address(struct nf_fit *f, uint32_t pointer)
{
    uint32_t type = word_type(f), id = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpConvertPtrToU, type, id, pointer);
    return id;
}

static uint32_t difference(struct nf_fit *f, uint32_t left, uint32_t right)
{
    uint32_t id = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpISub, word_type(f), id, left, right);
    return id;
}

/* Writes the size of an element: the distance from `pointer`, whose address as an integer is `at_it`, to the element
 * after it. Refuses a pointer whose type is not known. */
static uint32_t element_size(struct nf_fit *f, uint32_t pointer, uint32_t at_it)
{
    uint32_t type = nf_fit_type_of(f, pointer);
    if (!type || nf_opcode(f->m, type) != OpTypePointer)
        nf_fail(f->m->arena, NF_REFUSED, 0, "the size of the pointee of %u is not known", pointer);
    uint32_t step = nf_fit_address_constant(f, word_type(f), 1), next = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpPtrAccessChain, nf_declared_id(f->m, type), next, pointer, step);
    return difference(f, address(f, next), at_it);
}

/* Writes the conversion of `value`, an integer of an address's width, to the result of the instruction at `at`. */
static void emit_result(struct nf_fit *f, uint32_t at, uint32_t convert, uint32_t value)
{
    uint32_t type = f->m->def[nf_value_type(f->m, at)];
    bool same = type && nf_opcode(f->m, type) == OpTypeInt && nf_scalar_width(f->m, type) == word_width(f);
    if (same)
        nf_fit_alias(f, nf_value_type(f->m, at), nf_value_id(f->m, at), value);
    else
        NF_FIT_EMIT(f, convert, nf_value_type(f->m, at), nf_value_id(f->m, at), value);
}

uint32_t nf_fit_element_size(struct nf_fit *f, uint32_t pointer)
{
    return element_size(f, pointer, address(f, pointer));
}

static void compare(struct nf_fit *f, uint32_t at)
{
    uint32_t left = address(f, nf_value_operand(f->m, at, 0)), right = address(f, nf_value_operand(f->m, at, 1));
    NF_FIT_EMIT(f, nf_opcode(f->m, at) == OpPtrEqual ? OpIEqual : OpINotEqual, nf_value_type(f->m, at),
                nf_value_id(f->m, at), left, right);
}

static void subtract(struct nf_fit *f, uint32_t at)
{
    uint32_t left = address(f, nf_value_operand(f->m, at, 0)), right = address(f, nf_value_operand(f->m, at, 1));
    uint32_t bytes = difference(f, left, right), size = element_size(f, nf_value_operand(f->m, at, 1), right);
    uint32_t quotient = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpSDiv, word_type(f), quotient, bytes, size);
    emit_result(f, at, OpSConvert, quotient);
}

static void size_of(struct nf_fit *f, uint32_t at)
{
    emit_result(f, at, OpUConvert, nf_fit_element_size(f, nf_value_operand(f->m, at, 0)));
}

/* ---- Composites, member by member ---- */

/* Returns the number of members of the struct or array type defined at `at`; 0 for other types. Refuses an array whose
 * length is not constant, or exceeds MEMBER_LIMIT. */
static uint32_t member_count(struct nf_fit *f, uint32_t at)
{
    uint64_t count;
    if (nf_opcode(f->m, at) == OpTypeStruct) return nf_length(f->m, at) - 2;
    if (nf_opcode(f->m, at) != OpTypeArray) return 0;
    if (!nf_fit_constant(f, nf_array_length(f->m, at), &count) || count > MEMBER_LIMIT)
        nf_fail(f->m->arena, NF_REFUSED, 0, "a value is an array that is too large, or whose length is not constant");
    return (uint32_t)count;
}

static uint32_t member_type(const struct nf_fit *f, uint32_t at, uint32_t index)
{
    return nf_opcode(f->m, at) == OpTypeStruct ? nf_member_type(f->m, at, index) : nf_element_type(f->m, at);
}

/* Returns the condition for a select of `type`: a vector of equal conditions if `type` is a vector and `condition` a
 * scalar. Refuses a vector of more than 16 components. */
static uint32_t vector_condition(struct nf_fit *f, uint32_t condition, uint32_t type)
{
    uint32_t condition_type = nf_fit_type_of(f, condition), at = f->m->def[type];
    bool needed =
        nf_opcode(f->m, at) == OpTypeVector && condition_type && nf_opcode(f->m, condition_type) == OpTypeBool;
    if (!needed) return condition;
    uint32_t count = nf_component_count(f->m, at), parts[16], id = nf_build_id(&f->build);
    if (count > 16) nf_fail(f->m->arena, NF_REFUSED, 0, "a select of vectors of %u components is not supported", count);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = condition;
    nf_fit_construct(f, nf_fit_vector_type(f, nf_declared_id(f->m, condition_type), count), id, count, parts);
    return id;
}

/* The source of a value: with a condition, a select of `left` and `right`; without a condition, `left`, which may have
 * another type with the same members. */
struct source {
    uint32_t condition, type, left, right;
};

static uint32_t build(struct nf_fit *f, uint32_t type, struct source from, uint32_t result);

static uint32_t extract(struct nf_fit *f, uint32_t type, uint32_t composite, uint32_t index)
{
    uint32_t id = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpCompositeExtract, type, id, composite, index);
    return id;
}

static void build_members(struct nf_fit *f, uint32_t type, struct source from, uint32_t result, uint32_t count)
{
    uint32_t *parts = NF_NEW(f->m->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct source member = {from.condition, member_type(f, f->m->def[from.type], i), 0, 0};
        member.left = extract(f, member.type, from.left, i);
        if (from.condition) member.right = extract(f, member.type, from.right, i);
        parts[i] = build(f, member_type(f, f->m->def[type], i), member, 0);
    }
    nf_fit_construct(f, type, result, count, parts);
}

/* Writes a value of `type` from its source and returns its id: `result`; or, if that is 0, the id of an existing or of
 * a new value. */
static uint32_t build(struct nf_fit *f, uint32_t type, struct source from, uint32_t result)
{
    if (!result && !from.condition && type == from.type) return from.left;
    if (!result) result = nf_build_id(&f->build);
    uint32_t count = member_count(f, f->m->def[type]);
    if (!from.condition && (!count || type == from.type))
        nf_fit_alias(f, type, result, from.left);
    else if (count)
        build_members(f, type, from, result, count);
    else
        NF_FIT_EMIT(f, OpSelect, type, result, vector_condition(f, from.condition, type), from.left, from.right);
    return result;
}

static bool copy_logical(struct nf_fit *f, uint32_t at)
{
    uint32_t type = nf_fit_type_of(f, nf_value_operand(f->m, at, 0));
    if (!type || !f->m->def[nf_value_type(f->m, at)]) return false;
    build(f, nf_value_type(f->m, at), (struct source){0, nf_declared_id(f->m, type), nf_value_operand(f->m, at, 0), 0},
          nf_value_id(f->m, at));
    return true;
}

/* Writes an OpSelect of a composite by a scalar condition member by member; returns false for another select. Before
 * 1.4, OpSelect takes no composites but vectors, with a condition for each component. */
static bool select_composite(struct nf_fit *f, uint32_t at)
{
    uint32_t type = nf_value_type(f->m, at), condition = nf_fit_type_of(f, nf_select_condition(f->m, at));
    uint32_t kind = nf_opcode(f->m, f->m->def[type]);
    bool scalar = condition && nf_opcode(f->m, condition) == OpTypeBool;
    if (!scalar || (kind != OpTypeStruct && kind != OpTypeArray && kind != OpTypeVector)) return false;
    build(f, type,
          (struct source){nf_select_condition(f->m, at), type, nf_select_true(f->m, at), nf_select_false(f->m, at)},
          nf_value_id(f->m, at));
    return true;
}

/* Returns true if selects of composites must be replaced. Translators also write such selects into modules of versions
 * before 1.4; only drivers that validate refuse them. */
static bool selects_are_old(const struct nf_fit *f, bool before_1_4)
{
    bool new_module = f->m->version >= NF_VERSION_1_4;
    return new_module ? before_1_4 : f->profile->flags & NF_PROFILE_VALIDATES;
}

bool nf_fit_older_form(struct nf_fit *f, uint32_t at)
{
    bool before_1_4 = f->version < NF_VERSION_1_4;
    switch (nf_opcode(f->m, at)) {
    case OpPtrEqual:
    case OpPtrNotEqual:
        if (before_1_4) compare(f, at);
        return before_1_4;
    case OpPtrDiff:
        if (before_1_4) subtract(f, at);
        return before_1_4;
    case OpSizeOf: /* replaced for all versions, because stock Mesa lacks it; drivers fold the constants that result */
        size_of(f, at);
        return true;
    case OpCopyLogical: return before_1_4 && copy_logical(f, at);
    case OpSelect: return selects_are_old(f, before_1_4) && select_composite(f, at);
    default: return false;
    }
}
