// SPDX-License-Identifier: Apache-2.0
// A struct of pointers in private memory, filled and read by functions that are not inlined.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + (i ^ 1) + i % 16 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct View {
    const int *global;
    int *local;
    int *priv;
};
NOINLINE void make(View &v, const int *g, int *l, int *p) {
    v.global = g;
    v.local = l;
    v.priv = p;
}
NOINLINE int total(const View &v) { return *v.global + *v.local + *v.priv; }
KERNEL k(int *out, const int *in) {
    LOCAL int scratch[16];
    int mine = in[gid() ^ 1];
    View v;
    scratch[lid()] = lid();
    make(v, in + gid(), scratch + lid(), &mine);
    out[gid()] = total(v);
}
