// SPDX-License-Identifier: Apache-2.0
// An adaptive radix tree: nodes of four or sixteen children and leaves are different structures, distinguished by two bits of the word.
#include "storage.h"

struct small {
    uchar count, keys[4];
    ulong child[4];
};
struct large {
    ulong child[16];
};
struct leaf {
    uint key, value;
};
struct memory {
    struct small small[64];
    struct large large[16];
    struct leaf leaves[20];
};
enum { LEAF, SMALL, LARGE };
struct pool {
    struct small *small;
    struct large *large;
};

void *address(ulong w)
{
    return (void *)(w & ~3ul);
}

NOINLINE ulong *child(ulong w, uint digit)
{
    if ((w & 3) == LARGE) return &((struct large *)address(w))->child[digit];
    struct small *s = (struct small *)address(w);
    for (uint i = 0; i < s->count; i++)
        if (s->keys[i] == digit) return &s->child[i];
    return NULL;
}

NOINLINE ulong fresh(struct pool *p)
{
    struct small *s = p->small++;
    s->count = 0;
    return (ulong)s | SMALL;
}

NOINLINE ulong grown(ulong w, struct pool *p)
{
    struct small *s = (struct small *)address(w);
    struct large *l = p->large++;
    for (uint i = 0; i < 16; i++)
        l->child[i] = 0;
    for (uint i = 0; i < s->count; i++)
        l->child[s->keys[i]] = s->child[i];
    return (ulong)l | LARGE;
}

NOINLINE ulong *add(ulong *at, uint digit, struct pool *p)
{
    ulong *found = child(*at, digit);
    if (found) return found;
    if (((struct small *)address(*at))->count == 4) {
        *at = grown(*at, p);
        return child(*at, digit);
    }
    struct small *s = (struct small *)address(*at);
    s->keys[s->count] = (uchar)digit;
    s->child[s->count] = 0;
    return &s->child[s->count++];
}

NOINLINE void insert(ulong *root, struct pool *p, const struct leaf *leaf)
{
    ulong *at = root;
    for (uint shift = 12; shift; shift -= 4) {
        if (!*at) *at = fresh(p);
        at = add(at, leaf->key >> shift & 15, p);
    }
    if (!*at) *at = (ulong)leaf;
}

NOINLINE uint walk(ulong w, uint s)
{
    if (!w) return s;
    if ((w & 3) == LEAF) return s * 3 + ((const struct leaf *)address(w))->value;
    for (uint digit = 0; digit < 16; digit++) {
        const ulong *at = child(w, digit);
        if (at) s = walk(*at, s * 5 + digit);
    }
    return s;
}

SHAPE(struct memory)
{
    struct memory *const memories[PLACES] = {MEMORIES};
    struct pool pools[PLACES];
    ulong root = 0;
    for (uint m = 0; m < PLACES; m++) {
        pools[m].small = memories[m]->small;
        pools[m].large = memories[m]->large;
    }
    for (uint i = 0; i < 20; i++) {
        struct leaf *leaf = &PICK(i)->leaves[i];
        leaf->key = (in[i] & 0xf130) | i << 4;
        leaf->value = i + 1;
        insert(&root, &pools[WHICH(i + 20)], leaf);
    }
    out[0] = plain(walk(root, 0));
}
