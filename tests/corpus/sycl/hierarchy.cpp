// SPDX-License-Identifier: Apache-2.0
// A hierarchical kernel: one work-item of each group computes between two loops over all of them, and what it has computed, a
// pointer to local or to global memory among it, reaches the others. The compiler adds the barriers.
/* TRUTH
{"kernels": [{"name": "_ZTS9hierarchy", "global": 32, "local": 8, "args": ["buffer:int:{[(i*37+11)%59 for i in range(32)]}", "zero:128"],
 "expect": {"1": "int:{[(lambda f,g,h:(lambda one:one*3+f[h]+((f if one&1 else [2*x for x in f])[7-h] if h&1 and h%3 else f[h]))(g+__import__('functools').reduce(lambda a,x:a*3+2*x,f,0)))([(i*37+11)%59 for i in range(8*g,8*g+8)],g,h) for g in range(4) for h in range(8)]}"}, "ambiguous": 1,
  "why": "p points to a private variable, the local array, or the host's memory"}]}
*/
class hierarchy;

static int sum_of(const int *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 3 + p[i];
    return sum;
}

void hierarchical(sycl::queue &q, int *far, int *out) {
    q.submit([&](sycl::handler &h) {
        h.parallel_for_work_group<hierarchy>(sycl::range<1>(4), sycl::range<1>(8), [=](sycl::group<1> g) {
            int near[8];
            int one = g.get_group_id(0);
            sycl::private_memory<int> mine(g);
            g.parallel_for_work_item([&](sycl::h_item<1> i) {
                mine(i) = far[i.get_global_id(0)];
                near[i.get_local_id(0)] = mine(i) * 2;
            });
            one += sum_of(near, 8);
            const int *all = one & 1 ? far + 8 * g.get_group_id(0) : near;
            g.parallel_for_work_item([&](sycl::h_item<1> i) {
                int here = i.get_local_id(0);
                const int *p = here & 1 ? all + 7 - here : &far[i.get_global_id(0)];
                int own = mine(i);
                if (here % 3 == 0) p = &own;
                out[i.get_global_id(0)] = one * 3 + mine(i) + *p;
            });
        });
    });
}
