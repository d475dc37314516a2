// SPDX-License-Identifier: Apache-2.0
// An atomic exchange of addresses of two spaces on one local integer.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + (100 if i % 3 else i) for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1}, "why": "the slot held a private or a local address"}], "needs": "atomics64"}
*/
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global int *out, global int *in) {
    local ulong slot[16];
    local int scratch[16];
    int i = get_global_id(0), l = get_local_id(0);
    int mine = 100;
    scratch[l] = in[i];
    slot[l] = i % 3 ? (ulong)&mine : (ulong)(int *)&scratch[l];
    int *p = (int *)atom_xchg(&slot[l], 0ul);
    out[i] = *p + in[i];
}
