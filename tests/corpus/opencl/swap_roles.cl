// SPDX-License-Identifier: Apache-2.0
// Source and destination change places between local and global memory in a loop with barriers.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}", "zero:256"],
 "expect": {"0": "int:{[ g*8 for g in range(64)]}"}, "ambiguous": {"O0": 6}, "why": "without optimization one loop does both directions"}]}
*/
static void add(int *dst, const int *src, int l) { dst[l] += src[l]; }
static void move(int *dst, const int *src, int l) { dst[l] = src[l]; }
kernel void k(global int *out, global int *in, global int *tmp) {
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0), b = g - l;
    int *x = (int *)tile, *y = (int *)tmp + b;
    move(x, (const int *)in + b, l); move(y, x, l);
    for (int s = 0; s < 3; s++) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        add(x, y, l);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        move(y, x, l);
        int *t = x; x = y; y = t;
    }
    out[g] = x[l];
}
