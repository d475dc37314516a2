// SPDX-License-Identifier: Apache-2.0
// Pointers that a select merges and a store writes to the host's memory; integers converted from local addresses.
/* TRUTH
{"kernels": [
  {"name": "viewhost", "args": ["zero:16", "zero:32", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:42"}, "global": 1, "local": 1},
  {"name": "lconst", "args": ["zero:16", "zero:32", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:10"}, "global": 1, "local": 1},
  {"name": "lcmp", "args": ["zero:16", "zero:32", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:1,0,1,6"}, "global": 1, "local": 1},
  {"name": "wideview", "args": ["zero:16", "zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:84"}, "global": 1, "local": 1},
  {"name": "viewlocal", "args": ["zero:16", "zero:64", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:49,0,0,42"}, "global": 1, "local": 1}]}
*/
struct AU {
    ulong p, q;
};
kernel void viewhost(global int *out, global struct AU *g, global int *in)
{
    int x = 42;
    ulong arr[8], brr[4];
    for (int i = 0; i < 8; i++)
        arr[i] = (ulong)(int *)&x;
    for (int i = 0; i < 4; i++)
        brr[i] = (ulong)(int *)in;
    ulong *p = out[1] ? brr : &arr[3];
    *g = *(struct AU *)p;
    out[0] = *(int *)g->q;
}
kernel void lconst(global int *out, global ulong *g, global int *in)
{
    local int l;
    l = 5;
    int *p = &l;
    g[0] = (ulong)p;
    g[1] = (ulong)p + 4;
    out[0] = *(int *)g[0] + ((int *)g[1])[-1];
}
kernel void lcmp(global int *out, global ulong *g, global int *in)
{
    local int l, m;
    l = 5;
    m = 6;
    int *p = &l, *q = &m;
    g[0] = (ulong)p;
    out[0] = g[0] == (ulong)p;
    out[1] = g[0] == (ulong)q;
    out[2] = (ulong)q - (ulong)p == (ulong)q - g[0];
    ulong d = (ulong)q - g[0];
    out[3] = *(int *)(g[0] + d);
}
kernel void wideview(global int *out, global ulong *g, global int *in)
{
    int x = 42;
    ulong arr[8], brr[4];
    for (int i = 0; i < 8; i++)
        arr[i] = (ulong)(int *)&x;
    for (int i = 0; i < 4; i++)
        brr[i] = (ulong)(int *)in;
    ulong *p = out[1] ? brr : &arr[in[2] + 2];
    for (int i = 0; i < 2; i++)
        g[i] = p[i];
    p = out[2] ? &p[1] : p + 2;
    g[2] = p[0];
    out[0] = *(int *)g[1] + *(int *)g[2];
}
kernel void viewlocal(global int *out, global ulong *g, global int *in)
{
    int x = 42;
    local struct AU t[4];
    struct AU s[4];
    for (int i = 0; i < 4; i++) {
        s[i].p = (ulong)(int *)&x;
        s[i].q = (ulong)(int *)in;
        t[i].p = (ulong)(int *)in;
        t[i].q = (ulong)(int *)&x;
    }
    struct AU *p = out[1] ? (struct AU *)&t[in[2]] : (struct AU *)&s[in[2]];
    struct AU u = p[1];
    struct AU *r = p + 1;
    ulong *w = out[2] ? (ulong *)p : (ulong *)r;
    out[0] = *(int *)u.p + *(int *)w[1];
    g[0] = w[0];
    out[3] = *(int *)g[0];
}
