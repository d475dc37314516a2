// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: sub-groups
// items: 32
// expect: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
/* Only sub-group 3, the last one if sub-groups have 8 work-items, executes the barriers. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    out[i] = in[i];
    if (get_sub_group_id() == in[3]) {
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[i] += 1;
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[i] += 2;
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[i] = 1;
}
