// SPDX-License-Identifier: Apache-2.0
// Links that are not addresses: the XOR of a local and a private address, and their sum. A generic pointer keeps all bits
// of such an integer, through a call, a variable and a select; each of the two addresses can be computed from the other.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:int:{[1000 + 7 * i for i in range(64)]}", "zero:256"], "global": 64, "local": 16,
  "expect": {"1": "int:{[(1000 + 7 * (i ^ 1)) * 100 + (i + 3) % 100 + 5 for i in range(64)]}"}, "ambiguous": 3}]}
*/
__attribute__((noinline)) int *either(int *a, int *b) { return (int *)((ulong)a ^ (ulong)b); }
__attribute__((noinline)) int *both(int *a, int *b) { return (int *)((ulong)a + (ulong)b); }
__attribute__((noinline)) int *without(int *sum, int *b) { return (int *)((ulong)sum - (ulong)b); }
__attribute__((noinline)) int *kept(int *a, int *b, int which) { return which ? a : b; }
kernel void k(global const int *in, global int *out)
{
    local int all[16];
    int i = get_global_id(0), me = get_local_id(0);
    all[me] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int own[2] = {(i + 3) % 100, 5};
    int *a = &all[me ^ 1], *b = own;
    int *link = kept(either(a, b), both(a, b), 1), *volatile sum = kept(either(a, b), both(a, b), 0);
    out[i] = *either(link, b) * 100 + *either(link, a) + without(sum, a)[1];
}
