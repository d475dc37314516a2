// SPDX-License-Identifier: Apache-2.0
// An address masked to 48 bits before it is a pointer again; one space, so the tag is not needed.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 4 for i in range(64)]}"}, "ambiguous": 0}], "devices": ["cpu", "pocl"]}
*/
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0);
    volatile int four = 4;
    ulong bits = (ulong)&four & 0xfffffffffffful;
    out[i] = *(volatile int *)bits + in[i];
}
