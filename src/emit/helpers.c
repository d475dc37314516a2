/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helpers.c - functions and types that the text defines for itself, each once, and only if it uses them.
 *
 *     OpSMod %uint4      static uint4 signed_modulo3(uint4 a, uint4 b) { ... }
 *     OpAtomicFAddEXT    static float atomic_float4(volatile global uint *p, float x) { ... }: a loop of atomic_cmpxchg
 *
 * needs: the type that the helper is for.  gives: OpenCL C text in e->helpers, and the name of the helper at its use.
 */
#include <stdio.h>

#include "emit/internal.h"

enum nf_helper {
    NF_HELPER_SIGNED_MODULO,
    NF_HELPER_FLOAT_MODULO,
    NF_HELPER_BIT_REVERSE,
    NF_HELPER_FLOAT_ADD,
    NF_HELPER_FLOAT_MIN,
    NF_HELPER_FLOAT_MAX,
    NF_HELPER_COPY,
    NF_HELPER_UNALIGNED,
    NF_HELPER_BYTES,
    NF_HELPER_NARROWING /* plus the first two characters of the function's name */
};

/* A helper that is being defined: its name, which its number follows, and the state of the emission to restore. */
struct helper {
    const char *name;
    uint32_t number;
    bool is_new; /* the text does not define it yet */
    struct nf_text *to;
    bool dry, widens;
};

/* Returns a number with which no fixed name would be equal to that of the helper. */
static uint32_t new_number(struct nf_emitter *e, const char *name)
{
    char identifier[64];
    uint32_t number;
    do {
        number = nf_build_id(&e->made);
        snprintf(identifier, sizeof identifier, "%s%u", name, number);
    } while (nf_is_fixed_name(e, identifier, number));
    return number;
}

/* Returns the helper of the kind for `a` and `b`, such as a type, and directs output to the section of helpers, where
 * the caller defines the helper if it is new. */
static struct helper begin_helper(struct nf_emitter *e, enum nf_helper kind, const char *name, uint32_t a, uint32_t b)
{
    uint32_t key[] = {(uint32_t)kind, a, b}, number = nf_find_made(&e->made, key, 3);
    struct helper helper = {
        .name = name, .number = number, .is_new = !number, .to = e->to, .dry = e->dry, .widens = e->widens};
    if (helper.is_new) nf_note_made(&e->made, key, 3, helper.number = new_number(e, name));
    e->to = &e->helpers;
    e->dry = e->widens = false;
    return helper;
}

/* Directs output back to the place where the helper is used, and writes its name there. */
static void end_helper(struct nf_emitter *e, const struct helper *helper)
{
    e->to = helper->to;
    e->dry = helper->dry;
    e->widens = helper->widens;
    nf_say(e, "%s%u", helper->name, helper->number);
}

/* ---- Arithmetic ---- */

/* Writes a zero that can be compared with a vector of the signed type: a literal, an int, must not be wider than the
 * vector's components. */
static void say_zero_beside(struct nf_emitter *e, uint32_t type)
{
    nf_say(e, nf_bits_of_type(e, nf_type(e->m, type)) < 32 ? "(%I)(0)" : "0", type);
}

static void define_signed_modulo(struct nf_emitter *e, uint32_t type, uint32_t number)
{
    const struct nf_type *t = nf_type(e->m, type);
    nf_say(e, "static %t signed_modulo%u(%t a, %t b)\n{\n", type, number, type, type);
    if (!nf_is_vector(t)) {
        nf_say(e, "\t%I n = (%I)b, r = (%I)a %% n;\n\treturn (%t)(r != 0 && (r ^ n) < 0 ? r + n : r);\n}\n", type, type,
               type, type);
        return;
    }
    nf_say(e, "\t%I n = as_%I(b), r = as_%I(a) %% n;\n\treturn as_%t(r + select((%I)(0), n, r != ", type, type, type,
           type, type);
    say_zero_beside(e, type);
    nf_say_string(e, " && (r ^ n) < ");
    say_zero_beside(e, type);
    nf_say_string(e, "));\n}\n");
}

static void define_float_modulo(struct nf_emitter *e, uint32_t type, uint32_t number)
{
    const struct nf_type *t = nf_type(e->m, type);
    nf_say(e, "static %t float_modulo%u(%t a, %t b)\n{\n\t%t r = fmod(a, b);\n", type, number, type, type, type);
    if (nf_is_vector(t))
        nf_say(e, "\treturn select(r, r + b, r != (%t)(0) && signbit(r) != signbit(b));\n}\n", type);
    else
        nf_say_string(e, "\treturn r != 0 && signbit(r) != signbit(b) ? r + b : r;\n}\n");
}

void nf_say_signed_modulo(struct nf_emitter *e, uint32_t type)
{
    struct helper helper = begin_helper(e, NF_HELPER_SIGNED_MODULO, "signed_modulo", type, 0);
    if (helper.is_new) define_signed_modulo(e, type, helper.number);
    end_helper(e, &helper);
}

void nf_say_float_modulo(struct nf_emitter *e, uint32_t type)
{
    struct helper helper = begin_helper(e, NF_HELPER_FLOAT_MODULO, "float_modulo", type, 0);
    e->widens = helper.widens;
    if (helper.is_new) define_float_modulo(e, type, helper.number);
    end_helper(e, &helper);
}

void nf_say_bit_reverse(struct nf_emitter *e, uint32_t type)
{
    struct helper helper = begin_helper(e, NF_HELPER_BIT_REVERSE, "bit_reverse", type, 0);
    uint32_t bits = nf_bits_of_type(e, nf_type(e->m, type));
    if (helper.is_new) {
        nf_say(e, "static %t bit_reverse%u(%t x)\n{\n\t%t r = x & (%t)(1);\n\tfor (int i = 1; i < %u; i++) {\n", type,
               helper.number, type, type, type, bits);
        nf_say(e, "\t\tx >>= (%t)(1);\n\t\tr = r << (%t)(1) | x & (%t)(1);\n\t}\n\treturn r;\n}\n", type, type, type);
    }
    end_helper(e, &helper);
}

/* ---- Atomics on floats ---- */

static void define_float_atomic(struct nf_emitter *e, const char *operation, const struct nf_type *pointer,
                                uint32_t number)
{
    uint32_t bits = nf_bits_of_type(e, nf_type(e->m, pointer->element));
    const char *integer = bits == 64 ? "ulong" : "uint", *exchange = bits == 64 ? "atom_cmpxchg" : "atomic_cmpxchg";
    bool is_sum = strcmp(operation, "add") == 0;
    nf_say(e, "static %t atomic_float%u(volatile ", pointer->element, number);
    nf_say_space(e, pointer);
    nf_say(e, " %s *p, %t x)\n{\n\t%s old, seen = %s(p, 0);\n\tdo {\n\t\told = seen;\n\t\tseen = %s(p, old, as_%s(",
           integer, pointer->element, integer, bits == 64 ? "atom_or" : "atomic_or", exchange, integer);
    if (is_sum)
        nf_say(e, "as_%t(old) + x", pointer->element);
    else
        nf_say(e, "f%s(as_%t(old), x)", operation, pointer->element);
    nf_say(e, "));\n\t} while (seen != old);\n\treturn as_%t(old);\n}\n", pointer->element);
}

void nf_say_float_atomic(struct nf_emitter *e, const char *operation, const struct nf_type *pointer)
{
    enum nf_helper kind = strcmp(operation, "add") == 0   ? NF_HELPER_FLOAT_ADD
                          : strcmp(operation, "min") == 0 ? NF_HELPER_FLOAT_MIN
                                                          : NF_HELPER_FLOAT_MAX;
    struct helper helper = begin_helper(e, kind, "atomic_float", pointer->element, pointer->storage);
    if (helper.is_new) define_float_atomic(e, operation, pointer, helper.number);
    end_helper(e, &helper);
}

/* ---- Memory ---- */

void nf_say_copy_function(struct nf_emitter *e, const struct nf_type *target, const struct nf_type *source)
{
    struct helper helper = begin_helper(e, NF_HELPER_COPY, "copy", target->storage, source->storage);
    if (helper.is_new) {
        nf_say(e, "static void copy%u(", helper.number);
        nf_say_space(e, target);
        nf_say_string(e, " u8 *to, const ");
        nf_say_space(e, source);
        nf_say_string(e, " u8 *from, ulong size)\n{\n\tfor (ulong i = 0; i < size; i++)\n\t\tto[i] = from[i];\n}\n");
    }
    end_helper(e, &helper);
}

/* Writes the beginning of a structure type with the alignment `align`, or 1 if `align` is no power of two. */
static void say_packed(struct nf_emitter *e, uint32_t align)
{
    nf_say(e, "typedef struct __attribute__((packed, aligned(%u), may_alias)) { ", align & (align - 1) ? 1 : align);
}

void nf_say_unaligned_type(struct nf_emitter *e, uint32_t type, uint32_t align)
{
    struct helper helper = begin_helper(e, NF_HELPER_UNALIGNED, "P", type, align);
    if (helper.is_new) {
        say_packed(e, align);
        nf_say(e, "%m v; } P%u;\n", type, helper.number);
    }
    end_helper(e, &helper);
}

void nf_say_bytes_type(struct nf_emitter *e, uint32_t size, uint32_t align)
{
    struct helper helper = begin_helper(e, NF_HELPER_BYTES, "B", size, align);
    if (helper.is_new) {
        /* An alignment that does not divide the size would enlarge the type, and copy the bytes behind the object. */
        uint32_t divisor = size & (0 - size);
        say_packed(e, align < divisor ? align : divisor);
        nf_say(e, "uchar a[%u]; } B%u;\n", size, helper.number);
    }
    end_helper(e, &helper);
}

/* ---- Halves without cl_khr_fp16 ---- */

void nf_say_narrowing_function(struct nf_emitter *e, const char *name, uint32_t type, const struct nf_type *pointer)
{
    uint32_t key = (uint32_t)(name[0] | name[1] << 8), count = nf_type(e->m, type)->count;
    struct helper helper = begin_helper(e, NF_HELPER_NARROWING + key, name, type, pointer->storage);
    if (helper.is_new) {
        e->widens = true;
        nf_say(e, "static %t %s%u(%t x, ", type, name, helper.number, type);
        nf_say_space(e, pointer);
        nf_say(e, " %m *p)\n{\n\t%t second, first = %s(x, &second);\n\t*p = float_to_half", pointer->element, type,
               name);
        if (count > 1) nf_say_number(e, count);
        nf_say_string(e, "(second);\n");
        /* fract() never gives 1, to which a float above the greatest half below 1 would be narrowed. */
        if (strcmp(name, "fract") == 0)
            nf_say(e, "\tfirst = select(first, (%t)(0x1.ffcp-1f), first > (%t)(0x1.ffcp-1f));\n", type, type);
        nf_say_string(e, "\treturn first;\n}\n");
    }
    e->needs |= NF_NEEDS_HALF_HELPERS;
    e->widened_sizes |= 1u << (count ? count : 1);
    end_helper(e, &helper);
}

static void define_half_helpers(struct nf_emitter *e, const char *count)
{
    nf_say(e, "static float%s half_to_float%s(ushort%s x)\n{\n\treturn vload_half%s(0, (const private half *)&x);\n}\n",
           count, count, count, count);
    nf_say(
        e,
        "static ushort%s float_to_half%s(float%s x)\n{\n\tushort%s r;\n\tvstore_half%s_rte(x, 0, (private half *)&r);\n"
        "\treturn r;\n}\n",
        count, count, count, count, count);
}

void nf_say_half_helpers(struct nf_emitter *e)
{
    static const struct {
        uint32_t bit;
        const char *count;
    } sizes[] = {{1u << 1, ""}, {1u << 2, "2"}, {1u << 3, "3"}, {1u << 4, "4"}, {1u << 8, "8"}, {1u << 16, "16"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (e->widened_sizes & sizes[i].bit) define_half_helpers(e, sizes[i].count);
}
