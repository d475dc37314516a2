// SPDX-License-Identifier: Apache-2.0
// Compaction without a forwarding word: the header of an object begins a chain of the links that refer to it (Jonkers).
#include "storage.h"

struct object {
    ulong header; /* size, mark in bit 1, and 1; or the address of a link, while links are threaded */
    ulong links[2];
    uint key;
};
struct memory {
    struct object objects[12];
    ulong root;
};

NOINLINE void mark(struct object *o)
{
    struct object *stack[12];
    uint top = 0;
    for (stack[top++] = o; top;) {
        o = stack[--top];
        if (!o || o->header & 2) continue;
        o->header |= 2;
        for (uint i = 0; i < 2 && top < 11; i++)
            stack[top++] = (struct object *)o->links[i];
    }
}

NOINLINE void thread(ulong *link)
{
    struct object *o = (struct object *)*link;
    if (!o) return;
    *link = o->header;
    o->header = (ulong)link;
}

NOINLINE ulong unthread(struct object *o, const struct object *to)
{
    ulong word = o->header;
    while (!(word & 1)) {
        ulong *link = (ulong *)word;
        word = *link;
        *link = (ulong)to;
    }
    o->header = word;
    return word;
}

NOINLINE bool is_marked(const struct object *o)
{
    ulong word = o->header;
    while (!(word & 1))
        word = *(const ulong *)word;
    return word & 2;
}

NOINLINE uint compact(struct object *objects, uint n, ulong *root)
{
    struct object *end = objects;
    thread(root);
    for (uint i = 0; i < n; i++)
        if (is_marked(&objects[i])) {
            unthread(&objects[i], end++);
            thread(&objects[i].links[0]);
            thread(&objects[i].links[1]);
        }
    end = objects;
    for (uint i = 0; i < n; i++)
        if (is_marked(&objects[i])) {
            unthread(&objects[i], end);
            objects[i].header &= ~2ul;
            *end++ = objects[i];
        }
    return end - objects;
}

NOINLINE uint sum(ulong word, uint depth)
{
    uint s = 0;
    for (; word && depth; depth--) {
        const struct object *o = (const struct object *)word;
        s = s * 31 + o->key + (uint)(o->header >> 3);
        word = o->links[s & 1];
    }
    return s;
}

SHAPE(struct memory)
{
    struct object *objects = PICK(1)->objects;
    ulong *root = &PICK(2)->root;
    for (uint i = 0; i < 12; i++) {
        objects[i].header = (ulong)i << 3 | 5;
        objects[i].key = in[i];
        objects[i].links[0] = i > 2 && in[i] & 1 ? (ulong)&objects[in[i] % 12] : 0;
        objects[i].links[1] = (ulong)&objects[in[i + 12] / 16 % 12];
    }
    *root = (ulong)&objects[9];
    out[0] = plain(sum(*root, 20));
    mark((struct object *)*root);
    out[1] = plain(compact(objects, 12, root));
    out[2] = plain(sum(*root, 20));
}
