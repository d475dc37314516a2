// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 511 522 533 511 522 533 511 522
global int a = 11, b = 22, c = 33;
global int *global both[3] = {&a, &b, &c};
int load(int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = 5;
    out[i] = load(both[i % 3]) + 100 * load(&x);
}
