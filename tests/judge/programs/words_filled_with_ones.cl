// SPDX-License-Identifier: Apache-2.0
// memset() with 0xff marks links as free. llvm-spirv writes it as a copy of a constant array of bytes.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1,21"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) uint is_free(uint *p)
{
    return (ulong)p == ~0ul;
}
kernel void k(global uint *out, global const uint *in)
{
    local uint y;
    y = 21;
    uint *links[4];
    __builtin_memset(links, 0xff, sizeof links);
    links[in[0]] = (uint *)&y;
    out[0] = is_free(links[in[1]]);
    out[1] = *links[1];
}
