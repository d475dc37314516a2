// SPDX-License-Identifier: Apache-2.0
// expect: 97 98 97 98 97 98 97 98
constant char first[] = "a", second[] = "b";
constant char *constant table[] = {first, second};
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    out[i] = table[in[i] & 1][0];
}
