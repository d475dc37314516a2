// SPDX-License-Identifier: Apache-2.0
// A kernel queries the space of a pointer whose address was shifted left to make room for a count, and was multiplied
// by 1000, in 64-bit integers. Unsound if the result depends on bits of the address that were lost in these integers.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:int:{range(64)}", "zero:256", "local:64"],
  "expect": {"1": "int:{[i + (100, 200, 1000)[i % 3] for i in range(64)]}"}, "ambiguous": 1}],
 "wrong_on": {"native": "to_global gives a pointer for a private address",
  "pocl-nvidia": "nothing is known of addresses there, so that one as an integer has all 64 bits"}}
*/
kernel void k(global int *in, global int *out, local int *tile) {
    int i = get_global_id(0), l = get_local_id(0), own[2] = {100, i};
    tile[l] = 200 + in[i];
    own[0] += in[i];
    int *p = i % 3 == 0 ? own : i % 3 == 1 ? (int *)(tile + l) : (int *)(in + i);
    volatile ulong moved = (ulong)p << 12 | (i & 4095);
    volatile ulong scaled = (moved >> 12) * 1000 + 7;
    int *q = (int *)(scaled / 1000);
    out[i] = *q + (to_global(q) ? 1000 : 0);
}
