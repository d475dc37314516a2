// SPDX-License-Identifier: Apache-2.0
// On its way to an element, a pointer has the device address of null: the array may begin there, with offsets that are
// 1 too large because 0 means none, or 128 bytes after it, with a header of 128 bytes. clang at -O2 also subtracts the constant first if the source
// adds the offset first. A list of links in entries ends with an entry before null, from which the pointer does move to null.
/* TRUTH
{"kernels": [
  {"name": "one_too_large", "args": ["zero:12", "buffer:uint:1,0,1,0", "local:16"], "expect": {"0": "uint:6,7,1"}, "global": 1, "local": 1},
  {"name": "behind_header", "args": ["zero:12", "buffer:uint:1,0,1,0", "local:16"], "expect": {"0": "uint:6,7,1"}, "global": 1, "local": 1},
  {"name": "by_another_type", "args": ["zero:12", "buffer:uint:1,0,1,0", "local:16"], "expect": {"0": "uint:6,7,1"}, "global": 1, "local": 1},
  {"name": "entries", "args": ["zero:8", "buffer:uint:1,2,3,4", "local:16"], "expect": {"0": "uint:1243,4"}, "global": 1, "local": 1}]}
*/
#define START                                                                                                          \
    uint own[4], *memories[2] = {own, (uint *)near};                                                                   \
    ulong offsets[2];                                                                                                  \
    for (uint i = 0; i < 4; i++)                                                                                       \
        own[i] = 5 + i, near[i] = 15 + i;                                                                              \
    uchar *begin = (uchar *)memories[in[1]];                                                                           \
    out[2] = begin == (uchar *)own;

kernel void one_too_large(global uint *out, global const uint *in, local uint *near)
{
    START
    for (uint i = 0; i < 2; i++) {
        uint *from = memories[(in[0] + i) & 1];
        offsets[i] = (ulong)(from + i + 1) - (ulong)from + 1;
    }
    for (uint i = 0; i < 2; i++)
        out[i] = *(uint *)(begin - 1 + offsets[i]);
}

kernel void behind_header(global uint *out, global const uint *in, local uint *near)
{
    START
    for (uint i = 0; i < 2; i++) {
        uint *from = memories[(in[0] + i) & 1];
        offsets[i] = (ulong)(from + i + 1) - (ulong)from + 128;
    }
    for (uint i = 0; i < 2; i++)
        out[i] = *(uint *)(begin - 128 + offsets[i]);
}

kernel void by_another_type(global uint *out, global const uint *in, local uint *near)
{
    START
    for (uint i = 0; i < 2; i++) {
        uint *from = memories[(in[0] + i) & 1];
        offsets[i] = ((ulong)(from + i + 1) - (ulong)from + 128) / 2;
    }
    for (uint i = 0; i < 2; i++)
        out[i] = *(uint *)((ushort *)(begin - 128) + offsets[i]);
}

struct entry {
    uint value;
    struct link {
        struct link *next;
    } link;
};
#define ENTRY(link) ((struct entry *)((ulong)(link)-8))
#define LINK(entry) ((struct link *)((ulong)(entry) + 8))

kernel void entries(global uint *out, global const uint *in, local uint *near)
{
    struct entry a = {in[0]}, b = {in[1]}, c = {in[2]};
    local struct entry *far = (local struct entry *)near;
    far->value = in[3];
    a.link.next = &b.link, b.link.next = (struct link *)&far->link, far->link.next = &c.link, c.link.next = 0;
    struct link *first = in[0] == 1 ? &a.link : 0;
    uint values = 0, count = 0;
    for (struct entry *e = ENTRY(first); LINK(e) != 0 && count < 9; e = ENTRY(LINK(e)->next), count++)
        values = values * 10 + e->value;
    out[0] = values, out[1] = count;
}
