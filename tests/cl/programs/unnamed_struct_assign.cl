// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 919 920 921 922 923 924 925 926
typedef struct {
    int v[20];
    char tail[3];
} big;
void assign(big *a, const big *b)
{
    *a = *b;
}
void clear(big *a)
{
    big zero = {{0}, {0}};
    *a = zero;
}
kernel void k(global int *out, global int *in)
{
    local big l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    big x;
    for (int n = 0; n < 20; n++)
        x.v[n] = n + i;
    x.tail[2] = 9;
    clear(&l[j]);
    int z = l[j].v[13] + l[j].tail[2];
    assign(&l[j], &x);
    big y = l[j];
    clear(&x);
    out[i] = z + y.v[19] + y.tail[2] * 100 + x.v[7];
}
