// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -cl-fast-relaxed-math -cl-mad-enable -cl-denorms-are-zero
// expect: 1 3 5 7 9 11 13 15
#ifndef __FAST_RELAXED_MATH__
#error the option did not arrive
#endif
float scaled(float *p) { return *p * 2.0f + 1.0f; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    float x = in[i];
    out[i] = (int)scaled(&x);
}
