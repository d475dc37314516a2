// SPDX-License-Identifier: Apache-2.0
// A block that is called where it is defined: drivers of 1.2 support no blocks, SPIR-V needs no queue for it.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    int (^b)(int) = ^(int x) {
      return x + 1;
    };
    out[g] = b(g) - 1;
}
