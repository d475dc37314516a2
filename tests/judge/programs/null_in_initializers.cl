// SPDX-License-Identifier: Apache-2.0
// An initializer holds the null of the device, which is not 0 for private and local memory everywhere, whereas a null
// pointer that the kernel stores is the flat address 0. Both are null when they are loaded.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:24", "buffer:uint:1,2,3"], "expect": {"0": "uint:1,1,21,11,1,5"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
struct near {
    local uint *l;
    uint n;
};
struct own {
    private uint *q;
    uint n;
};
struct both {
    struct near a[2];
    struct own b;
};
constant struct near table[2] = {{0, 4}, {0, 5}};
NOINLINE uint is_null(struct near *v)
{
    return v->l == 0;
}
NOINLINE uint is_null_too(struct own *v)
{
    return v->q == 0;
}
kernel void k(global uint *out, global const uint *in)
{
    uint x = 11;
    local uint y;
    y = 21;
    struct near v = {0, 1};
    struct own w = {0, 1};
    struct both z = {{{0, 1}, {0, 2}}, {0, 3}};
    if (in[0] & 2) v.l = &y, w.q = &x; /* not executed */
    if (in[0] & 1) z.a[in[0]].l = &y, z.b.q = &x;
    struct near t = table[in[0]];
    out[0] = is_null(&v);
    out[1] = is_null_too(&w);
    out[2] = is_null(&z.a[1]) ? 0 : *z.a[1].l;
    out[3] = is_null_too(&z.b) ? 0 : *z.b.q;
    out[4] = is_null(&t);
    out[5] = t.n;
}
