// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 17 27 37 47 57 67 77 87
kernel void helper(global int *a, local int *b)
{
    a[0] += b[0];
}
int via(int *p)
{
    return *p + 1;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    local int l[1];
    if (get_local_id(0) == 0) l[0] = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = via(l);
    helper(out + i, l);
    out[i] += via(in + i) * 10;
}
