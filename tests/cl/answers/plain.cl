// SPDX-License-Identifier: Apache-2.0
// Two ordinary kernels.
kernel void a(global int *o) { o[0] = 1; }
kernel void b(global float4 *o, float x) { o[0] = x; }
