// SPDX-License-Identifier: Apache-2.0
// A pointer set by a switch over three spaces, then read, written and stepped.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{[5 for i in range(128)]}"],
  "expect": {"0": "int:{[[2, 4, 6][i % 3] + 10 for i in range(64)]}"},
  "ambiguous": {"O0": 4, "O2": 3}, "why": "the pointer is private, local or global by work-item"}]}
*/
kernel void k(global int *out, global int *in) {
    local int scratch[32];
    int i = get_global_id(0), l = get_local_id(0);
    int mine[2] = {1, 1}, *p;
    scratch[2 * l] = scratch[2 * l + 1] = 2;
    in[2 * i] = in[2 * i + 1] = 3;
    switch (i % 3) {
    case 0: p = mine; break;
    case 1: p = (int *)&scratch[2 * l]; break;
    default: p = (int *)&in[2 * i]; break;
    }
    p[0] += 10;
    out[i] = p[0] + p[1];
}
