// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 637 638 639 640 2241 2242 2243 2244
void add(atomic_int *a, int n) { atomic_fetch_add_explicit(a, n, memory_order_relaxed, memory_scope_work_group); }
kernel void k(global int *out, global int *in)
{
    local atomic_int l;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_init(&l, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    add(&l, (int)i);
    add((global atomic_int *)(in + 32 + i), 5);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = atomic_load_explicit(&l, memory_order_relaxed, memory_scope_work_group) * 100 + in[32 + i];
}
