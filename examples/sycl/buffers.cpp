/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffers.cpp - an ordinary SYCL program, which does not use Nonflat itself: DPC++ compiles a kernel for the default
 * device, and the program compares each result with one computed by the host. The kernel's pointers point to private,
 * local and global memory, and one of them to private or local memory. tools/demo-sycl.sh runs it on PoCL, which has no
 * generic pointers.
 *
 *     g++ -std=c++17 -I ENV/include buffers.cpp -L ENV/lib -lsycl      ENV has the SYCL headers and run-time
 *
 * Exit status: 0 all results are right, 1 some are wrong, 2 the kernel could not be built or run.
 */
#define SYCL_DISABLE_FSYCL_SYCLHPP_WARNING
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace syclx = sycl::ext::oneapi::experimental;
constexpr int count = 256, group = 16;

static const char kernel_source[] = R"(
#include <sycl/sycl.hpp>
namespace syclx = sycl::ext::oneapi::experimental;

template <class T> __attribute__((noinline)) T total(const T *values, int n)
{
    T sum = 0;
    for (int i = 0; i < n; i++) sum += values[i];
    return sum;
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclx::nd_range_kernel<1>))
void mixed(sycl::accessor<int, 1> in, sycl::accessor<int, 1> out, sycl::local_accessor<int, 1> tile)
{
    auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
    int me = item.get_global_linear_id(), own[3] = {in[me], 2 * in[me], 3 * in[me]};
    tile[item.get_local_linear_id()] = in[me];
    sycl::group_barrier(item.get_group());
    const int *least = &own[0];
    for (int i = 0; i < 16; i++)
        if (tile[i] < *least) least = &tile[i];
    out[me] = total(own, 3) + total(&tile[0], 16) + total(&in[0], 256) + *least;
}
)";

static int expected(const std::vector<int> &in, int me)
{
    int first = me / group * group, tile = 0, all = 0;
    for (int i = 0; i < group; i++)
        tile += in[first + i];
    for (int value : in)
        all += value;
    return 6 * in[me] + tile + all + *std::min_element(in.begin() + first, in.begin() + first + group);
}

static void run(sycl::queue &queue, sycl::kernel kernel, std::vector<int> &in, std::vector<int> &out)
{
    sycl::buffer<int> from(in), to(out);
    queue.submit([&](sycl::handler &handler) {
        auto reads = from.get_access(handler);
        auto writes = to.get_access(handler);
        handler.set_args(reads, writes, sycl::local_accessor<int, 1>(group, handler));
        handler.parallel_for(sycl::nd_range<1>(count, group), kernel);
    });
}

int main()
{
    std::vector<int> in(count), out(count);
    for (int i = 0; i < count; i++)
        in[i] = (i * 389) % 1024;
    try {
        sycl::queue queue;
        std::printf("  device: %s\n", queue.get_device().get_info<sycl::info::device::name>().c_str());
        auto source = syclx::create_kernel_bundle_from_source(queue.get_context(), syclx::source_language::sycl,
                                                              std::string(kernel_source));
        auto bundle = syclx::build(source, syclx::properties{syclx::build_options(std::vector<std::string>{"-O1"})});
        run(queue, bundle.ext_oneapi_get_kernel("mixed"), in, out);
    } catch (const std::exception &error) {
        std::printf("  refused: %s\n", error.what());
        return 2;
    }
    int right = 0;
    for (int i = 0; i < count; i++)
        right += out[i] == expected(in, i);
    std::printf("  %d of %d right\n", right, count);
    return right != count;
}
