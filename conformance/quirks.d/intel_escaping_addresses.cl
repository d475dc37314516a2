// SPDX-License-Identifier: Apache-2.0
// expect: 6 6 6 6 6 6 6 6
/* Stores to an array, and loads the element through a pointer that was an integer. */
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int a[4] = {0, 0, 0, 0};
    ulong where = (ulong)a ^ (ulong)in[0];
    int sum = 0;
    for (int j = 0; j < 4; j++) {
        a[(j + i) & 3] = in[i] + j;
        sum += *(private int *)(where + 4 * ((j + i) & 3));
    }
    out[i] = sum - 4 * in[i];
}
