// SPDX-License-Identifier: Apache-2.0
// Pointers to members, applied to objects in private and local memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 3 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Point {
    int x, y;
};
NOINLINE int get(const Point *p, int Point::*m) { return p->*m; }
KERNEL k(int *out, int *in) {
    LOCAL int room[32];
    Point mine{in[gid()], 3}, *l = reinterpret_cast<Point *>(room) + lid();
    l->x = in[gid()];
    l->y = 4;
    int Point::*which = in[gid()] >= 0 ? &Point::x : &Point::y;
    out[gid()] = get(&mine, which) + get(l, which) + get(&mine, &Point::y);
}
