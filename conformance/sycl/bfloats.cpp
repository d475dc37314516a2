/* SPDX-License-Identifier: Apache-2.0 */
/* bfloats.cpp - bfloat16 on pointers to private and local memory and to a buffer. */
#include "program.hpp"
#include <sycl/ext/oneapi/bfloat16.hpp>

BOTH(
    using brain = sycl::ext::oneapi::bfloat16;

    static float dot(const brain *a, const brain *b, int n) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += (float)a[i] * (float)b[i];
        return sum;
    }

    static unsigned rounded(unsigned bits) {
        return sycl::bit_cast<unsigned short>(brain(sycl::bit_cast<float>(bits)));
    }

    static float mixed(int me, brain *a, const brain *b) {
        a[0] = a[1] / brain(3.0f);
        a[1] += brain(0.125f) * b[me & 3];
        a[2] = -b[2];
        return dot(a, b, 4) + (a[0] < b[1] ? 1000 : 0);
    })

DEVICE(
    KERNEL round(sycl::accessor<unsigned, 1> in, sycl::accessor<unsigned, 1> out) {
        int me = this_item().get_global_id(0);
        out[me] = rounded(in[me]);
    }

    KERNEL mix(sycl::accessor<unsigned short, 1> given, sycl::accessor<float, 1> out,
               sycl::local_accessor<unsigned short, 1> near) {
        int me = this_item().get_global_id(0), own = this_item().get_local_id(0);
        unsigned short bits[4];
        for (int i = 0; i < 4; i++) {
            near[own * 4 + i] = given[me * 4 + i];
            bits[i] = given[me * 4 + i];
        }
        sycl::group_barrier(this_item().get_group());
        brain *local = (brain *)&near[own * 4];
        brain *chosen = me & 1 ? local : (brain *)bits;
        out[me] = mixed(me, chosen, me & 2 ? (brain *)&given[me * 4] : local);
    })

static unsigned number(unsigned i)
{
    unsigned bits = i * 2654435761u, edge = i % 8;
    if (edge == 0) return (bits & 0xffff0000u) | 0x8000u;                        /* in the middle */
    if (edge == 1) return 0x7f800000u | (bits & 0x80000000u) | (i & 16 ? 1 : 0); /* infinite, or none */
    return edge == 2 ? bits & 0x807fffffu : bits;
}

static void check_rounding(sycl::queue &queue, bundle &kernels, counts &of)
{
    constexpr int count = 512;
    std::vector<unsigned> in(count), out(count);
    for (int i = 0; i < count; i++)
        in[i] = number(i);
    {
        sycl::buffer<unsigned> from(in), to(out);
        queue.submit([&](sycl::handler &handler) {
            auto reads = from.get_access(handler);
            auto writes = to.get_access(handler);
            handler.set_args(reads, writes);
            handler.parallel_for(sycl::nd_range<1>(count, 16), kernels.ext_oneapi_get_kernel("round"));
        });
    }
    for (int i = 0; i < count; i++) {
        bool none = (in[i] & 0x7fffffffu) > 0x7f800000u;
        of.same("rounded", none ? (out[i] & 0x7fc0) : out[i], none ? 0x7fc0 : rounded(in[i]));
    }
}

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    constexpr int count = 64;
    check_rounding(queue, kernels, of);
    std::vector<unsigned short> given(4 * count);
    std::vector<float> out(count);
    for (int i = 0; i < 4 * count; i++)
        given[i] = sycl::bit_cast<unsigned short>(brain((float)((i * 37) % 101) / 4));
    std::vector<unsigned short> first = given;
    {
        sycl::buffer<unsigned short> from(given);
        sycl::buffer<float> to(out);
        queue.submit([&](sycl::handler &handler) {
            auto reads = from.get_access(handler);
            auto writes = to.get_access(handler);
            handler.set_args(reads, writes, sycl::local_accessor<unsigned short, 1>(64, handler));
            handler.parallel_for(sycl::nd_range<1>(count, 16), kernels.ext_oneapi_get_kernel("mix"));
        });
    }
    for (int me = 0; me < count; me++) {
        std::vector<unsigned short> a(&first[4 * me], &first[4 * me] + 4), b = a;
        bool same = me % 4 == 1; /* both pointers are local */
        of.same("mixed", out[me], mixed(me, (brain *)a.data(), same ? (brain *)a.data() : (brain *)b.data()));
    }
}
