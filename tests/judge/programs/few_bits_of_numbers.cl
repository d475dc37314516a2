// SPDX-License-Identifier: Apache-2.0
// Remainders of the host's integers, or integers masked to few bits, are stored in an arena next to links, whose high bits are cleared,
// in one memory. Bytes, quotients and differences may be fragments of addresses, and the sum that a loop computes may be an address.
/* TRUTH
{"kernels": [
  {"name": "keys", "args": ["zero:64", "buffer:uint:{[i * 37 + 5 for i in range(16)]}", "local:512"],
   "expect": {"0": "uint:{[((i * 37 + 5) % 97 * 64 + (i * 37 + 5 & 31)) * 2 + (i & 1) for i in range(16)]}"}, "global": 1, "local": 1},
  {"name": "bytes", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "quotient", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "end", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "from_null", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:51"}, "global": 1, "local": 1},
  {"name": "counted", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1},
  {"name": "versions", "args": ["zero:64", "buffer:uint:{[i * 37 + 5 for i in range(16)]}", "local:128"],
   "expect": {"0": "uint:{[i * 37 + 5 + 100 + i for i in range(15)] + [0]}"}, "global": 1, "local": 1},
  {"name": "half_moved", "args": ["zero:16", "buffer:ptr:2+4", "buffer:int:7,8,48,10"], "expect": {"0": "int:8"}, "global": 1, "local": 1}]}
*/
typedef struct node {
    ulong link;
    uint kind, key;
} node;
node *next_of(const node *n) { return (node *)(n->link << 16 >> 16); }
kernel void keys(global uint *out, global const uint *in, local ulong *room)
{
    node *first = 0, *nodes = (node *)room;
    for (uint i = 0; i < 16; i++) {
        node *n = nodes + (15 - i);
        n->key = in[15 - i] % 97;
        n->kind = in[15 - i] & 31;
        n->link = (ulong)first | (ulong)(15 - i & 1) << 63;
        first = n;
    }
    uint i = 0;
    for (node *n = first; n; n = next_of(n))
        out[i++] = (n->key * 64 + n->kind) * 2 + (uint)(n->link >> 63);
}
kernel void bytes(global int *out, global const uchar *in, global int *d)
{
    local int mine;
    union {
        uchar b[8];
        int *p;
    } word;
    mine = 5;
    for (int i = 0; i < 8; i++) {
        uint wide = in[i] + 256u;
        word.b[i] = (uchar)(wide & 255);
    }
    if (out[1]) word.p = &mine;
    out[0] = *word.p;
}
kernel void quotient(global int *out, global const ulong *in, global int *d)
{
    local int mine;
    mine = 5;
    ulong word = in[0] / 97 * 97;
    if (out[1]) word = (ulong)(int *)&mine, word -= word % 97;
    ulong left = out[1] ? (ulong)(int *)&mine % 97 : in[0] % 97;
    out[0] = *(int *)(word + left);
}
kernel void end(global int *out, global const ulong *in, global int *d)
{
    local int mine;
    mine = 5;
    ulong word = out[1] ? (ulong)(int *)&mine : in[0];
    ulong low = word & 63;
    word &= ~63ul;
    out[0] = *(int *)(word | low);
}
/* The difference of an address and a null pointer is that address. */
kernel void from_null(global int *out, global const ulong *in, global int *d)
{
    local int mine[2];
    mine[0] = 5, mine[1] = 51;
    const int *none = (const int *)(ulong)out[1], *other = (const int *)in[0];
    ulong far = (ulong)(const int *)(mine + 1) - (ulong)none;
    uint halves[2] = {(uint)far, (uint)(far >> 32)};
    if (out[2]) far = (ulong)other;
    out[0] = *(const int *)far - (out[3] ? *other : 0);
    if (*(const int *)((ulong)halves[1] << 32 | halves[0]) != 51) out[0] = 0;
}
kernel void counted(global int *out, global const ulong *in, global int *d)
{
    local int mine;
    mine = 5;
    ulong sum = 0, *at = &sum;
    for (int i = 0; i < 2; i++)
        sum += 1;
    *at += out[1] ? (ulong)(int *)&mine : in[0];
    sum -= 2;
    for (int i = 0; i < 2; i++)
        sum += 2, sum -= 2;
    out[0] = *(int *)sum;
}
/* A shift right and left again restores the position: the integer below a link gets no address bits. */
kernel void versions(global uint *out, global const uint *in, local ulong *words)
{
    ulong head = (ulong)(ulong *)words << 16 | (in[0] & 65535);
    for (uint i = 0; i < 15; i++) {
        ulong *word = (ulong *)((long)head >> 16);
        *word = (ulong)(word + 1) << 16 | (in[i + 1] & 65535);
        out[i] = (uint)(head & 65535) + 100 + i;
        head = (*word >> 16 << 16) | (*word & 65535);
    }
}
kernel void half_moved(global int *out, global const uint *in, global int *d)
{
    local int mine;
    mine = 5;
    ulong upper = (ulong)in[1] << 4, word = (upper >> 4) << 32 | in[0];
    if (out[1]) word = (ulong)(int *)&mine;
    out[0] = *(int *)word;
}
