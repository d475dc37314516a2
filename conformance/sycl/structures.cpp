/* SPDX-License-Identifier: Apache-2.0 */
/* structures.cpp - shared memory that contains pointers: a tree, tables of shapes, and commands that are structures with pointers. */
#include "program.hpp"

BOTH(
    struct node {
        int key;
        int sum;
        node *left;
        node *right;
    };
    struct shape {
        int kind;
        int a;
        int b;
        const shape *parts[2];
    };
    struct command {
        const node *root;
        const shape *shapes;
        int *out;
        int count;
    };

    static const node *find(const node *n, int key) {
        while (n && n->key != key)
            n = key < n->key ? n->left : n->right;
        return n;
    }

    static void insert(node **root, node *fresh) {
        while (*root)
            root = fresh->key < (*root)->key ? &(*root)->left : &(*root)->right;
        *root = fresh;
    }

    static int area(const shape *s) {
        const shape *open[8];
        int all = 0;
        int count = 0;
        open[count++] = s;
        while (count) {
            const shape *top = open[--count];
            switch (top->kind) {
            case 0: all += top->a * top->a * 3; break;
            case 1: all += top->a * top->b; break;
            default:
                for (const shape *part : top->parts)
                    if (part && count < 8) open[count++] = part;
            }
        }
        return all;
    }

    static int serve(const command &c, int me) {
        node own[4];
        node *root = nullptr;
        for (int i = 0; i < 4; i++) {
            own[i] = node{(me * 7 + i * 5) % 16, i, nullptr, nullptr};
            insert(&root, &own[i]);
        }
        const node *far = find(c.root, me);
        const node *near = find(root, me & 15);
        const node *chosen = me & 1 ? near : far;
        shape pair{2, 0, 0, {&c.shapes[me % c.count], nullptr}};
        shape square{1, me, 2, {nullptr, nullptr}};
        pair.parts[1] = me & 2 ? &square : &c.shapes[0];
        return area(&pair) * 100 + (chosen ? chosen->sum + 1 : 0);
    })

DEVICE(
    KERNEL link(node *nodes, command *c, int count) {
        int me = this_item().get_global_id(0);
        if (me) return;
        node *root = nullptr;
        for (int i = 0; i < count; i++)
            insert(&root, &nodes[i]);
        c->root = root;
    }

    KERNEL obey(const command *c) {
        int me = this_item().get_global_id(0);
        c->out[me] = serve(*c, me);
    }

    KERNEL by_value(command c, int *out) {
        int me = this_item().get_global_id(0);
        out[me] = serve(c, me) + 1;
    })

constexpr int count = 64, shapes = 5;

void check(sycl::queue &queue, bundle &kernels, counts &of)
{
    node *nodes = shared<node>(queue, count);
    shape *all = shared<shape>(queue, shapes);
    command *c = shared<command>(queue, 1);
    int *out = shared<int>(queue, count), *own = sycl::malloc_device<int>(count, queue);
    std::vector<int> copied(count);
    for (int i = 0; i < count; i++)
        nodes[i] = node{(i * 29) % count, i * 3, nullptr, nullptr};
    for (int i = 0; i < shapes; i++)
        all[i] = shape{i % 3, i + 1, i + 2, {i > 1 ? &all[i - 1] : nullptr, i > 2 ? &all[i - 3] : nullptr}};
    *c = command{nullptr, all, out, shapes};
    sycl::nd_range<1> range(count, 16);
    auto one = [&](const char *name, auto... arguments) {
        queue.submit([&](sycl::handler &handler) {
            handler.set_args(arguments...);
            handler.parallel_for(range, kernels.ext_oneapi_get_kernel(name));
        });
    };
    one("link", nodes, c, count);
    one("obey", c);
    queue.wait();
    one("by_value", *c, own);
    queue.memcpy(copied.data(), own, count * sizeof(int)).wait();
    for (int me = 0; me < count; me++) {
        of.same("obeyed", out[me], serve(*c, me));
        of.same("by value", copied[me], serve(*c, me) + 1);
    }
    for (void *pointer : {(void *)nodes, (void *)all, (void *)c, (void *)out, (void *)own})
        sycl::free(pointer, queue);
}
