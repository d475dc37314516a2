// SPDX-License-Identifier: Apache-2.0
// A table of methods, as a vtable has them, called on an object in private memory.
// OPTIONS: -Xclang -fsycl-allow-func-ptr
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[3 * i if i % 2 else i * i for i in range(64)]}"}, "ambiguous": 0}],
 "devices": ["cpu", "fpga"]}
*/
struct Shape;
typedef int (*Method)(const Shape *);
struct Shape {
    Method area;
    int width, *height;
};
NOINLINE int square(const Shape *s) { return s->width * s->width; }
NOINLINE int oblong(const Shape *s) { return s->width * *s->height; }
KERNEL k(int *out, int *in) {
    int three = 3;
    Shape shapes[2] = {{square, in[gid()], nullptr}, {oblong, in[gid()], &three}};
    const Shape *s = &shapes[gid() & 1];
    out[gid()] = s->area(s);
}
