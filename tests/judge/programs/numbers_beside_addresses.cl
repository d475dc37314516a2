// SPDX-License-Identifier: Apache-2.0
// Integers from the host are packed into words with local addresses, or stored next to them; the words are copied in
// parts, stored in lists and assembled again. All addresses are local.
/* TRUTH
{"kernels": [
  {"name": "halves", "args": ["zero:16", "int:300", "buffer:int:7,8,48,10"], "expect": {"0": "int:304,300"}, "global": 1, "local": 1},
  {"name": "moved_up", "args": ["zero:16", "int:300", "buffer:int:7,8,48,10"], "expect": {"0": "int:304,300"}, "global": 1, "local": 1},
  {"name": "bytes", "args": ["zero:16", "int:300", "buffer:int:7,8,48,10"], "expect": {"0": "int:304,300"}, "global": 1, "local": 1},
  {"name": "stored_with_others", "args": ["zero:16", "int:300", "buffer:int:7,8,48,10"], "expect": {"0": "int:304,300"}, "global": 1, "local": 1},
  {"name": "counted_on", "args": ["zero:16", "int:300", "buffer:int:7,8,48,10"], "expect": {"0": "int:304,300"}, "global": 1, "local": 1},
  {"name": "small_integers", "args": ["zero:16", "int:300", "buffer:int:7,8,48,10"], "expect": {"0": "int:304,300"}, "global": 1, "local": 1}]}
*/
kernel void halves(global int *out, int n, global int *d)
{
    local int mine[16];
    for (int i = 0; i < 16; i++) mine[i] = i + n;
    ulong w = (ulong)(int *)&mine[4] | (ulong)(n & 0xffff) << 48;
    uint low = w, high = w >> 32;
    ulong again = (ulong)high << 32 | low;
    out[0] = *(int *)(again & 0xffffffffffff);
    out[1] = again >> 48;
}
kernel void moved_up(global int *out, int n, global int *d)
{
    local int mine[16];
    for (int i = 0; i < 16; i++) mine[i] = i + n;
    ulong w = (ulong)(int *)&mine[4] << 8 | (n & 0xff);
    uint low = w, high = w >> 32;
    ulong again = (ulong)high << 32 | low;
    out[0] = *(int *)(again >> 8);
    out[1] = (again & 0xff) + 256;
}
kernel void bytes(global int *out, int n, global int *d)
{
    local int mine[16];
    for (int i = 0; i < 16; i++) mine[i] = i + n;
    ulong w = (ulong)(int *)&mine[4] >> 2 | (ulong)(n & 0xff) << 56, again = 0;
    for (int i = 0; i < 4; i++) ((ushort *)&again)[i] = ((ushort *)&w)[i];
    out[0] = *(int *)(again << 8 >> 6);
    out[1] = (again >> 56) + 256;
}
ulong low_48(ulong u)
{
    return u & 0xffffffffffff;
}
kernel void stored_with_others(global int *out, int n, global int *d)
{
    local int mine[16];
    for (int i = 0; i < 16; i++) mine[i] = i + n;
    int sum = 1;
    {
        ulong w = (ulong)(int *)&mine[8] | (ulong)(sum & 0xffff) << 48;
        sum += (int)(w >> 48 & 0xffff);
        int *p = (int *)(ulong)((long)(w << 16) >> 16);
        vstore4((int4)(n & 0xffff, sum * 6 & 0xffff, sum & 0xffff, n & 0xffff ^ 26), 0, p);
    }
    ulong w = (ulong)(int *)&mine[4] | (ulong)(n & 0xffff) << 48;
    out[0] = *(int *)low_48(w);
    out[1] = mine[8];
}
__attribute__((noinline)) ulong same(ulong u)
{
    return u;
}
kernel void counted_on(global int *out, int n, global int *d)
{
    local int mine[16];
    for (int i = 0; i < 16; i++) mine[i] = i + n;
    local ulong list[8];
    int sum = n;
    for (int i = 0; i < 8; i++) list[i] = 0;
    list[0] = same((ulong)(int *)&mine[4]);
    list[2] = (ulong)((n ^ sum) & 0xffff) + 0x1000000000000;
    for (int i = 0; i < 8; i++) {
        ulong u = list[i];
        if (u >> 48) sum = sum * 3 + (int)(u - 0x1000000000000 & 0xffff) & 0xfffff;
    }
    out[0] = *(int *)list[0];
    out[1] = sum - 600;
}
ulong small(ulong n)
{
    return n << 1 | 1;
}
kernel void small_integers(global int *out, int n, global int *d)
{
    local int mine[16];
    for (int i = 0; i < 16; i++) mine[i] = i + n;
    ulong list[2] = {(ulong)(int *)&mine[4], small(n)};
    for (int i = 0; i < 2; i++)
        if (list[i] & 1) out[1] = list[i] >> 1 & 0xffff;
        else if (!(list[i] >> 48)) out[0] = *(int *)list[i];
}
