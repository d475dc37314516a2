// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 70 70 70 70 70 70 70 70
kernel void k(global int *out, global int *in)
{
    local int l[8];
    int a[8];
    size_t i = get_global_id(0);
    for (int j = 0; j < 8; j++) a[j] = j * j;
    l[get_local_id(0)] = 7; l[get_local_id(0) + 4] = 9;
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    int *p = a;
    for (int j = 0; j < 8; j++) {
        s += p[j];
        p = a;
        if (!(j & 1)) p = l;
        if (j & 2) p = in;
    }
    out[i] = s;
}
