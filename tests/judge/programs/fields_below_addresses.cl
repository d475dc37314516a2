// SPDX-License-Identifier: Apache-2.0
// Words with an address in the high 48 bits, and fields from the host in the low 16; the objects are local integers, which are accessed
// only through these addresses. No address is assembled from parts, so all accesses are local, and the first object may be at address 0.
/* TRUTH
{"kernels": [{"name": "fields", "args": ["zero:4", "buffer:int:1,2,3,4"], "expect": {"0": "int:134"}, "global": 1, "local": 1}]}
*/
kernel void fields(global int *out, global const int *in)
{
    local int x[4];
    ulong words[4];
    for (int i = 0; i < 4; i++) {
        int *at = &x[i];
        *at = in[i];
        words[i] = (ulong)at << 16 | (ulong)(in[i] & 0xfff) << 4 | (ulong)(i & 15);
    }
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 3 + *(int *)((long)words[i] >> 16) + (int)(words[i] & 15) + (int)(words[i] >> 4 & 0xfff);
    out[0] = sum;
}
