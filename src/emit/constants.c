/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constants.c - writes constants, as operands and as initializers.
 *
 *     OpConstant %uchar 200              (uchar)200
 *     OpConstantComposite %S %a %b       (T12){1u, 2u}     as an initializer {1u, 2u}
 *     OpConstantNull %array              (T13){0}
 *
 * The hard case is the initializer of a module-scope variable with a NaN or an infinity, or of a constant variable
 * with a half, for a compiler without the type half: it is written as integers (`raw`), and the variable's type has
 * integers in place of floats. Constants may share their constituents, so a small module can produce a large text;
 * text.c limits its size, and the depth is limited here.
 *
 * needs: def and types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

enum { DEEPEST_CONSTANT = 64 };

bool nf_is_constant(const struct nf_emitter *e, uint32_t id)
{
    uint32_t def = id < e->m->bound ? e->m->def[id] : 0, opcode = def ? nf_opcode(e->m, def) : 0;
    return def && ((opcode >= OpConstantTrue && opcode <= OpSpecConstantOp) || opcode == OpUndef);
}

static bool is_constant_true(const struct nf_emitter *e, uint32_t id)
{
    uint32_t opcode = nf_opcode(e->m, e->m->def[id]);
    return opcode == OpConstantTrue || opcode == OpSpecConstantTrue;
}

/* Returns the bits of a scalar constant. */
static uint64_t bits_of(const struct nf_emitter *e, uint32_t def)
{
    return nf_constant_bits(e->m, def);
}

void nf_say_integer(struct nf_emitter *e, uint64_t value, uint32_t bits)
{
    if (bits < 64) value &= ((uint64_t)1 << bits) - 1;
    if (bits < 32) nf_say_string(e, bits == 8 ? "(uchar)" : "(ushort)");
    nf_say_number(e, value);
    if (bits == 32) nf_say_char(e, 'u');
    if (bits == 64) nf_say_string(e, "ul");
}

static void say_scalar(struct nf_emitter *e, uint32_t def, const struct nf_type *type, bool raw)
{
    uint32_t bits = nf_bits_of_type(e, type);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) nf_refuse(e, def, "a number of %u bits", bits);
    if (type->kind == NF_KIND_FLOAT && !raw)
        nf_say_float(e, bits_of(e, def), bits);
    else
        nf_say_integer(e, bits_of(e, def), bits);
}

/* ---- Zero ---- */

/* Returns true if `{0}` is a valid initializer of the type: its first member, the first member of that member, and so
 * on are not empty. */
static bool has_content(const struct nf_emitter *e, uint32_t id)
{
    for (uint32_t depth = 0; depth < DEEPEST_CONSTANT; depth++) {
        const struct nf_type *type = nf_type(e->m, id);
        if (type->kind != NF_KIND_ARRAY && type->kind != NF_KIND_STRUCT) return true;
        if (type->count == 0) return false;
        id = type->kind == NF_KIND_ARRAY ? type->element : nf_member_type(e->m, type->at, 0);
    }
    return false;
}

static void say_zero_of(struct nf_emitter *e, uint32_t id, bool is_static, bool raw)
{
    const struct nf_type *type = nf_type(e->m, id);
    switch (type->kind) {
    case NF_KIND_BOOL: nf_say_string(e, "0"); break;
    case NF_KIND_INT: nf_say_integer(e, 0, nf_bits_of_type(e, type)); break;
    case NF_KIND_FLOAT:
        if (raw)
            nf_say_integer(e, 0, nf_bits_of_type(e, type));
        else
            nf_say_float(e, 0, nf_bits_of_type(e, type));
        break;
    case NF_KIND_VECTOR:
        nf_say_char(e, '(');
        if (raw)
            nf_say_raw_type(e, id);
        else
            nf_say_type(e, id, false);
        nf_say_string(e, ")(0)");
        break;
    case NF_KIND_ARRAY:
    case NF_KIND_STRUCT:
        if (!is_static) nf_say_cast(e, id, false);
        nf_say_string(e, has_content(e, id) ? "{0}" : "{}");
        break;
    case NF_KIND_POINTER:
        if (!is_static) nf_say_char(e, '(');
        if (!is_static) nf_say_cast(e, id, false);
        nf_say_string(e, is_static ? "0" : "0)");
        break;
    default:
        if (nf_opcode(e->m, type->at) != OpTypeEvent) nf_refuse(e, type->at, "a null constant of this type");
        nf_say_string(e, "(event_t)0");
    }
}

void nf_say_zero(struct nf_emitter *e, uint32_t type)
{
    say_zero_of(e, type, false, false);
}

/* ---- Composites ---- */

static void say_parts(struct nf_emitter *e, uint32_t def, bool raw, uint32_t depth)
{
    for (uint32_t i = 0; i < nf_constituent_count(e->m, def); i++) {
        if (i) nf_say_string(e, ", ");
        nf_say_initializer(e, nf_constituent(e->m, def, i), raw, depth + 1);
    }
}

/* Writes a vector: in values true is -1, in memory 1. */
static void say_vector(struct nf_emitter *e, uint32_t def, const struct nf_type *type, bool raw, bool in_memory)
{
    nf_say_char(e, '(');
    if (raw)
        nf_say_raw_type(e, type->id);
    else if (in_memory)
        nf_say_memory_type(e, type->id);
    else
        nf_say_type(e, type->id, false);
    nf_say_string(e, ")(");
    for (uint32_t i = 0; i < nf_constituent_count(e->m, def); i++) {
        uint32_t part = nf_constituent(e->m, def, i);
        if (i) nf_say_string(e, ", ");
        if (!nf_is_bool(e, type))
            nf_say_initializer(e, part, raw, DEEPEST_CONSTANT - 1);
        else
            nf_say_string(e, !is_constant_true(e, part) ? "0" : in_memory ? "1" : "-1");
    }
    nf_say_char(e, ')');
}

static void say_composite(struct nf_emitter *e, uint32_t def, const struct nf_type *type, bool raw, uint32_t depth)
{
    if (nf_is_vector(type)) {
        say_vector(e, def, type, raw, true);
        return;
    }
    nf_say_string(e, type->kind == NF_KIND_ARRAY ? "{{" : "{");
    say_parts(e, def, raw, depth);
    nf_say_string(e, type->kind == NF_KIND_ARRAY ? "}}" : "}");
}

/* Writes the operation of an OpSpecConstantOp. Refuses an operation that is written as a statement, and operations that
 * are nested too deeply. */
static void say_operation(struct nf_emitter *e, uint32_t def)
{
    struct nf_insn i = nf_insn_at(e, def);
    if (nf_traits_of(i.form) & NF_TRAIT_STATEMENT) nf_refuse(e, def, "%s in a constant", i.op->name);
    if (++e->operations > DEEPEST_CONSTANT) nf_refuse(e, def, "a constant that is nested too deeply");
    nf_say_char(e, '(');
    nf_say_expression(e, &i);
    nf_say_char(e, ')');
    e->operations--;
}

/* Writes a sampler as an integer constant. Refuses an addressing mode that OpenCL C lacks. */
static void say_sampler(struct nf_emitter *e, uint32_t def)
{
    static const char *const addressing[] = {"CLK_ADDRESS_NONE", "CLK_ADDRESS_CLAMP_TO_EDGE", "CLK_ADDRESS_CLAMP",
                                             "CLK_ADDRESS_REPEAT", "CLK_ADDRESS_MIRRORED_REPEAT"};
    const uint32_t *operands = e->m->words + def + 3;
    if (operands[0] >= sizeof addressing / sizeof *addressing) nf_refuse(e, def, "an unknown addressing mode");
    nf_say_text(e, "(%s | CLK_NORMALIZED_COORDS_%s | CLK_FILTER_%s)", addressing[operands[0]],
                operands[1] ? "TRUE" : "FALSE", operands[2] ? "LINEAR" : "NEAREST");
}

/* Writes a constant that is neither a literal nor a composite: an operation, a sampler or a variable. Refuses any
 * other. */
static void say_other(struct nf_emitter *e, uint32_t id, uint32_t def)
{
    switch (def ? nf_opcode(e->m, def) : 0) {
    case OpSpecConstantOp: say_operation(e, def); break;
    case OpConstantSampler: say_sampler(e, def); break;
    case OpVariable: nf_say_variable(e, id); break;
    case OpFunction: nf_refuse(e, def, "a function pointer");
    default: nf_refuse(e, def, "a constant of this form");
    }
}

void nf_say_initializer(struct nf_emitter *e, uint32_t id, bool raw, uint32_t depth)
{
    const struct nf_module *m = e->m;
    uint32_t def = m->def[id];
    const struct nf_type *type = nf_type_of(m, id);
    if (depth >= DEEPEST_CONSTANT) nf_refuse(e, def, "a constant that is nested too deeply");
    switch (def ? nf_opcode(m, def) : 0) {
    case OpConstantTrue:
    case OpSpecConstantTrue: nf_say_char(e, '1'); break;
    case OpConstantFalse:
    case OpSpecConstantFalse: nf_say_char(e, '0'); break;
    case OpConstant:
    case OpSpecConstant: say_scalar(e, def, type, raw); break;
    case OpConstantNull:
    case OpUndef: say_zero_of(e, type->id, true, raw); break;
    case OpConstantComposite:
    case OpSpecConstantComposite: say_composite(e, def, type, raw, depth); break;
    default:
        if (type->kind == NF_KIND_POINTER) nf_say_string(e, m->address_bits == 32 ? "(uint)" : "(ulong)");
        say_other(e, id, def);
    }
}

void nf_say_constant(struct nf_emitter *e, uint32_t id)
{
    uint32_t def = e->m->def[id], opcode = nf_opcode(e->m, def);
    const struct nf_type *type = nf_type_of(e->m, id);
    bool is_composite = opcode == OpConstantComposite || opcode == OpSpecConstantComposite;
    if (opcode == OpConstantNull || opcode == OpUndef) {
        nf_say_zero(e, type->id);
    } else if (opcode == OpSpecConstantOp || opcode == OpConstantSampler) {
        say_other(e, id, def);
    } else if (is_composite && nf_is_vector(type)) {
        say_vector(e, def, type, false, false);
    } else if (is_composite) {
        nf_say_cast(e, type->id, false);
        say_composite(e, def, type, false, 0);
    } else {
        nf_say_initializer(e, id, false, 0);
    }
}

/* ---- Constants for which C has no initializer ---- */

static enum nf_raw_need need_of_scalar(const struct nf_emitter *e, uint32_t def, const struct nf_type *type)
{
    uint32_t bits = nf_bits_of_type(e, type);
    if (type->kind != NF_KIND_FLOAT || (bits != 16 && bits != 32 && bits != 64)) return NF_RAW_NEVER;
    if (bits == 16 && !nf_has_feature(e, NF_C_FP16)) return NF_RAW_IN_CONSTANTS;
    return nf_is_finite(bits_of(e, def), bits) ? NF_RAW_NEVER : NF_RAW_ALWAYS;
}

enum nf_raw_need nf_raw_need_of(struct nf_emitter *e, uint32_t id, uint32_t depth)
{
    const struct nf_module *m = e->m;
    uint32_t def = m->def[id], opcode = def ? nf_opcode(m, def) : 0;
    enum nf_raw_need need = NF_RAW_NEVER;
    if (depth >= DEEPEST_CONSTANT) nf_refuse(e, def, "a constant that is nested too deeply");
    if (e->raw_needs[id]) return (enum nf_raw_need)(e->raw_needs[id] - 1);
    if (opcode == OpConstant || opcode == OpSpecConstant)
        need = need_of_scalar(e, def, nf_type_of(m, id));
    else if (opcode == OpConstantComposite || opcode == OpSpecConstantComposite)
        for (uint32_t i = 0; need < NF_RAW_ALWAYS && i < nf_constituent_count(m, def); i++) {
            enum nf_raw_need other = nf_raw_need_of(e, nf_constituent(m, def, i), depth + 1);
            if (other > need) need = other;
        }
    e->raw_needs[id] = (uint8_t)(need + 1);
    return need;
}
