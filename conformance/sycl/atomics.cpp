/* SPDX-License-Identifier: Apache-2.0 */
/* atomics.cpp - every operation of atomic_ref, on private, local and global memory, and on memory that is unknown at compile time. */
#include "program.hpp"

BOTH(constexpr int wide = 32; constexpr int places = 4;)

DEVICE(
    using namespace sycl;
    template <class T> using anywhere = atomic_ref<T, memory_order::relaxed, memory_scope::device>;
    template <class T>
    using strict = atomic_ref<T, memory_order::acq_rel, memory_scope::work_group, access::address_space::generic_space>;

    template <class T> static T whole(T * where, T with) {
        anywhere<T> a(*where);
        T all = a.fetch_add(with);
        all += a.fetch_sub(T(1));
        all += a.fetch_max(with);
        all += a.fetch_min(T(100));
        all += a.exchange(a.load() + T(3));
        T old = a.load();
        T other = old + T(1);
        all += a.compare_exchange_strong(other, T(77)) ? T(50) : T(0);
        all += other == old ? T(5) : T(0);
        while (!a.compare_exchange_weak(old, old + with)) {
        }
        a.store(a.load() + T(2));
        a += T(1);
        return all + a.load();
    } template <class T>
    static T bits(T * where, T with) {
        strict<T> a(*where);
        T all = a.fetch_and(with | 6);
        all += a.fetch_or(with);
        all += a.fetch_xor(9);
        all += a++;
        all += --a;
        a |= 16;
        return all + (a &= 127);
    } template <class T>
    static T *
    where_of(int i, T *own, T *near, T *far) {
        return i % 4 == 0 ? own : i % 4 == 1 ? near : i % 4 == 2 ? far : nullptr;
    }

    template <class T>
    static void own_place(T *out, T *far, T *near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        T own[2] = {T(me % 7), T(me % 5)};
        near[here] = T(me % 7);
        far[me] = T(me % 7);
        T *where = where_of(me, own, near + here, far + me);
        if (!where) where = own + 1;
        out[2 * me] = whole(where, T(me % 11));
        out[2 * me + 1] = *where;
    } KERNEL own_ints(int *out, int *far, local_accessor<int, 1> near) {
        own_place(out, far, &near[0]);
    } KERNEL own_longs(long *out, long *far, local_accessor<long, 1> near) {
        own_place(out, far, &near[0]);
    } KERNEL own_floats(float *out, float *far, local_accessor<float, 1> near) {
        own_place(out, far, &near[0]);
    } KERNEL own_bits(unsigned *out, unsigned *far, local_accessor<unsigned, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        unsigned own = me * 5;
        near[item.get_local_id(0)] = me * 5;
        far[me] = me * 5;
        unsigned *where = where_of(me, &own, &near[item.get_local_id(0)], far + me);
        if (!where) where = &own;
        out[2 * me] = bits(where, (unsigned)me);
        out[2 * me + 1] = *where;
    }

    struct cell {
        int value;
        cell *next;
    };

    KERNEL lists(cell * cells, cell **heads, int *out, local_accessor<cell *, 1> near) {
        auto item = this_item();
        auto group = item.get_group();
        int me = item.get_global_id(0);
        if (group.leader())
            for (int i = 0; i < places; i++)
                near[i] = nullptr;
        group_barrier(group);
        cell *mine = &cells[me];
        mine->value = me;
        cell **head = me & 1 ? &near[me % places] : &heads[me % places];
        anywhere<cell *> a(*head);
        cell *old = a.load();
        do
            mine->next = old;
        while (!a.compare_exchange_strong(old, mine));
        group_barrier(group);
        if (group.leader())
            for (int i = 0; i < places; i++) {
                int sum = 0;
                for (cell *c = i & 1 ? near[i] : heads[i]; c; c = c->next)
                    sum += c->value + 1;
                out[i] = sum;
            }
    }

    KERNEL shared_counts(int *far, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        int here = item.get_local_id(0);
        if (here < places) near[here] = 0;
        group_barrier(item.get_group());
        int *where = here % 3 ? &near[here % places] : &far[here % places];
        atomic_ref<int, memory_order::relaxed, memory_scope::work_group>(*where) += here;
        atomic_ref<int, memory_order::relaxed, memory_scope::work_group, access::address_space::local_space>(near[0])++;
        group_barrier(item.get_group());
        if (here < places) out[here] = near[here];
    })

template <class T> static T whole_on_host(T &a, T with)
{
    T all = a;
    a += with;
    all += a;
    a -= 1;
    all += a;
    a = std::max(a, with);
    all += a;
    a = std::min(a, T(100));
    all += a;
    a += 3;
    all += 5; /* after a failed exchange, the expected value is the current one */
    a += with;
    a += 3;
    return all + a;
}
static unsigned bits_on_host(unsigned &a, unsigned with)
{
    unsigned all = a;
    a &= with | 6;
    all += a;
    a |= with;
    all += a;
    a ^= 9;
    all += a + a;
    a |= 16;
    a &= 127;
    return all + a;
}

template <class T> static void check_type(sycl::queue &queue, bundle &kernels, counts &of, const char *name)
{
    T *out = shared<T>(queue, 2 * wide), *far = shared<T>(queue, wide);
    launch(queue, kernels, name, wide, 16, out, far, in_local<T>{16});
    for (int me = 0; me < wide; me++) {
        T a = me % 4 == 3 ? me % 5 : me % 7, all = whole_on_host(a, T(me % 11));
        of.same(name, out[2 * me], all);
        of.same(name, out[2 * me + 1], a);
    }
}

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    check_type<int>(queue, kernels, of, "own_ints");
    bool wide_ones = queue.get_device().has(sycl::aspect::atomic64);
    if (wide_ones) check_type<long>(queue, kernels, of, "own_longs");
    check_type<float>(queue, kernels, of, "own_floats");
    unsigned *out = shared<unsigned>(queue, 2 * wide), *far = shared<unsigned>(queue, wide);
    launch(queue, kernels, "own_bits", wide, 16, out, far, in_local<unsigned>{16});
    for (int me = 0; me < wide; me++) {
        unsigned a = me * 5, all = bits_on_host(a, me);
        of.same("bits", out[2 * me], all);
        of.same("bits", out[2 * me + 1], a);
    }
    struct cell {
        int value;
        cell *next;
    };
    cell *cells = shared<cell>(queue, wide), **heads = shared<cell *>(queue, places);
    int *sums = shared<int>(queue, places), *counted = shared<int>(queue, places);
    for (int i = 0; i < places; i++)
        heads[i] = nullptr, counted[i] = 0;
    if (wide_ones) launch(queue, kernels, "lists", wide, wide, cells, heads, sums, in_local<cell *>{places});
    int wanted[places] = {}, near[places] = {wide}, there[places] = {};
    for (int me = 0; me < wide; me++) {
        wanted[me % places] += me + 1;
        (me % 3 ? near : there)[me % places] += me;
    }
    for (int i = 0; i < places; i++)
        if (wide_ones) of.same("lists", sums[i], wanted[i]);
    launch(queue, kernels, "shared_counts", wide, wide, counted, sums, in_local<int>{places});
    for (int i = 0; i < places; i++) {
        of.same("near", sums[i], near[i]);
        of.same("far", counted[i], there[i]);
    }
}
