// SPDX-License-Identifier: Apache-2.0
// Subgroups on devices that have none: each is one work-item.
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
