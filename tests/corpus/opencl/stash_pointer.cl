// SPDX-License-Identifier: Apache-2.0
// A private and a local address stored as pointers in a global buffer and read back.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:1024"],
  "expect": {"0": "int:{[3 * i + 1 for i in range(64)]}"}, "ambiguous": 0,
  "conservative": {"O0": 2, "O2": 2}, "why": "a load from the host memory may give any address that the kernel stored there"}]}
*/
kernel void k(global int *out, global ulong *slots) {
    int *volatile global *stash = (int *volatile global *)slots;
    local int scratch[16];
    int i = get_global_id(0), l = get_local_id(0);
    int mine = i;
    scratch[l] = 2 * i + 1;
    stash[2 * i] = &mine;
    stash[2 * i + 1] = &scratch[l];
    out[i] = *stash[2 * i] + *stash[2 * i + 1];
}
