// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 9013 10015 15008 8013 13014 14027 27028 28025
void put(volatile atomic_int *a, int v)
{
    atomic_fetch_add(a, v);
    atomic_fetch_max_explicit(a, v * 3, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_or(a, 8);
    atomic_fetch_and_explicit(a, 255, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_xor_explicit(a, 1, memory_order_relaxed);
}
kernel void k(global int *out, global int *in)
{
    local atomic_int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    atomic_init(&l[j], i);
    atomic_store((global atomic_int *)&out[i], 3);
    put(&l[j], in[i]);
    put((volatile atomic_int *)(out + i), in[i + 1]);
    int v = atomic_load(&l[j]) * 1000 +
            atomic_load_explicit((global atomic_int *)(out + i), memory_order_seq_cst, memory_scope_device);
    atomic_store_explicit((global atomic_int *)(out + i), v, memory_order_release, memory_scope_device);
}
