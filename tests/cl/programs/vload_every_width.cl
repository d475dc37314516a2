// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
int all_widths(const int *from, int *to)
{
    int2 a = vload2(1, from);
    int3 b = vload3(1, from);
    int4 c = vload4(1, from);
    int8 d = vload8(0, from);
    int16 e = vload16(0, from);
    vstore2(a, 0, to);
    int s = to[0] * 3 + to[1];
    vstore3(b, 0, to);
    s = s * 3 + to[0] + to[1] * 5 + to[2] * 7;
    vstore4(c, 0, to);
    s = s * 3 + to[3];
    vstore8(d, 0, to);
    s += to[7];
    vstore16(e, 0, to);
    s += to[15];
    return s;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int a[16], b[16];
    local int l[4][16], m[4][16];
    int t = get_local_id(0);
    for (int n = 0; n < 16; n++) {
        a[n] = n * n + i;
        l[t][n] = n * n + i;
    }
    int want = (2 * 2 + i) * 3 + 9 + i;
    want = want * 3 + (9 + i) + (16 + i) * 5 + (25 + i) * 7;
    want = want * 3 + 49 + i;
    want += 49 + i;
    want += 225 + i;
    out[i] = all_widths(a, b) == want && all_widths(l[t], m[t]) == want && all_widths(a, m[t]) == want &&
             all_widths(l[t], b) == want;
}
