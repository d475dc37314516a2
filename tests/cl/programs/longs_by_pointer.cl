// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 3110930 3113319 2715189 3313155 3120196 2617572 2217682 3313082
static ulong stir(ulong *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
static long digits(const long *v)
{
    return popcount(*v) * 100 + clz(*v) + (long)mul_hi(*v, 1L << 40) % 7;
}
kernel void k(global int *out, global int *in)
{
    local ulong l[4];
    ulong p = (ulong)in[get_global_id(0) + 1] * 88172645463325252ul;
    int i = get_global_id(0), me = get_local_id(0);
    l[me] = p >> 1;
    stir(&p);
    stir(l + me);
    ulong *either = &p;
    if (i % 2 == 0) either = &l[me];
    p += stir(either);
    long both[2] = {(long)(p >> 20), (long)(l[me] >> 9)};
    out[i] = (int)digits(both) + (int)digits(both + 1) * 1000 + abs((int)hadd((long)p, (long)l[me])) % 1000;
}
