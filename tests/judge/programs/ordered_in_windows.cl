// SPDX-License-Identifier: Apache-2.0
// Pointers into one memory are ordered as integers, as compilers do it. One is null.
/* TRUTH
{"kernels": [
  {"name": "sorted", "args": ["zero:64", "buffer:int:4,1,3,2", "int:4"],
   "expect": {"0": "int:1,2,3,4"}, "global": 1, "local": 1},
  {"name": "null_before_all", "args": ["zero:16", "buffer:int:4,1,3,2", "int:4"],
   "expect": {"0": "int:11"}, "global": 1, "local": 1}]}
*/
kernel void sorted(global int *out, global int *in, int n)
{
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = in[i];
    for (int i = 1; i < n; i++) {
        int v = a[i], *at = a + i;
        for (; at > a && at[-1] > v; at--)
            *at = at[-1];
        *at = v;
    }
    for (int i = 0; i < 4; i++)
        out[i] = a[i];
}
__attribute__((noinline)) int is_before(int *p, int *q)
{
    return (ulong)p < (ulong)q;
}
kernel void null_before_all(global int *out, global int *in, int n)
{
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = in[i];
    int *none = n == 4 ? 0 : a + n;
    out[0] = is_before(none, a) + 10 * is_before(none, a + (in[1] & 1));
}
