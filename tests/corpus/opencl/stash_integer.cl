// SPDX-License-Identifier: Apache-2.0
// A private address stored as an integer in a global buffer and read back: a load from the host's memory may give a private address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:512"],
  "expect": {"0": "int:{[i + 7 for i in range(64)]}"}, "ambiguous": 0,
  "conservative": {"O0": 1, "O2": 1}, "why": "what is read from a buffer may be a host address or the stored private one"}]}
*/
kernel void k(global int *out, volatile global ulong *stash) {
    int i = get_global_id(0);
    int mine = i + 7;
    stash[i] = (ulong)&mine;
    out[i] = *(int *)stash[i];
}
