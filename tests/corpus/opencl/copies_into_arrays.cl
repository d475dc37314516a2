// SPDX-License-Identifier: Apache-2.0
// Elements are copied to small private arrays: of constant and computed sizes, from each
// memory, to elements at constant and computed indices, into members, and within one array.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:uint:3,1,4,1,5,9,2,6", "zero:96", "local:32", "uint:1"],
  "expect": {"1": "uint:0,1,4,1,0,0,0,4,1,5,9,0,0,5,9,2,1,4,1,4,1,7,7,65"}, "ambiguous": 0}]}
*/
typedef struct { uint first, in[3], last; } held;

uint sum(uint *p, uint n) {
    uint all = 0;
    for (uint i = 0; i < n; i++) all += p[i];
    return all;
}

kernel void k(global uint *in, global uint *out, local uint *near, uint one) {
    if (get_global_id(0)) return;
    uint a[6], b[6], c[6], d[3];
    held h;
    for (uint i = 0; i < 8; i++) near[i] = in[i];
    for (uint i = 0; i < 6; i++) a[i] = b[i] = c[i] = 0;
    for (uint i = 0; i < 3; i++) h.in[i] = d[i] = i;
    h.first = h.last = 7;
    __builtin_memcpy(&a[1], &in[1], 12);
    __builtin_memcpy(&b[1], &near[2], 15 + one);
    __builtin_memcpy(&h.in[0], &a[1], 12);
    __builtin_memcpy(&c[one], &in[4], 16);
    __builtin_memcpy(&c[4], &a[1], 7 + one);
    for (uint i = 0; i < 6; i++) {
        out[i] = a[i];
        out[6 + i] = b[i];
        out[12 + i] = c[i];
    }
    for (uint i = 0; i < 3; i++) out[18 + i] = h.in[i];
    out[21] = h.first;
    out[22] = h.last;
    out[23] = sum(d, 3) + sum(in, 8) + sum(near, 8);
}
