// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL1.2
kernel void k(global int *out, global int *in) { int a[2] = {1, 2}; int *p = a; out[0] = p[in[0]]; }
