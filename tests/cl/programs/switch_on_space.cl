// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 9 16 156 -53 50 4 9 -4
int get(int *p, int i) { switch (i & 3) { case 0: return p[0]; case 1: return p[1] * 2; case 2: return p[2] * 3; default: return -p[3]; } }
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0);
    int a[4] = {9, 8, 7, 6};
    l[get_local_id(0)] = (int)get_local_id(0) + 50;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p;
    if (i < 2) p = a; else if (i < 5) p = l; else p = in + 1;
    out[i] = get(p, i);
}
