// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 6012 12 12 12 22044 44 44 44
void reduce(int *data, size_t n, size_t j)
{
    for (size_t s = n / 2; s; s /= 2) {
        if (j < s) data[j] += data[j + s];
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    l[j] = in[i] * 2;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    reduce(l, 4, j);
    out[i] = in[i];
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    reduce(out + get_group_id(0) * 4, 4, j);
    int s = l[0];
    if (j)
        out[i] = s;
    else
        out[i] = out[i] * 1000 + s;
}
