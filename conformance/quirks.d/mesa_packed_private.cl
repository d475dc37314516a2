// SPDX-License-Identifier: Apache-2.0
// expect: 1 2 3 4 5 6 7 8
struct __attribute__((packed)) pair {
    char tag;
    int value;
};
kernel void k(global int *out, global int *in)
{
    struct pair p[2];
    size_t i = get_global_id(0);
    p[in[0]].tag = 99;
    p[in[0]].value = in[i];
    p[in[1]].tag = 98;
    p[in[1]].value = in[i] + 1;
    out[i] = p[in[1]].value;
}
