// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 4006 4006 4006 4006 4022 4022 4022 4022
int next(atomic_int *counter)
{
    return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_work_group);
}
kernel void k(global int *out, global int *in)
{
    local atomic_int count;
    local int slots[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    if (j == 0) atomic_init(&count, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    slots[next(&count)] = i;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    out[i] = slots[0] + slots[1] + slots[2] + slots[3] +
             1000 * atomic_load_explicit(&count, memory_order_relaxed, memory_scope_work_group);
}
