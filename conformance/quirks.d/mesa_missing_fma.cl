// SPDX-License-Identifier: Apache-2.0
// expect: 2 3 6 11 18 27 38 51
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    float x = in[i];
    out[i] = (int)fma(x, x, 2.0f);
}
