// SPDX-License-Identifier: Apache-2.0
// Arrays that count from 1: a pointer before the first element, made of a number. Its steps begin in no object, whatever clang says of them.
// NO_LLVM: clang-22 takes the promise itself at -O2, and drops the first element.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:32"], "global": 8, "local": 2,
  "expect": {"0": "int:{[24 + (i & 7) if i & 1 else 1 for i in range(8)]}"},
  "ambiguous": 0}]}
*/
kernel void k(global int *out) {
    int i = get_global_id(0), sum = 1, numbers[16];
    for (int n = 0; n < 16; n++) numbers[n] = n * 7 + (i & 7);
    if (i & 1) {
        int *from_one = (int *)((ulong)&numbers[0] - 4ul);
        for (int n = 0; n < 1; n++) {
            from_one[n + 1] = ((from_one[n + 1] & 65535) + 21) & 65535;
            sum = (sum * 3 + (from_one[n + 1] & 65535)) & 1048575;
        }
    }
    out[i] = sum;
}
