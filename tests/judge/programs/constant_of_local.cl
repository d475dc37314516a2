// SPDX-License-Identifier: Apache-2.0
// The integer of the address of a local variable, which clang 22 writes as a constant expression, becomes a pointer.
/* TRUTH
{"kernels": [
  {"name": "k", "args": ["zero:16"], "expect": {"0": "int:5,0,0,0"}, "global": 1, "local": 1}
]}
*/
kernel void k(global int *out) {
    local int x;
    x = 5;
    ulong a = (ulong)&x;
    int *p = (int *)a;
    *out = *p;
}
