// SPDX-License-Identifier: Apache-2.0
// Sub-groups on devices that have none: each is one work-item.
// SPECIALIZE
// CHECK-NOT: declare{{.*}}sub_group
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void numbers(global int *out)
{
    int me = get_global_id(0);
    out[me] = get_sub_group_size() + 10 * get_num_sub_groups() + 100 * get_sub_group_local_id() +
              1000 * get_sub_group_id();
}
// KERNEL numbers 8 4
// ARG int zero 8
// EXPECT int 41 1041 2041 3041 41 1041 2041 3041

kernel void values(global int *v)
{
    int me = get_global_id(0);
    int x = v[me];
    v[me] = sub_group_reduce_add(x) + 100 * sub_group_scan_inclusive_max(x) + 10000 * sub_group_scan_exclusive_add(x) +
            100000 * sub_group_all(x > 1) + sub_group_broadcast(x, 0u);
}
// KERNEL values 4 4
// ARG int 1 2 3 4
// EXPECT int 102 100204 100306 100408

kernel void ballots(global int *v)
{
    int me = get_global_id(0);
    uint4 all = sub_group_ballot(v[me] > 2);
    v[me] = (int)all.x + 10 * (int)sub_group_ballot_bit_count(all) + 100 * sub_group_elect() +
            1000 * sub_group_non_uniform_all_equal(v[me]) + 10000 * (int)get_sub_group_eq_mask().x;
}
// KERNEL ballots 4 4
// ARG int 1 2 3 4
// EXPECT int 11100 11100 11111 11111

int __attribute__((overloadable)) intel_sub_group_shuffle(int value, uint lane);
int __attribute__((overloadable)) intel_sub_group_shuffle_xor(int value, uint mask);
int __attribute__((overloadable)) intel_sub_group_shuffle_up(int before, int value, uint lanes);
int __attribute__((overloadable)) intel_sub_group_shuffle_down(int value, int after, uint lanes);

kernel void shuffles(global int *v, global float *f, global long *l)
{
    int me = get_global_id(0);
    v[me] = sub_group_shuffle(v[me], 0) + intel_sub_group_shuffle(v[me], 0) + intel_sub_group_shuffle_up(100, v[me], 1u) +
            intel_sub_group_shuffle_down(v[me], 1000, 1u) + intel_sub_group_shuffle_xor(v[me], 0u);
    f[me] = sub_group_non_uniform_reduce_mul(f[me]) + sub_group_clustered_reduce_max(f[me], 1u);
    l[me] = sub_group_non_uniform_scan_exclusive_max(l[me]) + sub_group_reduce_min(l[me]);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
// KERNEL shuffles 4 4
// ARG int 1 2 3 4
// ARG float 1.5 2 3 4
// ARG long 0 1 2 3
// EXPECT int 1103 1106 1109 1112
// EXPECT float 3 4 6 8
// EXPECT long 0x8000000000000000 0x8000000000000001 0x8000000000000002 0x8000000000000003

// A barrier that only some work-items of a work-group execute: in a sub-group of one it waits for no other.
kernel void some(global int *v)
{
    int me = get_global_id(0);
    if (me & 1) {
        v[me] = v[me] * 2;
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        v[me] = v[me] + 1;
    }
}
// KERNEL some 4 4
// ARG int 1 2 3 4
// EXPECT int 1 5 3 9
