// SPDX-License-Identifier: Apache-2.0
// A structure that begins with an array of bytes is copied byte by byte. Optimized code indexes that array beyond its end
// and so reaches the pointer behind it.
/* TRUTH
{"kernels": [
  {"name": "enciphered", "args": ["zero:8", "local:16", "uint:8", "uint:1"], "expect": {"0": "uint:5,4"}, "global": 1, "local": 1},
  {"name": "enciphered_in_place", "args": ["zero:8", "local:16", "uint:8", "uint:1"], "expect": {"0": "uint:5,4"}, "global": 1, "local": 1}]}
*/
struct record {
    uchar name[8];
    uint *to;
};
kernel void enciphered(global uint *out, local uint *near, uint n, uint one)
{
    uint own = 5;
    struct record a, b;
    near[0] = 9;
    for (uint i = 0; i < n; i++)
        a.name[i] = i + 3;
    a.to = &own;
    b.to = near;
    private uchar *to = (private uchar *)&b, *from = (private uchar *)&a;
    for (int i = 0; i < (int)(2 * n); i++)
        to[i] = from[i] ^ (i + one);
    for (int i = 0; i < (int)(2 * n); i++)
        to[i] ^= i + one;
    out[0] = *b.to;
    out[1] = b.name[one];
}

kernel void enciphered_in_place(global uint *out, local uint *near, uint n, uint one)
{
    uint own = 5;
    struct record a;
    near[0] = 9;
    for (uint i = 0; i < n; i++)
        a.name[i] = i + 3;
    a.to = n > 8 ? (uint *)near : &own;
    private uchar *bytes = (private uchar *)&a;
    for (int i = 0; i < (int)(2 * n); i++)
        bytes[i] ^= i + one;
    for (int i = 0; i < (int)(2 * n); i++)
        bytes[i] ^= i + one;
    out[0] = *a.to;
    out[1] = a.name[one];
}
