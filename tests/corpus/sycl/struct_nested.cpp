// SPDX-License-Identifier: Apache-2.0
// Structs in structs with pointers at different offsets, copied whole and returned by value.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2*i + 5 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Inner {
    int pad;
    int *p;
};
struct Outer {
    Inner a, b[2];
    short tail;
};
NOINLINE Inner inner(int *p, int n) { return Inner{n, p}; }
NOINLINE Outer outer(int *x, int *y, int *z) { return Outer{inner(x, 1), {inner(y, 2), inner(z, 3)}, 4}; }
NOINLINE int read(Outer o) { return *o.a.p + *o.b[0].p + *o.b[1].p + o.tail; }
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int one = 1;
    scratch[lid()] = in[gid()];
    Outer o = outer(in + gid(), &one, scratch + lid());
    Outer copy = o;
    out[gid()] = read(copy);
}
