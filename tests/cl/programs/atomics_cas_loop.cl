// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 65 65 65 65 225 225 225 225
void add_float(atomic_uint *a, float v)
{
    uint old = atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group);
    while (!atomic_compare_exchange_weak_explicit(a, &old, as_uint(as_float(old) + v), memory_order_relaxed,
                                                  memory_order_relaxed, memory_scope_work_group)) {
    }
}
kernel void k(global int *out, global int *in)
{
    local atomic_uint sum;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_init(&sum, as_uint(0.5f));
    barrier(CLK_LOCAL_MEM_FENCE);
    add_float(&sum, in[i] * 1.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (int)(as_float(atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group)) * 10);
}
