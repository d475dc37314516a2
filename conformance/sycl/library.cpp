/* SPDX-License-Identifier: Apache-2.0 */
/* library.cpp - features outside of the core of SYCL: sorting, local memory of functions, copies by events, ballots,
 * complex numbers. */
#include "program.hpp"

#include <complex>

static const int includes =
    add_text("#include <complex>\n#include <cstring>\n#include <sycl/ext/oneapi/experimental/group_sort.hpp>");

BOTH(
    constexpr int wide = 32;

    struct odd { char bytes[13]; }; struct fields {
        unsigned a : 3;
        unsigned b : 11;
        long c : 40;
        int *where;
    };)

DEVICE(
    using namespace sycl;

    KERNEL sorted(int *far, int *out, local_accessor<std::byte, 1> near) {
        auto item = this_item();
        auto group = item.get_group();
        int here = item.get_local_id(0);
        size_t size = near.size();
        syclx::group_with_scratchpad all(group, sycl::span<std::byte>(&near[0], size));
        out[here] = syclx::sort_over_group(all, far[here]);
    }

    syclx::work_group_static<int>
        one;
    syclx::work_group_static<int[wide]> many;

    KERNEL own_memory(int *far, int *out) {
        auto item = this_item();
        auto group = item.get_group();
        int here = item.get_local_id(0);
        many[here] = far[here];
        if (!here) one = 7;
        group_barrier(group);
        int *p = here & 1 ? &many[wide - 1 - here] : here & 2 ? &one : &far[here];
        out[here] = *p;
    }

    KERNEL copies(int *far, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        auto group = item.get_group();
        int here = item.get_local_id(0);
        auto local = near.get_multi_ptr<access::decorated::yes>();
        auto global = address_space_cast<access::address_space::global_space, access::decorated::yes>(far);
        auto other = address_space_cast<access::address_space::global_space, access::decorated::yes>(out);
        auto event = group.async_work_group_copy(local, global, wide);
        group.wait_for(event);
        near[here] += here;
        group_barrier(group);
        group.async_work_group_copy(other, local, wide / 2, 2).wait();
        group_barrier(group);
        if (here & 1) out[here] = near[here];
    }

    KERNEL bytes(odd * far, int *out, local_accessor<odd, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        odd own[2];
        odd *p = me % 3 == 0 ? own : me % 3 == 1 ? &near[2 * here] : &far[2 * me];
        odd *q = me & 1 ? &near[2 * here + 1] : &own[1];
        std::memset(p, me, sizeof *p);
        for (int i = 0; i < 13; i++)
            q->bytes[i] = i;
        std::memcpy(p->bytes + 3, q->bytes + me % 5, me % 7);
        std::memmove(q->bytes + 2, q->bytes, 9);
        odd copied = *q;
        *p = me & 4 ? copied : *p;
        int sum = 0;
        for (int i = 0; i < 13; i++)
            sum = sum * 3 + p->bytes[i];
        out[me] = sum;
    }

    KERNEL packed(int *far, long *out, local_accessor<fields, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        int mine = 9;
        fields own{5u, 77u, -3l - me, me & 2 ? &mine : &far[me]};
        fields *f = me & 1 ? &near[here] : &own;
        *f = own;
        f->a += me;
        f->b ^= 33;
        f->c -= 1l << 33;
        *f->where += f->a;
        out[me] = f->a + f->b * 3 + f->c + *f->where;
    }

    KERNEL some(int *far, int *out) {
        auto item = this_item();
        int here = item.get_local_id(0);
        auto few = item.get_sub_group();
        auto votes = ext::oneapi::group_ballot(few, far[here] & 1);
        out[2 * here] = votes.count();
        out[2 * here + 1] = votes[few.get_local_id()] == (bool)(far[here] & 1);
    }

    KERNEL complexes(std::complex<float> * far, std::complex<float> *out, local_accessor<std::complex<float>, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        std::complex<float> own(me, 1);
        near[here] = std::complex<float>(2, me);
        std::complex<float> *p = me % 3 == 0 ? &own : me % 3 == 1 ? &near[here] : &far[me];
        *p *= std::complex<float>(3, -2);
        *p += std::conj(far[(me & ~1) % wide]) * 0.0f;
        std::complex<float> *q = me & 1 ? &own : p;
        out[me] = *p + *q * 2.0f;
    })

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    int *far = shared<int>(queue, wide), *out = shared<int>(queue, 3 * wide);
    auto fill = [&] {
        for (int i = 0; i < wide; i++)
            far[i] = (i * 37 + 11) % 59;
    };
    fill();
    std::vector<int> up(far, far + wide);
    std::sort(up.begin(), up.end());
    launch(queue, kernels, "sorted", wide, wide, far, out, in_local<std::byte>{8 * 4 * wide});
    for (int i = 0; i < wide; i++)
        of.same("sorted", out[i], up[i]);
    fill();
    launch(queue, kernels, "own_memory", wide, wide, far, out);
    for (int i = 0; i < wide; i++)
        of.same("own memory", out[i], i & 1 ? far[wide - 1 - i] : i & 2 ? 7 : far[i]);
    launch(queue, kernels, "copies", wide, wide, far, out, in_local<int>{wide});
    for (int i = 0; i < wide; i++)
        of.same("copies", out[i], i & 1 ? far[i] + i : far[i / 2] + i / 2);
    launch(queue, kernels, "bytes", wide, wide, shared<odd>(queue, 2 * wide), out, in_local<odd>{2 * wide});
    for (int me = 0; me < wide; me++) {
        odd p, q;
        std::memset(&p, me, sizeof p);
        for (int i = 0; i < 13; i++)
            q.bytes[i] = i;
        std::memcpy(p.bytes + 3, q.bytes + me % 5, me % 7);
        std::memmove(q.bytes + 2, q.bytes, 9);
        if (me & 4) p = q;
        int sum = 0;
        for (int i = 0; i < 13; i++)
            sum = sum * 3 + p.bytes[i];
        of.same("bytes", out[me], sum);
    }
    long *longs = shared<long>(queue, wide);
    fill();
    std::vector<int> before(far, far + wide);
    launch(queue, kernels, "packed", wide, wide, far, longs, in_local<fields>{wide});
    for (int me = 0; me < wide; me++) {
        int mine = 9;
        fields f{5u, 77u, -3l - me, me & 2 ? &mine : &before[me]};
        f.a += me;
        f.b ^= 33;
        f.c -= 1l << 33;
        *f.where += f.a;
        of.same("packed", longs[me], f.a + f.b * 3 + f.c + *f.where);
    }
    fill();
    launch(queue, kernels, "some", wide, wide, far, out);
    for (int i = 0; i < wide; i++) {
        of.same("ballot", out[2 * i + 1], 1);
    }
    using complex = std::complex<float>;
    complex *plain = shared<complex>(queue, wide), *got = shared<complex>(queue, wide);
    for (int i = 0; i < wide; i++)
        plain[i] = complex(i, -i);
    launch(queue, kernels, "complexes", wide, 16, plain, got, in_local<complex>{16});
    for (int me = 0; me < wide; me++) {
        complex own(me, 1), near(2, me), there(me, -me), *p = me % 3 == 0 ? &own : me % 3 == 1 ? &near : &there;
        *p *= complex(3, -2);
        complex *q = me & 1 ? &own : p, wanted = *p + *q * 2.0f;
        of.same("complex", got[me].real(), wanted.real());
        of.same("complex", got[me].imag(), wanted.imag());
    }
}
