// SPDX-License-Identifier: Apache-2.0
// An atomic object that belongs to a work-item, or to the work-group.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

int next(atomic_int *a)
{
    return atomic_fetch_add(a, 1);
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    atomic_int own;
    atomic_init(&own, g);
    local atomic_int theirs[4];
    atomic_init(&theirs[l], 10 * g);
    atomic_int *p = g & 1 ? &own : (atomic_int *)&theirs[l];
    int r = next(p) + next(p);
    out[g] = r == (g & 1 ? 2 * g + 1 : 20 * g + 1) && next(&own) == (g & 1 ? g + 2 : g) ? g : r;
}
