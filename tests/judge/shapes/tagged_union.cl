// SPDX-License-Identifier: Apache-2.0
// Expressions: the low three bits of a word say whether it is an integer, a variable or the address of a node.
#include "storage.h"

typedef ulong word;
enum kind { NUMBER, VARIABLE, TREE, SUM = TREE, PRODUCT };
struct node {
    word left, right;
};
struct memory {
    struct node nodes[24];
};

word tagged(const void *p, enum kind kind)
{
    return (word)p | kind;
}

NOINLINE word make(struct node *n, enum kind kind, word left, word right)
{
    n->left = left;
    n->right = right;
    return tagged(n, kind);
}

NOINLINE int evaluate(word w, global const uint *variables)
{
    if (!(w & TREE)) return w & VARIABLE ? (int)variables[w >> 3] % 100 : (int)(w >> 3);
    struct node *n = (struct node *)(w & ~7ul);
    int left = evaluate(n->left, variables), right = evaluate(n->right, variables);
    return (w & 7) == SUM ? left + right : left * right;
}

SHAPE(struct memory)
{
    word e = 5 << 3 | NUMBER;
    for (uint i = 0; i < 8; i++) {
        struct node *a = &PICK(2 * i)->nodes[2 * i], *b = &PICK(2 * i + 1)->nodes[2 * i + 1];
        word v = i << 3 | VARIABLE;
        e = i & 1 ? make(a, SUM, e, v) : make(a, PRODUCT, v, make(b, SUM, e, 3 << 3 | NUMBER));
    }
    out[0] = plain((uint)evaluate(e, in));
}
