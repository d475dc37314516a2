// SPDX-License-Identifier: Apache-2.0
// Integers as wide as an address, of which only few bits are used, are stored next to links, whose high bits are
// cleared, in one memory. But such bits of several integers can form an address.
/* TRUTH
{"kernels": [
  {"name": "argument", "args": ["zero:16", "ulong:77777", "local:256"], "expect": {"0": "uint:{[12241 * 4 + 6]}"}, "global": 1, "local": 1},
  {"name": "buffer", "args": ["zero:16", "buffer:ulong:65537,65539,131077,9", "local:256"], "expect": {"0": "uint:18"}, "global": 1, "local": 1},
  {"name": "bytes_of_words", "args": ["zero:16", "buffer:ptr:2+8,2,2", "buffer:ptr:3+4,3+8", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:48"}, "global": 1, "local": 1},
  {"name": "lower_and_upper", "args": ["zero:16", "buffer:ptr:2+8,2,2", "buffer:ptr:3+4,3+8", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:48"}, "global": 1, "local": 1}]}
*/
typedef ulong loose __attribute__((aligned(1)));
kernel void argument(global uint *out, ulong n, local ulong *words)
{
    for (int i = 0; i < 4; i++) {
        words[2 * i] = i < 3 ? (ulong)(ulong *)(words + 2 * i + 2) | (n + i & 3) : 0;
        words[2 * i + 1] = n & 65535;
    }
    uint sum = 0;
    for (ulong *w = words; w; w = (ulong *)(w[0] & 0xfffffffffff8ul))
        sum += (uint)w[1] + (uint)(w[0] & 3);
    out[0] = sum;
}
kernel void buffer(global uint *out, global const ulong *in, local ulong *words)
{
    for (int i = 0; i < 4; i++) {
        words[2 * i] = i < 3 ? (ulong)(ulong *)(words + 2 * i + 2) | (in[0] & 3) : 0;
        words[2 * i + 1] = in[i] & 65535;
    }
    uint sum = 0;
    for (ulong *w = words; w; w = (ulong *)(w[0] & 0xfffffffffff8ul))
        sum += (uint)(w[1] & 15);
    out[0] = sum;
}
kernel void bytes_of_words(global int *out, global const uchar *in, global int *e, global int *d)
{
    int mine = 5, *at = &mine;
    ulong a = 0;
    for (int i = 0; i < 8; i++)
        a |= (*(global const loose *)(in + i) & 255) << 8 * i;
    ulong b = out[1] ? (ulong)(int **)&at : a;
    out[0] = **(int **)b;
}
kernel void lower_and_upper(global int *out, global const ulong *in, global int *e, global int *d)
{
    int mine = 5, *at = &mine;
    ulong words[2];
    words[0] = in[0] & 0xffffffff;
    words[1] = *(global const loose *)((global const uint *)in + 1) & 0xffffffff;
    ulong a = words[1] << 32 | words[0];
    ulong b = out[1] ? (ulong)(int **)&at : a;
    out[0] = **(int **)b;
}
