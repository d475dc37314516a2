// SPDX-License-Identifier: Apache-2.0
// An assertion that holds: on failure it would call a function of the
// driver (which the FPGA emulation lacks) with generic pointers to strings.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 1 for i in range(64)]}"}, "ambiguous": 0}],
 "devices": ["cpu", "pocl", "oclgrind"]}
*/
#include <cassert>
KERNEL k(int *out, int *in) {
    int mine = in[gid()] + 1;
    assert(mine == gid() + 1);
    out[gid()] = mine;
}
