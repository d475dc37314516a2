// SPDX-License-Identifier: Apache-2.0
// memcpy of structs of pointers, whole and by halves.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 18 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Two {
    int *a;
    int *b;
};
KERNEL k(int *out, int *in) {
    int nine = 9;
    Two from{&nine, in + gid()}, whole, half;
    __builtin_memcpy(&whole, &from, sizeof from);
    __builtin_memcpy(&half.a, &from.b, sizeof from.b);
    __builtin_memcpy(&half.b, &from.a, sizeof from.a);
    out[gid()] = *whole.a + *whole.b + *half.a + *half.b;
}
