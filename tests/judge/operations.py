#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""operations.py - checks kernels that take an address apart as an integer and assemble it again, with every kind of arithmetic.

    operations.py --judge JUDGE --nonflat COMMAND [--bits 32] [--work DIR] [--only TEXT] [--levels O0,O2]
                  [--spaces local,mixed] [--modes auto] [--every N] [--options="--addresses FORM"]

Each line of WAYS is C code that computes from an address x the same address y, on a device whose addresses have 48 bits. The script inserts
the line into kernels in which the address is private, local, global, one of two chosen at run time, or one of three in a table. Specialized
in
`auto` and `dynamic`, the kernels must have the results of the original in the judge. A kernel that `nonflat` refuses counts as failed. The
options are those of
`nonflat specialize`: by default windows below 2^46, as a device with 47-bit addresses has them. With `--bits 32` the device has 32-bit
addresses and windows of 256 MB above 3.5 GB; code that is wrong on flat hardware with such addresses, because it needs more bits, counts as
not compiled. --every N takes each N-th kernel only.
Exit status: 0 success, 1 a check failed, 77 nothing could be run.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "conformance"))
import toolchain  # noqa: E402

# x is an address; y has to become the same address; z is the address before x. n1, n3 and n8 are arguments with these values, n0 is 0.
# The table omits the programs that docs/limits.md lists as silently wrong.
WAYS = {
    "id":
        'y = x;',
    "shl1_lshr1":
        'y = (x << 1) >> 1;',
    "shl1_ashr1":
        'y = (sword)(x << 1) >> 1;',
    "smul2_sdiv2":
        'y = (sword)x * 2 / 2;',
    "umul2_udiv2":
        'y = x * 2 / 2;',
    "smid":
        'y = ((sword)x + (sword)x) >> 1;',
    "smid_div":
        'y = ((sword)x + (sword)x) / 2;',
    "umid":
        'y = (x + x) >> 1;',
    "shl2":
        'y = (x << 2) >> 2;',
    "shl2s":
        'y = (sword)(x << 2) >> 2;',
    "shl3_udiv8":
        'y = (x << 3) / 8;',
    "mul8_sdiv8":
        'y = (sword)x * 8 / 8;',
    "shl16s":
        'y = (sword)(x << 16) >> 16;',
    "shl_n":
        'y = (x << n1) >> n1;',
    "shl_ns":
        'y = (sword)(x << n1) >> n1;',
    "mul_n":
        'y = x * n8 / n8;',
    "mul_ns":
        'y = (sword)x * (sword)n8 / (sword)n8;',
    "mul3":
        'y = x * 3 / 3;',
    "mul_n3":
        'y = x * n3 / n3;',
    "shr3shl3":
        'y = (x >> 3) << 3; y |= x & 7;',
    "shr3shl3_only":
        'y = (x >> 2) << 2;',
    "sdiv4mul4":
        'y = (sword)x / 4 * 4;',
    "udivn_muln":
        'y = x / n8 * n8 + x % n8;',
    "urem_big":
        'y = x % ((word)1 << (BITS/4*3));',
    "srem_big":
        'y = (sword)x % ((sword)1 << (BITS/4*3));',
    "urem_n":
        'y = x % (((word)n1) << (BITS/4*3));',
    "neg":
        'y = -(-x);',
    "neg_v":
        'volatile word t = -x; y = -t;',
    "not_v":
        'volatile word t = ~x; y = ~t;',
    "xor_key":
        'volatile word t = x ^ (word)0x9e3779b97f4a7c15ul; y = t ^ (word)0x9e3779b97f4a7c15ul;',
    "add_key":
        'volatile word t = x + (word)0x9e3779b97f4a7c15ul; y = t - (word)0x9e3779b97f4a7c15ul;',
    "mul_key":
        'volatile word t = x * (word)0x9e3779b97f4a7c15ul; y = t * (word)0xf1de83e19937733dul;',
    "rot":
        'volatile word t = (x << 13) | (x >> (BITS-13)); y = (t >> 13) | (t << (BITS-13));',
    "rot_n":
        'volatile word t = (x << n3) | (x >> (BITS-n3)); y = (t >> n3) | (t << (BITS-n3));',
    "bswap":
        'volatile ulong t = __builtin_bswap64(x); y = __builtin_bswap64(t);',
    "bitrev":
        'volatile ulong t = __builtin_bitreverse64(x); y = __builtin_bitreverse64(t);',
    "or_top_and":
        'word t = x | (word)5 << (BITS-8); y = t & (((word)1 << (BITS-8)) - 1);',
    "or_top_xor":
        'volatile word t = x | (word)n3 << (BITS-4); y = t ^ ((word)n3 << (BITS-4));',
    "or_top_sub":
        'volatile word t = x | (word)n1 << (BITS-4); y = t - ((word)n1 << (BITS-4));',
    "or_top1_sub":
        'volatile word t = x | (word)1 << (BITS-4); y = t - ((word)1 << (BITS-4));',
    "or_top2_sub":
        'volatile word t = x | (word)1 << (BITS-3); y = t - ((word)1 << (BITS-3));',
    "or_top3_xor":
        'volatile word t = x | (word)1 << (BITS-2); y = t ^ ((word)1 << (BITS-2));',
    "or_top4_xor":
        'volatile word t = x | (word)1 << (BITS-1); y = t ^ ((word)1 << (BITS-1));',
    "or_top4_shl":
        'volatile word t = x | (word)1 << (BITS-1); y = (t << 1) >> 1;',
    "or_top4_and":
        'volatile word t = x | (word)1 << (BITS-1); y = t & ~((word)1 << (BITS-1));',
    "add_top_and":
        'volatile word t = x + ((word)n3 << (BITS-8)); y = t & (((word)1 << (BITS-8)) - 1);',
    "set_top_clear":
        'word t = x | (word)0xf << (BITS-4); volatile word u = t; y = u ^ ((word)0xf << (BITS-4));',
    "low_tag":
        'volatile word t = x | 1; y = t & ~(word)1;',
    "low_tag3":
        'volatile word t = x | 3; y = t & -(word)4;',
    "low_tag_sub":
        'volatile word t = x + 2; y = t - 2;',
    "cut48":
        'y = x & (((word)1 << (BITS/4*3)) - 1);',
    "cut_n":
        'y = x & (((word)1 << (BITS/4*3 + n0)) - 1);',
    "cut_conv":
        'y = (word)(half_w)x | (x >> H << H);',
    "halves":
        'half_w lo = x, hi = x >> H; y = (word)hi << H | lo;',
    "halves_add":
        'half_w lo = x, hi = x >> H; y = ((word)hi << H) + lo;',
    "halves_mul":
        'half_w lo = x, hi = x >> H; y = (word)hi * ((word)1 << H) + lo;',
    "halves_struct":
        'struct { half_w lo, hi; } s = {x, x >> H}; volatile half_w a = s.lo, b = s.hi; y = (word)b << H | a;',
    "lo_hi16":
        'half_w lo = x; ushort hi = x >> H; y = (word)hi << H | lo;',
    "cmpneg":
        'y = (sword)x < 0 ? 0 : x;',
    "cmp_top":
        'y = x >> (BITS/4*3) ? 0 : x;',
    "cmp_rel":
        'word o = x + 4; y = (sword)x < (sword)o ? o - 4 : 0;',
    "clz":
        'y = __builtin_clzl(x) < BITS/4 ? 0 : x;',
    "popc":
        'y = __builtin_popcountl(x) > BITS/2 ? 0 : x;',
    "sext":
        'y = (word)(sword)x;',
    "vec_shuffle":
        'word2 v = {x, n1}; volatile word2 w = v.yx; word2 u = w; y = u.y;',
    "vec_half":
        'half2w v = __builtin_astype(x, half2w); volatile half2w w = v.yx; half2w u = w; y = '
        '__builtin_astype(u.yx, word);',
    "vec_halfadd":
        'half2w v = __builtin_astype(x, half2w) + (half2w)(0,0); volatile half2w w = v; half2w u = w; y = '
        '__builtin_astype(u, word);',
    "vec_shl":
        'word2 v = {x, x}; v = v << (word)3; volatile word2 w = v; v = w; v = v >> (word)3; y = v.x;',
    "vec_shl1s":
        'word2 v = {x, x}; v = v << (word)1; volatile word2 w = v; v = w; typedef sword s2 '
        '__attribute__((ext_vector_type(2))); s2 u = __builtin_astype(v, s2); u = u >> (sword)1; y = (word)u.y;',
    "vec_and":
        'word2 v = {x, x}; v = v & (word2)(((word)1 << (BITS/4*3)) - 1); y = v.y;',
    "vec_add":
        'word2 v = {x, x}; v = v + (word)n8; v = v - (word)n8; y = v.y;',
    "bytes":
        'uchar b[8]; for (int i = 0; i < 8; i++) b[i] = (ulong)x >> 8 * i; ulong r = 0; for (int i = 7; i >= 0; '
        'i--) r = r << 8 | b[i]; y = r;',
    "bytes_rev":
        'uchar b[8]; for (int i = 0; i < 8; i++) b[i] = (ulong)x >> (56 - 8 * i); ulong r = 0; for (int i = 0; i '
        '< 8; i++) r = r << 8 | b[i]; y = r;',
    "mem6":
        'struct { uchar b[6]; } t; __builtin_memcpy(t.b, &x, 6); word r = 0; __builtin_memcpy(&r, t.b, 6); y = r;',
    "mem6_at2":
        'uchar t[8] = {1,2}; __builtin_memcpy(t + 2, &x, 6); word r; __builtin_memcpy(&r, t, 8); y = r >> 16;',
    "packed":
        'struct __attribute__((packed)) { ushort tag; ulong p; } s; s.tag = n3; s.p = x; struct '
        '__attribute__((packed)) { ushort a[5]; } t; __builtin_memcpy(&t, &s, 10); y = (ulong)t.a[1] | '
        '(ulong)t.a[2] << 16 | (ulong)t.a[3] << 32 | (ulong)t.a[4] << 48;',
    "packed6":
        'struct __attribute__((packed)) { ushort tag; ulong p; } s; s.tag = n3; s.p = x; struct '
        '__attribute__((packed)) { ushort a[5]; } t; __builtin_memcpy(&t, &s, 10); y = (ulong)t.a[1] | '
        '(ulong)t.a[2] << 16 | (ulong)t.a[3] << 32;',
    "bf48":
        'struct { ulong p : 48, tag : 16; } s; s.p = x; s.tag = n3; y = s.p;',
    "bf48v":
        'volatile struct { ulong p : 48, tag : 16; } s; s.p = x; s.tag = n3; y = s.p;',
    "bf48s":
        'volatile struct { long p : 48, tag : 16; } s; s.p = x; s.tag = n3; y = s.p;',
    "bf_low":
        'volatile struct { ulong tag : 3, p : 61; } s; s.p = x >> 3; s.tag = n1; y = (word)s.p << 3 | (x & 7);',
    "bf_low2":
        'volatile struct { ulong tag : 2, p : 62; } s; s.p = x >> 2; s.tag = n1; y = (word)s.p << 2;',
    "bf_low16":
        'volatile struct { ulong tag : 16, p : 48; } s; s.p = x; s.tag = n1; y = s.p;',
    "bf_split":
        'volatile struct { uint a : 20, b : 12; uint c; } s; s.a = x; s.b = x >> 20; s.c = (ulong)x >> 32; y = '
        '(ulong)s.c << 32 | (ulong)s.b << 20 | s.a;',
    "bf_57":
        'volatile struct { ulong p : 57, tag : 7; } s; s.p = x; s.tag = n1; y = s.p;',
    "bf_63":
        'volatile struct { ulong p : 63, tag : 1; } s; s.p = x; s.tag = n1; y = s.p;',
    "bf_63s":
        'volatile struct { long p : 63; ulong tag : 1; } s; s.p = x; s.tag = n1; y = s.p;',
    "compress":
        'y = cslot(x >> 2) << 2;',
    "slot_shl1":
        'y = cslot(x << 1) >> 1;',
    "slot_shl1s":
        'y = (sword)cslot(x << 1) >> 1;',
    "slot_shl16":
        'y = cslot(x << 16 | n3) >> 16;',
    "slot_shl16s":
        'y = (sword)cslot(x << 16 | n3) >> 16;',
    "slot_tag_low":
        'y = cslot(x | 2) & ~(word)3;',
    "slot_mul":
        'y = cslot(x * 16) / 16;',
    "slot_mid":
        'y = cslot(x + x) / 2;',
    "slot_smid":
        'y = (sword)cslot(x + x) / 2;',
    "umulext":
        'word lo = x * 65536ul, hi = __umulh(x, 65536ul); y = lo >> 16 | hi << 48;',
    "i128shift":
        '__int128 t = (__int128)x << 16; volatile ulong a = (ulong)t; y = a >> 16;',
    "double_bits":
        'volatile double d = __builtin_astype((ulong)x, double); y = as_u(d);',
    "nan_box":
        'ulong t = (ulong)x | 0xfff8000000000000ul; volatile double d = __builtin_astype(t, double); y = as_u(d) '
        '& 0x0000fffffffffffful;',
    "nan_box_xor":
        'ulong t = (ulong)x + 0x7ff8000000000000ul; volatile double d = __builtin_astype(t, double); y = as_u(d) '
        '- 0x7ff8000000000000ul;',
    "nan_box_top":
        'ulong t = (ulong)x | 0xfff8000000000000ul; y = 0; if ((t >> 48) == 0xfff8) y = t ^ 0xfff8000000000000ul;',
    "float_conv":
        'volatile double d = (double)(ulong)x; y = (word)d;',
    "sel_bit":
        'word t = x; for (int i = 0; i < BITS; i++) if (x >> i & 1) t &= ~((word)1 << i); for (int i = 0; i < '
        'BITS; i++) if (x >> i & 1) t |= (word)1 << i; y = t;',
    "bitloop":
        'word t = 0; for (int i = 0; i < BITS; i++) t |= (x >> i & 1) << i; y = t;',
    "bitloop_shl":
        'word t = 0; for (int i = BITS-1; i >= 0; i--) t = t << 1 | (x >> i & 1); y = t;',
    "xor_two":
        'volatile word k = x ^ (word)&slot; y = k ^ (word)&slot;',
    "diff_two":
        'volatile word k = x - (word)&slot; y = k + (word)&slot;',
    "diff_half":
        'volatile half_w k = x - z; y = z + (sword)(int)k;',
    "align_up":
        'y = (x + 3) & ~(word)3;',
    "align_sub":
        'y = x - (x & 3);',
    "align_rem":
        'y = x - x % 4;',
    "align_srem":
        'y = x - (sword)x % 4;',
    "base_mul":
        'y = z + (x - z) / 4 * 4;',
    "min":
        'y = x < z ? x : z; if (y != x) y = x;',
    "smin":
        'y = (sword)x < (sword)z ? x : z; if (y != x) y = x;',
    "satsub":
        'y = x > z ? x - z : 0; y = y + z;',
    "carry":
        'uint lo = (uint)x + 8u, c = lo < 8u; uint hi = (uint)((ulong)x >> 32) + c; y = ((ulong)hi << 32 | lo) - '
        '8;',
    "u32mul":
        'y = (ulong)(uint)((ulong)x >> 32) * 4294967296ul + (uint)x;',
    "cond_strip":
        'word t = x | 1; if (t & 1) t = t - 1; y = t;',
    "sext48":
        'y = (sword)(x << (BITS/4)) >> (BITS/4);',
    "sext48_xor":
        'word m = (word)1 << (BITS*3/4-1); y = ((x & (((word)1 << (BITS*3/4)) - 1)) ^ m) - m;',
    "abs":
        'y = (sword)x < 0 ? -x : x;',
    "zigzag":
        'volatile word t = (x << 1) ^ ((sword)x >> (BITS-1)); y = (t >> 1) ^ -(t & 1);',
    "gray":
        'volatile word t = x ^ x >> 1; word r = t; for (int i = 1; i < BITS; i <<= 1) r ^= r >> i; y = r;',
    "interleave":
        'half_w a = 0, b = 0; for (int i = 0; i < H; i++) { a |= (x >> 2*i & 1) << i; b |= (x >> (2*i+1) & 1) << '
        'i; } word r = 0; for (int i = 0; i < H; i++) { r |= (word)(a >> i & 1) << 2*i; r |= (word)(b >> i & 1) '
        '<< (2*i+1);} y = r;',
    "varint":
        'uchar b[10]; int n = 0; word t = x; do { b[n++] = (t & 127) | 128; t >>= 7; } while (t); word r = 0; for '
        '(int i = 0; i < n; i++) r |= (word)(b[i] & 127) << 7 * i; y = r;',
    "dec":
        'uchar b[20]; int n = 0; word t = x; do { b[n++] = t % 10; t /= 10; } while (t); word r = 0; while (n) r '
        '= r * 10 + b[--n]; y = r;',
    "udiv_shift":
        'volatile word q = x / 65536, r = x % 65536; y = q * 65536 + r;',
    "sdiv_shift":
        'volatile sword q = (sword)x / 65536, r = (sword)x % 65536; y = q * 65536 + r;',
    "udiv3":
        'volatile word q = x / 3, r = x % 3; y = q * 3 + r;',
    "page":
        'word pg = x >> 12, off = x & 4095; volatile word a = pg, b = off; y = a << 12 | b;',
    "top_byte":
        'union { ulong w; uchar b[8]; } u; u.w = x; u.b[7] = glo[2]; volatile uchar c = u.b[7]; u.b[7] = 0; y = u.w; out[8] += plain(c);',
    "top_byte_mask":
        'volatile union { ulong w; uchar b[8]; } u; u.w = x; u.b[7] = n3; uchar c = u.b[7]; y = u.w & 0xfffffffffffffful; out[8] += plain(c);',
    "top_byte_const":
        'volatile union { ulong w; uchar b[8]; } u; u.w = x; u.b[7] = 5; uchar c = u.b[7]; u.b[7] = 0; y = u.w; out[8] += plain(c);',
    "top_short_first":
        'volatile union { ulong w; ushort s[4]; } u; u.s[3] = glo[2]; ushort c = u.s[3]; u.w = x; u.s[3] += n3; u.s[3] = 0; y = u.w; out[8] += plain(c);',
    "top_array":
        'volatile union { ulong w; uchar b[8]; } u[4]; for (int i = 0; i < 4; i++) u[i].w = x; u[n3].b[7] = glo[2]; uchar c = '
        'u[n3].b[7]; u[n3].b[7] = 0; y = u[n3].w; out[8] += plain(c);',
    "top_second":
        'volatile union { ulong w[2]; uchar b[16]; } u; u.w[0] = u.w[1] = x; u.b[15] = glo[2]; u.b[14] = glo[3]; uchar c = u.b[15]; '
        'u.b[15] = 0; u.b[14] = 0; y = u.w[1]; out[8] += plain(c);',
    "top_moved":
        'volatile union { ulong w; ushort s[4]; } u, v; u.w = x; v.s[0] = u.s[0]; v.s[1] = u.s[1]; v.s[2] = u.s[2]; v.s[3] = u.s[3]; '
        'y = v.w;',
    "top_swapped":
        'volatile union { ulong w; ushort s[4]; } u, v; u.w = x; v.s[3] = u.s[0]; v.s[1] = u.s[1]; v.s[2] = u.s[2]; v.s[0] = u.s[3]; '
        'y = (v.w & 0xffffffff0000ul) | v.w >> 48 | v.w << 48;',
    "upper_half_or":
        'volatile union { ulong w; uint h[2]; } u; u.w = x; u.h[1] |= n3 << 24; uint c = u.h[1] >> 24; u.h[1] &= 0xffffff; y = u.w; '
        'out[8] += plain(c);',
    "upper_half_sum":
        'volatile union { ulong w; uint h[2]; } u; u.w = x; u.h[1] += n3 << 24; u.h[1] += 1u << 24; uint c = u.h[1] >> 24; '
        'u.h[1] -= c << 24; y = u.w; out[8] += plain(c);',
    "upper_half_const":
        'volatile union { ulong w; uint h[2]; } u; u.w = x; u.h[1] |= 5u << 24; uint c = u.h[1] >> 24; u.h[1] &= 0xffffff; y = u.w; '
        'out[8] += plain(c);',
    "upper_half_array":
        'volatile union { ulong w; uint h[2]; } u[4]; for (int i = 0; i < 4; i++) u[i].w = x; u[n3].h[1] |= n3 << 24; uint c = '
        'u[n3].h[1] >> 24; u[n3].h[1] = u[n3].h[1] << 8 >> 8; y = u[n3].w; out[8] += plain(c);',
    "upper_half_callee":
        'union { ulong w; uint h[2]; } u; u.w = x; put_half(&u.h[1], n3); uint c = get_half(&u.h[1]); clear_half(&u.h[1]); y = u.w; '
        'out[8] += plain(c);',
    "upper_half_masked":
        'volatile union { ulong w; uint h[2]; } u; u.w = x; u.h[1] &= 0xffffff; y = u.w;',
    "upper_half_apart":
        'volatile struct { uint lo, hi; } s; s.lo = x; s.hi = (uint)(x >> H) | n3 << 24; uint c = s.hi >> 24; '
        'y = (ulong)(s.hi & 0xffffff) << 32 | s.lo; out[8] += plain(c);',
    "upper_half_apart_masked":
        'volatile struct { uint lo, hi; } s; s.lo = x; s.hi = (uint)(x >> H) | n3 << 24; uint c = s.hi >> 24; s.hi &= 0xffffff; '
        'y = (ulong)s.hi << 32 | s.lo; out[8] += plain(c);',
    "upper_half_variable":
        'union { ulong w; uint h[2]; } u; u.w = x; put_in_steps(&u.h[1], n3); uint c = take_in_steps(&u.h[1]); y = u.w; '
        'out[8] += plain(c);',
    "upper_half_variable_if":
        'union { ulong w; uint h[2]; } u; u.w = x; out[8] += plain(put_and_take(&u.h[1], n3, n8)); y = u.w;',
    "lower_half_parts":
        'volatile union { ulong w; uint h[2]; } u; u.w = x; volatile uint lo = u.h[0] & 0xffff; lo |= u.h[0] >> 16 << 16; u.h[0] = 0; '
        'u.h[0] |= lo & 0xffff; u.h[0] |= lo >> 16 << 16; y = u.w;',
    "top_byte_callee":
        'ulong w = x; put_byte(&w, glo[2]); uint c = get_byte(&w); put_byte(&w, 0); y = w; out[8] += plain(c);',
    "top_byte_callee_const":
        'ulong w = x; put_byte(&w, 7); uint c = get_byte(&w); put_byte(&w, 0); y = w; out[8] += plain(c);',
    "top_byte_callee_zero":
        'ulong w = x; put_byte(&w, n3); put_byte(&w, n0); y = w;',
    "top_byte_callee_twice":
        'ulong w = x; put_twice(&w, n3, 0); y = w;',
    "top_short_zero":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; u.s[3] = 0; y = u.w;',
    "top_memset":
        'union { ulong w; uchar b[8]; } u; u.w = x; __builtin_memset(u.b + 6, 0, 2); y = u.w;',
    "top_fall":
        'union { ulong w; uchar b[8]; } u; u.w = x; switch (n3) { case 3: u.b[7] = 0; case 2: u.b[6] = 0; case 1: ; } y = u.w;',
    "top_fall_undone":
        'union { ulong w; uchar b[8]; } u; u.w = x; switch (n3) { case 3: u.b[7] ^= 9; case 2: u.b[6] ^= 7; case 1: u.b[5] ^= 5; } '
        'switch (n3) { case 3: u.b[7] ^= 9; case 2: u.b[6] ^= 7; case 1: u.b[5] ^= 5; } y = u.w;',
    "pieces_changed":
        'union { ulong w; uchar b[8]; ushort s[4]; } u; u.w = x; for (int i = 0; i < 8; i++) u.b[i] ^= n3; for (int i = 0; i < 4; '
        'i++) u.s[i] = ~u.s[i]; for (int i = 0; i < 4; i++) u.s[i] = ~u.s[i]; for (int i = 0; i < 8; i++) u.b[i] ^= n3; y = u.w;',
    "global_top":
        'outlasts.w = x; outlasts.s[3] = n3; ushort c = outlasts.s[3]; outlasts.s[3] = 0; y = outlasts.w; out[8] += plain(c);',
    "global_top_zero":
        'outlasts.w = x; outlasts.s[3] = 0; y = outlasts.w;',
    "global_half":
        'outlasts.w = x; outlasts.h[1] |= n3 << 24; uint c = outlasts.h[1] >> 24; outlasts.h[1] &= 0xffffff; y = outlasts.w; out[8] += plain(c);',
    "mask_select":
        'word m = n3 > 2 ? (word)0xfffffffffffful : ~(word)0; y = x & m;',
    "mask_variable":
        'volatile word v = ~(word)0 >> (n8 + n8); word m = v; y = x & m;',
    "mask_callee":
        'y = x & ones(48);',
    "mask_parameter":
        'y = masked(x, 0xfffffffffffful);',
    "mask_aligned":
        'word m = -(word)(n3 + 1); y = (x + 3) & m;',
    "mask_aligned_not":
        'volatile word v = n3; y = (x + 3) & ~v;',
    "mask_split":
        'volatile word m = n1 ? (word)0xfffffffffffful : 0; word a = x & m, b = x & ~m; y = a | b;',
    "mask_split_any":
        'volatile word m = glo[2] * 0x0123456789abcdeful; word a = x & m, b = x & ~m; y = a ^ b;',
    "atomic_min":
        'shared.w = x; atom_min(&shared.w, x + 8); y = shared.w;',
    "atomic_min_number":
        'shared.w = x; atom_min(&shared.w, 0xffffffffffffffful); y = shared.w;',
    "atomic_min_first":
        'shared.w = ~0ul; atom_min(&shared.w, x); y = shared.w;',
    "atomic_max":
        'shared.w = x - 4; atom_max(&shared.w, x); y = shared.w;',
    "atomic_inc_loop":
        'shared.w = x - 4; for (int i = 0; i < 4; i++) atom_inc(&shared.w); y = shared.w;',
    "atomic_mask":
        'shared.w = x; word m = n3 > 2 ? (word)0xfffffffffffful : ~(word)0; atom_and(&shared.w, m); y = shared.w;',
    "atomic_half":
        'shared.w = x; atomic_add(&shared.h[1], n3 << 24); uint c = shared.h[1] >> 24; atomic_and(&shared.h[1], 0xffffff); '
        'y = shared.w; out[8] += plain(c);',
    "atomic_half_undone":
        'shared.w = x; for (int i = 0; i < 4; i++) atomic_add(&shared.h[1], 1u << 28); for (int i = 0; i < 4; i++) '
        'atomic_sub(&shared.h[1], 1u << 28); y = shared.w;',
    "callee_masked":
        'y = own_masked(x);',
    "callee_top":
        'y = own_top(x, n3);',
    "callee_bytes":
        'y = own_bytes(x);',
    "callee_given_on":
        'ulong w = 0; own_given_on(x, &w); y = w;',
    "byte_loop_zero":
        'union { ulong w; uchar b[8]; } u; u.w = x; for (int i = 6; i < 8; i++) u.b[i] = 0; y = u.w;',
    "byte_loop_zero_n":
        'union { ulong w; uchar b[8]; } u; u.w = x; for (uint i = n3 + 3; i < n8; i++) u.b[i] = 0; y = u.w;',
    "byte_loop_down":
        'union { ulong w; uchar b[8]; } u; u.w = x; for (int i = 7; i > 5; i--) u.b[i] = 0; y = u.w;',
    "byte_loop_number":
        'union { ulong w; uchar b[8]; } u; u.w = x; uint c = 0; for (int i = 6; i < 8; i++) u.b[i] = n3 + i; for (int i = 6; i < 8; '
        'i++) c += u.b[i]; for (int i = 6; i < 8; i++) u.b[i] = 0; y = u.w; out[8] += plain(c);',
    "byte_index_zero":
        'union { ulong w; uchar b[8]; } u; u.w = x; u.b[n8 - 1] = 0; y = u.w;',
    "byte_index_number":
        'union { ulong w; uchar b[8]; } u; u.w = x; u.b[n8 - 1] = glo[2]; uint c = u.b[n8 - 1]; u.b[n8 - 1] = 0; y = u.w; out[8] += plain(c);',
    "byte_loop_array":
        'union { ulong w; uchar b[8]; } u[4]; for (int i = 0; i < 4; i++) u[i].w = x; for (int i = 6; i < 8; i++) u[n3].b[i] = 0; '
        'y = u[n3].w;',
    "byte_loop_pointer":
        'ulong w = x; for (uchar *b = (uchar *)&w + 6; b < (uchar *)&w + 8; b++) *b = 0; y = w;',
    "byte_loop_callee":
        'ulong w = x; zero_bytes((uchar *)&w, n3 + 3, 8); y = w;',
    "byte_loop_cleared":
        'union { ulong w; uchar b[8]; } u; for (int i = 0; i < 8; i++) u.b[i] = 0; u.w |= x; y = u.w;',
    "byte_loop_moved":
        'union { ulong w; uchar b[8]; } u, v; u.w = x; for (int i = 0; i < 8; i++) v.b[i] = 0; for (int i = 0; i < 8; i++) '
        'v.b[i] = u.b[i]; y = v.w;',
    "byte_loop_saved":
        'union { ulong w; uchar b[8]; } u; uchar kept[2]; u.w = x; for (int i = 0; i < 2; i++) kept[i] = u.b[6 + i]; for (int i = 0; '
        'i < 2; i++) u.b[6 + i] = n3; for (int i = 0; i < 2; i++) u.b[6 + i] = kept[i]; y = u.w;',
    "short_loop_zero":
        'union { ulong w; ushort s[4]; } u; u.w = x; for (int i = 3; i < 4; i++) u.s[i] = 0; y = u.w;',
    "short_index_number":
        'union { ulong w; ushort s[4]; } u; u.w = x; u.s[n3] = n8; uint c = u.s[n3]; u.s[n3] = 0; y = u.w; out[8] += plain(c);',
    "short_index_xor":
        'union { ulong w; ushort s[4]; } u; u.w = x; u.s[n3] ^= n8; u.s[n3] ^= n8; y = u.w;',
    "top_zero_pieces":
        'union { ulong w; uchar b[8]; } u; u.w = x; u.b[0] ^= 1; u.b[0] ^= 1; u.b[7] = 0; u.b[6] = 0; y = u.w;',
    "top_zero_read":
        'union { ulong w; ushort s[4]; } u; u.w = x; uint c = u.s[0] & 0; u.s[3] = 0; y = u.w + c;',
    "top_zero_half":
        'union { ulong w; uint h[2]; ushort s[4]; } u; u.w = x; uint lo = u.h[0]; u.s[3] = 0; u.h[0] = lo; y = u.w;',
    "top_zero_six":
        'union { ulong w; uchar b[8]; } u, v; u.w = x; v.b[0] = u.b[0]; v.b[1] = u.b[1]; v.b[2] = u.b[2]; v.b[3] = u.b[3]; v.b[4] = '
        'u.b[4]; v.b[5] = u.b[5]; v.b[6] = v.b[7] = 0; y = v.w;',
    "top_zero_three":
        'union { ulong w; ushort s[4]; } u, v; u.w = x; v.s[0] = u.s[0]; v.s[1] = u.s[1]; v.s[2] = u.s[2]; v.s[3] = 0; y = v.w;',
    "top_zero_number":
        'union { ulong w; ushort s[4]; } u; u.w = x; u.s[3] = n0; y = u.w;',
    "top_zero_item":
        'union { ulong w; ushort s[4]; } u; u.w = x; u.s[3] = get_global_id(0) + 3; uint c = u.s[3]; u.s[3] = get_global_id(0); '
        'y = u.w; out[8] += plain(c);',
    "top_number_or_address":
        'union { ulong w; ushort s[4]; } u[2]; u[n0].w = x; u[n1].s[0] = 1; u[n1].s[1] = n3; u[n1].s[2] = 3; u[n1].s[3] = n8; '
        'out[8] += plain(u[n1].s[0]); y = u[n0].w;',
    "top_cleared":
        'union { ulong w; ushort s[4]; } u; u.s[0] = u.s[1] = u.s[2] = u.s[3] = 0; u.w |= x; y = u.w;',
    "upper_half_zero_and_back":
        'union { ulong w; uint h[2]; } u; u.w = x; uint kept = u.h[1]; u.h[1] = 0; u.h[1] = kept; y = u.w;',
    "upper_half_short":
        'union { ulong w; uint h[2]; } u; u.w = x; u.h[1] = (ushort)u.h[1]; y = u.w;',
    "upper_half_field":
        'union { ulong w; struct { uint lo; uint hi : 16, n : 16; } s; } u; u.w = x; u.s.n = n3; uint c = u.s.n; u.s.n = 0; y = u.w; '
        'out[8] += plain(c);',
    "mask_buffer":
        'word m = masks[0]; y = x & m;',
    "mask_buffer_align":
        'word m = masks[1]; y = (x + 3) & m;',
    "mask_buffer_split":
        'word m = masks[0]; word a = x & m, b = x & ~m; y = a | b;',
    "mask_buffer_index":
        'word m = masks[2]; uint t[4] = {0}; t[(x >> 2) & m]++; word s = (word)&t[(x >> 2) & m]; out[8] += plain(*(uint *)s); y = x;',
    "mask_table":
        'word t[3] = {0xffff, 0xfffffffffffful, ~(word)0}; y = x & t[n1];',
    "mask_table_callee":
        'y = masked(x, masks[0]);',
    "mask_bits":
        'word m = 0; for (int i = 0; i < 48; i++) m |= (word)1 << i; y = x & m;',
    "mask_bits_n":
        'word m = 0; for (uint i = 0; i < 6 * n8; i++) m = m << 1 | 1; y = x & m;',
    "mask_vector":
        'word m = masks[0]; word2 v = {x, x}; v = v & (word2)m; y = v.y;',
    "mask_and_back":
        'word m = masks[0]; word t = x | (word)n3 << 52; y = t & m; out[8] += plain((uint)((t & ~m) >> 52));',
    "mask_clear":
        'word m = ~masks[0]; y = x & ~m;',
    "loop_six":
        'uchar b[8]; for (int i = 0; i < 8; i++) b[i] = (ulong)x >> 8 * i; ulong r = 0; for (int i = 5; i >= 0; i--) r = r << 8 | '
        'b[i]; y = r;',
    "loop_six_up":
        'uchar b[6]; for (int i = 0; i < 6; i++) b[i] = (ulong)x >> 8 * i; ulong r = 0; for (int i = 0; i < 6; i++) r |= '
        '(ulong)b[i] << 8 * i; y = r;',
    "loop_three_shorts":
        'ushort s[4]; for (int i = 0; i < 4; i++) s[i] = (ulong)x >> 16 * i; ulong r = 0; for (int i = 2; i >= 0; i--) r = r << 16 | '
        's[i]; y = r;',
    "loop_bits48":
        'word t = 0; for (int i = 0; i < 48; i++) t |= (x >> i & 1) << i; y = t;',
    "loop_bits48_shl":
        'word t = 0; for (int i = 47; i >= 0; i--) t = t << 1 | (x >> i & 1); y = t;',
    "loop_six_sum":
        'uchar b[6]; for (int i = 0; i < 6; i++) b[i] = (ulong)x >> 8 * i; ulong r = 0; for (int i = 5; i >= 0; i--) r = r * 256 + '
        'b[i]; y = r;',
    "loop_eight_sum":
        'uchar b[8]; for (int i = 0; i < 8; i++) b[i] = (ulong)x >> 8 * i; ulong r = 0; for (int i = 7; i >= 0; i--) r = r * 256 + '
        'b[i]; y = r;',
    "loop_eight_n":
        'uchar b[8]; for (int i = 0; i < 8; i++) b[i] = (ulong)x >> 8 * i; ulong r = 0; for (uint i = 0; i < n8; i++) r |= '
        '(ulong)b[i] << 8 * i; y = r;',
    "loop_callee_eight":
        'ulong w = x; y = read_bytes((uchar *)&w, 8);',
    "low_half_and_page":
        'uint lo = x; word top = x - lo; y = top + lo;',
    "read_count":
        'union { ulong w; ushort s[4]; } u; u.w = x | (ulong)n3 << 48; uint c = u.s[3]; y = u.w ^ (ulong)c << 48; out[8] += plain(c);',
    "read_count_byte":
        'union { ulong w; uchar b[8]; } u; u.w = x + ((ulong)n3 << 56); uint c = u.b[7]; u.b[7] = 0; y = u.w; out[8] += plain(c);',
    "read_count_half":
        'union { ulong w; uint h[2]; } u; u.w = x | (ulong)n3 << 48; uint c = u.h[1] >> 16; y = u.w - ((ulong)n3 << 48); out[8] += plain(c);',
    "read_copied":
        'union { ulong w; ushort s[4]; } u, v; u.w = x; volatile ushort d = u.s[3]; v.s[0] = u.s[0]; v.s[1] = u.s[1]; v.s[2] = '
        'u.s[2]; v.s[3] = d; y = v.w;',
    "read_half_carry":
        'union { ulong w; uint h[2]; } u; u.w = x; uint lo = u.h[0] + 16; uint hi = u.h[1] + (lo < 16); u.h[0] = lo; u.h[1] = hi; '
        'y = u.w - 16;',
    "buffer_top":
        'buf->w = x; buf->s[3] = n3; uint c = buf->s[3]; buf->s[3] = 0; y = buf->w; out[8] += plain(c);',
    "buffer_top_zero":
        'buf->w = x; buf->s[3] = 0; y = buf->w;',
    "buffer_byte_loop":
        'buf->w = x; for (int i = 6; i < 8; i++) buf->b[i] = 0; y = buf->w;',
    "buffer_half":
        'buf->w = x; buf->h[1] |= n3 << 24; uint c = buf->h[1] >> 24; buf->h[1] &= 0xffffff; y = buf->w; out[8] += plain(c);',
    "buffer_half_masked":
        'buf->w = x; buf->h[1] &= 0xffffff; y = buf->w;',
    "buffer_words_half":
        'words[n3] = x; global uint *h = (global uint *)words; h[2 * n3 + 1] &= 0xffff; y = words[n3];',
    "buffer_word":
        'buf->w = x; out[8] += 1; y = buf->w;',
    "buffer_atomic":
        'buf->w = x; atomic_and((volatile global uint *)&buf->h[1], 0xffffff); y = buf->w;',
    "buffer_bytes":
        'global uchar *b = (global uchar *)words; for (int i = 0; i < 8; i++) b[i] = x >> 8 * i; ulong r = 0; for (int i = 7; i >= 0; '
        'i--) r = r << 8 | b[i]; y = r;',
    "halves_atomic":
        'harray[0] = x; harray[1] = x >> 32; atomic_add(&harray[n1], n3 << 24); uint c = harray[n1] >> 24; atomic_and(&harray[n1], '
        '0xffffff); y = (ulong)harray[1] << 32 | harray[0]; out[8] += plain(c);',
    "halves_atomic_word":
        'local ulong *w = (local ulong *)harray; *w = x; atomic_and(&harray[n1], 0xffffff); y = *w;',
    "halves_atomic_undone":
        'harray[0] = x; harray[1] = x >> 32; atomic_add(&harray[n1], n3 << 24); atomic_sub(&harray[n1], n3 << 24); y = '
        '(ulong)harray[1] << 32 | harray[0];',
    "halves_atomic_words":
        'local ulong *w = (local ulong *)harray; w[n1] = x; atomic_and(&harray[2 * n1 + 1], 0xffffff); y = w[n1];',
    "halves_xchg":
        'shared.w = x; uint hi = atomic_xchg(&shared.h[1], 0); atomic_xchg(&shared.h[1], hi & 0xffff); y = shared.w;',
    "halves_xchg_back":
        'shared.w = x; uint hi = atomic_xchg(&shared.h[1], 0); atomic_xchg(&shared.h[1], hi); y = shared.w;',
    "seen_bare":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; uint c = u.s[3]; y = x; out[8] += plain(c);',
    "seen_bare_byte":
        'volatile union { ulong w; uchar b[8]; } u; u.w = x; y = u.b[7] == 0 ? x : 0;',
    "seen_count":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x + ((word)n3 << 48); uint c = u.s[3]; y = u.w - ((word)n3 << 48); '
        'out[8] += plain(c);',
    "seen_count_byte":
        'volatile union { ulong w; uchar b[8]; } u; u.w = x ^ (word)n3 << 56; uint c = u.b[7]; y = u.w ^ (word)n3 << 56; '
        'out[8] += plain(c);',
    "seen_half":
        'volatile union { ulong w; uint h[2]; } u; u.w = x + ((word)n3 << 48); uint c = u.h[1] >> 16; y = u.w - ((word)n3 << 48); '
        'out[8] += plain(c);',
    "seen_half_variable":
        'volatile union { ulong w; uint h[2]; } u; u.w = x + ((word)n3 << 52); uint h = u.h[1]; uint c = h >> 20; '
        'y = u.w - ((word)n3 << 52); out[8] += plain(c);',
    "seen_half_kept":
        'volatile union { ulong w; uint h[2]; } u; u.w = x; uint h = u.h[1]; uint c = h / 65536; y = c ? 0 : u.w;',
    "seen_vector":
        'ushort4 v = __builtin_astype(x + ((word)n3 << 48), ushort4); uint c = v.w; y = x; out[8] += plain(c);',
    "seen_vector_byte":
        'volatile uchar8 v = __builtin_astype(x, uchar8); uchar8 t = v; y = t.s7 < 5 ? x : 0;',
    "seen_vector_half":
        'uint2 v = __builtin_astype(x, uint2); uint c = v.y >> 16; y = x; out[8] += plain(c);',
    "seen_vector_kept":
        'ushort4 v = __builtin_astype(x, ushort4); ushort kind = v.w; uint t[4] = {1, 2, 3, 4}; y = t[kind & 3] == 1 ? x : 0;',
    "seen_callee":
        'ulong w = x + ((ulong)n3 << 48); uint c = get_short(&w); y = w - ((ulong)n3 << 48); out[8] += plain(c);',
    "seen_callee_given":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; y = given(u.s[3], 7) == 7 ? u.w : 0;',
    "seen_switch":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; switch (u.s[3]) { case 0: y = u.w; break; default: y = 0; }',
    "seen_index":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; int t[2] = {5, 6}; y = t[u.s[3] ? 1 : 0] == 5 ? u.w : 0;',
    "seen_field":
        'union { ulong w; struct { ulong p : 48, n : 16; } f; } u; u.w = x + ((word)n3 << 48); uint c = u.f.n; '
        'y = u.w - ((word)n3 << 48); out[8] += plain(c);',
    "seen_field_half":
        'union { ulong w; struct { uint lo; ushort mid, n; } f; } u; u.w = x + ((word)n3 << 48); uint c = u.f.n; '
        'y = u.w - ((word)n3 << 48); out[8] += plain(c);',
    "seen_struct":
        'struct { ushort a[3], n; } s; __builtin_memcpy(&s, &x, 8); uint c = s.n; y = x; out[8] += plain(c);',
    "seen_struct_kept":
        'struct { ushort a[3], n; } s, t; __builtin_memcpy(&s, &x, 8); t = s; volatile ushort n = t.n; y = n ? 0 : x;',
    "seen_local":
        'shared.w = x + ((word)n3 << 48); uint c = shared.s[3]; y = shared.w - ((word)n3 << 48); out[8] += plain(c);',
    "seen_shifted_short":
        'volatile ushort c = x >> 48; y = c ? 0 : x;',
    "seen_shifted_byte":
        'volatile uchar c = (x + ((ulong)n3 << 56)) >> 56; volatile uint d = c; y = x; out[8] += plain(d);',
    "seen_either":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; uint c = n8 > 3 ? u.s[3] : n3; y = x; out[8] += plain(c);',
    "seen_moved":
        'volatile union { ulong w; ushort s[4]; } u, v; u.w = x; ushort a = u.s[0], b = u.s[1], c = u.s[2], d = u.s[3]; v.s[0] = a; '
        'v.s[1] = b; v.s[2] = c; v.s[3] = d; y = v.w;',
    "seen_moved_up":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; y = (ulong)u.s[3] << 48 | (ulong)u.s[2] << 32 | (ulong)u.s[1] << 16 | u.s[0];',
    "seen_moved_bytes":
        'uchar8 v = __builtin_astype(x, uchar8), w; w.s0 = v.s7; w.s1 = v.s6; w.s2 = v.s5; w.s3 = v.s4; w.s4 = v.s3; w.s5 = v.s2; '
        'w.s6 = v.s1; w.s7 = v.s0; volatile uchar8 t = w; w = t; v.s0 = w.s7; v.s1 = w.s6; v.s2 = w.s5; v.s3 = w.s4; v.s4 = w.s3; '
        'v.s5 = w.s2; v.s6 = w.s1; v.s7 = w.s0; y = __builtin_astype(v, ulong);',
    "seen_undone":
        'volatile union { ulong w; ushort s[4]; } u; u.w = x; u.s[3] += n3; u.s[3] += n8; u.s[3] -= n3 + n8; y = u.w;',
    "seen_hashed":
        'volatile union { ulong w; uchar b[8]; } u; u.w = x; ulong h = 14695981039346656037ul; h = (h ^ u.b[5]) * 1099511628211ul; '
        'h = (h ^ u.b[6]) * 1099511628211ul; h = (h ^ u.b[7]) * 1099511628211ul; int t[4] = {1, 2, 3, 4}; t[h % 4] = 5; y = x;',
    "seen_words_index":
        'ulong a[4]; a[n3] = x; uint c = ((uchar *)a)[8 * n3 + 7]; y = a[n3]; out[8] += plain(c);',
    "words_index_zero":
        'ulong a[4]; a[n3] = x; ((uchar *)a)[8 * n3 + 7] = 0; ((ushort *)a)[4 * n3 + 3] = 0; y = a[n3];',
    "words_index_moved":
        'ulong a[4], b[4]; a[n3] = x; uchar *from = (uchar *)a + 8 * n3, *to = (uchar *)b; for (int i = 0; i < 8; i++) to[8 * n1 + i] = '
        'from[i]; y = b[n1];',
    "upper_half_zero_first":
        'union { ulong w; uint h[2]; } u; u.h[0] = u.h[1] = 0; u.w += x; y = u.w;',
    "loop_callee_six":
        'ulong w = x; y = read_bytes((uchar *)&w, 6);',
    "loop_callee_twice":
        'ulong w = x; out[8] += read_bytes((uchar *)&w, 2) > 65535; y = read_bytes((uchar *)&w, 8);',
    "vec_top_zero":
        'ushort4 v = __builtin_astype(x, ushort4); v.w = 0; y = __builtin_astype(v, ulong);',
    "vec_top_number":
        'ushort4 v = __builtin_astype(x, ushort4); v.w = n3; uint c = v.w; v.w = 0; y = __builtin_astype(v, ulong); out[8] += plain(c);',
    "vec_top_back":
        'ushort4 v = __builtin_astype(x, ushort4); ushort t = v.w; v.w = n3; volatile ushort4 k = v; v = k; v.w = t; '
        'y = __builtin_astype(v, ulong);',
    "vec_half_mask":
        'uint2 v = __builtin_astype(x, uint2); v.y &= 0xffff; y = __builtin_astype(v, ulong);',
    "vec_mask":
        'uint2 v = __builtin_astype(x, uint2); v &= (uint2)(0xffffffff, 0xffff); y = __builtin_astype(v, ulong);',
    "vec_mask_shorts":
        'ushort4 v = __builtin_astype(x, ushort4); v &= (ushort4)(0xffff, 0xffff, 0xffff, 0); y = __builtin_astype(v, ulong);',
    "seen_vector_bound":
        'uint2 v = __builtin_astype(x, uint2); y = v.y < 65536 ? x : 0;',
    "seen_vector_short":
        'ushort4 v = __builtin_astype(x, ushort4); y = v.w < n3 ? x : 0;',
    "or_unknown":
        'volatile global ulong *v = words; y = x | v[1];',
    "or_unknown_count":
        'volatile global ulong *v = words; ulong k = (v[1] + n3) << 52; word t = x | k; y = t ^ k;',
    "top_moved":
        'volatile word t = (x >> 48) << 32; y = (x & (((word)1<<48)-1)) | (t << 16);',
    "zero_unknown":
        'volatile union words w; volatile global ulong *v = words; w.w = x; w.b[n8 - 2] = v[0]; w.b[n8 - 1] = v[0]; y = w.w;',
    "zero_unknown_short":
        'volatile union words w; volatile global ulong *v = words; w.w = x; w.s[n3] = v[0]; y = w.w;',
    "rounds_host":
        'for (uint i = 0; i < n3 * 2; i++) y |= ((x >> 8 * i) & 255) << 8 * i;',
    "rounds_callee":
        'volatile word w = x; word t = w; y = read_bytes((uchar *)&t, n3 * 2);',
    "bytes_into_zero":
        'volatile union words w; w.w = 0; for (int i = 0; i < 6; i++) w.b[i] = x >> 8 * i; y = w.w;',
    "bytes_into_zero_host":
        'volatile union words w; w.w = 0; for (uint i = 0; i < n3 * 2; i++) w.b[i] = x >> 8 * i; y = w.w;',
    "top_read_index":
        'volatile union words w; w.w = x | (word)n3 << 48; slot = w.s[n3]; y = x; out[8] += plain(slot);',
    "top_read_bit":
        'word t = x | (word)n3 << 48; slot = (t >> (n3 * 16)) & 255; y = x; out[8] += plain(slot);',
    "bits_by_condition":
        'volatile word t = x; for (int i = 0; i < 48; i++) if (t >> i & 1) y |= (word)1 << i;',
    "bits_by_condition_const":
        'volatile uchar bit[48]; for (int i = 0; i < 48; i++) { if (x >> i & 1) bit[i] = 1; else bit[i] = 0; } for (int i = '
        '47; i >= 0; i--) { y <<= 1; if (bit[i]) y |= 1; }',
    "search_by_compare":
        'volatile word t = x; for (int i = 47; i >= 0; i--) if (t >= y + ((word)1 << i)) y += (word)1 << i;',
    "hex_text":
        'volatile uchar text[16]; for (int i = 0; i < 16; i++) { uint d = (x >> 4 * i) & 15; text[i] = d < 10 ? 48 + d : 87 + '
        'd; } for (int i = 15; i >= 0; i--) { uint c = text[i]; y = y * 16 + (c < 58 ? c - 48 : c - 87); }',
    "decimal_text":
        'volatile uchar text[20]; word t = x; for (int i = 0; i < 20; i++) { text[i] = 48 + t % 10; t /= 10; } for (int i = '
        '19; i >= 0; i--) y = y * 10 + (text[i] - 48);',
    "table_text":
        'volatile uchar text[16]; for (int i = 0; i < 16; i++) text[i] = "0123456789abcdef"[(x >> 4 * i) & 15]; for (int i = '
        '15; i >= 0; i--) { uint d = 0; while ("0123456789abcdef"[d] != text[i]) d++; y = y << 4 | d; }',
    "text_in_buffer":
        'volatile global uchar *text = (volatile global uchar *)words; for (int i = 0; i < 16; i++) text[i] = 65 + ((x >> 4 * '
        'i) & 15); for (int i = 15; i >= 0; i--) y = y << 4 | (text[i] - 65);',
    "nan_box_47":
        'volatile double d = as_u(0.0) ? 0 : __builtin_astype(x | 0xfff8000000000000ul, double); y = __builtin_astype(d, '
        'ulong) & 0x7ffffffffffful;',
    "sum_of_two_down":
        'volatile word a = x, b = x + 8; y = (a + b) / 2 - 4;',
    "product_back":
        'volatile word a = x; y = a * 5 / 5;',
    "top16_kind":
        'word t = x | (word)n8 << 48; switch (t >> 48) { case 8: y = t & 0xfffffffffffful; break; default: y = 0; }',
    "clz_of_copy":
        'volatile word a = x; y = __builtin_clzl(a) >= 16 ? a : 0;',
    "packed_30":
        'volatile uint hi = x >> 30, lo = x & 0x3fffffff; y = (word)hi << 30 | lo;',
    "crc_side":
        'volatile word h = x; for (int i = 0; i < 8; i++) h = h & 1 ? h >> 1 ^ 0xedb88320 : h >> 1; out[8] += 0 * plain(h); y '
        '= x;',
    "upper_of_two":
        'union { ulong w; word p[2]; } u; u.p[0] = n3; u.p[BITS == 32] = x; y = (word)(u.w >> (BITS == 32 ? 32 : 0));',
    "lowest_of_exchanged":
        'for (int i = 0; i < BITS; i++) { shared.w = x; EXCHANGE(&shared.w, x & ~((word)1 << i), (word)1); y |= (word)((uchar)shared.w != 1) << i; }',
    "memcpy8":
        'ulong t; __builtin_memcpy(&t, &x, sizeof x); y = (word)t;',
}

# Expressions that compute a number from the address x, and x from the number k. A number that is converted to a pointer and back is the
# same number, wherever the pointer was stored or passed between the two conversions (CARRIED). K is a bit of a number.
NUMBERS = {
    "xor_two": ("x ^ (word)&slot", "k ^ (word)&slot"),
    "sum_two": ("x + (word)&slot", "k - (word)&slot"),
    "or_two": ("(x & ones(H)) | ((word)&slot >> H << H)", "k ^ (word)&slot >> H << H ^ x >> H << H"),
    "key": ("x ^ (word)0x9e3779b97f4a7c15ul", "k ^ (word)0x9e3779b97f4a7c15ul"),
    "product": ("x * (word)0x9e3779b97f4a7c15ul", "k * (word)0xf1de83e19937733dul"),
    "turned": ("x << 13 | x >> (BITS - 13)", "k >> 13 | k << (BITS - 13)"),
    "not": ("~x", "~k"),
    "negated": ("-x", "-k"),
    "low_half": ("x & ones(H)", "k + (x >> H << H)"),
    "low_half_known": ("x & (((word)1 << H) - 1)", "k + (x >> H << H)"),
    "low_half_int": ("x & (sword)(int)(n3 + ((1u << (H - 1)) - 4))", "k + (x >> (H - 1) << (H - 1))"),
    "low_half_count": ("x & (half_w)(n3 - 4)", "k + (x >> H << H)"),
    "low_part": ("x & (((word)1 << (BITS - 24)) - 1)", "k + (x >> (BITS - 24) << (BITS - 24))"),
    "high_half": ("x >> H << H | 64", "k - 64 | (half_w)x"),
    "page": ("x >> 12", "k << 12 | (x & 4095)"),
    "count": ("(word)n8", "x + k - 8"),
    "top_bytes": ("with_top(x, n3)", "k - (BITS == 64 ? (ulong)n3 << 48 : 0)"),
    "added_in_memory": ("added((local word *)&shared.w, x, (word)n3 << (BITS - 6))", "k - ((word)n3 << (BITS - 6))"),
    "one_bit_added_in_memory": ("added_one_bit((local word *)&shared.w, x)", "k - ((word)1 << (BITS - 4))"),
    "filled_up": ("x | -(word)16", "(k & 15) | x >> 4 << 4"),
    "count_host": ("(word)masks[2]", "x + k - 3"),
}
BITS_OF_NUMBERS = ["BITS - 1", "BITS - 2", "BITS - 3", "BITS - 4", "BITS - 5", "BITS - 6", "BITS - 8", "H + 13", "H + 1", "H", "H - 1"]
for place in BITS_OF_NUMBERS:
    tag = place.replace(" ", "").replace("BITS", "top").replace("+", "_").replace("-", "_").lower()
    one, any_ = f"((word)1 << ({place}))", f"((word)n3 << ({place}))"
    NUMBERS.update({f"add_{tag}": (f"x + {one}", f"k - {one}"), f"xor_{tag}": (f"x ^ {one}", f"k ^ {one}"),
                    f"sub_{tag}": (f"x - {one}", f"k + {one}"), f"add_any_{tag}": (f"x + {any_}", f"k - {any_}")})
# %s is the number, k the result.
CARRIED = {
    "memory": "int *volatile p = (int *)(%s); word k = (word)p;",
    "callee": "word k = (word)kept((int *)(%s));",
    "callees": "word k = (word)kept(word_as_pointer(%s));",
    "phi": "int *p = (int *)(%s); if (n3 > 8) p = &slot; for (uint i = 0; i < n3; i++) if (n8 < i) p++; word k = (word)p;",
    "record": "struct { int *p; uint n; } s = {(int *)(%s), n3}, t[2]; t[n1] = s; word k = (word)t[n1].p;",
}
WAYS.update({f"number_{name}_in_{where}": f"{code % there} y = {back};"
             for name, (there, back) in NUMBERS.items() for where, code in CARRIED.items()})

PRELUDE = """
typedef unsigned long ulong; typedef __SIZE_TYPE__ size_t; typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned char uchar;
#define IS 1
#if __SIZEOF_POINTER__ == 4
typedef uint word; typedef int sword; typedef ushort half_w; 
#define BITS 32
#else
typedef ulong word; typedef long sword; typedef uint half_w;
#define BITS 64
#endif
#define H (BITS/2)
typedef word word2 __attribute__((ext_vector_type(2)));
typedef word word4 __attribute__((ext_vector_type(4)));
typedef half_w half2w __attribute__((ext_vector_type(2)));
typedef uchar uchar8 __attribute__((ext_vector_type(8)));
typedef ushort ushort4 __attribute__((ext_vector_type(4)));
typedef uint uint2 __attribute__((ext_vector_type(2)));
/* A number that has nothing of an address any more, so that the judge compares it. */
__attribute__((noinline)) uint plain(uint v)
{
    volatile uint r = 0;
    for (uint i = 0; i < 32; i++)
        if (v >> i & 1) r += 1u << i;
    return r;
}
ulong __attribute__((overloadable)) as_u(double d){ return __builtin_astype(d, ulong); }
__attribute__((noinline)) word cslot(word v) { volatile word s = v; return s; }
__attribute__((noinline)) void put_half(uint *h, uint n) { *h |= n << 24; }
__attribute__((noinline)) uint get_half(uint *h) { return *h >> 24; }
__attribute__((noinline)) void clear_half(uint *h) { *h &= 0xffffff; }
__attribute__((noinline)) void put_in_steps(uint *at, uint n) { uint h = *at; h |= n << 24; *at = h; }
__attribute__((noinline)) uint take_in_steps(uint *at) { uint h = *at, n = h >> 24; h &= 0xffffff; *at = h; return n; }
__attribute__((noinline)) uint put_and_take(uint *at, uint n, uint m)
{
    uint h = *at;
    if (n > 1) h |= n << 24;
    if (m > 9) h ^= 1u << 27;
    *at = h;
    h = *at;
    n = h >> 24;
    h = h << 8 >> 8;
    *at = h;
    return n;
}
__attribute__((noinline)) void put_byte(ulong *w, uchar byte) { ((uchar *)w)[7] = byte; }
__attribute__((noinline)) uchar get_byte(ulong *w) { return ((uchar *)w)[7]; }
__attribute__((noinline)) ushort get_short(ulong *w) { return ((ushort *)w)[3]; }
__attribute__((noinline)) void put_twice(ulong *w, uchar first, uchar then) { put_byte(w, first); put_byte(w, then); }
__attribute__((noinline)) int given(ushort n, int v) { return n > 2 ? 0 : v; }
union words { ulong w; uint h[2]; ushort s[4]; uchar b[8]; };
global union words outlasts;
ulong __attribute__((overloadable)) atom_min(volatile local ulong *, ulong);
ulong __attribute__((overloadable)) atom_max(volatile local ulong *, ulong);
ulong __attribute__((overloadable)) atom_and(volatile local ulong *, ulong);
ulong __attribute__((overloadable)) atom_inc(volatile local ulong *);
uint __attribute__((overloadable)) atomic_add(volatile local uint *, uint);
uint __attribute__((overloadable)) atomic_sub(volatile local uint *, uint);
uint __attribute__((overloadable)) atomic_and(volatile local uint *, uint);
uint __attribute__((overloadable)) atomic_and(volatile global uint *, uint);
uint __attribute__((overloadable)) atomic_xchg(volatile local uint *, uint);
__attribute__((noinline)) void zero_bytes(uchar *b, int first, int end) { for (int i = first; i < end; i++) b[i] = 0; }
__attribute__((noinline)) ulong read_bytes(uchar *b, int n) { ulong r = 0; for (int i = 0; i < n; i++) r |= (ulong)b[i] << 8 * i; return r; }
size_t __attribute__((overloadable)) get_global_id(uint);
#if BITS == 32
uint __attribute__((overloadable)) atomic_cmpxchg(volatile local uint *, uint, uint);
#define EXCHANGE(at, old, new) atomic_cmpxchg((volatile local uint *)at, old, new)
#define ADD atomic_add
#else
ulong __attribute__((overloadable)) atom_add(volatile local ulong *, ulong);
ulong __attribute__((overloadable)) atom_cmpxchg(volatile local ulong *, ulong, ulong);
#define EXCHANGE atom_cmpxchg
#define ADD atom_add
#endif
__attribute__((noinline)) word added(volatile local word *at, word x, word n) { *at = x; ADD(at, n); return *at; }
__attribute__((noinline)) word added_one_bit(volatile local word *at, word x) { *at = x; ADD(at, (word)1 << (BITS - 4)); return *at; }
__attribute__((noinline)) word ones(uint n) { return ((word)1 << n) - 1; }
__attribute__((noinline)) word masked(word v, word mask) { return v & mask; }
__attribute__((noinline)) int *kept(int *p) { return p; }
__attribute__((noinline)) word with_top(word x, ushort n)
{
    union { word w; ushort s[BITS / 16]; } u;
    u.w = x;
    if (BITS == 64) u.s[BITS / 16 - 1] = n;
    return u.w;
}
__attribute__((noinline)) int *word_as_pointer(word v) { return (int *)v; }
__attribute__((noinline)) ulong own_masked(ulong x) { union { ulong w; uint h[2]; } u; u.w = x; u.h[1] &= 0xffffff; return u.w; }
__attribute__((noinline)) ulong own_top(ulong x, uint n) { union { ulong w; uchar b[8]; } u; u.w = x; u.b[7] = n; u.b[7] = 0; return u.w; }
__attribute__((noinline)) ulong own_bytes(ulong x)
{
    uchar b[8];
    for (int i = 0; i < 8; i++) b[i] = x >> 8 * i;
    return *(ulong *)b;
}
__attribute__((noinline)) void own_given_on(ulong x, ulong *to)
{
    union { ulong w; ushort s[4]; } u;
    u.w = x;
    u.s[3] = 9;
    *to = u.w;
    u.s[3] = 0;
    *to = u.w;
}
"""
ONE = {"private": "word x0 = (word)(int *)&own[1];", "local": "word x0 = (word)(int *)&loc[1];",
       "global": "word x0 = (word)(int *)&glo[1];"}
SEVERAL = {"chosen": "int *g = n0 ? (int *)&own[1] : (int *)&loc[1]; word x0 = (word)g;",
           "mixed": "word x0 = xs[j];"}
TABLE = "word xs[3] = {(word)(int *)&own[1], (word)(int *)&loc[1], (word)(int *)&glo[1]};"
ARGUMENTS = ["zero:36", "local:16", "buffer:int:30,31,32,33", "uint:1", "uint:3", "uint:8",
             "buffer:ulong:0xffffffffffff,0xfffffffffffffffc,3", "zero:64"]
VARIANTS = [[], ["--zero-private"], ["--private-base=0x80", "--local-base=0x180"]]
# By the width of addresses: the compiler's target, and the windows of the device.
TARGETS = {64: "spir64-unknown-unknown", 32: "spir-unknown-unknown"}
WINDOWS = {64: "--addresses windows:0x200000000000,0x220000000000", 32: "--addresses windows:0xe0000000,0xf0000000"}


def kernel(way, space):
    times = 3 if space == "mixed" else 1
    return PRELUDE + f"""
kernel void k(global uint *out, local int *loc, global int *glo, uint n1, uint n3, uint n8,
         global ulong *masks, global ulong *words)
{{
    {"local union words shared;" if "shared." in WAYS[way] else ""}
    {"local uint harray[4];" if "harray" in WAYS[way] else ""}
    {"global union words *buf = (global union words *)words;" if "buf->" in WAYS[way] else ""}
    uint n0 = n1 - 1;
    int own[4] = {{10, 11, 12, 13}};
    for (int i = 0; i < 4; i++) loc[i] = 20 + i;
    {TABLE if times > 1 else ""}
    for (int j = 0; j < {times}; j++) {{
        {ONE.get(space) or SEVERAL[space]}
        word x = x0, y = 0, z = x0 - 4;
        int slot = 0;
        {{ {WAYS[way]} }}
        int *q = (int *)y;
        out[j] = *q + 1;
        *q += 100;
        out[4] += q[1];
    }}
    out[5] = own[1]; out[6] = loc[1]; out[7] = glo[1];
}}
"""


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", timeout=300, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def compile_kernel(way, space, level, options):
    """-> module, or None if this compiler or translator cannot compile it."""
    stem = options.work / f"{way}.{space}.{level}"
    source, bitcode, module = (stem.with_name(stem.name + end) for end in (".cl", ".bc", ".spv"))
    source.write_text(kernel(way, space))
    steps = [[toolchain.tool("clang"), "-w", "-cl-std=CL2.0", "-target", TARGETS[options.bits], "-" + level, "-x", "cl",
              "-emit-llvm", "-c", source, "-o", bitcode], [toolchain.tool("llvm-spirv"), bitcode, "-o", module]]
    return module if all(run(*step)[0] == 0 for step in steps) else None


def check(job):
    """Yields (outcome, case) for each case: "ok", "refused", "wrong", "not compiled"."""
    way, space, level, options = job
    module = compile_kernel(way, space, level, options)
    arguments = [word for a in ARGUMENTS for word in ("--arg", a)]
    if not module or run(options.judge, module, *arguments)[0] != 0:
        return [("not compiled", f"{way} {space} {level}")]
    results = []
    for mode in options.modes.split(","):
        where, out = f"{way} {space} {level} {mode}", module.with_suffix(f".{mode}.spv")
        status, said = run(options.nonflat, "specialize", module, "--mode", mode, "-o", out, *options.options.split())
        if status:
            results.append(("refused" if status == 1 else "wrong", f"{where}: {said[-200:]}"))
            continue
        said = [run(options.judge, "--compare", module, out, *arguments, *variant) for variant in VARIANTS]
        bad = [text for status, text in said if status]
        results.append(("wrong", f"{where}: {bad[0][-200:]}") if bad else ("ok", where))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", required=True)
    parser.add_argument("--nonflat", required=True)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("operations"))
    parser.add_argument("--only", default="")
    parser.add_argument("--levels", default="O0,O2")
    parser.add_argument("--modes", default="auto,dynamic")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--bits", type=int, choices=TARGETS, default=64, help="of an address")
    parser.add_argument("--options", help="of nonflat specialize")
    parser.add_argument("--spaces", default=",".join([*ONE, *SEVERAL]))
    options = parser.parse_args()
    options.options = WINDOWS[options.bits] if options.options is None else options.options
    missing = toolchain.missing("clang", "llvm-spirv")
    if missing:
        print(f"SKIPPED: {', '.join(missing)} missing")
        return 77
    options.work.mkdir(parents=True, exist_ok=True)
    jobs = [(way, space, level, options) for way in WAYS if options.only in way for space in options.spaces.split(",")
            for level in options.levels.split(",")][::options.every]
    counts = {"ok": 0, "refused": 0, "wrong": 0, "not compiled": 0}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for results in pool.map(check, jobs):
            for what, where in results:
                counts[what] += 1
                if what in ("wrong", "refused"):
                    print("FAIL", where)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["wrong"] or counts["refused"] or not counts["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
