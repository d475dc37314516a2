// SPDX-License-Identifier: Apache-2.0
// multi_ptr of the generic space made of every other, passed, compared and counted up.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
 "expect": {"0": "int:{[g + 2*g + 3*g + g + (g if g%2 else 2*g) + 16 for g in range(64)]}"}, "ambiguous": {"O0": 1, "O2": 1, "O2-noinline": 1}, "why": "local or global by the item's number"}]}
*/
using sycl::access::address_space;
using sycl::access::decorated;
template <typename T, decorated D> using gp = sycl::multi_ptr<T, address_space::generic_space, D>;
NOINLINE int get(gp<int, decorated::no> p) { return *p; }
NOINLINE int get2(gp<const int, decorated::no> p, int i) { return p[i]; }
KERNEL k(int *out, int *in) {
    LOCAL int tile[16];
    int g = gid(), l = lid(), own = 3 * g;
    auto ga = sycl::address_space_cast<address_space::global_space, decorated::no>(in);
    auto la = sycl::address_space_cast<address_space::local_space, decorated::no>((int *)tile);
    auto pa = sycl::address_space_cast<address_space::private_space, decorated::no>(&own);
    la[l] = 2 * g;
    gp<int, decorated::no> x(ga + g), y(la + l);
    gp<int, decorated::no> z(pa);
    int r = get(x) + get(y) + get(z) + get2(gp<const int, decorated::no>(ga), g);
    gp<int, decorated::no> w = g % 2 ? x : y;
    r += *w.get();
    meet();
    gp<int, decorated::no> first(la), last(la + 16);
    for (; first != last; ++first) r += (first.get() != nullptr);
    out[g] = r;
}
