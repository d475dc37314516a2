// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 81 82 83 84 85 86 87 88
#line 77 "other.cl"
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    int *p = in + i;
    out[i] = *p + __LINE__;
}
