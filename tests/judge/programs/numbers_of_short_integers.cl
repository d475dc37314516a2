// SPDX-License-Identifier: Apache-2.0
// A concrete pointer is converted from the low half of an address, an index is truncated to a byte, and an address is
// found by comparisons with constants that are counts. Unsound if these integers carry nothing.
/* TRUTH
{"kernels": [
  {"name": "concrete_of_short", "args": ["zero:4"], "expect": {"0": "int:5"}, "global": 1, "local": 1},
  {"name": "truncated_index", "args": ["zero:4", "local:4", "int:3"], "expect": {"0": "int:9"}, "global": 1, "local": 1},
  {"name": "repeated_subtraction", "args": ["zero:8", "local:8"], "expect": {"0": "ulong:9"}, "global": 1, "local": 1}]}
*/
kernel void concrete_of_short(global int *out)
{
    local int *slot[1];
    int x = 5, *gx = &x;
    local ulong word[1];
    word[0] = (ulong)gx;
    uint h = (uint)(ulong)word;
    local ulong *q = (local ulong *)(ulong)h;
    int **r = (int **)q;
    *out = **r;
}
kernel void truncated_index(global int *out, local int *l, int n)
{
    int x = 5;
    int *p[8];
    *l = 9;
    for (int i = 0; i < 8; i++) p[i] = &x;
    int **q = p;
    p[7] = l;
    int *r = q[(uchar)((n << 16) + 263)];
    *out = *r;
}
kernel void repeated_subtraction(global ulong *out, local ulong *l)
{
    *l = 9;
    ulong *gl = l;
    ulong p = (ulong)gl, n = 0;
    while (p >= (1ul << 29)) { p -= 1ul << 29; n += 1; }
    n <<= 5;
    while (p >= (1ul << 24)) { p -= 1ul << 24; n += 1; }
    n <<= 12;
    while (p >= (1ul << 12)) { p -= 1ul << 12; n += 1; }
    n <<= 9;
    while (p >= (1ul << 3)) { p -= 1ul << 3; n += 1; }
    n <<= 3;
    *out = *(ulong *)n;
}
