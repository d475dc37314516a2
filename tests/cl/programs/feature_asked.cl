// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// expect: 10 21 32 43 54 65 76 87
#ifdef __opencl_c_generic_address_space
int first(int *p) { return *p; }
#else
#error the device said that there are generic pointers
#endif
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i] + 1;
    out[i] = first(&x) * 10 + first(in + i);
}
