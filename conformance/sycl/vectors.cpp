/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.cpp - vectors, marrays and halves accessed through any pointer, multi_ptr and its casts, math functions that store through
 * pointers. */
#include "program.hpp"

#include <cmath>

BOTH(
    constexpr int wide = 32;

    struct mixed {
        char c;
        sycl::vec<float, 3> three;
        sycl::marray<short, 5> five;
        sycl::vec<unsigned char, 4> four;
        float *where;
    };

    static float of_mixed(mixed *m, int me) {
        m->three.y() += 2;
        m->five[me % 5] += 7;
        sycl::vec<unsigned char, 4> turned = m->four.swizzle<3, 2, 1, 0>();
        m->four += turned;
        *m->where += m->three.x() * 2 + m->five[3];
        return m->three.y() + m->five[1] + m->four.y() + m->four.w() + *m->where;
    }

    static void fill(mixed &m, int me, float *where) {
        m.c = (char)me;
        m.three = sycl::vec<float, 3>(me, me + 1, me + 2);
        for (int i = 0; i < 5; i++)
            m.five[i] = me * i;
        m.four = sycl::vec<unsigned char, 4>(me, 1, 2, 3);
        m.where = where;
    })

DEVICE(
    using namespace sycl; using access::address_space; using access::decorated;

    KERNEL mix(float *far, float *out, local_accessor<mixed, 1> near, mixed *there) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        mixed own;
        float mine = 1;
        mixed *m = me % 3 == 0 ? &own : me % 3 == 1 ? &near[here] : &there[me];
        far[me] = 1;
        fill(*m, me, me & 1 ? &mine : &far[me]);
        mixed copied = *m;
        copied.where = &mine;
        out[2 * me] = of_mixed(m, me);
        out[2 * me + 1] = of_mixed(&copied, me);
    }

    template <int n>
    static int sum_of(const vec<int, n> *v) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum = sum * 3 + (*v)[i];
        return sum;
    }

    KERNEL loads(int *far, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        int own[16];
        for (int i = 0; i < 16; i++) {
            own[i] = i + me;
            near[16 * here + i] = i + me;
        }
        int *p = me % 3 == 0 ? own : me % 3 == 1 ? &near[16 * here] : &far[16 * me];
        auto any = address_space_cast<address_space::generic_space, decorated::no>(p);
        vec<int, 4> four;
        vec<int, 8> eight;
        four.load(1, multi_ptr<const int, address_space::generic_space, decorated::no>(any));
        eight.load(0, multi_ptr<const int, address_space::generic_space, decorated::no>(any + 3));
        (four + eight.lo()).store(2, any);
        vec<int, 8> *whole = me & 1 ? &eight : (vec<int, 8> *)nullptr;
        int sum = sum_of(&four) + (whole ? sum_of(whole) : 5);
        for (int i = 0; i < 16; i++)
            sum = sum * 5 + any[i];
        marray<int *, 3> places(p, p + 1, own + 0);
        marray<int, 3> got;
        for (int i = 0; i < 3; i++)
            got[i] = *places[(i + me) % 3];
        got = got * 2 + 1;
        out[me] = sum + got[0] * 3 + got[2];
    }

    KERNEL casts(int *far, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        int own = me;
        near[here] = me + 1;
        far[me] = me + 2;
        int *p = me % 3 == 0 ? &own : me % 3 == 1 ? &near[here] : &far[me];
        auto local = ext::oneapi::experimental::dynamic_address_cast<address_space::local_space>(p);
        auto global = ext::oneapi::experimental::dynamic_address_cast<address_space::global_space>(p);
        auto priv = ext::oneapi::experimental::dynamic_address_cast<address_space::private_space>(p);
        int kinds = (local.get() != nullptr) + 2 * (global.get() != nullptr) + 4 * (priv.get() != nullptr);
        int sum = (local.get() ? *local : 0) + (global.get() ? *global * 3 : 0) + (priv.get() ? *priv * 5 : 0);
        int *back = local.get() ? local.get() : global.get() ? global.get() : priv.get();
        multi_ptr<int, address_space::generic_space, decorated::yes> again(
            address_space_cast<address_space::generic_space, decorated::yes>(back));
        local_ptr<int> base = near.get_multi_ptr<decorated::legacy>();
        auto known = address_space_cast<address_space::local_space, decorated::no>(&near[here]);
        out[me] = kinds * 1000 + sum + *again + (known - base == here) * 500 + (base[here] == *known) * 250;
    }

    KERNEL writes(float *far, int *whole, float *out, local_accessor<float, 1> near, local_accessor<int, 1> numbers) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        float mine = 0;
        int number = 0;
        float x = me * 0.75f + 0.5f;
        float *f = me % 3 == 0 ? &mine : me % 3 == 1 ? &near[here] : &far[me];
        int *i = me % 3 == 1 ? &number : me % 3 == 2 ? &numbers[here] : &whole[me];
        using any = multi_ptr<float, address_space::generic_space, decorated::no>;
        using any_int = multi_ptr<int, address_space::generic_space, decorated::no>;
        float a = fract(x, any(f));
        float floor = *f;
        float b = modf(x, any(f));
        float integral = *f;
        float c = frexp(x, any_int(i));
        int exponent = *i;
        float d = remquo(x, 2.0f, any_int(i));
        float e = sincos(0.0f * x, any(f));
        out[8 * me] = a;
        out[8 * me + 1] = floor;
        out[8 * me + 2] = b;
        out[8 * me + 3] = integral;
        out[8 * me + 4] = ldexp(c, exponent);
        out[8 * me + 5] = exponent;
        out[8 * me + 6] = d;
        out[8 * me + 7] = (*i & 7) * 4 + *f + e;
    }

    KERNEL halves(half *far, float *out, local_accessor<half, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        half own[4] = {half(me), half(1.5f), half(2.25f), half(-3)};
        for (int i = 0; i < 4; i++)
            near[4 * here + i] = half(me) + half(i);
        half *p = me % 3 == 0 ? own : me % 3 == 1 ? &near[4 * here] : &far[4 * me];
        vec<half, 4> *v = (vec<half, 4> *)p;
        half sum = 0;
        for (int i = 0; i < 4; i++)
            sum = sum + p[i] * half(2);
        *v = *v + vec<half, 4>(half(1));
        p[2] += half(4);
        marray<half, 2> pair(p[0], p[3]);
        pair = pair * half(2);
        out[me] = sum + p[0] + p[1] * 2 + p[2] * 3 + (float)pair[1];
    })

static void check_halves(sycl::queue &queue, bundle &kernels, counts &of)
{
    using sycl::half;
    half *far = shared<half>(queue, 4 * wide);
    float *out = shared<float>(queue, wide);
    for (int i = 0; i < 4 * wide; i++)
        far[i] = half((float)i / 4);
    std::vector<half> before(far, far + 4 * wide);
    launch(queue, kernels, "halves", wide, 16, far, out, in_local<half>{64});
    for (int me = 0; me < wide; me++) {
        half own[4] = {half(me), half(1.5f), half(2.25f), half(-3)}, near[4];
        for (int i = 0; i < 4; i++)
            near[i] = half(me) + half(i);
        half *p = me % 3 == 0 ? own : me % 3 == 1 ? near : &before[4 * me], sum = 0;
        for (int i = 0; i < 4; i++)
            sum = sum + p[i] * half(2);
        for (int i = 0; i < 4; i++)
            p[i] += half(1);
        p[2] += half(4);
        of.same("halves", out[me], sum + p[0] + p[1] * 2 + p[2] * 3 + (float)(p[3] * half(2)));
    }
}

static void check_writes(sycl::queue &queue, bundle &kernels, counts &of)
{
    float *far = shared<float>(queue, wide), *out = shared<float>(queue, 8 * wide);
    int *whole = shared<int>(queue, wide);
    launch(queue, kernels, "writes", wide, 16, far, whole, out, in_local<float>{16}, in_local<int>{16});
    for (int me = 0; me < wide; me++) {
        float x = me * 0.75f + 0.5f, floor = std::floor(x);
        int exponent, quotient;
        std::frexp(x, &exponent);
        float d = std::remquo(x, 2.0f, &quotient);
        float wanted[8] = {x - floor, floor, x - floor, floor, x, (float)exponent, d, (float)((quotient & 7) * 4 + 1)};
        for (int k = 0; k < 8; k++)
            of.same(("writes" + std::to_string(k)).c_str(), out[8 * me + k], wanted[k]);
    }
}

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    float *far = shared<float>(queue, wide), *out = shared<float>(queue, 2 * wide);
    mixed *there = shared<mixed>(queue, wide);
    int *numbers = shared<int>(queue, 16 * wide), *got = shared<int>(queue, wide);
    launch(queue, kernels, "mix", wide, 16, far, out, in_local<mixed>{16}, there);
    for (int me = 0; me < wide; me++) {
        mixed m, copied;
        float a = 1, b = 1, *where = me & 1 ? &b : &a;
        fill(m, me, where);
        copied = m;
        copied.where = &b;
        of.same("mix", out[2 * me], of_mixed(&m, me));
        of.same("mix of a copy", out[2 * me + 1], of_mixed(&copied, me));
    }
    for (int i = 0; i < 16 * wide; i++)
        numbers[i] = i % 16 + i / 16;
    launch(queue, kernels, "loads", wide, 16, numbers, got, in_local<int>{256});
    for (int me = 0; me < wide; me++) {
        unsigned own[16], first[16], *p = own, four[4], eight[8], sum = 0, other = 0;
        for (int i = 0; i < 16; i++)
            own[i] = first[i] = i + me;
        for (int i = 0; i < 4; i++)
            sum = sum * 3 + (four[i] = own[4 + i]);
        for (int i = 0; i < 8; i++)
            other = other * 3 + (eight[i] = own[3 + i]);
        for (int i = 0; i < 4; i++)
            own[8 + i] = four[i] + eight[i];
        sum += me & 1 ? other : 5;
        for (int i = 0; i < 16; i++)
            sum = sum * 5 + own[i];
        unsigned places[3] = {own[0], own[1], first[0]};
        got[me] -= (places[me % 3] * 2 + 1) * 3 + places[(2 + me) % 3] * 2 + 1;
        of.same("loads", (unsigned)got[me], sum);
    }
    launch(queue, kernels, "casts", wide, 16, numbers, got, in_local<int>{16});
    bool flat = got[0] >= 7000; /* any address may be in any memory, according to the device */
    for (int me = 0; me < wide; me++) {
        int value = me + me % 3,
            kind = me % 3 == 0   ? 4
                   : me % 3 == 1 ? 1
                                 : 2,
            factor = me % 3 == 0   ? 5
                     : me % 3 == 1 ? 1
                                   : 3;
        if (!flat) of.same("casts", got[me], kind * 1000 + value * factor + value + 750);
    }
    check_writes(queue, kernels, of);
    if (queue.get_device().has(sycl::aspect::fp16)) check_halves(queue, kernels, of);
}
