// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// A constant that holds the address of a written variable is more than we can do, except on Oclgrind: the driver builds it by itself.
global int counter;
constant struct {
    global int *where;
    int step[2];
} table = {&counter, {1, 2}};
kernel void k(global int *out, global int *in)
{
    *table.where += table.step[in[0]];
    out[0] = counter;
}
