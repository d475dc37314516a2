// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 13 13 13 13 13 13 13 13
int bump(volatile atomic_int *a)
{
    int seen = atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group);
    while (!atomic_compare_exchange_strong_explicit(a, &seen, seen + 3, memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_work_group))
        ;
    return seen;
}
kernel void k(global int *out, global int *in)
{
    local atomic_int l;
    if (get_local_id(0) == 0) atomic_init(&l, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    bump(&l);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load_explicit(&l, memory_order_relaxed, memory_scope_work_group);
}
