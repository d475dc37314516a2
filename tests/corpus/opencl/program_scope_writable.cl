// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: natively wrong too
// A writable program-scope pointer is set by one work-item and read by another kernel: it is in the host's memory.
/* TRUTH
{"kernels": [{"name": "set+k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 3 for i in range(64)]}"}, "ambiguous": 0}]}
*/
global int numbers[4] = {1, 2, 3, 4};
global int *global where_to = &numbers[2];
int *global anywhere;
kernel void set(global int *out, global int *in) {
    if (get_global_id(0) == 0) anywhere = (int *)in;
}
kernel void k(global int *out, global int *in) { out[get_global_id(0)] = anywhere[get_global_id(0)] + *where_to; }
