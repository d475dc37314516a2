// SPDX-License-Identifier: Apache-2.0
// Parts of words that are copied as parts of other words, tags above an address, the base of a window.
/* TRUTH
{"kernels": [
  {"name": "half_copied_by_struct", "args": ["zero:16", "local:16"], "expect": {"0": "int:20"}, "global": 1, "local": 1},
  {"name": "two_layouts_of_a_message", "args": ["zero:16", "local:16"], "expect": {"0": "int:20"}, "global": 1, "local": 1},
  {"name": "zeroed_bytes_not_loose", "args": ["zero:16"], "expect": {"0": "int:10"}, "global": 1, "local": 1},
  {"name": "or_of_64_bits_not_loose", "args": ["zero:16", "uint:3"], "expect": {"0": "int:10"}, "global": 1, "local": 1},
  {"name": "window_base_becomes_null", "args": ["zero:16", "uint:3"], "expect": {"0": "int:10"}, "global": 1, "local": 1}]}
*/
struct half_copied_by_struct_part {
    uint v;
};
kernel void half_copied_by_struct(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    union {
        ulong w;
        struct half_copied_by_struct_part h[2];
    } t, u;
    ulong x = (ulong)(int *)loc;
    t.w = (ulong)(int *)own;
    u.w = 0;
    u.h[0].v = x >> 32;
    t.h[1] = u.h[0];
    u.h[0].v = x;
    t.h[0] = u.h[0];
    out[0] = *(int *)t.w;
}
kernel void two_layouts_of_a_message(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    union {
        struct __attribute__((packed)) {
            uint kind;
            ulong p;
        } a;
        struct {
            uint lo, hi, kind;
        } b;
        ulong w;
    } m;
    m.a.p = (ulong)(int *)own;
    ulong x = (ulong)(int *)loc;
    m.b.lo = x;
    m.b.hi = x >> 32;
    out[0] = *(int *)m.w;
}
__attribute__((noinline)) char *zeroed_bytes_not_loose_pass(char *p)
{
    return p;
}
kernel void zeroed_bytes_not_loose(global uint *out)
{
    int own[2] = {10, 11};
    union {
        char *p;
        uchar b[8];
    } u;
    u.p = (char *)own;
    uint hi = (ulong)u.p >> 32;
    for (int i = 4; i < 8; i++)
        u.b[i] = 0;
    char *t = zeroed_bytes_not_loose_pass(u.p);
    out[0] = *(int *)((ulong)t | (ulong)hi << 32);
}
__attribute__((noinline)) char *or_of_64_bits_not_loose_tagged(char *p, uint tag)
{
    return (char *)((ulong)p | (ulong)tag << 48);
}
__attribute__((noinline)) int or_of_64_bits_not_loose_use(char *p)
{
    return *(int *)((ulong)p & 0xfffffffffffful);
}
kernel void or_of_64_bits_not_loose(global uint *out, uint n)
{
    int own[2] = {10, 11};
    out[0] = or_of_64_bits_not_loose_use(or_of_64_bits_not_loose_tagged((char *)own, n));
}
__attribute__((noinline)) void *window_base_becomes_null_segment_of(void *p)
{
    return (void *)((ulong)p & ~0xffffful);
}
__attribute__((noinline)) int *window_base_becomes_null_at(void *segment, uint offset)
{
    return (int *)((ulong)segment + offset);
}
kernel void window_base_becomes_null(global uint *out, uint n)
{
    int own[2] = {10, 11};
    out[0] = *window_base_becomes_null_at(window_base_becomes_null_segment_of(own), (ulong)(int *)own & 0xfffff);
}
