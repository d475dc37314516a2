// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1413 1867 2321 2779 2773 3231 3689 3683
static int turn_over(volatile atomic_int *a, atomic_uint *bits, int v)
{
    int old = atomic_exchange_explicit(a, v, memory_order_relaxed, memory_scope_work_group);
    old += atomic_fetch_sub_explicit(a, 3, memory_order_relaxed, memory_scope_work_group);
    old += atomic_fetch_max_explicit(a, 5, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_or_explicit(bits, 0x30u, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_and_explicit(bits, 0x2fu, memory_order_relaxed, memory_scope_work_group);
    old += (int)atomic_fetch_xor_explicit(bits, 0x0fu, memory_order_relaxed, memory_scope_work_group);
    atomic_store_explicit(bits, atomic_load_explicit(bits, memory_order_relaxed, memory_scope_work_group) + 1, memory_order_relaxed,
                          memory_scope_work_group);
    return old;
}
kernel void k(global int *out, global int *in)
{
    local atomic_int l[4];
    local atomic_uint bits[4];
    int id = get_global_id(0), me = get_local_id(0);
    atomic_init(&l[me], id);
    atomic_init(&bits[me], (uint)id * 5u);
    global atomic_int *g = (global atomic_int *)(in + 8 + id);
    int sum = turn_over(l + me, bits + me, id * 4) * 3;
    sum += turn_over(g, (global atomic_uint *)(in + 24 + id), id);
    out[id] = sum * 10 + atomic_load_explicit(l + me, memory_order_relaxed, memory_scope_work_group) +
              (int)atomic_load_explicit(bits + me, memory_order_relaxed, memory_scope_work_group) + in[24 + id];
}
