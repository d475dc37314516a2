// SPDX-License-Identifier: Apache-2.0
// Operations of several work-items: barriers, collectives, async copies, atomics, ids.
// RUN: --kernel sums --global 8 --local 4 --arg zero:96 --arg buffer:int:1,2,3,4,5,6,7,8
// CHECK: arg 0 int: 10 10 10 10 26 26 26 26 0 1 3 6 0 5 11 18 1 1 1 1 0 0 0 0
// RUN: --kernel turn --global 8 --local 4 --arg zero:32 --arg buffer:int:1,2,3,4,5,6,7,8 --arg local:16
// CHECK: arg 0 int: 4 3 2 1 8 7 6 5
// RUN: --kernel fetch --global 8 --local 4 --arg zero:32 --arg buffer:int:1,2,3,4,5,6,7,8
// CHECK: arg 0 int: 2 4 6 8 10 12 14 16
// RUN: --kernel count --global 4,2 --local 2,2 --arg zero:48
// CHECK: arg 0 int: 8 28 7 0 -8 11 44 0 12 48 7 3
// RUN: --kernel lanes --global 8 --local 8 --subgroup 4 --arg zero:96
// CHECK: arg 0 int: 6 6 6 6 22 22 22 22 0 1 2 3 0 1 2 3 4 4 4 4 0 0 0 0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sums(global int *out, global int *in) {
    int i = get_global_id(0);
    out[i] = work_group_reduce_add(in[i]);
    out[8 + i] = work_group_scan_exclusive_add(in[i]);
    out[16 + i] = work_group_any(in[i] == 2);
}
kernel void turn(global int *out, global int *in, local int *l) {
    int i = get_local_id(0), n = get_local_size(0);
    l[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[n - 1 - i];
}
kernel void fetch(global int *out, global int *in) {
    local int l[4];
    event_t e = async_work_group_copy(l, in + 4 * get_group_id(0), 4, 0);
    wait_group_events(1, &e);
    l[get_local_id(0)] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + 4 * get_group_id(0), l, 4, 0);
    wait_group_events(1, &e);
}
kernel void count(global int *out) {
    int id = get_global_linear_id();
    atomic_inc(&out[0]);
    atomic_add(&out[1], id);
    atomic_max(&out[2], id);
    atomic_min(&out[3], id);
    atomic_sub(&out[4], 1);
    if (get_global_id(0) == 3 && get_global_id(1) == 1) {
        out[5] = get_num_groups(0) * 4 + get_local_id(0) + get_group_id(0) + get_num_groups(1) * get_local_id(1);
        out[6] = get_global_size(0) * 10 + get_global_size(1) * get_work_dim();
        out[8] = get_local_size(0) * 6;
        atomic_cmpxchg(&out[9], 0, 48);
        out[10] = id;
        out[11] = get_local_linear_id();
    }
}
kernel void lanes(global int *out) {
    int i = get_global_id(0);
    out[i] = sub_group_reduce_add(i);
    out[8 + i] = get_sub_group_local_id();
    out[16 + i] = sub_group_broadcast((int)get_sub_group_size() - (int)(get_sub_group_id() * 4), 1);
}
