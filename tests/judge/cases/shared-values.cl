// SPDX-License-Identifier: Apache-2.0
// LEVELS: O0, as newer compilers copy the argument first at O2
// A by-value argument that is written: each item has its own copy, unless the driver shares it.
// RUN: --global 4 --local 4 --arg zero:16 --arg int:3;int:0
// CHECK: arg 0 int: 3 4 5 6
// RUN: --share-values --global 4 --local 4 --arg zero:16 --arg int:3;int:0
// CHECK: arg 0 int: 3 4 6 9
struct pair {
    int a, b;
};
void __attribute__((noinline)) raise(struct pair *p, int by) { p->a += by; }
kernel void k(global int *out, struct pair p) {
    raise(&p, get_global_id(0));
    out[get_global_id(0)] = p.a;
}
