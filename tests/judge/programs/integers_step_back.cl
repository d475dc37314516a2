// SPDX-License-Identifier: Apache-2.0
// Integers of the addresses of array elements, from which a constant is subtracted: the address of an earlier element. No
// access chain of the module steps back.
/* TRUTH
{"kernels": [
  {"name": "integer_of_an_element", "args": ["zero:8", "buffer:uint:7", "uint:3"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "negative_sum", "args": ["zero:8", "buffer:uint:7", "uint:3"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "integer_in_a_walk", "args": ["zero:8", "buffer:uint:7", "uint:3"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1}]}
*/
struct triple {
    uint *first, *second, *third;
};
struct pair {
    uint *to;
    ulong key;
};
struct table {
    uint *head[2];
    struct pair pairs[4];
};
__attribute__((noinline)) struct pair *pair_at(struct table *t, uint i) { return &t->pairs[i]; }
__attribute__((noinline)) uint *before(struct pair *p) { return ((struct pair *)((ulong)p - sizeof *p))->to; }
__attribute__((noinline)) uint *before_by_sum(ulong *p) { return ((struct pair *)(-16l + (long)p))->to; }

kernel void integer_of_an_element(global uint *out, global uint *in, uint n)
{
    uint own = 5;
    struct table t = {{in, in}, {{&own, 1}, {&own, 2}, {&own, 3}, {&own, 4}}};
    out[0] = *before(pair_at(&t, n));
    out[1] = *t.head[n - 2];
}

kernel void negative_sum(global uint *out, global uint *in, uint n)
{
    uint own = 5;
    struct table t = {{in, in}, {{&own, 1}, {&own, 2}, {&own, 3}, {&own, 4}}};
    out[0] = *before_by_sum((ulong *)&t.pairs[n]);
    out[1] = *t.head[n - 2];
}

kernel void integer_in_a_walk(global uint *out, global uint *in, uint n)
{
    uint own = 5;
    struct triple t[4];
    ulong end = (ulong)t;
    for (uint i = 0; i < 4; i++)
        t[i].first = t[i].third = in;
    for (uint i = 0; i < n; i++) {
        ((struct triple *)end)->second = &own;
        end += sizeof(struct triple);
    }
    out[0] = **(uint **)(end - 16);
    out[1] = *t[n - 2].first;
}
