// SPDX-License-Identifier: Apache-2.0
// Addresses as text, residues, columns of bits and differences: each is decoded to the address that it was made of.
/* TRUTH
{"kernels": [
  {"name": "varint", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:1628064354,0"}, "global": 1, "local": 1},
  {"name": "zigzag_deltas", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:1628064354,0"}, "global": 1, "local": 1},
  {"name": "transposed", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:1628064354,0"}, "global": 1, "local": 1},
  {"name": "residues", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:2284427513,0"}, "global": 1, "local": 1},
  {"name": "bit_stream", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:50200211,0"}, "global": 1, "local": 1}]}
*/
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong ulong2 __attribute__((ext_vector_type(2)));
#define NOINLINE __attribute__((noinline))
#define offset_of(type, member) __builtin_offsetof(type, member)
#define KERNEL(name) kernel void name(global uint *out, global const uint *in, global ulong *far, local ulong *near)
/* Arrays of the type in three memories; AT(i) is the address of element i of the array that in[i] selects. */
#define MEMORIES(type, n)                                                                                              \
    type own[n];                                                                                                       \
    type *m[3] = {own, (type *)near, (type *)far}
#define AT(i) (m[in[i] % 3] + (i))

/* LEB128, 6 zigzag deltas in LEB128: a pool of addresses as bytes. */
NOINLINE uchar *leb(uchar *b, ulong x)
{
    do {
        *b++ = (x & 127) | (x > 127) << 7;
        x >>= 7;
    } while (x);
    return b;
}
NOINLINE const uchar *unleb(const uchar *b, ulong *x)
{
    ulong r = 0;
    uint at = 0;
    do
        r |= (ulong)(*b & 127) << at, at += 7;
    while (*b++ & 128);
    *x = r;
    return b;
}
KERNEL(varint)
{
    MEMORIES(uint, 16);
    uchar bytes[176];
    uchar *w = bytes;
    uint s = 0;
    for (uint i = 0; i < 16; i++) {
        uint *q = AT(i);
        *q = in[i];
        w = leb(w, (ulong)q);
    }
    const uchar *r = bytes;
    for (uint i = 0; i < 16; i++) {
        ulong a;
        r = unleb(r, &a);
        s = s * 3 + *(uint *)a;
    }
    out[0] = s;
}
KERNEL(zigzag_deltas)
{
    MEMORIES(uint, 16);
    uchar bytes[256], *w = bytes;
    ulong before = 0;
    uint s = 0;
    for (uint i = 0; i < 16; i++) {
        uint *q = AT(i);
        *q = in[i];
        long d = (long)((ulong)q - before);
        w = leb(w, (ulong)(d << 1) ^ (ulong)(d >> 63));
        before = (ulong)q;
    }
    const uchar *r = bytes;
    ulong now = 0;
    for (uint i = 0; i < 16; i++) {
        ulong z;
        r = unleb(r, &z);
        now += (z >> 1) ^ -(z & 1);
        s = s * 3 + *(uint *)now;
    }
    out[0] = s;
}

/* 64 words transposed bit by bit. */
NOINLINE void transpose(ulong *a)
{
    ulong m = 0xffffffff;
    for (uint j = 32; j; j >>= 1, m ^= m << j)
        for (uint k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            ulong t = (a[k] >> j ^ a[k | j]) & m;
            a[k] ^= t << j;
            a[k | j] ^= t;
        }
}
KERNEL(transposed)
{
    MEMORIES(uint, 16);
    ulong a[64];
    uint s = 0;
    for (uint i = 0; i < 64; i++)
        a[i] = in[i];
    for (uint i = 0; i < 16; i++) {
        uint *q = AT(i);
        *q = in[i];
        a[i * 3] = (ulong)q;
    }
    transpose(a);
    for (uint i = 0; i < 64; i++)
        a[i] = ~a[i];
    transpose(a);
    for (uint i = 0; i < 16; i++)
        s = s * 3 + *(uint *)~a[i * 3];
    out[0] = s;
}

/* Residues, put together by Garner. */
NOINLINE ulong pow_mod(ulong a, ulong e, ulong m)
{
    ulong r = 1;
    for (a %= m; e; e >>= 1, a = a * a % m)
        if (e & 1) r = r * a % m;
    return r;
}
KERNEL(residues)
{
    MEMORIES(uint, 8);
    ulong mods[4] = {65521, 65519, 65497, 65479};
    ushort res[8][4];
    uint s = 0;
    for (uint i = 0; i < 8; i++) {
        uint *q = AT(i);
        *q = in[i];
        for (uint j = 0; j < 4; j++)
            res[i][j] = (ulong)q % mods[j];
    }
    for (uint i = 0; i < 8; i++) {
        ulong x = 0, product = 1;
        for (uint j = 0; j < 4; j++) {
            ulong m = mods[j], d = (res[i][j] + m - x % m) % m * pow_mod(product % m, m - 2, m) % m;
            x += d * product;
            product *= m;
        }
        s = s * 3 + *(uint *)x;
    }
    out[0] = s;
}

/* A bit stream: 1 bit of kind, 47 or 64 bits of address, 5 bits of count. */
struct bits {
    ulong *w;
    uint n;
};
NOINLINE void putb(struct bits *b, ulong x, uint n)
{
    for (uint i = 0; i < n; i++, b->n++)
        if (x >> i & 1) b->w[b->n / 64] |= 1ul << b->n % 64;
}
NOINLINE ulong getb(struct bits *b, uint n)
{
    ulong x = 0;
    uint o = b->n % 64;
    x = b->w[b->n / 64] >> o;
    if (o + n > 64) x |= b->w[b->n / 64 + 1] << (64 - o);
    b->n += n;
    return n == 64 ? x : x & ((1ul << n) - 1);
}
KERNEL(bit_stream)
{
    MEMORIES(uint, 16);
    struct bits w = {(ulong *)(near + 256), 0};
    uint s = 0;
    for (uint i = 0; i < 40; i++)
        near[256 + i] = 0;
    for (uint i = 0; i < 16; i++) {
        uint *q = AT(i);
        *q = in[i];
        putb(&w, in[i] & 1, 1);
        putb(&w, (ulong)q, 64);
        putb(&w, in[i] >> 9, 5);
    }
    w.n = 0;
    for (uint i = 0; i < 16; i++) {
        s = s * 2 + getb(&w, 1);
        s = s * 3 + *(uint *)getb(&w, 64);
        s += getb(&w, 5);
    }
    out[0] = s;
}
