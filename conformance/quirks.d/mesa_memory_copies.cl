// SPDX-License-Identifier: Apache-2.0
// expect: 63 63 63 63 63 63 63 63
/* Copies three elements of a private array into another. */
kernel void k(global int *out, global int *in)
{
    int a[4] = {0, 0, 0, 0}, b[3] = {3, 30, 30};
    size_t i = get_global_id(0);
    b[0] += in[0];
    __builtin_memcpy(&a[1], b, sizeof b);
    out[i] = a[0] + a[1] + a[2] + a[3];
}
