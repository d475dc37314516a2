// SPDX-License-Identifier: Apache-2.0
// Pointers to the elements of vectors.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

void add(int *e, int v)
{
    *e += v;
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    int4 v = (int4)(1, 2, 3, 4);
    local int4 w[4];
    w[l] = v * 2;
    add((int *)&v + 2, g);
    add((int *)&w[l] + (g & 3), 7);
    int *q = (g & 1 ? (int *)&v : (int *)&w[l]);
    int good = v.z == 3 + g && ((local int *)&w[l])[g & 3] == 2 * ((g & 3) + 1) + 7 &&
               q[0] == (g & 1          ? 1
                        : (g & 3) == 0 ? 9
                                       : 2);
    out[g] = good ? g : -1;
}
