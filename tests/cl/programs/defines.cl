// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -DFACTOR=3 -D OFFSET=(1+1) -DTYPE=int
// expect: 4 10 16 22 28 34 40 46
TYPE scaled(TYPE *p) { return *p * FACTOR + OFFSET; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    TYPE x = in[i];
    out[i] = scaled(&x) + scaled(in + i);
}
