// SPDX-License-Identifier: Apache-2.0
// A private address kept as an integer in a global buffer and read back.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "zero:512"],
  "expect": {"0": "int:{[i + 7 for i in range(64)]}"}, "ambiguous": 0,
  "conservative": {"O0": 1, "O2": 1, "O2-noinline": 1}, "why": "what is read from a buffer may be a host address or the stored private one"}]}
*/
KERNEL k(int *out, volatile uint64_t *stash) {
    int mine = gid() + 7;
    stash[gid()] = reinterpret_cast<uint64_t>(&mine);
    out[gid()] = *reinterpret_cast<int *>(stash[gid()]);
}
