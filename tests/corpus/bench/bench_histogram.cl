// SPDX-License-Identifier: Apache-2.0
// Histogram: atomics on local bins, then on global ones.
/* TRUTH
{"kernels": [{"name": "histogram_generic", "args": ["zero:64", "buffer:int:{[(i * i) % 16 for i in range(64)]}", "int:1"], "expect": {"0": "int:{[[(i * i) % 16 for i in range(64)].count(b) for b in range(16)]}"}, "ambiguous": 0},
 {"name": "histogram_explicit", "args": ["zero:64", "buffer:int:{[(i * i) % 16 for i in range(64)]}", "int:1"], "expect": {"0": "int:{[[(i * i) % 16 for i in range(64)].count(b) for b in range(16)]}"}, "ambiguous": 0}],
 "wrong_on": {"native": "no atomics on generic pointers: unresolved symbol"}}
*/
__attribute__((noinline)) void count(atomic_int *bin, int by) { atomic_fetch_add_explicit(bin, by, memory_order_relaxed, memory_scope_device); }
__attribute__((noinline)) void count_near(volatile local int *bin, int by) { atomic_add(bin, by); }
__attribute__((noinline)) void count_far(volatile global int *bin, int by) { atomic_add(bin, by); }
kernel void histogram_generic(global atomic_int *out, global int *in, int rounds) {
    local atomic_int bins[16];
    int l = get_local_id(0);
    if (l < 16) atomic_init(&bins[l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) count((atomic_int *)&bins[in[get_global_id(0)]], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) count((atomic_int *)&out[l], ((local int *)bins)[l]);
}
kernel void histogram_explicit(global int *out, global int *in, int rounds) {
    local int bins[16];
    int l = get_local_id(0);
    if (l < 16) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) count_near(&bins[in[get_global_id(0)]], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) count_far(&out[l], bins[l]);
}
