// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 9 18 27 0 45 54 63 36
void publish(int *data, atomic_int *flag, int v)
{
    *data = v;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0);
    local int d[4];
    local atomic_int f[4];
    atomic_init(&f[t], 0);
    publish(&d[t], &f[t], i * 9);
    barrier(CLK_LOCAL_MEM_FENCE);
    int o = (t + 1) % 4;
    out[i] = atomic_load_explicit(&f[o], memory_order_acquire, memory_scope_work_group) ? d[o] : -1;
}
