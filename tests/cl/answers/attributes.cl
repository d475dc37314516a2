// SPDX-License-Identifier: Apache-2.0
// The answers of clGetKernelArgInfo and CL_KERNEL_ATTRIBUTES.
typedef struct { int a; float b; } pair;
typedef pair *link;
__attribute__((reqd_work_group_size(4, 2, 1))) __attribute__((vec_type_hint(float4))) kernel void
k(global const int *restrict p, volatile global float *q, local uchar4 *l, constant long *c, uint n, float3 v)
{
    q[0] = p[0] + l[0].x + c[0] + n + v.x;
}
__attribute__((work_group_size_hint(8, 1, 1))) kernel void t(global pair *p, pair v, global const pair *restrict c, global void *x)
{
    p[0].a = v.a + c[0].a;
}
