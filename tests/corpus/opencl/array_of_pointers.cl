// SPDX-License-Identifier: Apache-2.0
// Arrays of pointers indexed at run time: one of a single space, one of two.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i + i % 4) % 64 + ([9, i, 9, i][i % 4]) for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1}, "why": "the element of mixed is private or global"}]}
*/
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0), nine = 9;
    int *single[4], *mixed[4];
    for (int j = 0; j < 4; j++) {
        single[j] = (int *)&in[(i + j) % 64];
        mixed[j] = j & 1 ? (int *)&in[i] : &nine;
    }
    out[i] = *single[in[i] & 3] + *mixed[in[i] & 3];
}
