// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 1 10011 30111 60000 100001 150011 210111
struct span { int *begin, *end; };
int total(struct span s) { int t = 0; for (int *p = s.begin; p != s.end; p++) t += *p; return t; }
kernel void k(global int *out, global int *in)
{
    int a[4] = {1, 10, 100, 1000};
    size_t i = get_global_id(0);
    struct span s = {in, in + i};
    struct span t = {a, a + i % 4};
    out[i] = total(s) * 10000 + total(t);
}
