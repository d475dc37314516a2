// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 12 21 12 21 12 21 12 21
void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
kernel void k(global int *out, global int *in)
{
    local int l;
    size_t i = get_global_id(0);
    int x = 1;
    if (get_local_id(0) == 0) l = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = &x, *q = &l;
    if (i & 1) swap(&p, &q);
    out[i] = *p * 10 + *q;
}
