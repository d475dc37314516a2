/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.hpp - the beginning of every SYCL program of this folder. BOTH(...) is code for host and device: the host's compiler compiles it,
 * and its text is compiled by DPC++ at run time, so that the host computes the expected results. DEVICE(...) is code for the device only;
 * KERNEL precedes a kernel, KERNEL2 one of two dimensions. Neither may contain lines with '#'.
 *
 *     PROGRAM OPTION...      options of the device's compiler, such as -O0
 *
 * Prints "N of M right"; exit status: 0 all are right, 1 some are wrong, 2 the device does not accept the kernels, 3 it lacks the kind of
 * memory.
 */
#define SYCL_DISABLE_FSYCL_SYCLHPP_WARNING
#include <sycl/sycl.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace syclx = sycl::ext::oneapi::experimental;

static std::string &text()
{
    static std::string all =
        "#include <sycl/sycl.hpp>\n#include <sycl/ext/oneapi/bfloat16.hpp>\n"
        "namespace syclx = sycl::ext::oneapi::experimental;\n"
        "#define KERNEL_OF(n) extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclx::nd_range_kernel<n>)) void\n"
        "#define KERNEL KERNEL_OF(1)\n#define KERNEL2 KERNEL_OF(2)\n"
        "static auto this_item() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>(); }\n";
    return all;
}
static int add_text(const char *more)
{
    text() += more + std::string("\n");
    return 0;
}

#define BOTH(...)                                                                                                      \
    __VA_ARGS__                                                                                                        \
    DEVICE(__VA_ARGS__)
#define JOINED(a, b) a##b
#define NAMED(line) JOINED(text_, line)
#define DEVICE(...) static const int NAMED(__COUNTER__) = add_text(#__VA_ARGS__);

struct counts {
    int right = 0, all = 0;
    template <class A, class B> void same(const char *what, const A &got, const B &wanted)
    {
        bool is = got == wanted;
        if (!is && all - right < 8) std::printf("  %s: %g, not %g\n", what, (double)got, (double)wanted);
        right += is;
        all++;
    }
};

using bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

/* An argument of launch() that allocates local memory for `count` elements. */
template <class T> struct in_local {
    int count;
};
template <class T> T as_argument(sycl::handler &, const T &value)
{
    return value;
}
template <class T> sycl::local_accessor<T, 1> as_argument(sycl::handler &handler, const in_local<T> &wanted)
{
    return {sycl::range<1>(wanted.count), handler};
}

/* Runs a kernel on `all` work-items in groups of `one`. */
template <class... T>
void launch(sycl::queue &queue, bundle &kernels, const char *name, int all, int one, const T &...arguments)
{
    queue.submit([&](sycl::handler &handler) {
        handler.set_args(as_argument(handler, arguments)...);
        handler.parallel_for(sycl::nd_range<1>(all, one), kernels.ext_oneapi_get_kernel(name));
    });
    queue.wait();
}

template <class T> T *shared(sycl::queue &queue, int n)
{
    return sycl::malloc_shared<T>(n, queue);
}

void check(sycl::queue &queue, bundle &kernels, counts &of);

int main(int count, char **words)
{
    counts of;
    try {
        sycl::queue queue{sycl::property::queue::in_order()};
        auto source =
            syclx::create_kernel_bundle_from_source(queue.get_context(), syclx::source_language::sycl, text());
        std::string log;
        std::vector<std::string> options(words + 1, words + count);
        bundle kernels = syclx::build(source, syclx::properties{syclx::build_options(options), syclx::save_log(&log)});
        check(queue, kernels, of);
    } catch (const sycl::exception &error) {
        std::printf("refused: %s\n", error.what());
        return error.code() == sycl::errc::feature_not_supported ? 3 : 2;
    }
    std::printf("%d of %d right\n", of.right, of.all);
    return of.right != of.all;
}
