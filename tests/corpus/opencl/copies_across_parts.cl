// SPDX-License-Identifier: Apache-2.0
// Copies that begin at an element or a member and end in a later one, in each memory, of constant and computed sizes;
// and copies of values that later stores replace.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:ulong:3,1,4,1,5,9,2,6", "zero:192", "zero:64", "ulong:1"],
  "expect": {"1": "ulong:314,314,314,314,314,314,314,159,1,5,9,7,1,5,9,2331,1,5,9,7,0,0,0,0"}, "ambiguous": 0}]}
*/
typedef struct { ulong first, second, third, list[3], last; } held;

ulong digits(ulong *p, ulong n) {
    ulong all = 0;
    for (ulong i = 0; i < n; i++) all = all * 10 + p[i];
    return all;
}

void clear(ulong *p, ulong n) {
    for (ulong i = 0; i < n; i++) p[i] = 7;
}

kernel void k(global ulong *in, global ulong *out, global ulong *far, ulong one) {
    local ulong near[6];
    local held near_one, near_two;
    ulong own[6], taken[3];
    held own_one;
    if (get_global_id(0)) return;
    near[1] = near[2] = near[3] = near[4] = 7;
    __builtin_memcpy(&near[1], in, 24);
    out[0] = near[1] * 100 + near[2] * 10 + near[3];
    near[1] = near[2] = near[3] = near[4] = 7;
    __builtin_memcpy(&near[2], in, 24 * one);
    out[1] = near[2] * 100 + near[3] * 10 + near[4];
    near_one.second = near_one.third = near_one.list[0] = 7;
    __builtin_memcpy(&near_one.second, in, 24);
    out[2] = near_one.second * 100 + near_one.third * 10 + near_one.list[0];
    near_two.second = near_two.third = near_two.list[0] = 7;
    __builtin_memcpy(&near_two.second, in, 24 * one);
    out[3] = near_two.second * 100 + near_two.third * 10 + near_two.list[0];
    near_one.list[1] = near_one.list[2] = near_one.last = 7;
    __builtin_memcpy(&near_one.list[1], in, 24);
    out[4] = near_one.list[1] * 100 + near_one.list[2] * 10 + near_one.last;
    own_one.second = own_one.third = own_one.list[0] = 7;
    __builtin_memcpy(&own_one.second, in, 24 * one);
    out[5] = own_one.second * 100 + own_one.third * 10 + own_one.list[0];
    far[1] = far[2] = far[3] = 7;
    __builtin_memcpy(&far[1], in, 24);
    out[6] = far[1] * 100 + far[2] * 10 + far[3];
    near[1] = in[3], near[2] = in[4], near[3] = in[5];
    __builtin_memcpy(taken, &near[1], 24);
    near[1] = near[2] = near[3] = 7;
    out[7] = taken[0] * 100 + taken[1] * 10 + taken[2];
    own[1] = in[3], own[2] = in[4], own[3] = in[5];
    __builtin_memcpy(&out[8], &own[1], 24);
    own[1] = own[2] = own[3] = 7;
    out[11] = own[2];
    far[4] = in[3], far[5] = in[4], far[6] = in[5];
    __builtin_memcpy(&out[12], &far[4], 24);
    far[4] = far[5] = far[6] = 7;
    clear((ulong *)near, 6);
    clear(own, 6);
    out[15] = digits((ulong *)near, 3) + digits(own, 3) + digits((ulong *)far + 4, 3);
    near_one.second = in[3], near_one.third = in[4], near_one.list[0] = in[5];
    __builtin_memcpy(&out[16], &near_one.second, 24);
    near_one.second = near_one.third = near_one.list[0] = 7;
    out[19] = near_one.third;
}
