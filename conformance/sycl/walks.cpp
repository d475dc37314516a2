/* SPDX-License-Identifier: Apache-2.0 */
/* walks.cpp - trees that are traversed without recursion, lists, addresses that contain additional bits, are XORed, or are stored as
 * distances. */
#include "program.hpp"

BOTH(
    constexpr int wide = 32;

    struct leaf {
        int value;
        leaf *left;
        leaf *right;
        leaf *up;
    };

    /* Morris traversal: the tree stores its own stack. */
    static int threaded(leaf *root) {
        int sum = 0;
        for (leaf *n = root; n;) {
            if (!n->left) {
                sum = sum * 3 + n->value;
                n = n->right;
                continue;
            }
            leaf *last = n->left;
            while (last->right && last->right != n)
                last = last->right;
            if (!last->right) {
                last->right = n;
                n = n->left;
            } else {
                last->right = nullptr;
                sum = sum * 3 + n->value;
                n = n->right;
            }
        }
        return sum;
    }

    static int by_parents(const leaf *root) {
        int sum = 0;
        const leaf *from = nullptr;
        for (const leaf *n = root; n;) {
            const leaf *next;
            if (from == n->up) {
                sum = sum * 5 + n->value;
                next = n->left ? n->left : n->right ? n->right : n->up;
            } else
                next = from == n->left && n->right ? n->right : n->up;
            from = n;
            n = next;
        }
        return sum;
    }

    static int by_queue(leaf *root, leaf **open, int room) {
        int sum = 0;
        int first = 0;
        int last = 0;
        open[last++] = root;
        while (first != last) {
            leaf *n = open[first++ % room];
            first %= room;
            sum = sum * 7 + n->value;
            if (n->left) open[last] = n->left, last = (last + 1) % room;
            if (n->right) open[last] = n->right, last = (last + 1) % room;
        }
        return sum;
    }

    static void put(leaf *root, leaf *fresh) {
        for (leaf *n = root;;) {
            leaf **at = fresh->value < n->value ? &n->left : &n->right;
            if (!*at) {
                *at = fresh;
                fresh->up = n;
                return;
            }
            n = *at;
        }
    }

    static leaf *turned(leaf *root) {
        leaf *fresh = root->right;
        if (!fresh) return root;
        root->right = fresh->left;
        if (root->right) root->right->up = root;
        fresh->left = root;
        fresh->up = root->up;
        root->up = fresh;
        return fresh;
    }

    static int of_tree(leaf *const *nodes, int count, leaf **open, int room) {
        for (int i = 1; i < count; i++)
            put(nodes[0], nodes[i]);
        int sum = threaded(nodes[0]);
        leaf *root = turned(nodes[0]);
        sum += by_parents(root) * 3 + by_queue(root, open, room) * 11;
        return sum;
    }

    struct chain {
        int value;
        unsigned long both;
    };
    static unsigned long bits_of(const chain *l) { return (unsigned long)l; }

    /* A list that is traversed in both directions with one word per link. */
    static int two_ways(chain *const *links, int count) {
        for (int i = 0; i < count; i++)
            links[i]->both = (i ? bits_of(links[i - 1]) : 0) ^ (i + 1 < count ? bits_of(links[i + 1]) : 0);
        int sum = 0;
        unsigned long before = 0;
        unsigned long at = bits_of(links[0]);
        for (int turn = 0; turn < 2; turn++) {
            while (at) {
                chain *l = (chain *)at;
                sum = sum * 3 + l->value;
                unsigned long next = l->both ^ before;
                before = at;
                at = next;
            }
            at = before;
            before = 0;
        }
        return sum;
    }

    struct marked {
        int value;
        unsigned long next;
    };
    /* Bit 0 of the link marks the last element of a row. */
    static int rows(marked *const *all, int count) {
        for (int i = 0; i < count; i++)
            all[i]->next = i + 1 < count ? (unsigned long)all[i + 1] | (i % 3 == 2) : 0;
        int sum = 0;
        int row = 1;
        for (marked *m = all[0]; m;) {
            sum += m->value * row;
            row += m->next & 1;
            m = (marked *)(m->next & ~1ul);
        }
        return sum;
    }

    static leaf *reversed(leaf *list) {
        leaf *done = nullptr;
        while (list) {
            leaf *next = list->right;
            list->right = done;
            done = list;
            list = next;
        }
        return done;
    } static leaf *merged(leaf *a, leaf *b) {
        leaf head{0, nullptr, nullptr, nullptr};
        leaf *last = &head;
        while (a && b) {
            leaf **least = a->value <= b->value ? &a : &b;
            last->right = *least;
            last = *least;
            *least = (*least)->right;
        }
        last->right = a ? a : b;
        return head.right;
    } static int merges(leaf *const *nodes, int count) {
        leaf *lists[2] = {nullptr, nullptr};
        for (int i = count; i-- > 0;) {
            nodes[i]->right = lists[i & 1];
            lists[i & 1] = nodes[i];
        }
        int sum = 0;
        for (leaf *l = reversed(merged(lists[0], lists[1])); l; l = l->right)
            sum = sum * 3 + l->value;
        return sum;
    }

    /* 32-bit distances from a base, as in compressed pointers. */
    struct near_to {
        int value;
        int next;
    };
    static int distances(near_to *base, int count) {
        for (int i = 0; i < count; i++) {
            base[i].value = i * i;
            base[i].next = (int)((char *)&base[(i * 5 + 3) % count] - (char *)&base[i]);
        }
        near_to *at = base;
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum = sum * 3 + at->value;
            at = (near_to *)((char *)at + at->next);
        }
        return sum;
    })

DEVICE(
    using namespace sycl; static void start(leaf *n, int value) {
        n->value = value;
        n->left = n->right = n->up = nullptr;
    }

    KERNEL trees(leaf *far, leaf **room, int *out, local_accessor<leaf, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        leaf own[2];
        leaf *nodes[6] = {&own[0], &near[2 * here], &far[2 * me], &far[2 * me + 1], &near[2 * here + 1], &own[1]};
        for (int i = 0; i < 6; i++)
            start(nodes[i], (me * 7 + i * 5) % 17);
        leaf *open[4];
        out[me] = of_tree(nodes, 6, me & 1 ? open : room + 4 * me, 4);
    } KERNEL far_trees(leaf *far, leaf **room, int *out) {
        int me = this_item().get_global_id(0);
        leaf *nodes[6];
        for (int i = 0; i < 6; i++) {
            nodes[i] = &far[6 * me + i];
            start(nodes[i], (me * 7 + i * 5) % 17);
        }
        out[me] = of_tree(nodes, 6, room + 4 * me, 4);
    } KERNEL two_way(chain *far, int *out) {
        int me = this_item().get_global_id(0);
        chain *links[4];
        for (int i = 0; i < 4; i++) {
            links[i] = far + 4 * me + (i * 3 + 1) % 4;
            links[i]->value = me + i;
        }
        out[me] = two_ways(links, 4);
    } KERNEL marks(marked *far, int *out, local_accessor<marked, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        marked own[3];
        marked *all[8] = {&own[2],          &near[2 * here], &far[3 * me],        &own[0],
                          &far[3 * me + 2], &own[1],         &near[2 * here + 1], &far[3 * me + 1]};
        for (int i = 0; i < 8; i++)
            all[i]->value = me * i + 1;
        out[me] = rows(all, 8);
    } KERNEL lists(leaf *far, int *out, local_accessor<leaf, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        leaf own[2];
        leaf *nodes[6] = {&own[0], &near[2 * here], &far[2 * me], &far[2 * me + 1], &near[2 * here + 1], &own[1]};
        for (int i = 0; i < 6; i++)
            start(nodes[i], (me + i * i) % 40);
        out[me] = merges(nodes, 6);
    } KERNEL short_ways(near_to *far, int *out, local_accessor<near_to, 1> near) {
        auto item = this_item();
        int me = item.get_global_id(0);
        int here = item.get_local_id(0);
        near_to own[4];
        out[me] = distances(me % 3 == 0 ? own : me % 3 == 1 ? &near[4 * here] : &far[4 * me], 4);
    })

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    leaf *far = shared<leaf>(queue, 6 * wide), **room = shared<leaf *>(queue, 4 * wide);
    int *out = shared<int>(queue, wide);
    leaf own[6], *nodes[6], *open[4];
    auto again = [&](auto value) {
        for (int i = 0; i < 6; i++)
            *(nodes[i] = &own[i]) = leaf{value(i), nullptr, nullptr, nullptr};
    };
    for (const char *name : {"trees", "far_trees"}) {
        if (name[0] == 't')
            launch(queue, kernels, name, wide, 16, far, room, out, in_local<leaf>{32});
        else
            launch(queue, kernels, name, wide, 16, far, room, out);
        for (int me = 0; me < wide; me++) {
            again([=](int i) { return (me * 7 + i * 5) % 17; });
            of.same(name, out[me], of_tree(nodes, 6, open, 4));
        }
    }
    launch(queue, kernels, "two_way", wide, 16, shared<chain>(queue, 4 * wide), out);
    for (int me = 0; me < wide; me++) {
        chain there[4], *links[4] = {&there[1], &there[0], &there[3], &there[2]};
        for (int i = 0; i < 4; i++)
            links[i]->value = me + i;
        of.same("two ways", out[me], two_ways(links, 4));
    }
    launch(queue, kernels, "marks", wide, 16, shared<marked>(queue, 3 * wide), out, in_local<marked>{32});
    for (int me = 0; me < wide; me++) {
        marked there[8], *all[8];
        for (int i = 0; i < 8; i++) {
            all[i] = &there[i];
            there[i].value = me * i + 1;
        }
        of.same("marks", out[me], rows(all, 8));
    }
    launch(queue, kernels, "lists", wide, 16, far, out, in_local<leaf>{32});
    for (int me = 0; me < wide; me++) {
        again([=](int i) { return (me + i * i) % 40; });
        of.same("lists", out[me], merges(nodes, 6));
    }
    launch(queue, kernels, "short_ways", wide, 16, shared<near_to>(queue, 4 * wide), out, in_local<near_to>{64});
    for (int me = 0; me < wide; me++) {
        near_to there[4];
        of.same("short ways", out[me], distances(there, 4));
    }
}
