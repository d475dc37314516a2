// SPDX-License-Identifier: Apache-2.0
// Halves of a local address pass through the host's memory; a value that is stored through the assembled address must be loaded again.
/* TRUTH
{"kernels": [
  {"name": "halves", "args": ["zero:32"], "expect": {"0": "int:42,43"}, "global": 1, "local": 1},
  {"name": "copied", "args": ["zero:32", "zero:32"], "expect": {"0": "int:42,43"}, "global": 1, "local": 1},
  {"name": "counted", "args": ["zero:32", "buffer:uint:3,4,5,6"], "expect": {"0": "int:18"}, "global": 1, "local": 1}]}
*/
#define A(p) ((ulong)(int *)(p))
kernel void halves(global uint *out)
{
    local ulong cell;
    int x = 42;
    int *g = (int *)&x;
    cell = 0;
    out[4] = (uint)(ulong)(ulong *)&cell;
    out[5] = (uint)((ulong)(ulong *)&cell >> 32);
    ulong p = (ulong)out[5] << 32 | out[4];
    *(ulong *)p = A(g);
    out[0] = *(int *)cell;
    *g = 43;
    out[1] = **(int **)p;
    out[4] = out[5] = 0;
}
kernel void copied(global uint *out, global uint *heap)
{
    local ulong cell;
    int x = 42;
    uint words[2];
    cell = A(&x);
    ulong a = (ulong)(ulong *)&cell;
    heap[0] = (uint)a;
    heap[1] = (uint)(a >> 32);
    for (int i = 0; i < 2; i++)
        words[i] = heap[i];
    ulong **q = (ulong **)words;
    out[0] = *(int *)**q;
    x = 43;
    out[1] = *(int *)**q;
    heap[0] = heap[1] = 0;
}
kernel void counted(global uint *out, global uint *keys)
{
    local ulong arena[16];
    ulong head = 0;
    for (int i = 0; i < 4; i++) {
        ulong *c = (ulong *)&arena[i * 3];
        c[0] = keys[i];
        c[1] = head;
        head = (ulong)c;
    }
    uint sum = 0;
    while (head) {
        ulong *c = (ulong *)head;
        sum += (uint)c[0];
        head = c[1];
    }
    out[0] = sum;
}
