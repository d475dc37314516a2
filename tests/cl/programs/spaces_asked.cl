// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 321084 213054 132054 321084 213054 132054 321084 213054
static int kind(void *p)
{
    if (to_global((char *)p)) return 1;
    if (to_local((char *)p)) return 2;
    return to_private((char *)p) ? 3 : 4;
}
static void store(int *p, int v)
{
    global int *g = to_global(p);
    local int *l = to_local(p);
    if (g)
        *g = v;
    else if (l)
        *l = v + 1;
    else
        *p = v + 2;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    int p = 0, i = get_global_id(0), me = get_local_id(0);
    int *all[3] = {&p, &l[me], &in[i]};
    l[me] = 0;
    int answer = 0;
    for (int n = 0; n < 3; n++) {
        store(all[(n + i) % 3], 10 * n);
        answer = answer * 10 + kind(all[(n + i) % 3]);
    }
    out[i] = answer * 1000 + p * 1 + l[me] * 2 + in[i] * 3;
}
