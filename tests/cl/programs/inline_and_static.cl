// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 54321 165332 276343 387354 498365 609376 720387 831398
inline int plain(int *p)
{
    return *p + 1;
}
static inline int hidden(int *p)
{
    return *p + 2;
}
inline static __attribute__((always_inline)) int forced(int *p)
{
    return *p + 3;
}
__attribute__((noinline)) int kept(int *p)
{
    return *p + 4;
}
extern inline int outside(int *p)
{
    return *p + 5;
}
int later(int *p);
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = i;
    out[i] = plain(&x) + hidden(&x) * 10 + forced((int *)in) * 100 + kept(&x) * 1000 + later(&x) + outside(&x) * 10000;
}
int later(int *p)
{
    return *p * 100000;
}
