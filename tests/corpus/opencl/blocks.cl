// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: clang-22 writes a pointer to a function type, which is not valid
// Blocks, which are structures behind generic pointers, that capture pointers to private and to global memory.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 20 + 2 * i for i in range(64)]}"}, "ambiguous": 0}]}
*/
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0), ten = 10, *own = &ten, *far = (int *)&in[i];
    int (^add)(int) = ^(int x) { return x + *own + *far; };
    int (^twice)(int *) = ^(int *p) { return *p + *p; };
    out[i] = add(10) + twice(far);
}
