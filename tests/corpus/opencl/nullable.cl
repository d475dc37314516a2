// SPDX-License-Identifier: Apache-2.0
// A pointer that is null or not, tested before use; null is of every space.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i if i % 2 else -1) + (7 if i % 3 else -2) for i in range(64)]}"}, "ambiguous": 0}]}
*/
__attribute__((noinline)) int value_or(int *p, int otherwise) {
    if (p) return *p;
    return otherwise;
}
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0), seven = 7;
    int *p = in[i] & 1 ? (int *)&in[i] : 0;
    int *q = in[i] % 3 ? &seven : 0;
    out[i] = value_or(p, -1) + value_or(q, -2);
}
