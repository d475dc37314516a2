// SPDX-License-Identifier: Apache-2.0
// A function that nobody defines.
int f(int x);
kernel void k(global int *out) { out[0] = f(1); }
