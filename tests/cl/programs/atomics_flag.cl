// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
kernel void k(global int *out, global int *in)
{
    local atomic_flag f;
    local atomic_int winners;
    if (get_local_id(0) == 0) {
        atomic_flag_clear_explicit(&f, memory_order_relaxed, memory_scope_work_group);
        atomic_init(&winners, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!atomic_flag_test_and_set_explicit(&f, memory_order_relaxed, memory_scope_work_group))
        atomic_fetch_add_explicit(&winners, 1, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load_explicit(&winners, memory_order_relaxed, memory_scope_work_group);
}
