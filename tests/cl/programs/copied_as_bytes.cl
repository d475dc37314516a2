// SPDX-License-Identifier: Apache-2.0
// Structures that contain pointers, copied byte by byte between memories.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

void copy(void *to, const void *from, size_t n)
{
    uchar *t = to;
    const uchar *f = from;
    for (size_t i = 0; i < n; i++)
        t[i] = f[i];
}
typedef struct {
    int *p;
    long v;
} both;
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    int x = g;
    local int y[4];
    y[l] = g + 1;
    both a = {&x, 5}, b, c = {y + l, 6};
    local both d[4];
    copy(&b, &a, sizeof a);
    copy(&d[l], &c, sizeof c);
    *b.p += 10;
    *d[l].p += 20;
    out[g] = x == g + 10 && y[l] == g + 21 && b.v + d[l].v == 11 ? g : -1;
}
