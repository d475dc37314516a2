/* SPDX-License-Identifier: Apache-2.0 */
/*
 * floats.c - writes floating-point literals that are exact in every bit.
 *
 *     0x3fc00000   1.5f
 *     0x3dcccccd   0x1.99999ap-4f
 *     0x7fc00001   as_float(0x7fc00001u)
 *
 * needs: the bits of the literal.  gives: OpenCL C text.
 */
#include "emit/internal.h"

struct format {
    uint32_t mantissa, bias; /* bits of the mantissa without the implicit bit; bias of the exponent */
};

static struct format format_of(uint32_t width)
{
    return width == 16 ? (struct format){10, 15} : width == 32 ? (struct format){23, 127} : (struct format){52, 1023};
}

bool nf_is_finite(uint64_t bits, uint32_t width)
{
    struct format f = format_of(width);
    uint64_t ones = ((uint64_t)1 << (width - 1 - f.mantissa)) - 1;
    return (bits >> f.mantissa & ones) != ones;
}

/* Writes `mantissa` * 2^`exponent` as a decimal number, if that is below 2^20 and has at most three bits after the
 * point. Returns false, and writes nothing, for any other value. */
static bool say_decimal(struct nf_emitter *e, uint64_t mantissa, int exponent)
{
    static const char *const eighths[] = {"0", "125", "25", "375", "5", "625", "75", "875"};
    while (mantissa && !(mantissa & 1))
        mantissa >>= 1, exponent++;
    if (mantissa == 0) {
        nf_say_string(e, "0.0");
        return true;
    }
    if (exponent < -3 || exponent > 20 || mantissa >> 23 || mantissa << (exponent + 3) >> 23) return false;
    uint64_t in_eighths = mantissa << (exponent + 3);
    nf_say_number(e, in_eighths >> 3);
    nf_say_text(e, ".%s", eighths[in_eighths & 7]);
    return true;
}

static void say_hexadecimal(struct nf_emitter *e, uint64_t fraction, uint32_t mantissa_bits, bool normal, int exponent)
{
    uint32_t digits = (mantissa_bits + 3) / 4;
    fraction <<= digits * 4 - mantissa_bits;
    nf_say_text(e, "0x%c.", normal ? '1' : '0');
    while (digits > 1 && !(fraction & 15))
        fraction >>= 4, digits--;
    for (uint32_t i = digits; i-- > 0;)
        nf_say_char(e, "0123456789abcdef"[fraction >> 4 * i & 15]);
    nf_say_char(e, 'p');
    if (exponent < 0) nf_say_char(e, '-');
    nf_say_number(e, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

static void say_finite(struct nf_emitter *e, uint64_t bits, uint32_t width)
{
    struct format f = format_of(width);
    uint64_t fraction = bits & (((uint64_t)1 << f.mantissa) - 1);
    uint32_t biased = (uint32_t)(bits >> f.mantissa & (((uint64_t)1 << (width - 1 - f.mantissa)) - 1));
    int exponent = (int)(biased ? biased : 1) - (int)f.bias;
    uint64_t whole = fraction | (biased ? (uint64_t)1 << f.mantissa : 0);
    bool negative = bits >> (width - 1) & 1;
    if (negative) nf_say_string(e, "(-");
    if (!say_decimal(e, whole, exponent - (int)f.mantissa)) say_hexadecimal(e, fraction, f.mantissa, biased, exponent);
    if (width < 64) nf_say_char(e, 'f');
    if (negative) nf_say_char(e, ')');
}

void nf_say_float(struct nf_emitter *e, uint64_t bits, uint32_t width)
{
    if (width != 16 && width != 32 && width != 64) nf_refuse(e, 0, "a floating-point number of %u bits", width);
    bool is_finite = nf_is_finite(bits, width);
    if (width == 64) e->needs |= NF_NEEDS_FP64;
    if (width == 16 && (!nf_has_feature(e, NF_C_FP16) && !e->widens)) {
        nf_say_text(e, "(ushort)%x", (uint32_t)bits);
    } else if (is_finite) {
        if (width == 16 && !e->widens) nf_say_string(e, "(half)");
        say_finite(e, bits, width);
    } else if (width == 16) {
        nf_say_text(e, e->widens ? "half_to_float((ushort)%x)" : "as_half((ushort)%x)", (uint32_t)bits);
        if (e->widens) e->needs |= NF_NEEDS_HALF_HELPERS, e->widened_sizes |= 2;
    } else {
        nf_say_string(e, width == 32 ? "as_float(" : "as_double(");
        nf_say_hex(e, bits);
        nf_say_string(e, width == 32 ? "u)" : "ul)");
    }
}
