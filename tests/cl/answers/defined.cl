// SPDX-License-Identifier: Apache-2.0
// Options reach the program: -DVALUE=7
#ifndef VALUE
#define VALUE 3
#endif
#ifdef __FAST_RELAXED_MATH__
#error fast
#endif
kernel void k(global int *out) { out[0] = VALUE + __OPENCL_C_VERSION__; }
