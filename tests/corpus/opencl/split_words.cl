// SPDX-License-Identifier: Apache-2.0
// A pointer is split into two words that are stored in local memory, and another one goes through as_uint2.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
 "expect": {"0": "int:{[[i, 5*i, -i][i%3] + i for i in range(64)]}"}, "ambiguous": {"O0": 1, "O2": 1}, "why": "what the joined words point to lies in one of three memories"}]}
*/
typedef struct { uint lo, hi; } halves;
static halves split(int *p) { ulong u = (ulong)p; halves h = {(uint)u, (uint)(u >> 32)}; return h; }
static int *join(halves h) { return (int *)((ulong)h.hi << 32 | h.lo); }
static uint2 split2(int *p) { return as_uint2((ulong)p); }
kernel void k(global int *out, global int *in) {
    local int tile[16];
    local uint words[32];
    int g = get_global_id(0), l = get_local_id(0), own = -g;
    tile[l] = 5 * g;
    int *p = g % 3 == 0 ? (int *)&in[g] : g % 3 == 1 ? (int *)&tile[l] : &own;
    halves h = split(p);
    words[2 * l] = h.lo; words[2 * l + 1] = h.hi;
    barrier(CLK_LOCAL_MEM_FENCE);
    halves back = {words[2 * l], words[2 * l + 1]};
    uint2 v = split2((int *)&in[g]);
    out[g] = *join(back) + *(int *)as_ulong(v);
}
