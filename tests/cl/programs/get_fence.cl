// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 2 1 2 1 2 1 2
kernel void k(global int *out, global int *in)
{
    local int l;
    size_t i = get_global_id(0);
    int *p = i & 1 ? (int *)&l : (int *)in;
    out[i] = get_fence(p) == CLK_LOCAL_MEM_FENCE ? 2 : get_fence(p) == CLK_GLOBAL_MEM_FENCE ? 1 : 0;
}
