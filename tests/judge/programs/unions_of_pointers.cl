// SPDX-License-Identifier: Apache-2.0
// Unions of pointers to different memories. LLVM at -O1 and above gives a union the type of one member, and converts the pointers of the others to
// this type and back by integers.
/* TRUTH
{"kernels": [
  {"name": "local_or_private", "args": ["zero:16", "buffer:uint:1,0,1,0", "zero:16", "local:16"], "expect": {"0": "uint:20,11,22,13"}, "global": 1, "local": 1},
  {"name": "local_or_global", "args": ["zero:4", "buffer:uint:1,2,1,0", "zero:16", "local:16"], "expect": {"0": "uint:35"}, "global": 1, "local": 1},
  {"name": "global_or_generic", "args": ["zero:4", "buffer:uint:1,2,1,0", "zero:16", "local:16"], "expect": {"0": "uint:11"}, "global": 1, "local": 1},
  {"name": "constant_or_generic", "args": ["zero:4", "buffer:uint:1,2,1,0", "zero:16", "local:16"], "expect": {"0": "uint:11"}, "global": 1, "local": 1},
  {"name": "local_or_generic", "args": ["zero:4", "buffer:uint:1,2,1,0", "zero:16", "local:16"], "expect": {"0": "uint:11"}, "global": 1, "local": 1},
  {"name": "variable_or_private", "args": ["zero:4", "buffer:uint:1,2,1,0", "zero:16", "local:16"], "expect": {"0": "uint:51"}, "global": 1, "local": 1},
  {"name": "in_a_loop", "args": ["zero:16", "buffer:uint:1,0,1,0", "zero:16", "local:16"], "expect": {"0": "uint:20,11,22,13"}, "global": 1, "local": 1}]}
*/
constant uint table[4] = {41, 42, 43, 44};
#define START                                                                                                          \
    uint own[4];                                                                                                       \
    for (uint i = 0; i < 4; i++)                                                                                       \
        own[i] = 10 + i, near[i] = 20 + i, far[i] = 30 + i;
#define ARGUMENTS global uint *out, global const uint *in, global uint *far, local uint *near

union local_private {
    local uint *l;
    private uint *p;
};
__attribute__((noinline)) void set(union local_private *to, uint i, uint is_local, local uint *l, private uint *p)
{
    union local_private made;
    if (is_local)
        made.l = l + i;
    else
        made.p = p + i;
    *to = made;
}
kernel void local_or_private(ARGUMENTS)
{
    START
    union local_private all[4];
    for (uint i = 0; i < 4; i++)
        set(&all[i], i, in[i] & 1, near, own);
    for (uint i = 0; i < 4; i++)
        out[i] = in[i] & 1 ? *all[i].l : *all[i].p;
}

// The store between the assignment and the use of the union makes two choices of one.
#define KERNEL(name, type, member, first, second)                                                                      \
    kernel void name(ARGUMENTS)                                                                                        \
    {                                                                                                                  \
        START                                                                                                          \
        union {                                                                                                        \
            type *member;                                                                                              \
            uint *x;                                                                                                   \
            global uint *g;                                                                                            \
        } any;                                                                                                         \
        if (in[0] & 1)                                                                                                 \
            any.second;                                                                                                \
        else                                                                                                           \
            any.member = first;                                                                                        \
        if (in[1] & 2) far[3] += 2;                                                                                    \
        out[0] = in[0] & 1 ? *any.SECOND : *any.member;                                                                \
    }
#define SECOND g
KERNEL(local_or_global, local uint, l, near + 1, g = far + 3)
#undef SECOND
#define SECOND x
KERNEL(global_or_generic, global uint, f, far + 2, x = &own[in[0]])
KERNEL(constant_or_generic, constant uint, c, table + 2, x = &own[in[0]])
KERNEL(local_or_generic, local uint, l, near + 1, x = in[2] & 1 ? &own[in[0]] : (uint *)near)

kernel void variable_or_private(ARGUMENTS)
{
    local uint word;
    START
    union local_private any;
    word = 51;
    if (in[0] & 1)
        any.l = &word;
    else
        any.p = &own[in[3]];
    if (in[1] & 2) far[3] += 2;
    out[0] = in[0] & 1 ? *any.l : *any.p;
}

kernel void in_a_loop(ARGUMENTS)
{
    START
    union local_private last;
    last.p = own;
    for (uint i = 0; i < 4; i++) {
        if (in[i] & 1)
            last.l = near + i;
        else
            last.p = own + i;
        if (in[i] > 2) far[i] = i;
        out[i] = in[i] & 1 ? *last.l : *last.p;
    }
}
