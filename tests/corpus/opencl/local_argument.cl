// SPDX-License-Identifier: Apache-2.0
// Local memory that the host gives as an argument, beside a global argument, through one function.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "local:64", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i // 16 * 16 + 15 - i % 16 + i for i in range(64)]}"}, "ambiguous": 0}]}
*/
__attribute__((noinline)) int at(int *p, int i) { return p[i]; }
kernel void k(global int *out, local int *scratch, global int *in) {
    int l = get_local_id(0);
    scratch[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = at((int *)scratch, 15 - l) + at((int *)in, get_global_id(0));
}
