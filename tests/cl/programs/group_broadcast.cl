// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1030 1030 1030 1030 5090 5090 5090 5090
float pick(const float *p)
{
    return work_group_broadcast(*p, 2);
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    float x = in[i] * 1.5f;
    out[i] = (int)(pick(&x) * 10) + (int)work_group_broadcast((long)i, 1) * 1000;
}
