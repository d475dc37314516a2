// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 10 10 10 10 10 10 10 10
int take(volatile atomic_flag *f)
{
    return !atomic_flag_test_and_set(f);
}
kernel void k(global int *out, global int *in)
{
    local atomic_flag f;
    local atomic_int winners;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) {
        atomic_flag_clear(&f);
        atomic_init(&winners, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (take(&f)) atomic_fetch_add(&winners, 1);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = atomic_load(&winners) * 10 + take(&f);
}
