// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 32730 -22870 34166 -16118 35342 -10562 38334 -4138
/* Bit-fields, which OpenCL C lacks, by masks on words behind unnamed pointers. */
typedef struct {
    uint word;
    uchar after[3];
} fields;
static void put(uint *word, int at, int bits, uint v)
{
    uint mask = ((1u << bits) - 1) << at;
    *word = (*word & ~mask) | (v << at & mask);
}
static int take(const uint *word, int at, int bits)
{
    return (int)(*word << (32 - at - bits)) >> (32 - bits);
}
static void set(fields *f, int v)
{
    put(&f->word, 0, 5, v);
    put(&f->word, 5, 7, v * 3 - 50);
    put(&f->word, 12, 20, take(&f->word, 12, 20) + (v << 3));
    f->after[v % 3] ^= 0x5a;
}
static int read(const fields *f)
{
    return take(&f->word, 0, 5) * 1000 + take(&f->word, 5, 7) * 10 + (take(&f->word, 12, 20) & 0xff) + f->after[0] + f->after[2] * 2;
}
kernel void k(global int *out, global int *in)
{
    local fields l[4];
    fields p = {0x3021, {4, 5, 6}};
    int id = get_global_id(0), me = get_local_id(0);
    l[me] = p;
    set(&p, in[id + 20]);
    set(l + me, in[id + 5]);
    fields *either = &p;
    if (id & 1) either = l + me;
    set(either, 9);
    out[id] = read(&p) * 3 + read(&l[me]);
}
