// SPDX-License-Identifier: Apache-2.0
// 16-bit floats: PoCL computes with them but has no math functions for them; Oclgrind does not compute with them.
// REFUSED oclgrind: needs 'half' instructions, which device 'oclgrind' does not execute
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void math(global half *h, global int *n)
{
    h[1] = exp2(h[0]) + fmax(h[0], (half)2);
    h[2] = fma(h[0], h[0], (half)0.5);
    n[0] = isnan(h[3]) + 2 * isinf(h[3]);
}
// 4.0, 0, 0, NaN -> 20.0 and 16.5
// KERNEL math 1 1
// ARG half 0x4400 0 0 0x7e00
// ARG int 0
// EXPECT half 0x4400 0x4d00 0x4c20 0x7e00
// EXPECT int 1

// Vectors, and a second result in every address space.
kernel void wide(global half4 *h, global short4 *s, global half *whole, global int *exponent, local half *l)
{
    h[1] = sqrt(h[0]) + fma(h[0], h[0], (half4)1);
    s[0] = isnan(h[2]);
    h[2] = fmin(h[0], (half4)2);
    half own;
    whole[0] = modf(h[0].y, whole + 1) + modf(h[0].z, &own) + modf(h[0].w, l);
    whole[2] = own + *l;
    whole[3] = frexp(h[0].w, exponent);
}
// 1.0 4.0 0.25 9.0; and a NaN in the third place -> sqrt 1 2 0.5 3, squares and one 2 17 1.0625 82
// KERNEL wide 1 1
// ARG half 0x3c00 0x4400 0x3400 0x4880 0 0 0 0 0 0 0x7e00 0
// ARG short 0 0 0 0
// ARG half 0 0 0 0
// ARG int 0
// LOCAL 2
// EXPECT half 0x3c00 0x4400 0x3400 0x4880 0x4200 0x4cc0 0x3e40 0x5550 0x3c00 0x4000 0x3400 0x4000
// EXPECT short 0 0 -1 0
// EXPECT half 0x3400 0x4400 0x4880 0x3880
// EXPECT int 4
