// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 21004 21114 21224 21334 21404 21514 21624 21734
void where(size_t *g, size_t *l, size_t *e)
{
    *g = get_global_linear_id();
    *l = get_local_linear_id();
    *e = get_enqueued_local_size(0);
}
kernel void k(global int *out, global int *in)
{
    size_t g, l, e;
    where(&g, &l, &e);
    out[get_global_id(0)] = (int)(g * 100 + l * 10 + e) + get_work_dim() * 1000 + (int)get_num_groups(0) * 10000 +
                            (int)get_global_offset(0);
}
