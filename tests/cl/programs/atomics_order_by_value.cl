// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 4506 4506 4506 4506 4506 4506 4506 4506
int add(volatile atomic_int *p, int n, memory_order o, memory_scope s)
{
    return atomic_fetch_add_explicit(p, n, o, s);
}
int swap(volatile atomic_int *p, int n)
{
    return atomic_exchange_explicit(p, n, memory_order_acq_rel, memory_scope_device);
}
int cas(volatile atomic_int *p, int *e, int d)
{
    return atomic_compare_exchange_weak_explicit(p, e, d, memory_order_acq_rel, memory_order_acquire,
                                                 memory_scope_work_group);
}
kernel void k(global int *out, global int *in)
{
    local atomic_int l[4];
    local int le[4];
    size_t i = get_global_id(0), g = get_local_id(0);
    atomic_init(&l[g], (int)g + 1);
    le[g] = (int)g + 1;
    volatile atomic_int *p = i & 2 ? &l[g] : (volatile atomic_int *)(global atomic_int *)(out + i);
    atomic_store_explicit(p, (int)g + 1, memory_order_release, memory_scope_device);
    int pe = (int)g + 1;
    int *e = i & 1 ? (int *)&pe : &le[g];
    while (!cas(p, e, 40))
        *e = (int)g + 1;
    add(p, 2, memory_order_seq_cst, memory_scope_device);
    add(p, 3, memory_order_relaxed, memory_scope_work_group);
    int was = swap(p, 6);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    out[i] = was * 100 + atomic_load_explicit(p, memory_order_acquire, memory_scope_device);
}
