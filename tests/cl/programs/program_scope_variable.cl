// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 111 212 313 414 515 616 717 818
global int counter[8] = {10, 20, 30, 40, 50, 60, 70, 80};
int bump(int *p) { *p += 1; return *p; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = in[i];
    out[i] = bump(&counter[i]) * 10 + bump(&x);
}
