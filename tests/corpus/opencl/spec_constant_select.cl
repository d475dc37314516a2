// SPDX-License-Identifier: Apache-2.0
// A specialization constant chooses between a private and a global pointer; its value is known when the program is built.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 100 for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1}, "why": "the constant has no value before the program is built"}]}
*/
int __attribute__((overloadable)) __spirv_SpecConstant(int, int);
__attribute__((noinline)) int read(int *p) { return *p; }
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0), mine = in[i] + 100;
    int *p = __spirv_SpecConstant(0, 3) > 2 ? &mine : (int *)&in[i];
    out[i] = read(p);
}
