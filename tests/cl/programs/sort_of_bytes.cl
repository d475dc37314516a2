// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 13524 41352 52413 35241 41352 24135 52413 35241
void swap(void *a, void *b, size_t n)
{
    char *x = a, *y = b;
    while (n--) {
        char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}
struct rec {
    uchar key;
    ushort val;
};
void sort(void *base, size_t n, size_t size)
{
    char *b = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && *(uchar *)(b + (j - 1) * size) > *(uchar *)(b + j * size); j--)
            swap(b + j * size, b + (j - 1) * size, size);
}
kernel void k(global int *out, global int *in)
{
    struct rec own[5];
    local struct rec all[4][5];
    size_t i = get_global_id(0), l = get_local_id(0);
    struct rec *r = i & 1 ? (struct rec *)own : all[l];
    for (int j = 0; j < 5; j++) {
        r[j].key = (uchar)((j * 7 + i * 3) % 11 * 20);
        r[j].val = (ushort)(j + 1);
    }
    sort(r, 5, sizeof *r);
    int s = 0;
    for (int j = 0; j < 5; j++)
        s = s * 10 + r[j].val;
    out[i] = s;
}
