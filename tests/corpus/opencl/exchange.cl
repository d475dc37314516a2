// SPDX-License-Identifier: Apache-2.0
// A pointer goes through an atomic exchange on an integer in local memory.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i for i in range(64)]}"}, "ambiguous": 0}], "needs": "atomics64"}
*/
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global int *out, global int *in) {
    local ulong slot[16];
    int i = get_global_id(0), l = get_local_id(0);
    int mine = in[i];
    slot[l] = 0;
    atom_xchg(&slot[l], (ulong)&mine);
    int *p = (int *)atom_xchg(&slot[l], 0ul);
    out[i] = *p + in[i];
}
