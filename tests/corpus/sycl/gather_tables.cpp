// SPDX-License-Identifier: Apache-2.0
// Structures of pointers to structures of pointers are copied as a whole into an array in each memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "zero:2048", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 2 * ((i + 1) % 64) + 4 * ((i + 2) % 64) for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Inner {
    int *value;
};
struct Outer {
    Inner *inner;
    int weight;
};
NOINLINE int weigh(Outer o) { return *o.inner->value * o.weight; }
KERNEL k(int *out, Inner *far, int *in) {
    LOCAL char room[16 * sizeof(Inner)];
    Inner *near = reinterpret_cast<Inner *>(room) + lid();
    Inner mine{in + gid()};
    near->value = in + (gid() + 1) % 64;
    far[gid()].value = in + (gid() + 2) % 64;
    Outer own{&mine, 1}, local{near, 2}, global{far + gid(), 4};
    out[gid()] = weigh(own) + weigh(local) + weigh(global);
}
