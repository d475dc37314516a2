// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// The layer does not support a constant that contains the address of a written variable, except on Oclgrind: the driver builds the source
// unchanged.
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
