// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 0 0 111 111 111 114
int get(int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i + 3];
    uint d = get(&x) + get(in); /* not a dimension of the launch */
    if (i == 0) out[i] = get_local_size(7);
    if (i == 1) out[i] = get_local_size(d);
    if (i == 2) out[i] = get_global_id(0x80000001u) + get_local_id(3) * 10 + get_group_id(9) * 100;
    if (i == 3) out[i] = get_global_id(d) + get_local_id(d) * 10 + get_global_offset(d) * 100 + get_group_id(d) * 1000;
    if (i == 4) out[i] = get_num_groups(d) + get_global_size(d) * 10 + get_enqueued_local_size(d) * 100;
    if (i == 5) out[i] = get_num_groups(3) + get_global_size(4) * 10 + get_enqueued_local_size(5) * 100;
    if (i == 6) out[i] = get_num_groups(d & 1) + get_global_size(d & 1) * 10 + get_enqueued_local_size(d & 1) * 100;
    if (i == 7) out[i] = get_local_size(0) + get_local_size(1) * 10 + get_local_size(2) * 100;
}
