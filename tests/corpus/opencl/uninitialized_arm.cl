// SPDX-License-Identifier: Apache-2.0
// A pointer is not set on a path on which it is never used: an undefined value has no space.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i if i % 3 == 0 else 40 + i if i % 3 == 1 else -1 for i in range(64)]}"}, "ambiguous": 0}]}
*/
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0);
    int *far, *near, result = -1;
    scratch[get_local_id(0)] = 40 + i;
    if (in[i] % 3 == 0) far = (int *)&in[i];
    if (in[i] % 3 == 1) near = (int *)&scratch[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[i] % 3 == 0) result = *far;
    if (in[i] % 3 == 1) result = *near;
    out[i] = result;
}
