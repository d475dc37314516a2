// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: -1031521 -620817 -661376 -1597784 -750016 483215 -1686422 1330993
void copy(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    while (n--)
        *t++ = *f++;
}
uint hash(const void *p, size_t n)
{
    const uchar *b = p;
    uint h = 5381;
    for (size_t i = 0; i < n; i++)
        h = h * 33 ^ b[i];
    return h;
}
struct s {
    char c;
    short h;
    int i;
    long l;
    float f[3];
};
kernel void k(global int *out, global int *in)
{
    local struct s l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    struct s a;
    a.c = 1;
    a.h = 2;
    a.i = 3;
    a.l = 4;
    a.f[0] = i;
    a.f[1] = 2;
    a.f[2] = 3;
    copy(&l[j], &a, sizeof a);
    struct s b;
    copy(&b, &l[j], sizeof b);
    copy(&b.i, in + i, sizeof(int));
    out[i] = (int)(hash(in, 16) + hash(&b.f, sizeof b.f)) / 1000 + b.i + (int)b.l;
}
