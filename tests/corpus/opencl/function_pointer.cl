// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: indirect calls are an extension there
// A table of functions that take a pointer, called with a private and with a global one.
// OPTIONS: --spirv-ext=+SPV_INTEL_function_pointers
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 10 if i % 2 else 2 * i + 10 for i in range(64)]}"},
  "ambiguous": {"O0": 3, "O2": 2}, "why": "each function of the table may get the private or the global pointer"}], "drivers": "SPIRV-LLVM-Translator 15 writes function pointers in a form that no driver here takes"}
*/
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*reader)(int *);
__attribute__((noinline)) int once(int *p) { return *p; }
__attribute__((noinline)) int twice(int *p) { return *p + *p; }
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0), five = 5;
    reader f = in[i] & 1 ? once : twice;
    out[i] = f((int *)&in[i]) + f(&five) + (in[i] & 1 ? 5 : 0);
}
