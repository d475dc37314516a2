// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 77325 177340 277355 377370 477385 577400 677415 777430
float view(const void *p)
{
    return *(const float *)p;
}
int2 halves(const long *p)
{
    return *(const int2 *)p;
}
short4 parts(const int *p)
{
    return ((const short4 *)p)[0];
}
kernel void k(global int *out, global int *in)
{
    local long l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    int bits = as_int(1.5f * i);
    l[j] = ((long)i << 32) + 77;
    int2 h = halves(&l[j]);
    int two[2] __attribute__((aligned(8))) = {0x00020001, 0x00040003};
    short4 s = parts(two);
    out[i] = (int)(view(&bits) * 10) + h.x * 1000 + h.y * 100000 + s.x + s.y * 10 + s.z * 100 + s.w;
}
