// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 6061 6063 6065 6067 6229 6221 6223 6225
int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
kernel void k(global int *out, global int *in)
{
    local int l[4];
    int a[3] = {1, 2, 3};
    size_t i = get_global_id(0);
    l[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sum(a, 3) * 1000 + sum(l, 4) * 10 + sum(in + i, 2) % 10;
}
