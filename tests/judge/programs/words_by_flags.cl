// SPDX-License-Identifier: Apache-2.0
// The next or the previous word is computed several times by setting or clearing the lowest bits of an address.
/* TRUTH
{"kernels": [
  {"name": "next_word_twice", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1},
  {"name": "previous_word_twice", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1},
  {"name": "cursor_over_records", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) ulong next_word(ulong a) { return (a | 7) + 1; }
kernel void next_word_twice(global ulong *out, local ulong *loc, uint n)
{
    loc[0] = 20;
    ulong own[1] = {11};
    struct { ulong *a, *b, *c; } t = {(ulong *)loc, (ulong *)loc, own};
    void *first = &t.a;
    ulong at = next_word(next_word((ulong)first));
    out[0] = **(ulong **)at; // 11
}
kernel void previous_word_twice(global ulong *out, local ulong *loc, uint n)
{
    loc[0] = 20;
    ulong own[1] = {11};
    struct { ulong *a, *b, *c, *d; } t = {(ulong *)loc, own, (ulong *)loc, (ulong *)loc};
    void *last = &t.d;
    ulong at = ((ulong)last - 1) & ~7ul;
    at = (at - 1) & ~7ul;
    out[0] = **(ulong **)at; // 11
}
kernel void cursor_over_records(global ulong *out, local ulong *loc, uint n)
{
    loc[0] = 20;
    ulong own[1] = {11};
    struct { uint k0, p0; ulong *w0; uint k1, p1; ulong *w1; uint k2, p2; ulong *w2; ulong *w3; } t =
        {1, 0, (ulong *)loc, 2, 0, (ulong *)loc, 3, 0, own, (ulong *)loc};
    void *first = &t;
    ulong a = (ulong)first;
    a += 4, a = (a + 7) & ~7ul, a += 8; // past k0, w0
    a += 4, a = (a + 7) & ~7ul, a += 8; // past k1, w1
    a += 4, a = (a + 7) & ~7ul;
    out[0] = **(ulong **)a; // 11
}
