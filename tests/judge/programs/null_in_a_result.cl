// SPDX-License-Identifier: Apache-2.0
// A structure with a null pointer is returned by value; the optimizer stores its null pointers as integers. The
// difference of an address and this pointer is the address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:12"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
struct s {
    uint *a, *b;
};
NOINLINE struct s make(uint c, uint *p)
{
    struct s r = {0, 0};
    if (c == 77) r.a = p;
    r.b = p;
    return r;
}
NOINLINE ulong distance_to(struct s v, uint *q)
{
    return (ulong)q - (ulong)v.a;
}
kernel void k(global uint *out, global const uint *in)
{
    uint x0 = 11, x1 = 12;
    local uint y;
    y = 21;
    struct s v = make(in[0], &x0);
    ulong d = distance_to(v, &x1); /* v.a is null: d is the address of x1 */
    ulong t = in[0] & 1 ? d : (ulong)(uint *)&y;
    out[0] = *(uint *)t + *v.b - 11;
}
