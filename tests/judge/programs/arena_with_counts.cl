// SPDX-License-Identifier: Apache-2.0
// Counts that are computed from the host's data are stored in an arena next to links, whose high bits are masked, in
// one memory. The sum of such a count and an address is in the object of the address.
/* TRUTH
{"kernels": [
  {"name": "counts", "args": ["zero:64", "buffer:uint:{[i * 37 + 5 for i in range(16)]}", "local:256"],
   "expect": {"0": "uint:{[((i * 7 % 16 * 37 + 5) * 3 % 1024 + (i * 7 % 16 * 37 + 5) % 99) * 32 + i * 7 % 16 * 13 % 32 for i in range(16)]}"},
   "global": 1, "local": 1},
  {"name": "offsets", "args": ["zero:64", "buffer:uint:{[i * 37 + 5 for i in range(16)]}", "local:256"],
   "expect": {"0": "uint:{[(i * 37 + 5) % 15 * 8 for i in range(16)]}"}, "global": 1, "local": 1}]}
*/
void fill(ulong *a, ulong *b, const uint *in)
{
    for (uint i = 0; i < 16; i++) {
        a[i] = (in[i] * 3 & 1023) + in[i] % 99;
        b[i] = ((ulong)(a + i) & 0x00fffffffffffffful) | (ulong)(i * 13 & 31) << 59;
    }
}
kernel void counts(global uint *out, global const uint *in, local ulong *words)
{
    for (int i = 0; i < 32; i++)
        words[i] = 0;
    fill(words, words + 16, in);
    for (uint i = 0; i < 16; i++) {
        ulong word = words[16 + i * 7 % 16];
        out[i] = (uint)*(ulong *)(word & 0x00fffffffffffffful) * 32 + (uint)(word >> 59);
    }
}
kernel void offsets(global uint *out, global const uint *in, local ulong *words)
{
    ulong *a = words, *b = words + 16;
    for (uint i = 0; i < 16; i++) {
        a[i] = i * 8;
        b[i] = in[i] % 15 * 8;
    }
    for (uint i = 0; i < 16; i++)
        b[i] += (ulong)a;
    for (uint i = 0; i < 16; i++)
        out[i] = (uint)*(ulong *)b[i];
}
