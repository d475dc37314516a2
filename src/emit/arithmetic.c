/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arithmetic.c - writes arithmetic, comparisons and logic as operators and functions.
 *
 *     OpSDiv %uint %a %b        (uint)((int)a / (int)b)
 *     OpIAdd %uchar %a %b       (uchar)(a + b): C computes in int
 *     OpFUnordLessThan %a %b    !(a >= b)
 *     OpSLessThan %bool4 %a %b  convert_char4(as_int4(a) < as_int4(b)): true is -1 in each component
 *
 * needs: the types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

/* ---- Results ---- */

/* Writes the beginning of the cast that narrows the result of a C operator, an int, to the type of the instruction.
 * Writes nothing for floats and wide integers, which need neither a cast nor additional parentheses. */
static void open_narrow(struct nf_emitter *e, uint32_t type)
{
    if (nf_is_narrow(e, nf_type(e->m, type))) nf_say(e, "(%t)(", type);
}

static void close_narrow(struct nf_emitter *e, uint32_t type)
{
    if (nf_is_narrow(e, nf_type(e->m, type))) nf_say_char(e, ')');
}

/* Writes the beginning of the conversion of a comparison's result to `type`, if that is a vector: a comparison of
 * vectors in OpenCL C gives integers as wide as the operands. */
static void open_comparison(struct nf_emitter *e, uint32_t type)
{
    if (nf_is_vector(nf_type(e->m, type))) nf_say(e, "convert_%t(", type);
}

static void close_comparison(struct nf_emitter *e, uint32_t type)
{
    if (nf_is_vector(nf_type(e->m, type))) nf_say_char(e, ')');
}

/* ---- Arithmetic ---- */

void nf_form_operator(struct nf_emitter *e, const struct nf_insn *i)
{
    open_narrow(e, i->type);
    nf_say(e, "%v %s %v", i->operands[0], i->form->text, i->operands[1]);
    close_narrow(e, i->type);
}

/* Narrow integers are multiplied as uint, because the product of two ushorts overflows an int. */
void nf_form_multiply(struct nf_emitter *e, const struct nf_insn *i)
{
    if (!nf_is_narrow(e, nf_type(e->m, i->type)))
        nf_say(e, "%v * %v", i->operands[0], i->operands[1]);
    else
        nf_say(e, "(%t)((uint)%p * (uint)%p)", i->type, i->operands[0], i->operands[1]);
}

void nf_form_signed_operator(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_open_signed(e, i->type);
    nf_say(e, "%i %s %i)", i->operands[0], i->form->text, i->operands[1]);
}

void nf_form_signed_modulo(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_signed_modulo(e, i->type);
    nf_say(e, "(%e, %e)", i->operands[0], i->operands[1]);
}

void nf_form_float_modulo(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_float_modulo(e, i->type);
    nf_say(e, "(%v, %v)", i->operands[0], i->operands[1]);
}

void nf_form_prefix(struct nf_emitter *e, const struct nf_insn *i)
{
    open_narrow(e, i->type);
    nf_say(e, "%s%p", i->form->text, i->operands[0]);
    close_narrow(e, i->type);
}

/* dot() has no vectors of 8 and 16 components: their product is the sum of the products of four components each. */
void nf_form_dot_product(struct nf_emitter *e, const struct nf_insn *i)
{
    static const char *const parts[] = {"0123", "4567", "89ab", "cdef"};
    const struct nf_type *type = nf_type_of(e->m, i->operands[0]);
    uint32_t count = nf_is_vector(type) ? type->count : 1;
    if (count <= 4) {
        nf_say(e, count > 1 ? "dot(%v, %v)" : "(%v * %v)", i->operands[0], i->operands[1]);
        return;
    }
    for (uint32_t n = 0; n < count / 4 && n < 4; n++)
        nf_say(e, n ? " + dot(%p.s%s, %p.s%s)" : "(dot(%p.s%s, %p.s%s)", i->operands[0], parts[n], i->operands[1],
               parts[n]);
    nf_say_char(e, ')');
}

/* Writes the amount of a shift. The amounts of a vector are converted to its type, which may differ from theirs, and to
 * its signed type if `is_signed`. */
static void say_amount(struct nf_emitter *e, const struct nf_insn *i, bool is_signed)
{
    const struct nf_type *amount = nf_type_of(e->m, i->operands[1]);
    if (!nf_is_vector(nf_type(e->m, i->type))) {
        nf_say_value(e, i->operands[1]);
        return;
    }
    if (is_signed) nf_say(e, "as_%I(", i->type);
    if (amount->id == i->type)
        nf_say_value(e, i->operands[1]);
    else
        nf_say(e, "convert_%t(%v)", i->type, i->operands[1]);
    if (is_signed) nf_say_char(e, ')');
}

void nf_form_shift(struct nf_emitter *e, const struct nf_insn *i)
{
    open_narrow(e, i->type);
    nf_say(e, "%v %s ", i->operands[0], i->form->text);
    say_amount(e, i, false);
    close_narrow(e, i->type);
}

void nf_form_signed_shift(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_open_signed(e, i->type);
    nf_say(e, "%i %s ", i->operands[0], i->form->text);
    say_amount(e, i, true);
    nf_say_char(e, ')');
}

/* ---- Bits ---- */

void nf_form_bit_count(struct nf_emitter *e, const struct nf_insn *i)
{
    bool same = nf_type_of(e->m, i->operands[0])->id == i->type;
    if (!same) nf_say(e, nf_is_vector(nf_type(e->m, i->type)) ? "convert_%t(" : "((%t)", i->type);
    nf_say(e, "popcount(%e)", i->operands[0]);
    if (!same) nf_say_char(e, ')');
}

/* Writes popcount() of the bits below the lowest set bit, which counts trailing zeros. */
void nf_form_count_trailing_zeros(struct nf_emitter *e, const struct nf_insn *i)
{
    bool is_vector = nf_is_vector(nf_type(e->m, i->type));
    nf_say(e, is_vector ? "popcount(~%p & (%p - (%t)(1)))" : "popcount((%t)(~%p & (%p - 1)))",
           is_vector ? i->operands[0] : i->type, i->operands[0], is_vector ? i->type : i->operands[0]);
}

void nf_form_bit_reverse(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say_bit_reverse(e, i->type);
    nf_say(e, "(%v)", i->operands[0]);
}

/* Writes a mask of the result's type whose lowest bits are 1: as many as the value of `count`, from 0 to the width of
 * the type. */
static void say_ones(struct nf_emitter *e, const struct nf_insn *i, uint32_t count)
{
    uint32_t bits = nf_bits_of_type(e, nf_type(e->m, i->type));
    nf_say(e, "((%t)((ulong)%p >= %u ? ~0ul : (1ul << (ulong)%p) - 1ul))", i->type, count, bits, count);
}

void nf_form_bit_field_insert(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t base = i->operands[0], insert = i->operands[1], offset = i->operands[2];
    nf_say(e, "((%t)((%v & ~(%t)(", i->type, base, i->type);
    say_ones(e, i, i->operands[3]);
    nf_say(e, " << (%t)%p)) | ((%v & ", i->type, offset, insert);
    say_ones(e, i, i->operands[3]);
    nf_say(e, ") << (%t)%p)))", i->type, offset);
}

/* Writes a signed bit field of each component: the shifts move it to the high end and back. A shift by the whole width
 * would be a shift by 0, so the result for a field of no bits is written as 0. */
static void say_signed_fields(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t bits = nf_bits_of_type(e, nf_type(e->m, i->type)), offset = i->operands[1], count = i->operands[2];
    nf_say(e, "((ulong)%p == 0 ? (%t)(0) : as_%t(as_%I(%v << ", count, i->type, i->type, i->type, i->operands[0]);
    nf_say(e, "(%t)(%u - (ulong)%p - (ulong)%p)) >> (%I)(%u - (ulong)%p)))", i->type, bits, offset, count, i->type,
           bits, count);
}

void nf_form_bit_field_extract(struct nf_emitter *e, const struct nf_insn *i)
{
    if (i->form->text[0] == 'u') {
        nf_say(e, "((%t)((%v >> (%t)%p) & ", i->type, i->operands[0], i->type, i->operands[1]);
        say_ones(e, i, i->operands[2]);
        nf_say_string(e, "))");
    } else if (nf_is_vector(nf_type(e->m, i->type))) {
        say_signed_fields(e, i);
    } else {
        nf_say(e, "((%t)((ulong)%p == 0 ? 0 : as_long((ulong)%p << (64 - (ulong)%p - (ulong)%p)) >> (64 - (ulong)%p)))",
               i->type, i->operands[2], i->operands[0], i->operands[1], i->operands[2], i->operands[2]);
    }
}

/* Writes the carry of a sum or the borrow of a difference, 1 or 0. That of a vector is computed from the highest bits,
 * because a comparison of vectors gives -1 for true, and Oclgrind makes 255 of it where LLVM negates it. */
static void say_carry(struct nf_emitter *e, uint32_t type, uint32_t a, uint32_t b, bool is_sum)
{
    uint32_t bits = nf_bits_of_type(e, nf_type(e->m, type));
    bool is_vector = nf_is_vector(nf_type(e->m, type));
    if (is_vector && is_sum)
        nf_say(e, "(%v & %v | (%v | %v) & ~(%v + %v)) >> (%t)(%u)", a, b, a, b, a, b, type, bits - 1);
    else if (is_vector)
        nf_say(e, "(~%v & %v | (~%v | %v) & (%v - %v)) >> (%t)(%u)", a, b, a, b, a, b, type, bits - 1);
    else if (is_sum)
        nf_say(e, "(%t)(%v + %v) < %v", type, a, b, a);
    else
        nf_say(e, "%v < %v", a, b);
}

/* Writes the low half of a product. Narrow integers are multiplied as uint (nf_form_multiply()). */
static void say_low_product(struct nf_emitter *e, uint32_t type, uint32_t a, uint32_t b)
{
    if (nf_is_narrow(e, nf_type(e->m, type)))
        nf_say(e, "(%t)((uint)%p * (uint)%p)", type, a, b);
    else
        nf_say(e, "%v * %v", a, b);
}

/* The result is a structure: a sum and its carry, a difference and its borrow, or the low and the high half of a
 * product. */
void nf_form_extended_arithmetic(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_type *type = nf_type(e->m, i->type);
    uint32_t part = nf_member_type(e->m, type->at, 0), a = i->operands[0], b = i->operands[1];
    bool is_vector = nf_is_vector(nf_type(e->m, part));
    char kind = i->form->text[0];
    nf_assign(e, i);
    nf_say(e, "(%t){", i->type);
    if (kind == '+' || kind == '-') {
        nf_say(e, "%v %c %v, ", a, kind, b);
        say_carry(e, part, a, b, kind == '+');
    } else {
        say_low_product(e, part, a, b);
        if (kind == 'u') nf_say(e, ", mul_hi(%v, %v)", a, b);
        if (kind == 's') nf_say(e, is_vector ? ", as_%t(mul_hi(%i, %i))" : ", (%t)mul_hi(%i, %i)", part, a, b);
    }
    nf_say_string(e, "};");
}

/* ---- Comparisons ---- */

/* Returns the pointer from which the integer `id` was converted, if the conversion is written where the integer is
 * used, or the pointer is a constant; else 0. */
static uint32_t pointer_before_conversion(const struct nf_emitter *e, uint32_t id)
{
    uint32_t def = e->m->def[id],
             pointer = nf_opcode(e->m, def) == OpConvertPtrToU ? nf_value_operand(e->m, def, 0) : 0;
    return pointer && (e->facts[id] & NF_ID_INLINED || nf_is_constant(e, pointer)) ? pointer : 0;
}

static bool is_null_constant(const struct nf_emitter *e, uint32_t pointer)
{
    return nf_opcode(e->m, e->m->def[pointer]) == OpConstantNull;
}

/* Replaces the integers in a comparison of a pointer with null by the pointers. OpenCL C compilers convert the null
 * pointer to the integer 0, even for a driver whose null pointer has another value, such as Mesa, where a variable may
 * lie at address 0. */
static void compare_pointers(const struct nf_emitter *e, const struct nf_insn *i, uint32_t operands[2])
{
    uint32_t a = pointer_before_conversion(e, operands[0]), b = pointer_before_conversion(e, operands[1]);
    bool is_test = (i->op->opcode == OpIEqual || i->op->opcode == OpINotEqual) && a && b;
    if (!is_test || nf_type_of(e->m, a)->id != nf_type_of(e->m, b)->id ||
        !(is_null_constant(e, a) || is_null_constant(e, b)))
        return;
    operands[0] = a;
    operands[1] = b;
}

void nf_form_compare(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t operands[] = {i->operands[0], i->operands[1]};
    compare_pointers(e, i, operands);
    open_comparison(e, i->type);
    nf_say(e, "%v %s %v", operands[0], i->form->text, operands[1]);
    close_comparison(e, i->type);
}

void nf_form_signed_compare(struct nf_emitter *e, const struct nf_insn *i)
{
    open_comparison(e, i->type);
    nf_say(e, "%i %s %i", i->operands[0], i->form->text, i->operands[1]);
    close_comparison(e, i->type);
}

void nf_form_negated_compare(struct nf_emitter *e, const struct nf_insn *i)
{
    bool is_vector = nf_is_vector(nf_type(e->m, i->type));
    open_comparison(e, i->type);
    nf_say(e, "%s(%v %s %v)", is_vector ? "~" : "!", i->operands[0], i->form->text, i->operands[1]);
    close_comparison(e, i->type);
}

/* Writes the test of a half, widened to a float, for a normal half: a denormal half is a normal float. */
static void say_is_normal_half(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "(isnormal(%v) & (fabs(%v) >= 0x1p-14f))", i->operands[0], i->operands[0]);
}

static void say_relation(struct nf_emitter *e, const struct nf_insn *i)
{
    if (strcmp(i->form->text, "isnormal") == 0 && e->widens && nf_is_half(e, nf_type_of(e->m, i->operands[0]))) {
        say_is_normal_half(e, i);
        return;
    }
    nf_say(e, "%s(%e", i->form->text, i->operands[0]);
    if (i->count > 1) nf_say(e, ", %e", i->operands[1]);
    nf_say_char(e, ')');
}

void nf_form_relation(struct nf_emitter *e, const struct nf_insn *i)
{
    open_comparison(e, i->type);
    say_relation(e, i);
    close_comparison(e, i->type);
}

void nf_form_negated_relation(struct nf_emitter *e, const struct nf_insn *i)
{
    open_comparison(e, i->type);
    nf_say_char(e, nf_is_vector(nf_type(e->m, i->type)) ? '~' : '!');
    say_relation(e, i);
    close_comparison(e, i->type);
}

void nf_form_pointer_difference(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "(%t)(%v - %v)", i->type, i->operands[0], i->operands[1]);
}

void nf_form_all_or_any(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "%s(%e)", i->form->text, i->operands[0]);
}

/* ---- Logic ---- */

void nf_form_logical(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "%v %s %v", i->operands[0], i->form->text, i->operands[1]);
}

void nf_form_logical_not(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, nf_is_vector(nf_type(e->m, i->type)) ? "~%p" : "!%p", i->operands[0]);
}

/* Writes the condition of a vector select: integers as wide as the selected components. Refuses components of other
 * widths than 8, 16, 32 and 64 bits. */
static void say_vector_condition(struct nf_emitter *e, const struct nf_insn *i)
{
    static const char *const names[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    const struct nf_type *type = nf_type(e->m, i->type);
    uint32_t bytes = nf_bits_of_type(e, type) / 8;
    if (bytes > 8 || !names[bytes]) nf_refuse(e, i->at, "a select of this type");
    nf_say(e, "convert_%s%u(%v)", names[bytes], type->count, i->operands[0]);
}

void nf_form_select(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t condition = e->m->def[i->operands[0]], opcode = nf_opcode(e->m, condition);
    if (opcode == OpConstantTrue || opcode == OpConstantFalse) {
        nf_say_value(e, i->operands[opcode == OpConstantTrue ? 1 : 2]);
        return;
    }
    if (!nf_is_vector(nf_type_of(e->m, i->operands[0]))) {
        nf_say(e, "%v ? %v : %v", i->operands[0], i->operands[1], i->operands[2]);
        return;
    }
    nf_say(e, "select(%v, %v, ", i->operands[2], i->operands[1]);
    say_vector_condition(e, i);
    nf_say_char(e, ')');
}
