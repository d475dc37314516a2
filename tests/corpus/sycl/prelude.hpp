// SPDX-License-Identifier: Apache-2.0
// prelude.hpp - the beginning of every SYCL program of the corpus, which the compile script inserts.
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>)) void
#define NOINLINE __attribute__((noinline))
#define LOCAL static __attribute__((opencl_local))
static int gid() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0); }
static int lid() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_local_id(0); }
static void meet() { sycl::group_barrier(sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_group()); }
template <typename T, int N> using shared = syclex::work_group_memory<T[N]>;
