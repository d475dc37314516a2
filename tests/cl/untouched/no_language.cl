// SPDX-License-Identifier: Apache-2.0
// options: -DN=3
int first(int *p) { return *p; }
kernel void k(global int *out, global int *in) { int x = N; out[0] = first(&x); }
