// SPDX-License-Identifier: Apache-2.0
// Atomics with their orders and scopes, for a compiler that has them: an operation states its own. Fences are left where it
// orders another memory than its own, around loops on floats, and in place of a fence.
// TO: c:3.0,int64-atomics,acq-rel,seq-cst,device-scope,single-subgroups
// STD: CL3.0
// ONLY pocl
// TEXT: void orders_{{[0-9]+}}(
// TEXT: atomic_fetch_add_explicit((volatile global atomic_uint *){{.*}}, 3u, memory_order_relaxed, memory_scope_work_group);
// TEXT: atomic_fetch_add_explicit((volatile global atomic_uint *){{.*}}, 1u, memory_order_acq_rel, memory_scope_device);
// TEXT: atomic_fetch_max_explicit((volatile global atomic_int *){{.*}}, memory_order_seq_cst, memory_scope_device);
// TEXT: atomic_load_explicit((volatile global atomic_uint *){{.*}}, memory_order_acquire, memory_scope_device);
// TEXT: atomic_store_explicit((volatile global atomic_uint *){{.*}}, memory_order_release, memory_scope_device);
// TEXT: atomic_exchange_explicit((volatile local atomic_uint *){{.*}}, memory_order_acq_rel, memory_scope_work_group);
// TEXT: atomic_fetch_sub_explicit((volatile global atomic_ulong *){{.*}}, memory_order_relaxed, memory_scope_device);
// A device that cannot name all devices has no wider scope than its own.
// TEXT: atomic_fetch_or_explicit((volatile global atomic_uint *){{.*}}, 16u, memory_order_relaxed, memory_scope_device);
// TEXT-NOT: mem_fence
// TEXT: void exchanges_{{[0-9]+}}(
// TEXT: uint seen = {{[a-z_0-9]+}}; atomic_compare_exchange_strong_explicit((volatile global atomic_uint *){{.*}}, &seen, 7u, memory_order_acq_rel, memory_order_acquire, memory_scope_device);
// OpenCL C requires that the order of success is the stronger one.
// TEXT: atomic_compare_exchange_strong_explicit((volatile local atomic_uint *){{.*}}, &seen, 4u, memory_order_seq_cst, memory_order_seq_cst, memory_scope_work_group);
// TEXT: atomic_exchange_explicit((volatile global atomic_uint *){{.*}}, 1u, memory_order_acq_rel, memory_scope_device) != 0;
// TEXT: atomic_store_explicit((volatile global atomic_uint *){{.*}}, 0u, memory_order_release, memory_scope_device);
// TEXT: void handed_on_{{[0-9]+}}(
// TEXT: atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
// TEXT: work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
// TEXT: atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
// TEXT: barrier(CLK_LOCAL_MEM_FENCE);
// TEXT: void sum_{{[0-9]+}}(
// TEXT: atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device); atomic_float{{[0-9]+}}(
// TEXT-SAME: atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_device);

kernel void orders(global int *g, global long *l)
{
    local int shared[1];
    if (get_local_id(0) == 0) shared[0] = 1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit((global atomic_int *)&g[0], 3, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add_explicit((global atomic_int *)&g[1], 1, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_max_explicit((global atomic_int *)&g[2], (int)get_global_id(0) - 5, memory_order_seq_cst,
                              memory_scope_device);
    int seen = atomic_load_explicit((global atomic_int *)&g[3], memory_order_acquire, memory_scope_device);
    atomic_store_explicit((global atomic_int *)&g[4], seen + 1, memory_order_release, memory_scope_device);
    if (atomic_exchange_explicit((local atomic_int *)shared, 0, memory_order_acq_rel, memory_scope_work_group))
        atomic_fetch_sub_explicit((global atomic_long *)l, 1L << 33, memory_order_relaxed, memory_scope_device);
    atomic_fetch_or_explicit((global atomic_int *)&g[5], 16, memory_order_relaxed, memory_scope_all_svm_devices);
}
// KERNEL orders 8 4
// ARG int 0 0 -9 6 0 1
// ARG long zero 1
// EXPECT int 24 8 2 6 7 17
// EXPECT long -17179869184

kernel void exchanges(global int *lock, global int *count)
{
    local int shared[1];
    if (get_local_id(0) == 0) shared[0] = 3;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit((global atomic_int *)lock, &expected, 7, memory_order_acq_rel,
                                                memory_order_acquire, memory_scope_device))
        count[0] = 1;
    else
        atomic_fetch_add_explicit((global atomic_int *)&count[1], expected, memory_order_relaxed, memory_scope_device);
    expected = 3;
    if (atomic_compare_exchange_strong_explicit((local atomic_int *)shared, &expected, 4, memory_order_release,
                                                memory_order_seq_cst, memory_scope_work_group))
        atomic_fetch_add_explicit((global atomic_int *)&count[2], 1, memory_order_relaxed, memory_scope_device);
    if (!atomic_flag_test_and_set_explicit((global atomic_flag *)(lock + 1), memory_order_acq_rel, memory_scope_device))
        count[3] = 1;
    if (get_global_id(0) == 7)
        atomic_flag_clear_explicit((global atomic_flag *)(lock + 2), memory_order_release, memory_scope_device);
}
// KERNEL exchanges 8 4
// ARG int 0 0 1
// ARG int 0 0 0 0
// EXPECT int 7 1 0
// EXPECT int 1 49 2 1

kernel void handed_on(global int *data, global int *flag, global int *out, local int *l)
{
    int me = get_local_id(0), group = get_group_id(0);
    if (me == 0) {
        data[group] = 40 + group;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_fetch_add_explicit((global atomic_int *)&flag[group], 1, memory_order_relaxed, memory_scope_device);
    }
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    l[me] = me;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (atomic_load_explicit((global atomic_int *)&flag[group], memory_order_acquire, memory_scope_device) == 1)
        out[get_global_id(0)] = data[group] + l[me ^ 1];
}
// KERNEL handed_on 8 4
// ARG int 0 0
// ARG int 0 0
// ARG int zero 8
// LOCAL 16
// EXPECT int 40 41
// EXPECT int 1 1
// EXPECT int 41 40 43 42 42 41 44 43

kernel void sum(global float *f)
{
    atomic_fetch_add_explicit((global atomic_float *)f, 1.5f, memory_order_acq_rel, memory_scope_device);
}
// KERNEL sum 8 4
// ARG float zero 1
// EXPECT float 12
