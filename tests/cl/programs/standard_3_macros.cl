// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 111026 411026 711026 1011026 1311086 1611086 1911086 2211086
#if !defined(__opencl_c_generic_address_space)
#error generic pointers are wanted
#endif
#if __OPENCL_C_VERSION__ < 300
#error an older language
#endif
int weigh(const int *p, int n)
{
    int sum = 0;
    while (n--) sum = sum * 2 + *p++;
    return sum;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    int p[3] = {in[1], in[2], in[3]}, i = get_global_id(0);
    l[get_local_id(0)] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = weigh(p, 3) * 1000 + weigh(l, 4) + weigh(in + i, 2) * 100000;
}
