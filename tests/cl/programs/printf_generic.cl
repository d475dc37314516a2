// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7
void say(int *p) { if (*p == 3) printf("%d\n", *p); }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i];
    say(&x);
    say(in + i);
    out[i] = x;
}
