// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
void copy(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    while (n--)
        *t++ = *f++;
}
void set(void *to, int v, size_t n)
{
    uchar *t = to;
    for (size_t i = 0; i < n; i++)
        t[i] = v;
}
int cmp(const void *a, const void *b, size_t n)
{
    const uchar *x = a, *y = b;
    for (; n--; x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}
typedef struct {
    int a[3];
    short s;
    char c;
} rec;
kernel void k(global int *out, global int *in)
{
    rec p = {{1, 2, 3}, 4, 5}, q;
    local rec l[4];
    local rec *m = &l[get_local_id(0)];
    set(&q, 0, sizeof q);
    set(m, 255, sizeof *m);
    copy(m, &p, sizeof p);
    copy(&q, m, sizeof q);
    rec r = *(rec *)m;
    out[get_global_id(0)] = !cmp(&q.a, &p.a, 12) && q.s == 4 && q.c == 5 && r.a[2] == 3 && cmp(&p.s, &q.a, 1) > 0;
}
