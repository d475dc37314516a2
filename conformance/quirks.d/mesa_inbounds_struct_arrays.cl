// SPDX-License-Identifier: Apache-2.0
// expect: 9 5 9 5 9 5 9 5
/* The pointer leaves the array for the next member of the structure. */
struct some {
    int first, t[4], last;
};
kernel void k(global int *out, global int *in)
{
    struct some s = {1, {2, 3, 4, 5}, 9};
    size_t i = get_global_id(0);
    private int *p = &s.t[3];
    s.last = 9;
    out[i] = p[(i & 1) ^ 1];
}
