// SPDX-License-Identifier: Apache-2.0
// The address of a private variable is an index of null; clang 22 keeps the access chain. In mode hint, where the driver determines the
// integers of generic pointers, the chain must not become one from the null of private memory.
/* TRUTH
{"kernels": [{"name": "index_of_null", "args": ["zero:16", "uint:3"], "expect": {"0": "int:1211"}, "global": 1, "local": 1}]}
*/
kernel void index_of_null(global uint *out, uint n)
{
    uint own[4] = {13, 12, 11, 10};
    ulong x = (ulong) & ((char *)0)[(ulong)(uint *)&own[n - 2]];
    uint *p = (uint *)x;
    out[0] = p[0] * 100 + p[1];
}
