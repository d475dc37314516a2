// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -cl-mad-enable
kernel void k(global int *out, global int *in)
{
    local int l[4];
    local int *p = l;
    p[get_local_id(0)] = in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[0];
}
