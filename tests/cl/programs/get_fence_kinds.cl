// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 21 21 21 21 21 21 21 21
int of(const void *p)
{
    cl_mem_fence_flags f = get_fence(p);
    return f == CLK_LOCAL_MEM_FENCE ? 2 : f == CLK_GLOBAL_MEM_FENCE ? 1 : 0;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0);
    l[get_local_id(0)] = 1;
    out[i] = of(l) * 10 + of(in);
}
