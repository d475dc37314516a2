// SPDX-License-Identifier: Apache-2.0
// expect: 77 77 77 77 77 77 77 77
kernel void k(global int *out, global int *in)
{
    int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    size_t i = get_global_id(0);
    int n = in[1];
    private int *p = in[0] == 0 ? &a[n] : &b[n];
    int x = *p;
    a[n] = 77;
    int y = *p;
    out[i] = x == 2 ? y : x;
}
