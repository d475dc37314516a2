// SPDX-License-Identifier: Apache-2.0
// Links are integers that were converted from private pointers; none of these was ever generic. The sign, or the bits above
// an address, distinguish them from integers. In hint mode the driver determines the meaning of their conversion to pointers.
/* TRUTH
{"kernels": [
  {"name": "by_sign", "args": ["zero:16", "buffer:int:7,8,9,10"], "expect": {"0": "int:798"}, "global": 1, "local": 1},
  {"name": "by_top", "args": ["zero:16", "buffer:int:7,8,9,10"], "expect": {"0": "int:24"}, "global": 1, "local": 1}]}
*/
struct pair {
    long link[2];
};
kernel void by_sign(global int *out, global int *in)
{
    struct pair pairs[2];
    long stack[4];
    int depth = 0, sum = 0;
    pairs[0].link[0] = ~0l, pairs[0].link[1] = (long)&pairs[1];
    pairs[1].link[0] = ~1l, pairs[1].link[1] = ~2l;
    stack[depth++] = (long)&pairs[0];
    while (depth) {
        long link = stack[--depth];
        if (link < 0) {
            sum = sum * 10 + in[~link];
            continue;
        }
        const struct pair *pair = (const struct pair *)link;
        stack[depth++] = pair->link[1];
        stack[depth++] = pair->link[0];
    }
    out[0] = sum + 9;
}
kernel void by_top(global int *out, global int *in)
{
    ulong cells[4];
    ulong word;
    int sum = 0, i = 0;
    cells[0] = (1ul << 48) + in[0], cells[1] = (ulong)&cells[2];
    cells[2] = (1ul << 48) + in[1], cells[3] = (1ul << 48) + in[2];
    for (ulong *cell = cells; i < 3; i++) {
        word = *cell++;
        if (word >> 48 == 0) cell = (ulong *)word, word = *cell++;
        sum += word & 0xffff;
    }
    out[0] = sum;
}
