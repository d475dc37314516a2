// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 518601 519536 514615 515706 516791 517811 518770 519861
static int around(const int *middle, int reach)
{
    int sum = 0;
    for (int i = -reach; i <= reach; i++) sum += middle[i] * (i + reach + 1);
    return sum;
}
static const int *last(const int *first, const int *end, int wanted)
{
    const int *found = 0;
    for (const int *p = first; p != end; ++p)
        if (*p == wanted) found = p;
    return found;
}
kernel void k(global int *out, global int *in)
{
    local int l[20];
    int p[9], i = get_global_id(0), me = get_local_id(0);
    for (int n = me; n < 20; n += 4) l[n] = n % 6;
    for (int n = 0; n < 9; n++) p[n] = (n * n + i) % 5;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    const int *a = last(l, l + 20, i % 6), *b = last(p, p + 9, i % 5), *c = last(&in[0], &in[64], i * 5), *d = last(l, l, 0);
    int sum = around(p + 4, 4) + around(&l[me + 8], 3) * 2 + around(in + 20 + i, 2);
    if (a) sum += 1000 * (int)(a - l);
    if (b) sum += 100000 * (int)(b - p);
    if (c) sum += 7 * (int)(c - in);
    out[i] = sum + (d == 0) + (a == b) + (b == c);
}
