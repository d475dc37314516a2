// SPDX-License-Identifier: Apache-2.0
// A by-value struct argument that the kernel writes through a pointer: each work-item has its own.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "bytes:0100000002000000"],
  "expect": {"0": "int:{[i + 1 + 2 for i in range(64)]}"}, "ambiguous": 0}], "wrong_on": {"native": "all work-items of a group share the one copy of the argument"}}
*/
struct two { int a, b; };
__attribute__((noinline)) void bump(int *p, int by) { *p += by; }
kernel void k(global int *out, struct two t) {
    bump(&t.a, get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t.a + t.b;
}
