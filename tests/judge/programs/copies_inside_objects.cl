// SPDX-License-Identifier: Apache-2.0
// Copies from one place of an object to another: of a member, of elements that are exchanged, of a whole array, and of parts of words.
/* TRUTH
{"kernels": [
  {"name": "member", "args": ["zero:16", "buffer:uint:4,9", "local:16"], "expect": {"0": "uint:4,9,5,4"}, "global": 1, "local": 1},
  {"name": "exchanged", "args": ["zero:16", "buffer:uint:1,3,0,2", "local:16"], "expect": {"0": "uint:11,13,10,12"}, "global": 1, "local": 1},
  {"name": "beyond", "args": ["zero:8", "buffer:uint:6,7", "local:16"], "expect": {"0": "uint:7,6"}, "global": 1, "local": 1},
  {"name": "cut", "args": ["zero:8", "buffer:uint:6,7", "local:16"], "expect": {"0": "uint:6,7"}, "global": 1, "local": 1}]}
*/
struct pair { uint *key, *value; };
kernel void member(global uint *out, global const uint *in, local uint *near)
{
    struct { struct pair first, second; uint *result; } both;
    uint own = in[0];
    near[0] = in[1];
    both.first.key = &own, both.first.value = (uint *)near, both.result = (uint *)out;
    both.second = both.first;
    out[0] = *both.second.key, out[1] = *both.second.value;
    *both.second.key = 5;
    both.result[2] = own, both.result[3] = in[0];
}
kernel void exchanged(global uint *out, global const uint *in, local uint *near)
{
    struct pair all[4];
    uint own[4];
    for (uint i = 0; i < 4; i++) {
        own[i] = in[i], near[i] = 10 + i;
        all[i].key = &own[i], all[i].value = (uint *)&near[in[i]];
    }
    struct pair other = all[0];
    all[0] = all[2], all[2] = all[3], all[3] = other;
    other = all[1], all[1] = all[2], all[2] = other;
    for (uint i = 0; i < 4; i++)
        out[*all[i].key] = *all[(i + 3) & 3].value;
}
kernel void beyond(global uint *out, global const uint *in, local uint *near)
{
    struct { uint *from[2], *to[2]; } both;
    uint own = in[0];
    near[0] = in[1];
    both.from[0] = (uint *)near, both.from[1] = &own;
    __builtin_memcpy(both.to, both.from, sizeof both.to);
    out[0] = *both.to[0], out[1] = *both.to[1];
}
__attribute__((noinline)) void move(void *to, const void *from, uint words)
{
    if (words == 3)
        __builtin_memcpy(to, from, 12);
    else
        __builtin_memcpy(to, from, 4);
}
kernel void cut(global uint *out, global const uint *in, local uint *near)
{
    struct pair all[2];
    uint own = in[0];
    near[0] = in[1];
    all[0].key = &own, all[0].value = (uint *)near;
    move(&all[1], &all[0], 3);
    move((uchar *)&all[1] + 12, (uchar *)&all[0] + 12, 1);
    out[0] = *all[1].key, out[1] = *all[1].value;
}
