// SPDX-License-Identifier: Apache-2.0
// Host addresses are assembled from digits, and a condition chooses one or the address of a private or local variable, as integers.
/* TRUTH
{"kernels": [
  {"name": "in_loop", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "in_variable", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "in_callee", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "in_memory", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "by_shifts", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "halves", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "bytes", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "bytes_loop", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "fields", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "link", "args": ["zero:16", "buffer:ptr:2+8", "buffer:ptr:3+8", "buffer:int:7,8,48,10"], "expect": {"0": "int:48"}, "global": 1, "local": 1},
  {"name": "uni_array", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "decimal", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1}]}
*/
kernel void in_loop(global int *out, global const ulong *in, global int *d)
{
    int mine = 5;
    ulong a = 0;
    for (int i = 15; i >= 0; i--)
        a = a << 4 | (in[0] >> 4 * i & 15);
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
/* Unoptimized code uses one variable for both. */
kernel void in_variable(global int *out, global const uint *in, global int *d)
{
    int mine = 5;
    ulong a = 0;
    for (int i = 15; i >= 0; i--)
        a = a << 4 | (in[i / 8] >> 4 * (i % 8) & 15);
    if (out[1]) a = (ulong)(int *)&mine;
    out[0] = *(int *)a;
}
ulong more(ulong a, ulong word, int i) { return a << 4 | (word >> 4 * i & 15); }
kernel void in_callee(global int *out, global const ulong *in, global int *d)
{
    int mine = 5;
    ulong a = 0;
    for (int i = 15; i >= 0; i--)
        a = more(a, in[0], i);
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
typedef struct reader {
    ulong value;
    uint count;
} reader;
kernel void in_memory(global int *out, global const ulong *in, global int *d)
{
    local int mine;
    reader r = {0, 0};
    mine = 5;
    for (r.count = 0; r.count < 16; r.count++) {
        r.value = r.value << 4 | (in[0] >> 4 * (15 - r.count) & 15);
    }
    ulong b = out[1] ? (ulong)(int *)&mine : r.value;
    out[0] = *(int *)b;
}
kernel void by_shifts(global int *out, global const ulong *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 16; i++)
        a |= (in[0] >> 4 * i & 15) << 4 * i;
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
kernel void halves(global int *out, global const uint *in, global int *d)
{
    int mine = 5;
    uint low = 0, high = 0;
    for (int i = 7; i >= 0; i--) {
        low = low << 4 | (in[0] >> 4 * i & 15);
        high = high << 4 | (in[1] >> 4 * i & 15);
    }
    ulong a = (ulong)high << 32 | low;
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
kernel void bytes(global int *out, global const uchar *in, global int *d)
{
    int mine = 5;
    ulong a = 0;
    for (int i = 7; i >= 0; i--) {
        uchar b = (uchar)((in[i] >> 4) << 4 | (in[i] & 15));
        a = a << 8 | b;
    }
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
kernel void bytes_loop(global int *out, global const uint *in, global int *d)
{
    int mine = 5;
    ulong a = 0;
    for (int i = 0; i < 8; i++) {
        uint w = in[i / 4] >> 8 * (i % 4);
        uint high = w >> 4 & 15, low = w & 15;
        a |= (ulong)(high * 16 + low) << 8 * i;
    }
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
kernel void fields(global int *out, global const ulong *in, global int *d)
{
    int mine = 5;
    ulong word = in[0], a = 0;
    a = (a & ~0xfffful) | (word & 31) | (word >> 5 & 31) << 5 | (word >> 10 & 63) << 10;
    a = (a & ~0xffff0000ul) | (word >> 16 & 31) << 16 | (word >> 21 & 31) << 21 | (word >> 26 & 63) << 26;
    a = (a & 0xfffffffful) | (word >> 32 & 31) << 32 | (word >> 37 & 31) << 37 | (word >> 42 & 63) << 42 | (word >> 48) << 48;
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
kernel void link(global int *out, global const ulong *in, global ulong *e, global int *d)
{
    int mine = 5, *at = &mine;
    ulong a = 0;
    for (int i = 15; i >= 0; i--)
        a = a << 4 | (in[0] >> 4 * i & 15);
    ulong b = out[1] ? (ulong)(int **)&at : a - 8;
    out[0] = **(int **)b;
}
kernel void uni_array(global int *out, global const uint *in, global int *d)
{
    local int mine;
    local ulong words[4];
    mine = 5;
    words[1] = (ulong)(int *)&mine;
    uint h[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        for (int i = 7; i >= 0; i--)
            h[k] = h[k] << 4 | (in[k] >> 4 * i & 15);
    words[0] = (ulong)h[1] << 32 | h[0];
    out[0] = *(int *)words[out[1]];
}
/* Like a parser of text: the value of '0' is subtracted at the end. */
kernel void decimal(global int *out, global const ulong *in, global int *d)
{
    local int mine;
    uchar text[20];
    ulong a = 0, rest = in[0];
    mine = 5;
    for (int i = 0; i < 20; i++) {
        text[19 - i] = rest % 10 + '0';
        rest /= 10;
    }
    for (int i = 0; i < 20; i++)
        a = a * 10 + text[i] - '0';
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
