// SPDX-License-Identifier: Apache-2.0
// Bytes of an address change in ways whose extent the compiler does not know: a copy of n bytes, a choice between the
// components of vectors, and halves in constant vectors. Unsound if such a word still points to what it pointed to.
/* TRUTH
{"kernels": [
  {"name": "by_copied_bytes", "args": ["zero:4", "local:4", "int:1"], "expect": {"0": "int:9"}, "global": 1, "local": 1},
  {"name": "by_copied_bytes_of_many", "args": ["zero:4", "local:4", "int:1"], "expect": {"0": "int:9"}, "global": 1, "local": 1},
  {"name": "by_chosen_bytes", "args": ["zero:4", "local:4", "char:-1,0,0,0,0,0,0,0"], "expect": {"0": "int:9"}, "global": 1, "local": 1},
  {"name": "by_constant_halves", "args": ["zero:4", "local:4", "int:1"], "expect": {"0": "int:9"}, "global": 1, "local": 1}]}
*/
struct __attribute__((aligned(256))) s_by_copied_bytes { int *a; int *b; };
kernel void by_copied_bytes(global int *out, local int *l, int n)
{
    int x = 5;
    struct s_by_copied_bytes s;
    int **slot[1];
    ulong zero = 0;
    *l = 9;
    s.a = l;
    s.b = &x;
    slot[0] = &s.b;
    __builtin_memcpy((private char *)slot, (private char *)&zero, n);
    *out = **slot[0];
}
struct __attribute__((aligned(256))) s_by_copied_bytes_of_many { int *z[4]; int *b; int *pad[37]; int *c; int *d; };
kernel void by_copied_bytes_of_many(global int *out, local int *l, int n)
{
    int x = 5;
    struct s_by_copied_bytes_of_many s;
    int **slot, **other;
    *l = 9;
    s.b = &x; s.c = &x;
    s.z[0] = &x;
    s.z[1] = l;               /* offset 8 */
    slot = (int **)&s.b;      /* offset 32 */
    other = (int **)((char *)&s + 256 + 8); /* offset 264 */
    s.pad[28] = &x;           /* offset 40 + 224 = 264 */
    __builtin_memcpy((private char *)&slot, (private char *)&other, n);
    *out = **slot;
}
struct __attribute__((aligned(256))) s_by_chosen_bytes { int *a; int *b; };
kernel void by_chosen_bytes(global int *out, local int *l, char8 m)
{
    int x = 5;
    struct s_by_chosen_bytes s, *gs = &s;
    *l = 9;
    gs->a = l;
    gs->b = &x;
    char8 zero = 0, bytes = as_char8((ulong)&gs->b);
    char8 chosen = m ? zero : bytes;
    int **p = (int **)as_ulong(chosen);
    *out = **p;
}
union u_by_constant_halves { uint2 v; ulong u; };
kernel void by_constant_halves(global int *out, local int *l, int c)
{
    int x = 5;
    *l = 9;
    int *gx = &x, *gl = l; ulong p = c ? (ulong)gl : (ulong)gx, n = 0;
    union u_by_constant_halves t;
#define B(k) if (p >> k & 1) { t.v = (uint2)(1u << k, 0); n |= t.u; } if (p >> (32 + k) & 1) { t.v = (uint2)(0, 1u << k); n |= t.u; }
    B(0) B(1) B(2) B(3) B(4) B(5) B(6) B(7) B(8) B(9) B(10) B(11) B(12) B(13) B(14) B(15)
    B(16) B(17) B(18) B(19) B(20) B(21) B(22) B(23) B(24) B(25) B(26) B(27) B(28) B(29) B(30) B(31)
    if (c == 7) n = (ulong)gx;
    int *q = (int *)n;
    *out = *q;
}
