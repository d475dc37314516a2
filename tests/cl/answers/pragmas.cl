// SPDX-License-Identifier: Apache-2.0
// Pragmas, known and unknown.
#pragma OPENCL EXTENSION cl_khr_nonsense : enable
#pragma OPENCL FP_CONTRACT OFF
#pragma unroll
kernel void k(global float *out) { out[0] = out[1] * out[2] + out[3]; }
