// SPDX-License-Identifier: Apache-2.0
// Differences of integers that are addresses: one operand is sometimes null, or a sum, or a difference.
/* TRUTH
{"kernels": [
  {"name": "distance_from_null", "args": ["zero:16", "uint:3"], "expect": {"0": "int:10,11"}, "global": 1, "local": 1},
  {"name": "sum_minus_one", "args": ["zero:16", "buffer:int:30,31,32,33", "uint:3"], "expect": {"0": "int:30,10"}, "global": 1, "local": 1},
  {"name": "distance_from_null_in_a_cell", "args": ["zero:16", "buffer:int:30,31,32,33", "uint:3"], "expect": {"0": "int:30,10"}, "global": 1, "local": 1},
  {"name": "end_minus_what_is_left", "args": ["zero:16", "buffer:int:30,31,32,33", "uint:3"], "expect": {"0": "int:30,10"}, "global": 1, "local": 1}]}
*/
struct distance_from_null_memory {
    ulong d[2];
    uint v[2];
};
__attribute__((noinline)) void distance_from_null_encode(ulong *d, const ulong *x, uint n)
{
    ulong last = 0;
    for (uint i = 0; i < n; i++) {
        d[i] = x[i] - last;
        last = x[i];
    }
}
__attribute__((noinline)) void distance_from_null_decode(global uint *out, const ulong *d, uint n)
{
    ulong x = 0;
    for (uint i = 0; i < n; i++) {
        x += d[i];
        out[i] = *(uint *)x;
    }
}
kernel void distance_from_null(global uint *out, uint n)
{
    struct distance_from_null_memory m;
    ulong x[3];
    for (uint i = 0; i < n - 1; i++)
        m.v[i] = 10 + i, x[i] = (ulong)&m.v[i];
    distance_from_null_encode(m.d, x, n - 1);
    distance_from_null_decode(out, m.d, n - 1);
}
kernel void sum_minus_one(global uint *out, global int *glo, uint n)
{
    int own[4] = {13, 12, 11, 10};
    ulong lo = (ulong)(int *)&own[0], hi = (ulong)(int *)&own[3], t[2];
    t[0] = (ulong)(int *)glo;
    t[1] = lo + hi - (ulong)(int *)&own[n - 3];
    for (uint i = 0; i < 2; i++)
        out[i] = *(int *)t[i];
}
kernel void distance_from_null_in_a_cell(global uint *out, global int *glo, uint n)
{
    int own[2] = {10, 11};
    ulong x = (ulong)(int *)own, last = n ? 0 : x + 4, t[2];
    t[0] = (ulong)(int *)glo;
    t[n - 2] = x - last;
    for (uint i = 0; i < 2; i++)
        out[i] = *(int *)t[i];
}
struct end_minus_what_is_left_reader {
    ulong end, left;
};
__attribute__((noinline)) void end_minus_what_is_left_open(struct end_minus_what_is_left_reader *r, int *p, int *end)
{
    r->end = (ulong)end;
    r->left = r->end - (ulong)p;
}
__attribute__((noinline)) ulong end_minus_what_is_left_at(const struct end_minus_what_is_left_reader *r)
{
    return r->end - r->left;
}
kernel void end_minus_what_is_left(global uint *out, global int *glo, uint n)
{
    int own[2] = {10, 11};
    struct end_minus_what_is_left_reader r;
    ulong t[2];
    end_minus_what_is_left_open(&r, own, own + 2);
    t[0] = (ulong)(int *)glo;
    t[n - 2] = end_minus_what_is_left_at(&r);
    for (uint i = 0; i < 2; i++)
        out[i] = *(int *)t[i];
}
