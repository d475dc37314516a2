// SPDX-License-Identifier: Apache-2.0
// Reduction through local memory, the tree in a function.
/* TRUTH
{"kernels": [{"name": "reduce_generic", "args": ["zero:256", "buffer:int:{range(64)}", "int:1"], "expect": {"0": "int:{[sum(range(i // 16 * 16, i // 16 * 16 + 16)) for i in range(64)]}"}, "ambiguous": 0},
 {"name": "reduce_explicit", "args": ["zero:256", "buffer:int:{range(64)}", "int:1"], "expect": {"0": "int:{[sum(range(i // 16 * 16, i // 16 * 16 + 16)) for i in range(64)]}"}, "ambiguous": 0}]}
*/
void add(int *to, const int *from) { *to += *from; }
void add_near(local int *to, const local int *from) { *to += *from; }
kernel void reduce_generic(global int *out, global int *in, int rounds) {
    local int room[256];
    int l = get_local_id(0), n = get_local_size(0), *scratch = (int *)room;
    for (int r = 0; r < rounds; r++) {
        scratch[l] = ((int *)in)[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int step = n / 2; step > 0; step /= 2) {
            if (l < step) add(scratch + l, scratch + l + step);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[get_global_id(0)] = scratch[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void reduce_explicit(global int *out, global int *in, int rounds) {
    local int scratch[256];
    int l = get_local_id(0), n = get_local_size(0);
    for (int r = 0; r < rounds; r++) {
        scratch[l] = in[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int step = n / 2; step > 0; step /= 2) {
            if (l < step) add_near(scratch + l, scratch + l + step);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[get_global_id(0)] = scratch[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
