// SPDX-License-Identifier: Apache-2.0
// Two counts, each of at most 32 bits, are placed 4 bytes apart in memory: by copies of bytes, by stores and loads with less alignment than a word
// has, and by loads of vectors. The word that overlaps both is an address.
/* TRUTH
{"kernels": [
  {"name": "streamed", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "copied_up", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "packed_store", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "packed_load", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "shifted_copy", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "sixteen_bits", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "vector_load", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "merged", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "distance", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "by_functions", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1}]}
*/
#define BEGIN uint own = 99; near[1] = in[2]; ulong p = (ulong)(uint *)&near[1], x, high = p >> 32, low = (uint)p;
#define END out[0] = *(uint *)(in[0] == 7 ? (ulong)(uint *)&own : x);
struct __attribute__((packed)) packed { ulong v; };
kernel void streamed(global uint *out, global const uint *in, local uint *near)
{
    uchar stream[8] __attribute__((aligned(8)));
    BEGIN
    __builtin_memcpy(stream, &low, 4);
    __builtin_memcpy(stream + 4, &high, 4);
    __builtin_memcpy(&x, stream, 8);
    END
}
kernel void copied_up(global uint *out, global const uint *in, local uint *near)
{
    BEGIN
    x = low;
    __builtin_memcpy((uchar *)&x + 4, &high, 4);
    END
}
kernel void packed_store(global uint *out, global const uint *in, local uint *near)
{
    ulong w[2];
    BEGIN
    w[0] = low;
    ((struct packed *)((uchar *)w + 4))->v = high;
    x = w[0];
    END
}
kernel void packed_load(global uint *out, global const uint *in, local uint *near)
{
    ulong w[3];
    BEGIN
    w[0] = 0, w[1] = high, w[2] = 0;
    x = ((struct packed *)((uchar *)w + 4))->v | low;
    END
}
kernel void shifted_copy(global uint *out, global const uint *in, local uint *near)
{
    ulong w[3];
    BEGIN
    w[0] = 0, w[1] = high, w[2] = 0;
    __builtin_memcpy(&x, (uchar *)w + 4, 8);
    x += low;
    END
}
kernel void sixteen_bits(global uint *out, global const uint *in, local uint *near)
{
    uchar stream[16] __attribute__((aligned(8)));
    BEGIN
    for (uint k = 0; k < 4; k++)
        ((struct packed *)(stream + 2 * k))->v = p >> 16 * k & 0xffff;
    x = *(ulong *)stream;
    END
}
kernel void vector_load(global uint *out, global const uint *in, local uint *near)
{
    ulong w[3];
    BEGIN
    w[0] = 0, w[1] = high, w[2] = 0;
    x = as_ulong(vload2(0, (uint *)w + 1)) | low;
    END
}
__attribute__((noinline)) void put(uchar *s, ulong value)
{
    ((struct packed *)s)->v = value;
}
__attribute__((noinline)) ulong get(const uchar *s)
{
    return ((const struct packed *)s)->v;
}
kernel void by_functions(global uint *out, global const uint *in, local uint *near)
{
    uchar s[24] __attribute__((aligned(8)));
    BEGIN
    put(s + 1, low);
    put(s + 5, high);
    x = get(s + 1);
    END
}
/* The word is loaded as a pointer, and joins a pointer to private memory. */
struct node {
    struct node *next;
    uint v;
};
kernel void merged(global uint *out, global const uint *in, local uint *near)
{
    struct node a, *n = (struct node *)near;
    n->v = in[2], n->next = 0, a.v = 0;
    uchar s[24] __attribute__((aligned(8)));
    ulong p = (ulong)n;
    ((struct packed *)s)->v = (uint)p;
    ((struct packed *)(s + 4))->v = p >> 32;
    a.next = in[0] == 7 ? (struct node *)&a : *(struct node **)s;
    out[0] = a.next->v;
}
/* No other memory meets the word: the distance of the two memories is kept as two counts. */
kernel void distance(global uint *out, global const uint *in, local uint *near)
{
    uint own = 99;
    near[1] = in[2];
    ulong b = (ulong)(uint *)&own, d = (ulong)(uint *)&near[1] - b;
    uchar s[16] __attribute__((aligned(8)));
    ((struct packed *)s)->v = (uint)d;
    ((struct packed *)(s + 4))->v = d >> 32;
    out[0] = *(uint *)(b + *(ulong *)s);
}
