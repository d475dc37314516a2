/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helpers.c - functions and types that the text defines for itself, each once, and only if it uses them.
 *
 *     OpSMod %uint4      static uint4 signed_modulo3(uint4 a, uint4 b) { ... }
 *     OpAtomicFAddEXT    static float atomic_float4(volatile global f32 *p, float x) { ... }: a loop of atomic_cmpxchg
 *
 * needs: the type that the helper is for.  gives: text in e->helpers, and the name where it is used.
 */
#include "emit/internal.h"

uint32_t nf_helper_number(struct nf_emitter *e, enum nf_helper helper, uint32_t a, uint32_t b, bool *is_new)
{
    uint32_t key[] = {(uint32_t)helper, a, b}, number = nf_find_made(&e->made, key, 3);
    *is_new = !number;
    if (number) return number;
    number = nf_build_id(&e->made);
    nf_note_made(&e->made, key, 3, number);
    return number;
}

/* Directs the text to the helpers. Returns what nf_end_helper() needs. */
struct place {
    struct nf_text *to;
    bool dry, widens;
};

static struct place begin_helper(struct nf_emitter *e)
{
    struct place place = {e->to, e->dry, e->widens};
    e->to = &e->helpers;
    e->dry = e->widens = false;
    return place;
}

static void end_helper(struct nf_emitter *e, struct place place)
{
    e->to = place.to;
    e->dry = place.dry;
    e->widens = place.widens;
}

/* ---- Arithmetic ---- */

static void define_signed_modulo(struct nf_emitter *e, uint32_t type, uint32_t number)
{
    const struct nf_type *t = nf_type(e->m, type);
    nf_say(e, "static %t signed_modulo%u(%t a, %t b)\n{\n", type, number, type, type);
    if (nf_is_vector(t))
        nf_say(e,
               "\t%I n = as_%I(b), r = as_%I(a) %% n;\n\treturn as_%t(r + select((%I)(0), n, r != 0 && (r ^ n) < "
               "0));\n}\n",
               type, type, type, type, type);
    else
        nf_say(e, "\t%I n = (%I)b, r = (%I)a %% n;\n\treturn (%t)(r != 0 && (r ^ n) < 0 ? r + n : r);\n}\n", type, type,
               type, type);
}

static void define_float_modulo(struct nf_emitter *e, uint32_t type, uint32_t number)
{
    const struct nf_type *t = nf_type(e->m, type);
    const char *when = "r != 0 && signbit(r) != signbit(b)";
    nf_say(e, "static %t float_modulo%u(%t a, %t b)\n{\n\t%t r = fmod(a, b);\n", type, number, type, type, type);
    if (nf_is_vector(t))
        nf_say(e, "\treturn select(r, r + b, r != (%t)(0) && signbit(r) != signbit(b));\n}\n", type);
    else
        nf_say(e, "\treturn %s ? r + b : r;\n}\n", when);
}

void nf_say_modulo(struct nf_emitter *e, enum nf_helper helper, uint32_t type)
{
    bool is_new, is_signed = helper == NF_HELPER_SIGNED_MODULO, widens = e->widens;
    uint32_t number = nf_helper_number(e, helper, type, 0, &is_new);
    if (is_new) {
        struct place place = begin_helper(e);
        e->widens = widens;
        if (is_signed)
            define_signed_modulo(e, type, number);
        else
            define_float_modulo(e, type, number);
        end_helper(e, place);
    }
    nf_say(e, "%s%u", is_signed ? "signed_modulo" : "float_modulo", number);
}

void nf_say_bit_reverse(struct nf_emitter *e, uint32_t type)
{
    bool is_new;
    uint32_t number = nf_helper_number(e, NF_HELPER_BIT_REVERSE, type, 0, &is_new);
    uint32_t bits = nf_bits_of_type(e, nf_type(e->m, type));
    if (is_new) {
        struct place place = begin_helper(e);
        nf_say(e, "static %t bit_reverse%u(%t x)\n{\n\t%t r = x & (%t)(1);\n\tfor (int i = 1; i < %u; i++) {\n", type,
               number, type, type, type, bits);
        nf_say(e, "\t\tx >>= (%t)(1);\n\t\tr = r << (%t)(1) | x & (%t)(1);\n\t}\n\treturn r;\n}\n", type, type, type);
        end_helper(e, place);
    }
    nf_say(e, "bit_reverse%u", number);
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
    bool is_new;
    uint32_t kind = strcmp(operation, "add") == 0 ? 0 : strcmp(operation, "min") == 0 ? 1 : 2;
    uint32_t number = nf_helper_number(e, NF_HELPER_FLOAT_ATOMIC + kind, pointer->element, pointer->storage, &is_new);
    if (is_new) {
        struct place place = begin_helper(e);
        define_float_atomic(e, operation, pointer, number);
        end_helper(e, place);
    }
    nf_say(e, "atomic_float%u", number);
}

/* ---- Memory ---- */

void nf_say_copy_function(struct nf_emitter *e, const struct nf_type *target, const struct nf_type *source)
{
    bool is_new;
    uint32_t number = nf_helper_number(e, NF_HELPER_COPY, target->storage, source->storage, &is_new);
    if (is_new) {
        struct place place = begin_helper(e);
        nf_say(e, "static void copy%u(", number);
        nf_say_space(e, target);
        nf_say_string(e, " u8 *to, const ");
        nf_say_space(e, source);
        nf_say_string(e, " u8 *from, ulong size)\n{\n\tfor (ulong i = 0; i < size; i++)\n\t\tto[i] = from[i];\n}\n");
        end_helper(e, place);
    }
    nf_say(e, "copy%u", number);
}

void nf_say_unaligned_type(struct nf_emitter *e, uint32_t type, uint32_t align)
{
    bool is_new;
    uint32_t number = nf_helper_number(e, NF_HELPER_UNALIGNED, type, align, &is_new);
    if (is_new) {
        struct place place = begin_helper(e);
        nf_say(e, "typedef struct __attribute__((packed, aligned(%u), may_alias)) { %m v; } P%u;\n",
               align & (align - 1) ? 1 : align, type, number);
        end_helper(e, place);
    }
    nf_say(e, "P%u", number);
}

void nf_say_bytes_type(struct nf_emitter *e, uint32_t size, uint32_t align)
{
    bool is_new;
    uint32_t number = nf_helper_number(e, NF_HELPER_BYTES, size, align, &is_new);
    if (is_new) {
        struct place place = begin_helper(e);
        nf_say(e, "typedef struct __attribute__((packed, aligned(%u), may_alias)) { uchar a[%u]; } B%u;\n",
               align & (align - 1) ? 1 : align, size, number);
        end_helper(e, place);
    }
    nf_say(e, "B%u", number);
}

/* ---- Halves without cl_khr_fp16 ---- */

void nf_say_narrowing_function(struct nf_emitter *e, const char *name, uint32_t type, const struct nf_type *pointer)
{
    bool is_new;
    uint32_t key = (uint32_t)(name[0] | name[1] << 8), count = nf_type(e->m, type)->count;
    uint32_t number = nf_helper_number(e, NF_HELPER_NARROWING + key, type, pointer->storage, &is_new);
    if (is_new) {
        struct place place = begin_helper(e);
        e->widens = true;
        nf_say(e, "static %t %s%u(%t x, ", type, name, number, type);
        nf_say_space(e, pointer);
        nf_say(e, " %m *p)\n{\n\t%t second, first = %s(x, &second);\n\t*p = float_to_half", pointer->element, type,
               name);
        if (count > 1) nf_say_number(e, count);
        nf_say_string(e, "(second);\n\treturn first;\n}\n");
        end_helper(e, place);
    }
    e->needs |= NF_NEEDS_HALF_HELPERS;
    e->widened_sizes |= 1u << (count ? count : 1);
    nf_say(e, "%s%u", name, number);
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
