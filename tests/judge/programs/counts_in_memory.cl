// SPDX-License-Identifier: Apache-2.0
// Words of memory that hold an address or a number, loaded as pointers.
/* TRUTH
{"kernels": [
  {"name": "words_of_both", "args": ["zero:24", "uint:3"], "expect": {"0": "int:7,1,1,1"}, "global": 1, "local": 1},
  {"name": "words_with_count", "args": ["zero:8", "uint:3"], "expect": {"0": "int:7,1"}, "global": 1, "local": 1},
  {"name": "number_in_a_union", "args": ["zero:16", "uint:3"], "expect": {"0": "int:1,1"}, "global": 1, "local": 1}]}
*/
#define NUMBER 0x123456789abcdeful
__attribute__((noinline)) int *kept(int *p)
{
    int *volatile q = p;
    return q;
}
kernel void words_of_both(global uint *out, uint n)
{
    int x = 7;
    ulong words[4] = {(ulong)&x, NUMBER, -1ul, (ulong)(n & 15) << 36};
    ulong expected[4] = {0, NUMBER, -1ul, (ulong)(n & 15) << 36};
    for (uint i = 0; i <= n; i++) {
        ulong k = (ulong)kept(*(int **)&words[i]);
        out[i] = i ? k == expected[i] : *(int *)k;
    }
}
// A count, which is no constant and has at most 40 bits, is the only number in these words.
kernel void words_with_count(global uint *out, uint n)
{
    int x = 7;
    ulong words[2] = {(ulong)&x, (ulong)(n & 15) << 36};
    for (uint i = 0; i < n - 1; i++) {
        int *p = kept(*(int **)&words[i]);
        out[i] = i ? (ulong)p == (ulong)(n & 15) << 36 : *p;
    }
}
kernel void number_in_a_union(global uint *out, uint n)
{
    union {
        ulong word;
        int *pointer;
    } u[4];
    for (uint i = 0; i < n; i++)
        u[i].word = i & 1 ? NUMBER : -2ul;
    for (uint i = 0; i < n - 1; i++)
        out[i] = (ulong)kept(u[i].pointer) == (i & 1 ? NUMBER : -2ul);
}
