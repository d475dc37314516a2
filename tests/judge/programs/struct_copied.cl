// SPDX-License-Identifier: Apache-2.0
// A structure of pointers is overwritten by a block copy of another one, whose pointers are in other address spaces.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[3 * i + 7 for i in range(64)]}"}}]}
*/
struct two {
    int *p, *q;
    long rest[6];
};
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0), l = get_local_id(0), mine = i;
    struct two from = {&mine, &scratch[l], {7}}, to = {in + i, in, {0}};
    scratch[l] = 2 * i;
    to = from;
    out[i] = *to.p + *to.q + to.rest[0];
}
