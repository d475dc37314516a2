// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -DB
// expect: 10612 10612 10612 10612 10612 10612 10612 10612
#if defined(A) || !defined(B)
#error A or no B
#endif
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
int get(int *p)
{
    return *p;
}
#endif
#define PASTE(a, b) a##b
#define STRING(x) #x
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = PASTE(1, 2);
    out[i] = get(&x) + sizeof(STRING(hello)) * 100 + (__LINE__ == 19) * 10000;
}
