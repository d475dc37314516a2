// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 2 3 0 5 6 7 4
int first(int *p) { return p[0]; }
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    l[j] = in[i];
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    out[i] = first(l + (j + 1) % 4);
}
