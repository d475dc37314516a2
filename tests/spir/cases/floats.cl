// SPDX-License-Identifier: Apache-2.0
// Functions on floats that one of the devices lacks.
// CHECK: define spir_kernel void @less_exact(

kernel void less_exact(global float *f, global float4 *v)
{
    f[0] = half_cos(0.0f) + half_sqrt(16.0f) + half_divide(9.0f, 3.0f) + half_recip(4.0f) + half_powr(2.0f, 3.0f);
    v[0] = half_exp2(v[0]);
    f[1] = fmod(f[1], 2.0f);
    v[1] = copysign(v[1], (float4)(-1, 1, -1, 1));
}
// KERNEL less_exact 1 1
// ARG float 0 -5.5
// ARG float 0 1 2 3 1 -1 -1 1
// EXPECT float 16.25 -1.5
// EXPECT float 1 2 4 8 -1 1 -1 1

kernel void zeros(global int4 *v, global uchar *c)
{
    v[0] = ctz(v[0]);
    c[0] = ctz(c[0]);
}
// KERNEL zeros 1 1
// ARG int 8 1 0 0x80000000
// ARG char 16
// EXPECT int 3 0 32 31
// EXPECT char 4

kernel void remainders(global float *f, global double *d)
{
    f[0] = fmod(f[0], f[1]);
    d[0] = remainder(d[0], d[1]);
}
// KERNEL remainders 1 1
// ARG float -7.5 2
// ARG double 7 2
// EXPECT float -1.5 2
// EXPECT double -1 2

kernel void second_results(global float4 *v)
{
    float4 whole;
    float4 part = modf(v[0], &whole);
    v[0] = whole;
    v[1] = part;
    v[2] = fract(part, &whole) + whole;
}
// KERNEL second_results 1 1
// ARG float 1.5 -2.25 3 0.75 0 0 0 0 0 0 0 0
// EXPECT float 1 -2 3 0 0.5 -0.25 0 0.75 0.5 -0.25 0 0.75
