// SPDX-License-Identifier: Apache-2.0
// expect: 1 2 3 4 5 6 7 8
/* Writes the bytes of integers at odd addresses, and loads the integers. */
struct __attribute__((packed)) number {
    int value;
};
kernel void k(global int *out, global int *in)
{
    local char l[40];
    size_t i = get_local_id(0);
    for (int j = 0; j < 5; j++)
        l[5 * i + j] = j == 1 ? in[i] + 1 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = ((local struct number *)&l[5 * i + 1])->value;
}
