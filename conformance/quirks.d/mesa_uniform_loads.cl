// SPDX-License-Identifier: Apache-2.0
// expect: 6 6 6 6 6 6 6 6
/* The loop ends when the pointer is null, and nothing is loaded through it. */
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    global int *p = in + 1;
    int sum = 0;
    while (p) {
        sum += *p;
        p = *p < 3 ? p + 1 : 0;
    }
    out[i] = sum;
}
