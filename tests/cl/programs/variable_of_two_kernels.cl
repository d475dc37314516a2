// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 7 7 7 7 7 7 7 7
global int shared_value = 7;
kernel void other(global int *out) { shared_value = 9; }
kernel void k(global int *out, global int *in) { out[get_global_id(0)] = shared_value; }
