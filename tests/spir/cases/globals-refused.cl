// SPDX-License-Identifier: Apache-2.0
// A constant that holds the address of a variable which has none before the program runs.
// OPTIONS --globals
// REFUSED oclgrind: program-scope variable 'table' holds the address of another from the start
// REFUSED pocl: holds the address of a program-scope variable that kernels write
global int counter;
constant struct {
    global int *where;
    int step[2];
} table = {&counter, {1, 2}};

kernel void add(global int *out, int at)
{
    *table.where += table.step[at];
    out[0] = counter;
}
