/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ext_integer.c - the functions of the OpenCL extended instruction set on integers, computed in 128 bits so that no
 * intermediate result overflows.
 */
#include "ext.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

static wide clamp(wide x, wide low, wide high)
{
    return x < low ? low : x > high ? high : x;
}

static uint64_t leading_zeros(uint64_t x, unsigned bits)
{
    return x ? (uint64_t)__builtin_clzll(x) - (64 - bits) : bits;
}

static uint64_t rotate(uint64_t x, uint64_t by, unsigned bits)
{
    by &= bits - 1;
    return by ? x << by | x >> (bits - by) : x;
}

struct operands {
    wide s[3], u[3]; /* the value as signed and as unsigned */
    unsigned bits;
};

static wide of_one(uint32_t number, const struct operands *x)
{
    switch (number) {
    case OpenCLstd_SAbs: return x->s[0] < 0 ? -x->s[0] : x->s[0];
    case OpenCLstd_UAbs: return x->u[0];
    case OpenCLstd_Clz: return (wide)leading_zeros((uint64_t)x->u[0], x->bits);
    case OpenCLstd_Ctz: return x->u[0] ? __builtin_ctzll((uint64_t)x->u[0]) : (wide)x->bits;
    default: return __builtin_popcountll((uint64_t)x->u[0]);
    }
}

static wide of_two(uint32_t number, const struct operands *x)
{
    const wide *s = x->s, *u = x->u;
    wide top = (wide)mask_of(x->bits), high = top / 2, low = -high - 1;
    switch (number) {
    case OpenCLstd_SAbs_diff: return s[0] > s[1] ? s[0] - s[1] : s[1] - s[0];
    case OpenCLstd_UAbs_diff: return u[0] > u[1] ? u[0] - u[1] : u[1] - u[0];
    case OpenCLstd_SAdd_sat: return clamp(s[0] + s[1], low, high);
    case OpenCLstd_UAdd_sat: return clamp(u[0] + u[1], 0, top);
    case OpenCLstd_SHadd: return (s[0] + s[1]) >> 1;
    case OpenCLstd_UHadd: return (u[0] + u[1]) >> 1;
    case OpenCLstd_SRhadd: return (s[0] + s[1] + 1) >> 1;
    case OpenCLstd_URhadd: return (u[0] + u[1] + 1) >> 1;
    case OpenCLstd_SMax: return s[0] > s[1] ? s[0] : s[1];
    case OpenCLstd_UMax: return u[0] > u[1] ? u[0] : u[1];
    case OpenCLstd_SMin: return s[0] < s[1] ? s[0] : s[1];
    case OpenCLstd_UMin: return u[0] < u[1] ? u[0] : u[1];
    case OpenCLstd_SMul_hi: return (s[0] * s[1]) >> x->bits;
    case OpenCLstd_UMul_hi: return (wide)((uwide)u[0] * (uwide)u[1] >> x->bits);
    case OpenCLstd_Rotate: return (wide)rotate((uint64_t)u[0], (uint64_t)u[1], x->bits);
    case OpenCLstd_SSub_sat: return clamp(s[0] - s[1], low, high);
    case OpenCLstd_USub_sat: return clamp(u[0] - u[1], 0, top);
    case OpenCLstd_U_Upsample:
    case OpenCLstd_S_Upsample: return u[0] << x->bits | u[1];
    case OpenCLstd_SMul24: return sign_extend((uint64_t)u[0], 24) * sign_extend((uint64_t)u[1], 24);
    default: return (u[0] & 0xffffff) * (u[1] & 0xffffff);
    }
}

static wide of_three(uint32_t number, const struct operands *x)
{
    const wide *s = x->s, *u = x->u;
    wide top = (wide)mask_of(x->bits), high = top / 2, low = -high - 1;
    switch (number) {
    case OpenCLstd_SClamp: return clamp(s[0], s[1], s[2]);
    case OpenCLstd_UClamp: return clamp(u[0], u[1], u[2]);
    case OpenCLstd_SMad_hi: return ((s[0] * s[1]) >> x->bits) + s[2];
    case OpenCLstd_UMad_hi: return (wide)((uwide)u[0] * (uwide)u[1] >> x->bits) + u[2];
    case OpenCLstd_SMad_sat: return clamp(s[0] * s[1] + s[2], low, high);
    case OpenCLstd_UMad_sat: {
        uwide r = (uwide)u[0] * (uwide)u[1];
        return r > (uwide)top ? top : clamp((wide)r + u[2], 0, top);
    }
    case OpenCLstd_SMad24: return sign_extend((uint64_t)u[0], 24) * sign_extend((uint64_t)u[1], 24) + s[2];
    default: return (u[0] & 0xffffff) * (u[1] & 0xffffff) + u[2];
    }
}

static uint32_t arity(uint32_t number)
{
    switch (number) {
    case OpenCLstd_SAbs:
    case OpenCLstd_UAbs:
    case OpenCLstd_Clz:
    case OpenCLstd_Ctz:
    case OpenCLstd_Popcount: return 1;
    case OpenCLstd_SClamp:
    case OpenCLstd_UClamp:
    case OpenCLstd_SMad_hi:
    case OpenCLstd_UMad_hi:
    case OpenCLstd_SMad_sat:
    case OpenCLstd_UMad_sat:
    case OpenCLstd_SMad24:
    case OpenCLstd_UMad24: return 3;
    default: return 2;
    }
}

bool nfj_ext_integer(struct item *item, const struct inst *in, uint32_t number)
{
    bool mine = (number >= OpenCLstd_SAbs && number <= OpenCLstd_UMul24) ||
                (number >= OpenCLstd_UAbs && number <= OpenCLstd_UMad_hi);
    if (!mine || (number >= OpenCLstd_Vloadn && number <= OpenCLstd_Select)) return false;
    uint32_t n = arity(number);
    for (uint32_t i = 0; i < in->n; i++) {
        struct operands x = {.bits = in->sbits};
        struct cell r = {0, 0, 0, 0};
        for (uint32_t k = 0; k < n; k++) {
            const struct cell *c = ext_value(item, in, k) + (ext_type(item, in, k)->cells > 1 ? i : 0);
            x.s[k] = sign_extend(c->bits, ext_type(item, in, k)->bits);
            x.u[k] = (wide)c->bits;
            nfj_join(&r, &(struct cell){0, r.undef, r.prov, 0}, c);
        }
        r.bits = (uint64_t)(n == 1 ? of_one(number, &x) : n == 2 ? of_two(number, &x) : of_three(number, &x));
        item->frame[in->dst + (int32_t)i] =
            (struct cell){r.bits & mask_of(in->bits), r.undef ? mask_of(in->bits) : 0, r.prov, 0};
    }
    return true;
}
