// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 4 4 4 4 4 4 4 4
void raise(volatile atomic_int *a, int v)
{
    int old = atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group);
    while (old < v && !atomic_compare_exchange_weak_explicit(a, &old, v, memory_order_relaxed, memory_order_relaxed,
                                                             memory_scope_work_group))
        ;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    local atomic_int m;
    if (get_local_id(0) == 0) atomic_init(&m, -5);
    barrier(CLK_LOCAL_MEM_FENCE);
    raise(&m, in[i] * 7 % 5);
    raise((global atomic_int *)(in + 20), i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = atomic_load_explicit(&m, memory_order_relaxed, memory_scope_work_group);
}
