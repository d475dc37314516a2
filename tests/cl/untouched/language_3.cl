// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
kernel void k(global int *out, global int *in) { out[get_global_id(0)] = in[get_global_id(0)] * 2; }
