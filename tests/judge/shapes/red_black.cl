// SPDX-License-Identifier: Apache-2.0
// A red-black tree: one word has the node's parent and its color, as in Linux.
#include "storage.h"

struct node {
    ulong parent_colour; /* bit 0: black */
    struct node *child[2];
    uint key;
};
struct memory {
    struct node nodes[24];
};

struct node *parent(const struct node *n)
{
    return (struct node *)(n->parent_colour & ~3ul);
}

bool is_red(const struct node *n)
{
    return n && !(n->parent_colour & 1);
}

NOINLINE void set_parent(struct node *n, struct node *p)
{
    n->parent_colour = (n->parent_colour & 3) | (ulong)p;
}

NOINLINE void set_black(struct node *n, bool black)
{
    n->parent_colour = (n->parent_colour & ~1ul) | black;
}

NOINLINE void rotate(struct node **root, struct node *n, int side)
{
    struct node *up = n->child[!side], *p = parent(n);
    n->child[!side] = up->child[side];
    if (up->child[side]) set_parent(up->child[side], n);
    up->child[side] = n;
    set_parent(up, p);
    set_parent(n, up);
    if (!p)
        *root = up;
    else
        p->child[p->child[1] == n] = up;
}

NOINLINE void insert(struct node **root, struct node *n, uint key)
{
    struct node *p = NULL, **at = root;
    while (*at) {
        p = *at;
        at = &p->child[key > p->key];
    }
    n->key = key;
    n->child[0] = n->child[1] = NULL;
    n->parent_colour = (ulong)p;
    *at = n;
    while ((p = parent(n)) && is_red(p)) {
        struct node *g = parent(p);
        int side = g->child[1] == p;
        struct node *uncle = g->child[!side];
        if (is_red(uncle)) {
            set_black(p, true);
            set_black(uncle, true);
            set_black(g, false);
            n = g;
            continue;
        }
        if (p->child[!side] == n) {
            rotate(root, p, side);
            n = p;
            p = parent(n);
        }
        set_black(p, true);
        set_black(g, false);
        rotate(root, g, !side);
    }
    set_black(*root, true);
}

NOINLINE uint walk(const struct node *n, uint depth, uint s)
{
    if (!n) return s;
    s = walk(n->child[0], depth + 1, s) * 5 + n->key + depth * 2 + is_red(n);
    return walk(n->child[1], depth + 1, s);
}

SHAPE(struct memory)
{
    struct node *root = NULL;
    for (uint i = 0; i < 24; i++)
        insert(&root, &PICK(i)->nodes[i], in[i]);
    out[0] = plain(walk(root, 0, 0));
}
