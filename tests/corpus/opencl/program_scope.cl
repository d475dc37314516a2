// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: clang-22 writes a constant of another type than its parts, which is not valid
// Program-scope variables with pointer initializers: constant tables of strings and of numbers.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256"],
  "expect": {"0": "int:{[(10 if i % 2 else 20) + [3, 5, 4][i % 3] for i in range(64)]}"}, "ambiguous": 0}], "wrong_on": {"oclgrind": "addresses in initializers read as null, in its own OpenCL C too"}}
*/
constant int ten[2] = {20, 10};
constant char one[] = "abc", two[] = "abcde", three[] = "abcd";
constant char *constant names[3] = {one, two, three};
__attribute__((noinline)) int length(constant char *s) {
    int n = 0;
    while (s[n]) n++;
    return n;
}
kernel void k(global int *out) { out[get_global_id(0)] = ten[get_global_id(0) & 1] + length(names[get_global_id(0) % 3]); }
