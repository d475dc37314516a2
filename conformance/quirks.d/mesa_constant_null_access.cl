// SPDX-License-Identifier: Apache-2.0
// expect: 1 1 1 1 1 1 1 1
/* The access is never executed. */
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    out[i] = 1;
    if (in[0] == 99) out[i] = *(global int *)0;
}
