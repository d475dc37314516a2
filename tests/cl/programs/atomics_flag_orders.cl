// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
int flags(volatile atomic_flag *f)
{
    atomic_flag_clear(f);
    int ok = !atomic_flag_test_and_set(f);
    ok &= atomic_flag_test_and_set_explicit(f, memory_order_acquire);
    ok &= atomic_flag_test_and_set_explicit(f, memory_order_acq_rel, memory_scope_work_group);
    atomic_flag_clear_explicit(f, memory_order_release);
    ok &= !atomic_flag_test_and_set_explicit(f, memory_order_relaxed, memory_scope_device);
    atomic_flag_clear_explicit(f, memory_order_seq_cst, memory_scope_device);
    return ok && !atomic_flag_test_and_set(f);
}
global atomic_flag shared_flag = ATOMIC_FLAG_INIT;
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0);
    local atomic_flag l[4];
    out[i] = flags(&l[t]) && flags((global atomic_flag *)&out[i]);
    if (in[0] == 77) flags(&shared_flag);
}
