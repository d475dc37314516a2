// SPDX-License-Identifier: Apache-2.0
// Threaded code: a program is an array of words: odd ones are numbers to push, even ones are addresses of variables or of other programs.
#include "storage.h"

struct thing {
    uint is_program, value;
    const ulong *words;
};
struct memory {
    struct thing things[10];
    ulong words[10][6];
};

NOINLINE uint execute(const ulong *words, uint stack)
{
    for (; *words; words++) {
        if (*words & 1) {
            stack = stack * 3 + (uint)(*words >> 1);
            continue;
        }
        struct thing *t = (struct thing *)*words;
        if (t->is_program)
            stack = execute(t->words, stack);
        else
            stack = t->value = t->value * 5 ^ stack;
    }
    return stack;
}

SHAPE(struct memory)
{
    struct thing *made[10];
    for (uint i = 0; i < 10; i++) {
        struct thing *t = made[i] = &PICK(i)->things[i];
        ulong *w = PICK(i + 10)->words[i];
        t->is_program = i % 3 == 2;
        t->value = in[i];
        t->words = w;
        for (uint j = 0; j < 5; j++)
            w[j] = i && j & 1 ? (ulong)made[in[i + j] % i] : (ulong)(in[i + j] % 100) << 1 | 1;
        w[5] = 0;
    }
    out[0] = plain(execute(made[8]->words, 1));
    for (uint i = 0; i < 10; i++)
        out[1 + i] = plain(made[i]->value);
}
