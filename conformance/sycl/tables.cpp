/* SPDX-License-Identifier: Apache-2.0 */
/* tables.cpp - dispatch by tables of pointers, constant strings, pointers as bits, spans, the standard library. */
#include "program.hpp"

#include <array>
#include <optional>
#include <tuple>
#include <algorithm>
#include <numeric>

static const int includes =
    add_text("#include <array>\n#include <optional>\n#include <tuple>\n#include <algorithm>\n#include <numeric>");

BOTH(
    constexpr int wide = 32;

    struct operation {
        int kind;
        int factor;
        const int *table;
    };
    struct machine {
        const operation *steps[4];
        int *memory;
        const char *name;
    };

    constexpr int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
    constexpr operation known[3] = {{0, 3, squares}, {1, 2, nullptr}, {2, 5, squares + 2}};
    constexpr const char *const words[4] = {"private", "local", "global", "constant"};

    static int step(const operation &what, int value) {
        switch (what.kind) {
        case 0: return value + what.factor * what.table[value & 7];
        case 1: return what.table ? value ^ what.table[0] : value * what.factor;
        default: return value - what.table[value & 3];
        }
    }

    static unsigned sum_of(const char *text) {
        unsigned sum = 0;
        while (*text)
            sum = sum * 31 + *text++;
        return sum;
    }

    static int run(const machine &m, int me) {
        int value = me;
        for (const operation *what : m.steps) {
            value = step(*what, value);
            *m.memory += value;
        }
        return value + (int)(sum_of(m.name) & 255);
    }

    /* Like virtual functions, but without function pointers. */
    struct shape {
        int kind;
        const int *sizes;
    };
    struct box : shape {
        int own[2];
        int deep;
    };
    static int area(const shape *s) {
        if (s->kind) {
            const box *b = static_cast<const box *>(s);
            return s->sizes[0] * s->sizes[1] + b->deep;
        }
        return s->sizes[0] * 7;
    }

    static std::optional<const int *> first_over(const int *from, int n, int limit) {
        const int *at = std::find_if(from, from + n, [=](int v) { return v > limit; });
        return at == from + n ? std::nullopt : std::optional<const int *>(at);
    }

    static int with_library(int *own, int *other, int n, int me) {
        std::array<int *, 3> all = {own, other, own + n / 2};
        std::tuple<int *, long, const char *> t{all[me % 3], (long)me, words[me & 3]};
        auto [where, number, word] = t;
        std::make_heap(own, own + n);
        std::sort_heap(own, own + n);
        std::reverse(other, other + n);
        int sum = std::accumulate(where, where + n / 2, (int)number);
        int *at = std::lower_bound(own, own + n, 9);
        std::rotate(other, other + 3, other + n);
        std::swap(all[0], all[1]);
        auto found = first_over(all[0], n, 12);
        sum = sum * 3 + (int)(at - own) + (found ? **found * 10 : 1);
        std::pair<int *, int *> ends = std::minmax_element(other, other + n);
        return sum * 5 + *ends.first + 2 * *ends.second + word[0] + all[0][1];
    })

DEVICE(
    using namespace sycl;

    KERNEL machines(int *memory, operation *steps, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        int own = 1;
        near[here] = 1;
        operation mine{1, 3, me & 2 ? &near[here] : &own};
        char name[6] = {'a', 'b', (char)('c' + me % 7), 0};
        machine m{{&known[me % 3], &steps[me % 4], &mine, &known[(me + 1) % 3]},
                  me % 3 == 0   ? &own
                  : me % 3 == 1 ? &near[here]
                                : &memory[me],
                  me & 1 ? words[me & 3] : name};
        out[3 * me] = run(m, me);
        out[3 * me + 1] = *m.memory;
        out[3 * me + 2] = own;
    }

    KERNEL shapes(const int *sizes, int *out, local_accessor<box, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        box *b = &near[item.get_local_id(0)];
        b->kind = 1;
        b->own[0] = me;
        b->own[1] = 2;
        b->sizes = me & 1 ? b->own : sizes;
        b->deep = 4;
        shape plain{0, sizes + 1};
        box mine = *b;
        mine.sizes = mine.own;
        const shape *all[4] = {b, &plain, &mine, nullptr};
        int sum = 0;
        for (int i = 0; all[i]; i++)
            sum = sum * 10 + area(all[i]);
        out[me] = sum;
    }

    KERNEL bits(int *far, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        int own[3] = {me, me + 1, me + 2};
        near[here] = me + 100;
        far[me] = me + 200;
        int *p = me % 3 == 0 ? own : me % 3 == 1 ? &near[here] : &far[me];
        auto word = sycl::bit_cast<unsigned long>(p);
        auto two = sycl::bit_cast<std::array<unsigned, 2>>(p);
        auto eight = sycl::bit_cast<std::array<unsigned char, 8>>(p);
        std::array<unsigned char, 8> copied;
        for (int i = 0; i < 8; i++)
            copied[i] = eight[i];
        vec<unsigned, 2> both{two[0], two[1]};
        int *q = sycl::bit_cast<int *>(word);
        int *r = sycl::bit_cast<int *>(both);
        int *s = sycl::bit_cast<int *>(copied);
        int *t = reinterpret_cast<int *>((word | 1) & ~1ul);
        out[me] = *q + (p == r) * 1000 + (s == q) * 2000 + (*t == *s) * 4000;
    }

    KERNEL spans(int *far, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        int own[8] = {me, 1, 2, 3, 4, 5, 6, 7};
        for (int i = 0; i < 8; i++)
            near[8 * here + i] = me + i;
        sycl::span<int> s = me % 3 == 0   ? sycl::span<int>(own)
                            : me % 3 == 1 ? sycl::span<int>(&near[8 * here], 8)
                                          : sycl::span<int>(far + 8 * me, 8);
        sycl::span<int> middle = s.subspan(2, 4);
        int sum = 0;
        for (int &v : middle)
            sum += v++;
        auto raw = sycl::as_writable_bytes(s.first(2));
        raw[5] = 1;
        out[me] = sum * 1000 + s[1] + s.last<3>()[0] + (int)raw.size();
    }

    KERNEL library(int *far, int *out, local_accessor<int, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        int own[8];
        for (int i = 0; i < 8; i++) {
            own[i] = (me * 7 + i * 5) % 19;
            near[8 * here + i] = (me * 3 + i * 11) % 23;
        }
        int *mine = me & 1 ? own : &near[8 * here];
        int *other = me & 2 ? far + 8 * me : me & 1 ? &near[8 * here] : own;
        out[me] = with_library(mine, other, 8, me);
    })

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    int *out = shared<int>(queue, 3 * wide), *far = shared<int>(queue, 8 * wide), *table = shared<int>(queue, 16);
    int *memory = shared<int>(queue, wide);
    operation *steps = shared<operation>(queue, 4);
    for (int i = 0; i < 16; i++)
        table[i] = i * 3 + 1;
    for (int i = 0; i < wide; i++)
        memory[i] = i;
    for (int i = 0; i < 4; i++)
        steps[i] = operation{i % 3, i + 1, table + i};
    launch(queue, kernels, "machines", wide, 16, memory, steps, out, in_local<int>{16});
    for (int me = 0; me < wide; me++) {
        int own = 1, near = 1, there = me;
        operation mine{1, 3, me & 2 ? &near : &own};
        char name[6] = {'a', 'b', (char)('c' + me % 7), 0};
        machine m{{&known[me % 3], &steps[me % 4], &mine, &known[(me + 1) % 3]},
                  me % 3 == 0   ? &own
                  : me % 3 == 1 ? &near
                                : &there,
                  me & 1 ? words[me & 3] : name};
        int wanted = run(m, me);
        of.same("machine", out[3 * me], wanted);
        of.same("machine's memory", out[3 * me + 1], *m.memory);
        of.same("machine's own", out[3 * me + 2], own);
    }
    launch(queue, kernels, "shapes", wide, 16, table, out, in_local<box>{16});
    for (int me = 0; me < wide; me++) {
        int first = (me & 1 ? me * 2 : table[0] * table[1]) + 4;
        of.same("shapes", out[me], (first * 10 + table[1] * 7) * 10 + me * 2 + 4);
    }
    launch(queue, kernels, "bits", wide, 16, far, out, in_local<int>{16});
    for (int me = 0; me < wide; me++)
        of.same("bits", out[me], me + 100 * (me % 3) + 7000);
    for (int i = 0; i < 8 * wide; i++)
        far[i] = i;
    launch(queue, kernels, "spans", wide, 16, far, out, in_local<int>{8 * 16});
    for (int me = 0; me < wide; me++) {
        int own[8] = {me, 1, 2, 3, 4, 5, 6, 7}, near[8], there[8], *s;
        for (int i = 0; i < 8; i++)
            near[i] = me + i, there[i] = 8 * me + i;
        s = me % 3 == 0 ? own : me % 3 == 1 ? near : there;
        int sum = s[2] + s[3] + s[4] + s[5];
        for (int i = 2; i < 6; i++)
            s[i]++;
        ((char *)s)[5] = 1;
        of.same("spans", out[me], sum * 1000 + s[1] + s[5] + 8);
    }
    for (int i = 0; i < 8 * wide; i++)
        far[i] = i * 13 % 21;
    std::vector<int> before(far, far + 8 * wide);
    launch(queue, kernels, "library", wide, 16, far, out, in_local<int>{8 * 16});
    for (int me = 0; me < wide; me++) {
        int own[8], near[8];
        for (int i = 0; i < 8; i++) {
            own[i] = (me * 7 + i * 5) % 19;
            near[i] = (me * 3 + i * 11) % 23;
        }
        int *mine = me & 1 ? own : near, *other = me & 2 ? &before[8 * me] : me & 1 ? near : own;
        of.same("library", out[me], with_library(mine, other, 8, me));
    }
}
