// SPDX-License-Identifier: Apache-2.0
// A skip list: a node is one block of words: its key and height, followed by a link for each level.
#include "storage.h"

#define LEVELS 4
struct memory {
    ulong words[16 * (1 + LEVELS)];
};
#define HEIGHT(node) ((uint)((node)[0] >> 32))
#define KEY(node) ((uint)(node)[0])

NOINLINE ulong *make(ulong *room, uint key, uint height)
{
    room[0] = (ulong)height << 32 | key;
    return room;
}

NOINLINE void insert(ulong *head, ulong *n)
{
    ulong *at = head;
    for (int level = LEVELS - 1; level >= 0; level--) {
        while (at[1 + level] && KEY((ulong *)at[1 + level]) < KEY(n))
            at = (ulong *)at[1 + level];
        if ((uint)level < HEIGHT(n)) {
            n[1 + level] = at[1 + level];
            at[1 + level] = (ulong)n;
        }
    }
}

NOINLINE uint position(const ulong *head, uint key)
{
    uint steps = 0;
    const ulong *at = head;
    for (int level = LEVELS - 1; level >= 0; level--)
        for (; at[1 + level] && KEY((const ulong *)at[1 + level]) <= key; steps++)
            at = (const ulong *)at[1 + level];
    return steps * 1000 + KEY(at) % 1000;
}

SHAPE(struct memory)
{
    ulong head[1 + LEVELS] = {(ulong)LEVELS << 32, 0, 0, 0, 0};
    for (uint i = 0; i < 16; i++)
        insert(head, make(&PICK(i)->words[i * (1 + LEVELS)], in[i], 1 + __builtin_ctz(i | 8)));
    for (uint i = 0; i < 16; i++)
        out[i] = plain(position(head, in[i]));
}
