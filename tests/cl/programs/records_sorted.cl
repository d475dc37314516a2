// SPDX-License-Identifier: Apache-2.0
// Records of odd size, sorted by a swap of bytes in private and local memory.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

void swap(void *a, void *b, size_t n)
{
    char *x = a, *y = b;
    while (n--) {
        char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}
typedef struct {
    short key;
    char pad[3];
    int value;
} rec;
void sort(rec *a, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1].key > a[j].key; j--)
            swap(a + j, a + j - 1, sizeof *a);
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    local rec s[4][5];
    rec p[5];
    for (int i = 0; i < 5; i++) {
        p[i].key = s[l][i].key = (i * 3 + g) % 5;
        p[i].value = s[l][i].value = i;
    }
    sort(p, 5);
    sort(s[l], 5);
    int good = 1;
    for (int i = 0; i < 5; i++)
        good &= p[i].key == i && s[l][i].key == i && (p[i].value * 3 + g) % 5 == i && s[l][i].value == p[i].value;
    out[g] = good ? g : -1;
}
