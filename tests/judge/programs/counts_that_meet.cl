// SPDX-License-Identifier: Apache-2.0
// Integers that are sometimes an address, and sometimes a number of more than 32 bits: a conversion to a pointer and back keeps the value.
/* TRUTH
{"kernels": [
  {"name": "phi_of_both", "args": ["zero:16", "uint:3"], "expect": {"0": "int:7,1"}, "global": 1, "local": 1},
  {"name": "copied_records", "args": ["zero:16", "uint:3"], "expect": {"0": "int:7,1"}, "global": 1, "local": 1},
  {"name": "called_with_both", "args": ["zero:16", "uint:3"], "expect": {"0": "int:7,1,1"}, "global": 1, "local": 1},
  {"name": "returned_or_count", "args": ["zero:16", "uint:3"], "expect": {"0": "int:7,1"}, "global": 1, "local": 1},
  {"name": "greatest_of_both", "args": ["zero:16", "uint:3"], "expect": {"0": "int:1"}, "global": 1, "local": 1},
  {"name": "exchanged", "args": ["zero:16", "local:8", "uint:3"], "expect": {"0": "int:1,7"}, "global": 1, "local": 1}]}
*/
#define NUMBER 0x123456789abcdeful
__attribute__((noinline)) int *kept(int *p)
{
    int *volatile q = p;
    return q;
}
kernel void phi_of_both(global uint *out, uint n)
{
    int x = 7;
    for (uint i = 0; i < 2; i++) {
        ulong h = i & 1 ? (ulong)(n & 15) << 36 | 5 : (ulong)&x;
        ulong k = (ulong)kept((int *)h);
        out[i] = i & 1 ? k == ((ulong)(n & 15) << 36 | 5) : *(int *)k;
    }
}
struct record {
    ulong tag;
    ulong word;
};
kernel void copied_records(global uint *out, uint n)
{
    int x = 7;
    struct record all[2] = {{1, (ulong)&x}, {2, NUMBER}}, some;
    for (uint i = 0; i < n - 1; i++) {
        some = all[i];
        int *p = kept((int *)some.word);
        out[i] = some.tag == 1 ? *p : (ulong)p == NUMBER;
    }
}
__attribute__((noinline)) ulong through(ulong word)
{
    return (ulong)kept((int *)word);
}
kernel void called_with_both(global uint *out, uint n)
{
    int x = 7;
    out[0] = *(int *)through((ulong)&x);
    out[1] = through(NUMBER) == NUMBER;
    out[2] = through((ulong)(n & 15) << 35) == (ulong)(n & 15) << 35;
}
__attribute__((noinline)) ulong address_or_end(int *p, uint i)
{
    if (i) return NUMBER;
    return (ulong)p;
}
kernel void returned_or_count(global uint *out, uint n)
{
    int x = 7;
    for (uint i = 0; i < n - 1; i++) {
        int *p = kept((int *)address_or_end(&x, i));
        out[i] = i ? (ulong)p == NUMBER : *p;
    }
}
kernel void greatest_of_both(global uint *out, uint n)
{
    int x = 7;
    ulong most = max((ulong)&x, n > 2 ? -3ul : 0);
    out[0] = (ulong)kept((int *)most) == -3ul;
}
kernel void exchanged(global uint *out, local ulong *cell, uint n)
{
    local int x;
    x = 7;
    *cell = NUMBER;
    ulong old = atom_xchg(cell, (ulong)(int *)&x);
    out[0] = (ulong)kept((int *)old) == NUMBER;
    old = atom_xchg(cell, NUMBER);
    out[1] = *kept((int *)old);
}
