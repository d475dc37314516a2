// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
// Addresses in initializers at any place in a variable: in an array, in a structure in an array, in a row, one past the end, at the
// beginning.
typedef struct { char c; int a[3]; float2 v; struct { short s[2]; long l; } in; } rec;
global int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
global rec recs[2];
global short grid[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
global int *third = table + 3, *end = table + 8, *last = &table[8] - 1;
global int *inside = &recs[1].a[2];
global short *deep = &recs[1].in.s[1];
global rec *second = recs + 1;
global short *row = &grid[2][1];
global int one = 5;
global int *behind = &one + 1;
int *seventh = &table[6];
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    bool near = third == &table[3] && third[1] == 5 && end - table == 8 && *last == 8 && *seventh == 7;
    bool far = inside == &recs[1].a[2] && deep == &recs[1].in.s[1] && second == &recs[1] && row - grid[0] == 9 && *row == 9;
    out[i] = near && far && behind[-1] == 5 && (table + 5)[i & 1] == 6 + (int)(i & 1);
}
