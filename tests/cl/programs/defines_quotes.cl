// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -DTEXT="\"a b\"" -D "SUM=(1 + 2)" -DTWICE(x)=((x)*2) -D NAMED -DT=int*
// expect: 4206 4206 4206 4206 4206 4206 4206 4206
int get(T p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = SUM;
#ifdef NAMED
    x += NAMED * 100;
#endif
    out[i] = TWICE(get(&x)) + sizeof(TEXT) * 1000;
}
