// SPDX-License-Identifier: Apache-2.0
// Base pointers to derived objects in private and local memory, and members behind them.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 30 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Base {
    int kind;
    int *value;
};
struct Derived : Base {
    int extra;
};
NOINLINE int eval(const Base *b) { return b->kind ? *b->value + static_cast<const Derived *>(b)->extra : *b->value; }
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int mine = in[gid()], *l = scratch + lid();
    *l = in[gid()];
    Derived d;
    d.kind = 1;
    d.value = &mine;
    d.extra = 30;
    Base b{0, l};
    out[gid()] = eval(&d) + eval(&b);
}
