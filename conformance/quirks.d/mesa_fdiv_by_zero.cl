// SPDX-License-Identifier: Apache-2.0
// expect: 1 1 1 1 1 1 1 1
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    float quotient = (float)(in[i] + 1) / 0.0f;
    out[i] = as_uint(quotient) == 0x7f800000;
}
