/* SPDX-License-Identifier: Apache-2.0 */
/* scans.cpp - group algorithms on types of every width: scans and reductions over a group, and by a group over memory of either kind. */
#include "program.hpp"

BOTH(
    constexpr int group_size = 32, groups = 2, long_row = 75; /* the last group is incomplete */

    struct smaller {
        template <class T> T operator()(T a, T b) const { return b < a ? b : a;
}
}
;)

DEVICE(
    using namespace sycl;
    template <class T>
    static void scan_all(const T *in, T *out, T *near) {
    auto item = this_item();
    auto group = item.get_group();
    int me = item.get_global_id(0), own = item.get_local_id(0), n = item.get_global_range(0);
    near[own] = in[me];
    group_barrier(group);
    T one = in[me];
    out[0 * n + me] = inclusive_scan_over_group(group, one, plus<T>());
    out[1 * n + me] = exclusive_scan_over_group(group, one, plus<T>());
    out[2 * n + me] = inclusive_scan_over_group(group, one, minimum<T>());
    out[3 * n + me] = inclusive_scan_over_group(group, one, maximum<T>());
    out[4 * n + me] = reduce_over_group(group, one, minimum<T>());
    out[5 * n + me] = reduce_over_group(group, one, plus<T>());
    const T *from = in[0] > (T)3 ? near : in + group.get_group_id(0) * group_size;
    out[6 * n + me] = joint_reduce(group, from, from + group_size, maximum<T>());
    out[7 * n + me] = joint_reduce(group, from, from + group_size, minimum<T>());
    out[8 * n + me] = group_broadcast(group, one, 5);
    group_barrier(group);
    joint_exclusive_scan(group, in + n, in + n + long_row, out + 9 * n + group.get_group_id(0) * long_row, plus<T>());
    joint_inclusive_scan(group, in + n, in + n + long_row, out + 12 * n + group.get_group_id(0) * long_row,
                         maximum<T>());
    group_barrier(group);
    joint_inclusive_scan(group, from, from + group_size, near, plus<T>());
    group_barrier(group);
    out[15 * n + me] = near[group_size - 1 - own];
    }
    template <class T>
    static void scan_few(const T *in, T *out) {
    auto item = this_item();
    auto few = item.get_sub_group();
    int me = item.get_global_id(0), n = item.get_global_range(0), lane = few.get_local_linear_id(),
        lanes = few.get_local_linear_range();
    T one = in[me];
    T sum = T();
    T least = one;
    T mine = T();
    for (int i = 0; i < lanes; i++) {
        T other = select_from_group(few, one, i);
        if (i <= lane) sum = (T)(sum + other);
        if (i == lane) mine = sum;
        least = other < least ? other : least;
    }
    out[16 * n + me] = inclusive_scan_over_group(few, one, plus<T>()) == mine;
    out[17 * n + me] = reduce_over_group(few, one, minimum<T>()) == least;
    T left = shift_group_right(few, one, 1);
    T before = select_from_group(few, one, lane ? lane - 1 : 0);
    out[18 * n + me] = lane ? left == before : true;
    T swapped = permute_group_by_xor(few, one, 1);
    T beside = select_from_group(few, one, (lane ^ 1) < lanes ? (lane ^ 1) : lane);
    out[19 * n + me] = (lane ^ 1) < lanes ? swapped == beside : true;
    }
    KERNEL scan_char(char *in, char *out, local_accessor<char, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); }
    KERNEL scan_uchar(unsigned char *in, unsigned char *out, local_accessor<unsigned char, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); }
    KERNEL scan_short(short *in, short *out, local_accessor<short, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); }
    KERNEL scan_int(int *in, int *out, local_accessor<int, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); }
    KERNEL scan_unsigned(unsigned *in, unsigned *out, local_accessor<unsigned, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); }
    KERNEL scan_long(long *in, long *out, local_accessor<long, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); }
    KERNEL scan_float(float *in, float *out, local_accessor<float, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); }
    KERNEL scan_double(double *in, double *out, local_accessor<double, 1> near) {
    scan_all(in, out, &near[0]);
    scan_few(in, out); })

template <class T> static T add(T a, T b)
{
    return (T)(a + b);
}

/* Inclusive scans of n elements. */
template <class T, class F> static std::vector<T> scanned(const T *in, int n, F &&by)
{
    std::vector<T> out(in, in + n);
    for (int i = 1; i < n; i++)
        out[i] = by(out[i - 1], out[i]);
    return out;
}

template <class T> static void check_type(sycl::queue &queue, bundle &kernels, counts &of, const char *name)
{
    constexpr int n = group_size * groups, rows = 20;
    auto larger = [](T a, T b) { return a < b ? b : a; };
    for (int odd = 0; odd < 2; odd++) {
        T *in = shared<T>(queue, n + long_row), *out = shared<T>(queue, rows * n);
        for (int i = 0; i < n + long_row; i++)
            in[i] = (T)((i * 11 + 3 + odd) % 7 + (i % 5 == 2 ? -2 : 0) + (odd && i % 9 == 4 ? 90 : 0));
        std::fill(out, out + rows * n, T());
        launch(queue, kernels, name, n, group_size, in, out, in_local<T>{group_size});
        auto row = [&](int which) { return out + which * n; };
        auto plus_row = scanned(in + n, long_row, add<T>), max_row = scanned(in + n, long_row, larger);
        for (int g = 0; g < groups; g++) {
            const T *mine = in + g * group_size;
            auto sums = scanned(mine, group_size, add<T>), least = scanned(mine, group_size, smaller()),
                 most = scanned(mine, group_size, larger);
            for (int i = 0; i < group_size; i++) {
                int me = g * group_size + i, last = group_size - 1;
                of.same("inclusive sum", row(0)[me], sums[i]);
                of.same("exclusive sum", row(1)[me], i ? sums[i - 1] : T());
                of.same("inclusive minimum", row(2)[me], least[i]);
                of.same("inclusive maximum", row(3)[me], most[i]);
                of.same("minimum", row(4)[me], least[last]);
                of.same("sum", row(5)[me], sums[last]);
                of.same("maximum of memory", row(6)[me], most[last]);
                of.same("minimum of memory", row(7)[me], least[last]);
                of.same("broadcast", row(8)[me], mine[5]);
                of.same("sums of memory", row(15)[me], sums[last - i]);
                for (int r = 16; r < 20; r++)
                    of.same("sub-group", row(r)[me], (T)1);
            }
            for (int i = 0; i < long_row; i++) {
                of.same("exclusive sums of a row", row(9)[g * long_row + i], i ? plus_row[i - 1] : T());
                of.same("maxima of a row", row(12)[g * long_row + i], max_row[i]);
            }
        }
        sycl::free(in, queue);
        sycl::free(out, queue);
    }
}

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    check_type<char>(queue, kernels, of, "scan_char");
    check_type<unsigned char>(queue, kernels, of, "scan_uchar");
    check_type<short>(queue, kernels, of, "scan_short");
    check_type<int>(queue, kernels, of, "scan_int");
    check_type<unsigned>(queue, kernels, of, "scan_unsigned");
    check_type<long>(queue, kernels, of, "scan_long");
    check_type<float>(queue, kernels, of, "scan_float");
    if (queue.get_device().has(sycl::aspect::fp64)) check_type<double>(queue, kernels, of, "scan_double");
}
