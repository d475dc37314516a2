// SPDX-License-Identifier: Apache-2.0
// Fences, for which PoCL has no function, and barriers of every scope; data that is published by a flag arrives.
// CHECK: define spir_kernel void @handed_on(
// CHECK-NOT: declare{{.*(work_item_fence|memory_barrier)}}

kernel void handed_on(global int *data, global int *flag, global int *out)
{
    int me = get_local_id(0);
    int group = get_group_id(0);
    if (me == 0) {
        data[group] = 40 + group;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_fetch_add_explicit((global atomic_int *)&flag[group], 1, memory_order_relaxed, memory_scope_device);
    }
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    if (atomic_load_explicit((global atomic_int *)&flag[group], memory_order_acquire, memory_scope_device) == 1)
        out[get_global_id(0)] = data[group] + me;
}
// KERNEL handed_on 8 4
// ARG int 0 0
// ARG int 0 0
// ARG int zero 8
// EXPECT int 40 41
// EXPECT int 1 1
// EXPECT int 40 41 42 43 41 42 43 44

kernel void ordered(global int *v, local int *l)
{
    int me = get_local_id(0);
    l[me] = v[me];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    v[me] = l[me ^ 1];
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
}
// KERNEL ordered 4 4
// ARG int 1 2 3 4
// LOCAL 16
// EXPECT int 2 1 4 3

kernel void locks(global int *count, global int *lock, global int *tries)
{
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit((global atomic_int *)lock, &expected, 7, memory_order_acq_rel,
                                                memory_order_acquire, memory_scope_device))
        count[0] = 1;
    else
        atomic_fetch_add_explicit((global atomic_int *)tries, expected, memory_order_relaxed, memory_scope_device);
    if (!atomic_flag_test_and_set_explicit((global atomic_flag *)(lock + 1), memory_order_relaxed, memory_scope_device))
        count[1] = 1;
}
// KERNEL locks 4 4
// ARG int 0 0
// ARG int 0 0
// ARG int 0
// EXPECT int 1 1
// EXPECT int 7 1
// EXPECT int 21
