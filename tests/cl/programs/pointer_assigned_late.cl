// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 12 14 16 117 119 121 11 11
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int *p;
    local int l[4];
    int x[2] = {i, i + 1};
    if (i < 3)
        p = x;
    else if (i < 6) {
        p = l + get_local_id(0);
        *p = 50 + i;
    } else
        p = in;
    int s = 0;
    for (int j = 0; j < 3; j++) {
        s += *p;
        if (j == 1)
            p = in + 10 + j;
        else if (p == x)
            p = x + 1;
    }
    out[i] = s;
}
