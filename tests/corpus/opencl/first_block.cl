// SPDX-License-Identifier: Apache-2.0
// A value that is read and written at one address, in the first block of a kernel. Mesa 26's llvmpipe executes such a load
// even in code that is not reached: the kernels of the trial of a build return at once, and must not have a null buffer.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:int:{[7]}"], "global": 1, "local": 1,
 "expect": {"0": "int:{[5]}"}, "ambiguous": 0}]}
*/
kernel void k(global int *p) {
    int *at = (int *)p;
    at[0] -= 2;
}
