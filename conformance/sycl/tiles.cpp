/* SPDX-License-Identifier: Apache-2.0 */
/* tiles.cpp - ranges of two dimensions, tiles in local memory, atomics through generic pointers, group algorithms. */
#include "program.hpp"

BOTH(
    constexpr int side = 32, tile = 8;

    static float row_by_column(const float *row, const float *column, int step, int n) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += row[i] * column[i * step];
        return sum;
    }

    static unsigned bucket(unsigned value) { return (value * 2654435761u) >> 28; })

DEVICE(
    KERNEL2 multiply(sycl::accessor<float, 2> a, sycl::accessor<float, 2> b, sycl::accessor<float, 2> c,
                     sycl::local_accessor<float, 2> ta, sycl::local_accessor<float, 2> tb) {
        auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
        int y = item.get_global_id(0), x = item.get_global_id(1), ly = item.get_local_id(0), lx = item.get_local_id(1);
        float sum = 0;
        for (int t = 0; t < side; t += tile) {
            ta[ly][lx] = a[y][t + lx];
            tb[ly][lx] = b[t + ly][x];
            sycl::group_barrier(item.get_group());
            sum += row_by_column(&ta[ly][0], &tb[0][lx], tile, tile);
            sycl::group_barrier(item.get_group());
        }
        c[y][x] = sum + 0 * row_by_column(&a[y][0], &b[0][x], side, 1);
    }

    using namespace sycl;
    static void count_one(unsigned *where) {
        atomic_ref<unsigned, memory_order::relaxed, memory_scope::device>(*where).fetch_add(1u);
    }

    KERNEL histogram(accessor<unsigned, 1> in, accessor<unsigned, 1> out, local_accessor<unsigned, 1> near, int n) {
        auto item = this_item();
        int me = item.get_local_id(0), all = item.get_local_range(0);
        for (int i = me; i < 16; i += all)
            near[i] = 0;
        group_barrier(item.get_group());
        for (int i = item.get_global_id(0); i < n; i += item.get_global_range(0))
            count_one(in[i] & 1 ? &near[bucket(in[i])] : &out[bucket(in[i])]);
        group_barrier(item.get_group());
        for (int i = me; i < 16; i += all)
            atomic_ref<unsigned, memory_order::relaxed, memory_scope::device, access::address_space::global_space>(
                out[i]) += near[i];
    }

    KERNEL groups(accessor<int, 1> given, accessor<int, 1> written, local_accessor<int, 1> near) {
        const int *in = &given[0];
        int *out = &written[0];
        auto item = this_item();
        auto group = item.get_group();
        auto few = item.get_sub_group();
        int me = item.get_global_id(0), own = item.get_local_id(0);
        near[own] = in[me];
        group_barrier(group);
        const int *from = in[0] & 1 ? &near[0] : in + group.get_group_id(0) * 32;
        out[8 * me] = joint_reduce(group, from, from + 32, plus<>());
        out[8 * me + 1] = inclusive_scan_over_group(group, in[me], plus<int>());
        out[8 * me + 2] = exclusive_scan_over_group(group, in[me], maximum<int>());
        out[8 * me + 3] = group_broadcast(group, in[me], 7);
        out[8 * me + 4] = reduce_over_group(few, 1, plus<int>()) == few.get_local_linear_range();
        out[8 * me + 5] = select_from_group(few, me, (few.get_local_linear_id() ^ 1)) ^ 1;
        out[8 * me + 6] = any_of_group(group, in[me] == 5) + 2 * all_of_group(group, in[me] >= 0);
        joint_inclusive_scan(group, from, from + 32, &near[0], plus<>());
        group_barrier(group);
        out[8 * me + 7] = near[31 - own];
    })

static void check_product(sycl::queue &queue, bundle &kernels, counts &of)
{
    std::vector<float> a(side * side), b(side * side), c(side * side);
    for (int i = 0; i < side * side; i++) {
        a[i] = (float)(i * 7 % 13);
        b[i] = (float)(i * 5 % 11);
    }
    {
        sycl::range<2> all(side, side), one(tile, tile);
        sycl::buffer<float, 2> left(a.data(), all), right(b.data(), all), product(c.data(), all);
        queue.submit([&](sycl::handler &handler) {
            auto a = left.get_access(handler), b = right.get_access(handler), c = product.get_access(handler);
            handler.set_args(a, b, c, sycl::local_accessor<float, 2>(one, handler),
                             sycl::local_accessor<float, 2>(one, handler));
            handler.parallel_for(sycl::nd_range<2>(all, one), kernels.ext_oneapi_get_kernel("multiply"));
        });
    }
    for (int i = 0; i < side * side; i++)
        of.same("product", c[i], row_by_column(&a[i / side * side], &b[i % side], side, side));
}

static void check_histogram(sycl::queue &queue, bundle &kernels, counts &of)
{
    constexpr int n = 1000;
    std::vector<unsigned> in(n), out(16), wanted(16);
    for (int i = 0; i < n; i++) {
        in[i] = i * 17 + 5;
        wanted[bucket(in[i])]++;
    }
    {
        sycl::buffer<unsigned> from(in), to(out);
        queue.submit([&](sycl::handler &handler) {
            auto reads = from.get_access(handler);
            auto writes = to.get_access(handler);
            handler.set_args(reads, writes, sycl::local_accessor<unsigned, 1>(16, handler), n);
            handler.parallel_for(sycl::nd_range<1>(64, 32), kernels.ext_oneapi_get_kernel("histogram"));
        });
    }
    for (int i = 0; i < 16; i++)
        of.same("bucket", out[i], wanted[i]);
}

static void check_groups(sycl::queue &queue, bundle &kernels, counts &of)
{
    constexpr int n = 64, group = 32;
    for (int odd = 0; odd < 2; odd++) {
        std::vector<int> in(n), out(8 * n);
        for (int i = 0; i < n; i++)
            in[i] = (i * 11 + 6 + odd) % 23;
        {
            sycl::buffer<int> from(in), to(out);
            queue.submit([&](sycl::handler &handler) {
                auto reads = from.get_access(handler);
                auto writes = to.get_access(handler);
                handler.set_args(reads, writes, sycl::local_accessor<int, 1>(group, handler));
                handler.parallel_for(sycl::nd_range<1>(n, group), kernels.ext_oneapi_get_kernel("groups"));
            });
        }
        for (int first = 0; first < n; first += group) {
            std::vector<int> sums(group);
            int most = std::numeric_limits<int>::lowest(), sum = 0;
            bool five = false;
            for (int i = 0; i < group; i++) {
                sums[i] = sum += in[first + i];
                five |= in[first + i] == 5;
            }
            for (int i = 0; i < group; i++) {
                const int *got = &out[8 * (first + i)];
                int wanted[8] = {sum, sums[i], most, in[first + 7], 1, first + i, five + 2, sums[group - 1 - i]};
                for (int k = 0; k < 8; k++)
                    of.same("group", got[k], wanted[k]);
                most = std::max(most, in[first + i]);
            }
        }
    }
}

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    check_product(queue, kernels, of);
    check_histogram(queue, kernels, of);
    check_groups(queue, kernels, of);
}
