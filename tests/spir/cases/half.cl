// SPDX-License-Identifier: Apache-2.0
// 16-bit floats: PoCL computes with them but has no math for them; Oclgrind computes with none.
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
