/* SPDX-License-Identifier: Apache-2.0 */
/* lambdas.cpp - hierarchical parallelism and streams, whose kernels are lambdas: launched by name, with their captures as arguments. */
#include "program.hpp"

#include <algorithm>

BOTH(constexpr int wide = 32; constexpr int group_size = 8;

     static int sum_of(const int *p, int n) {
         int sum = 0;
         for (int i = 0; i < n; i++)
             sum = sum * 3 + p[i];
         return sum;
     })

DEVICE(
    using namespace sycl; class hierarchy; class writing;

    void hierarchical(queue &q, int *far, int *out) {
        q.submit([&](handler &h) {
            h.parallel_for_work_group<hierarchy>(range<1>(4), range<1>(8), [=](group<1> g) {
                int near[8];
                int one = g.get_group_id(0);
                const int *all = near;
                private_memory<int> mine(g);
                g.parallel_for_work_item([&](h_item<1> i) {
                    mine(i) = far[i.get_global_id(0)];
                    near[i.get_local_id(0)] = mine(i) * 2;
                });
                one += sum_of(all, 8);
                if (one & 1) all = far + 8 * g.get_group_id(0);
                g.parallel_for_work_item([&](h_item<1> i) {
                    int here = i.get_local_id(0);
                    const int *p = here & 1 ? all + 7 - here : &far[i.get_global_id(0)];
                    int own = mine(i);
                    if (here % 3 == 0) p = &own;
                    out[i.get_global_id(0)] = one * 3 + mine(i) + *p;
                });
            });
        });
    }

    void streamed(queue &q, int *far) {
        q.submit([&](handler &h) {
            stream s(1024, 64, h);
            h.parallel_for<writing>(nd_range<1>(32, 8), [=](nd_item<1> i) {
                int me = i.get_global_id(0);
                vec<int, 2> both{me, far[me]};
                const char *what = me & 1 ? "odd " : "even ";
                s << what << me << ' ' << both << ' ' << 1.5f * me << hex << ' ' << far[me] << dec << '\n';
            });
        });
    })

static void check_hierarchy(sycl::queue &queue, bundle &kernels, counts &of)
{
    int *far = shared<int>(queue, wide), *out = shared<int>(queue, wide);
    for (int i = 0; i < wide; i++)
        far[i] = (i * 37 + 11) % 59;
    launch(queue, kernels, "_ZTS9hierarchy", wide, group_size, far, out);
    for (int first = 0; first < wide; first += group_size) {
        int near[group_size], one = first / group_size;
        for (int i = 0; i < group_size; i++)
            near[i] = far[first + i] * 2;
        one += sum_of(near, group_size);
        const int *all = one & 1 ? far + first : near;
        for (int here = 0; here < group_size; here++) {
            int p = here % 3 == 0 || !(here & 1) ? far[first + here] : all[7 - here];
            of.same("hierarchy", out[first + here], one * 3 + far[first + here] + p);
        }
    }
}

static void check_stream(sycl::queue &queue, bundle &kernels, counts &of)
{
    constexpr int room = 4096, each = 66;
    std::vector<char> all(room), flushed(wide * each);
    std::vector<unsigned> offset(2);
    int *far = shared<int>(queue, wide);
    for (int i = 0; i < wide; i++)
        far[i] = i * 7 + 1;
    {
        sycl::buffer<char> text(all), kept(flushed);
        sycl::buffer<unsigned> at(offset);
        queue.submit([&](sycl::handler &handler) {
            auto a = text.get_access<sycl::access::mode::read_write>(handler);
            auto b = at.get_access<sycl::access::mode::atomic>(handler);
            auto c = kept.get_access<sycl::access::mode::read_write>(handler);
            handler.set_args(far, a, b, c, (size_t)each);
            handler.parallel_for(sycl::nd_range<1>(wide, group_size), kernels.ext_oneapi_get_kernel("_ZTS7writing"));
        });
    }
    std::vector<std::string> lines(1), wanted;
    for (char c : all)
        if (c == '\n')
            lines.push_back("");
        else if (c)
            lines.back() += c;
    lines.pop_back();
    for (int me = 0; me < wide; me++) {
        char line[100], number[20];
        std::snprintf(number, sizeof number, "%g", 1.5f * me);
        std::snprintf(line, sizeof line, "%s %d %d, %d %s %x", me & 1 ? "odd" : "even", me, me, far[me], number,
                      far[me]);
        wanted.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    std::sort(wanted.begin(), wanted.end());
    of.same("lines", lines.size(), wanted.size());
    for (size_t i = 0; i < std::min(lines.size(), wanted.size()); i++) {
        if (lines[i] != wanted[i]) std::printf("  '%s', not '%s'\n", lines[i].c_str(), wanted[i].c_str());
        of.same("line", lines[i] == wanted[i], true);
    }
}

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    check_hierarchy(queue, kernels, of);
    check_stream(queue, kernels, of);
}
