// SPDX-License-Identifier: Apache-2.0
// Host addresses are assembled from bytes, lowest first: each byte is inserted at the high end, and the previous ones are shifted
// down. A condition chooses one or a local address, as integers, or as the contents of a variable that also holds local addresses.
/* TRUTH
{"kernels": [
  {"name": "ternary", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "slot", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "added", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "divided", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "nibbles", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "in_steps", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "moved_after", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "of_a_word", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "bytes_loaded", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "shorts_loaded", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "in_array", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "in_variables", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "each_in_steps", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "with_sign", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "masked_after", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1}]}
*/
kernel void ternary(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) a = a >> 8 | (ulong)in[i] << 56;
    ulong b = out[1] ? (ulong)(int *)&mine : a;
    out[0] = *(int *)b;
}
kernel void slot(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) a = a >> 8 | (ulong)in[i] << 56;
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void added(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) a = (a >> 8) + ((ulong)in[i] << 56);
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void divided(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) a = a / 256 + in[i] * (1ul << 56);
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void nibbles(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 16; i++) a = a >> 4 | (ulong)(in[i / 2] >> 4 * (i % 2) & 15) << 60;
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void in_steps(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) {
        a >>= 8;
        a |= (ulong)in[i] << 56;
    }
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void moved_after(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) a = (a | (ulong)in[i] << 56) >> (i < 7 ? 8 : 0);
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void of_a_word(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    ulong word = *(global const ulong *)in;
    for (int i = 0; i < 8; i++) {
        a = a >> 8 | word << 56;
        word >>= 8;
    }
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void bytes_loaded(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    mine = 5;
    ulong slots[2] = {(ulong)(int *)&mine, 0};
    uchar8 a = vload8(0, in);
    *(uchar8 *)&slots[1] = a;
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void shorts_loaded(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    mine = 5;
    ulong slots[2] = {(ulong)(int *)&mine, 0};
    slots[1] = as_ulong(vload4(0, (global const ushort *)in));
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void in_array(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    ulong cells[3] = {0, 0, 0};
    for (int i = 0; i < 8; i++) cells[d[0] % 3] = cells[d[0] % 3] >> 8 | (ulong)in[i] << 56;
    a = cells[d[0] % 3];
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void in_variables(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) {
        ulong rest = a >> 8, top = (ulong)in[i] << 56;
        a = rest | top;
    }
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void each_in_steps(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    for (int i = 0; i < 8; i++) {
        ulong top = in[i];
        top <<= 56;
        a >>= 8;
        a += top;
    }
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void with_sign(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    ulong a = 0;
    mine = 5;
    long sum = 0;
    for (int i = 0; i < 8; i++) sum = (sum >> 8 & 0xffffffffffffff) | (long)in[i] << 56;
    a = sum;
    ulong slots[2] = {(ulong)(int *)&mine, a};
    out[0] = *(int *)slots[out[1] + 1];
}
kernel void masked_after(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    long sum = 0;
    mine = 5;
    for (int i = 0; i < 7; i++) sum = (sum | (long)in[i] << 56) >> 8 & 0xffffffffffffff;
    ulong slots[2] = {(ulong)(int *)&mine, sum | (ulong)in[7] << 56};
    out[0] = *(int *)slots[out[1] + 1];
}
