// SPDX-License-Identifier: Apache-2.0
// A function without a definition.
int f(int x);
kernel void k(global int *out) { out[0] = f(1); }
