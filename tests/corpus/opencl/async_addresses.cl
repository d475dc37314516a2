// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: clang-22 writes an OpConstantNull with an operand
// Addresses of a local array as integers, copied to global memory and back by the asynchronous copies of a work-group.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:512", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[3 * (i // 16 * 16 + (i + 1) % 16) for i in range(64)]}"}, "ambiguous": 0,
  "conservative": {"O0": 1, "O2": 1}, "why": "what is read from a buffer may be a host address or the stored local one"}]}
*/
kernel void k(global int *out, global ulong *stash, global int *in) {
    local ulong addresses[16], back[16];
    local int scratch[16];
    int i = get_global_id(0), l = get_local_id(0);
    scratch[l] = 3 * in[i];
    addresses[l] = (ulong)(int *)&scratch[(l + 1) % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_copy(&stash[i - l], addresses, 16, 0);
    wait_group_events(1, &copied);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    copied = async_work_group_copy(back, &stash[i - l], 16, 0);
    wait_group_events(1, &copied);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = *(int *)back[l];
}
