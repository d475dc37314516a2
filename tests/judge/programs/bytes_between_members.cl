// SPDX-License-Identifier: Apache-2.0
// Bytes are copied through an array of bytes in the middle of a structure, at indices that reach the pointer behind it.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1}]}
*/
struct s {
    ulong n;
    uchar b[8];
    int *p;
};
kernel void k(global int *out, global const int *in)
{
    struct s from, to;
    int x = 42;
    local int y;
    y = 5;
    from.p = &y;
    to.p = &x;
    for (int i = 0; i < 8; i++)
        to.b[in[2] * 8 + i] = from.b[in[2] * 8 + i];
    out[0] = *to.p;
}
