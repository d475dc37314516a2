// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 14021 14122 14223 14324 14025 14126 14227 14328
kernel void k(global int *out, global int *in)
{
    int i = get_global_linear_id();
    int *p = (int *)in;
    out[i] = get_enqueued_local_size(0) * 1000 + get_local_linear_id() * 100 + get_num_groups(0) * 10 + p[i] +
             get_work_dim() * 10000 + get_global_offset(0) + get_local_size(1);
}
