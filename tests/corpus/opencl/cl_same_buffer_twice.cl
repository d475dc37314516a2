// SPDX-License-Identifier: Apache-2.0
// One buffer passed as two arguments: a private address stored through one is read through the other.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:512", "same:1", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i if i % 2 else 3 * i for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1}, "why": "the slot holds a private or a global address"}]}
*/
kernel void k(global int *out, global ulong *first, global ulong *second, global int *in) {
    int *volatile global *a = (int *volatile global *)first, *volatile global *b = (int *volatile global *)second;
    int i = get_global_id(0);
    int mine = 3 * i;
    a[i] = i & 1 ? (int *)&in[i] : &mine;
    out[i] = *b[i];
}
