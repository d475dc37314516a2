// SPDX-License-Identifier: Apache-2.0
// vload, vstore and vload_half through generic pointers to private, local and global arrays.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[4 * (i - i % 4) + 6 + 2 * i + 3 for i in range(64)]}"}, "ambiguous": 0}]}
*/
kernel void k(global int *out, global int *in) {
    local int scratch[64];
    int i = get_global_id(0), l = get_local_id(0);
    int mine[4];
    int *p = mine, *q = (int *)scratch, *g = (int *)in;
    int4 v = vload4(i / 4, g);
    vstore4(v, l, q);
    v = vload4(l, q);
    vstore2((int2)(i, i + 1), 0, p);
    vstore2((int2)(1, 1), 1, p);
    int4 w = vload4(0, p);
    out[i] = v.x + v.y + v.z + v.w + w.x + w.y + w.z + w.w;
}
