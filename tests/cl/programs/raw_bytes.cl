// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 205214 206215 207216 208217 209218 210219 211220 212221
static void copy(void *to, const void *from, size_t n)
{
    uchar *t = to;
    const uchar *f = from;
    if (!(((uintptr_t)to | (uintptr_t)from | n) & 3))
        for (; n; n -= 4, t += 4, f += 4) *(uint *)t = *(const uint *)f;
    while (n--) *t++ = *f++;
}
static int same(const void *a, const void *b, size_t n)
{
    const char *x = (const char *)a, *y = (const char *)b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i]) return (int)i + 1;
    return 0;
}
typedef struct {
    char c[3];
    short s;
    long l;
    float f[2];
} mixed;
kernel void k(global int *out, global int *in)
{
    local mixed l[4];
    mixed a = {{1, 2, 3}, 4, 5, {6, 7}}, b;
    int id = get_global_id(0), me = get_local_id(0);
    copy(&l[me], &a, sizeof a);
    l[me].l += id;
    copy(&b, &l[me], sizeof b);
    copy((char *)&b + 1, (char *)&a, 2);
    int words[4];
    copy(words, in + id, sizeof words);
    copy(&l[me].f, words + 2, 7);
    out[id] = b.c[0] + b.c[1] * 10 + b.c[2] * 100 + (int)b.l * 1000 + same(&a, &b, sizeof a) * 100000 + words[3] + same(&l[me].s, &b.s, 2);
}
