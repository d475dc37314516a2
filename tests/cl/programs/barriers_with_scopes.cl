// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 3 2 1 0 7 6 5 4
int turn(int *p, int t)
{
    int v;
    p[t] = get_global_id(0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
    v = p[3 - t];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return v;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    int t = get_local_id(0), a = turn(l, t), b = turn(out + get_group_id(0) * 4, t);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    out[get_global_id(0)] = a == b ? a : -1;
}
