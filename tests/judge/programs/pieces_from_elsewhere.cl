// SPDX-License-Identifier: Apache-2.0
// Halves of host addresses are stored where private or local addresses are stored as well; the store of a half and
// the load of the whole are in different functions, through different pointers, or in different memory.
/* TRUTH
{"kernels": [
  {"name": "written_in_a_callee", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "read_in_a_callee", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "both_in_callees", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "copied_between", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "by_another_pointer", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "read_by_another_pointer", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "exchanged", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "in_vectors", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "in_bytes", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1},
  {"name": "at_module_scope", "args": ["zero:16", "buffer:ptr:2+4,2+8,2", "buffer:int:7,8,48,10"], "expect": {"0": "int:55"}, "global": 1, "local": 1}]}
*/
typedef struct {
    int *a, *b, *c;
} three;

#define BEGIN                                                                                                                    \
    int mine = 5;                                                                                                                \
    three t;                                                                                                                     \
    t.a = t.b = t.c = &mine;
#define END                                                                                                                      \
    if (out[1]) t.b = &mine;                                                                                                     \
    out[0] = *t.b + *t.c;

__attribute__((noinline)) void put(uint *to, int at, uint half_of_it)
{
    to[at] = half_of_it;
}

__attribute__((noinline)) int get(int **from, int at)
{
    return *from[at];
}

kernel void written_in_a_callee(global int *out, global uint *in, global int *d)
{
    BEGIN
    for (int i = 0; i < 6; i++)
        put((uint *)&t, i, in[i]);
    END
}

#define WORDS                                                                                                                    \
    int mine = 5;                                                                                                                \
    uint words[6], others[6];                                                                                                    \
    ulong address = (ulong)(int *)&mine;                                                                                         \
    for (int i = 0; i < 6; i++)                                                                                                  \
        words[i] = others[i] = out[1] ? (uint)(address >> 32 * (i & 1)) : in[i];

kernel void read_in_a_callee(global int *out, global uint *in, global int *d)
{
    WORDS
    out[0] = get((int **)words, 1) + get((int **)words, 2);
}

kernel void read_by_another_pointer(global int *out, global uint *in, global int *d)
{
    WORDS
    uint *of[2] = {words, others};
    int **from = (int **)of[out[2]];
    out[0] = *from[1] + *from[2];
}

kernel void both_in_callees(global int *out, global uint *in, global int *d)
{
    BEGIN
    for (int i = 0; i < 6; i++)
        put((uint *)&t, i, in[i]);
    if (out[1]) t.b = &mine;
    out[0] = get(&t.a, 1) + get(&t.a, 2);
}

kernel void copied_between(global int *out, global uint *in, global int *d)
{
    BEGIN
    uint words[6];
    for (int i = 0; i < 6; i++)
        words[i] = in[i];
    t = *(three *)words;
    END
}

kernel void by_another_pointer(global int *out, global uint *in, global int *d)
{
    BEGIN
    uint other[6];
    uint *to = out[2] ? other : (uint *)&t;
    for (int i = 0; i < 6; i++)
        to[i] = in[i];
    END
}

kernel void exchanged(global int *out, global uint *in, global int *d)
{
    local three t;
    local int mine;
    mine = 5;
    for (int i = 0; i < 6; i++)
        atomic_xchg((volatile local uint *)&t + i, in[i]);
    END
}

kernel void in_vectors(global int *out, global uint *in, global int *d)
{
    BEGIN
    for (int i = 0; i < 3; i++)
        vstore2(vload2(i, in), i, (uint *)&t);
    END
}

kernel void in_bytes(global int *out, global uint *in, global int *d)
{
    BEGIN
    for (int i = 0; i < 24; i++)
        ((uchar *)&t)[i] = ((global uchar *)in)[i];
    END
}

global uint kept[6];

kernel void at_module_scope(global int *out, global uint *in, global int *d)
{
    BEGIN
    for (int i = 0; i < 6; i++)
        kept[i] = in[i];
    for (int i = 0; i < 6; i++)
        put((uint *)&t, i, kept[i]);
    END
}
