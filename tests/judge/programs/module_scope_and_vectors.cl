// SPDX-License-Identifier: Apache-2.0
// Tables and pointers at module scope, kernels that call kernels, copies through vectors and within one array, flags in addresses.
/* TRUTH
{"kernels": [
  {"name": "tab", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:22,7,42"}, "global": 1, "local": 1},
  {"name": "scope1+scope2", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:971"}, "global": 1, "local": 1},
  {"name": "scope3", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:5,3,7"}, "global": 1, "local": 1},
  {"name": "outer", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:54,52"}, "global": 1, "local": 1},
  {"name": "async", "args": ["zero:32", "buffer:ptr:2+8,2", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:1,5,1,5"}, "global": 4, "local": 4},
  {"name": "vl", "args": ["zero:32", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:742,5,7,47"}, "global": 1, "local": 1},
  {"name": "overlap", "args": ["zero:32", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:5,7,7"}, "global": 1, "local": 1},
  {"name": "flat2d", "args": ["zero:32", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:42,5,47"}, "global": 1, "local": 1},
  {"name": "lowtag", "args": ["zero:32", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:42,7,42,42,42,42"}, "global": 1, "local": 1}]}
*/
constant int ca = 11, cb = 22;
constant int *constant ct[2] = {&ca, &cb};
kernel void tab(global int *out, global int *in)
{
    int x = 42;
    out[0] = *ct[in[2]];
    int *p[2] = {&x, in};
    out[1] = *p[in[2]];
    out[2] = *p[in[2] - 1];
}
global int *gp;
global int gv = 9;
global ulong gu;
__attribute__((noinline)) void put(int *p)
{
    gu = (ulong)p;
}
__attribute__((noinline)) int take()
{
    return *(int *)gu;
}
kernel void scope1(global int *out, global int *in)
{
    gp = in;
    gu = (ulong)(int *)&gv;
    out[0] = 1;
}
kernel void scope2(global int *out, global int *in)
{
    out[0] += *gp * 10 + *(int *)gu * 100;
}
kernel void scope3(global int *out, global int *in)
{
    local int y;
    y = 5;
    int x = 3;
    put(&y);
    out[0] = take();
    put(&x);
    out[1] = take();
    put(in);
    out[2] = take();
}
struct A {
    int *p;
    int *q;
};
struct AU {
    ulong p, q;
};
kernel void inner(global int *out, struct AU u, local int *l)
{
    struct A a;
    a.p = (int *)u.p;
    a.q = (int *)u.q;
    out[0] = *a.p + *a.q + l[0];
}
kernel void outer(global int *out, global int *in)
{
    struct AU a;
    int x = 42;
    local int y[2];
    y[0] = 5;
    a.p = (ulong)(int *)&x;
    a.q = (ulong)(int *)in;
    inner(out, a, y);
    a.q = (ulong)(int *)y;
    inner(out + 1, a, y);
}
__attribute__((noinline)) void setp(struct AU *a, int *p)
{
    a->p = (ulong)p;
}
kernel void byv(global int *out, struct AU a)
{
    int i = get_local_id(0);
    int x = 100 + i;
    if (i & 1) setp(&a, &x);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = *(int *)a.p + *(int *)a.q;
}
kernel void async(global int *out, global ulong *in, global int *d)
{
    local ulong buf[4];
    local int y;
    y = 5;
    int i = get_local_id(0);
    event_t e = async_work_group_copy(buf, in, 2, 0);
    wait_group_events(1, &e);
    buf[2 + (i & 1)] = (ulong)(int *)&y;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct A *a = (struct A *)buf;
    out[i] = *a[i & 1].p;
}
kernel void vl(global int *out, global int *in)
{
    struct A a[2], b[2];
    int x = 42;
    local int y;
    y = 5;
    a[0].p = &x;
    a[0].q = in;
    a[1].p = &y;
    a[1].q = &x;
    vstore4(vload4(0, (ulong *)a), 0, (ulong *)b);
    out[0] = *b[0].p + *b[0].q * 100;
    out[1] = *b[in[2]].p;
    struct A c[2];
    vstore8(vload8(0, (uint *)a), 0, (uint *)c);
    out[2] = *c[0].q;
    local struct A d[2];
    vstore16(vload16(1, (uchar *)a), 1, (local uchar *)d);
    out[3] = *d[1].p + *d[1].q;
}
kernel void overlap(global int *out, global int *in)
{
    struct A a[4];
    int x = 42;
    local int y;
    y = 5;
    a[0].p = &x;
    a[0].q = in;
    a[1].p = &y;
    a[1].q = &x;
    a[2].p = in;
    a[2].q = in;
    int k = in[2];
    a[k + 2] = a[k];
    a[k - 1] = a[k + 1];
    ((ulong *)a)[in[0] - 2] = ((ulong *)a)[in[2]];
    out[0] = *a[3].p;
    out[1] = *a[0].p;
    out[2] = *a[2].q;
}
kernel void flat2d(global int *out, global int *in)
{
    int *m[3][4];
    int x = 42;
    local int y;
    y = 5;
    int **w = &m[0][0];
    for (int i = 0; i < 12; i++)
        w[i] = i % 3 == 0 ? (int *)&x : i % 3 == 1 ? (int *)in : (int *)&y;
    out[0] = *m[in[2]][in[2] + 1];
    out[1] = *m[2][3];
    int *(*row)[4] = &m[in[2]];
    out[2] = *row[1][0] + *(*row)[2];
}
kernel void lowtag(global int *out, global int *in)
{
    int x = 42;
    local int y;
    y = 5;
    int *p = in[2] ? (int *)&x : (int *)&y;
    ulong t = (ulong)p | 1;
    ulong u = (ulong)(int *)in + 2;
    if (t & 1) out[0] = *(int *)(t & ~1UL);
    out[1] = *(int *)(u ^ 2);
    out[2] = *(int *)(t - 1);
    out[3] = *(int *)(-(-(long)p));
    out[4] = *(int *)~~(ulong)p;
    ulong w = (ulong)p * 2;
    out[5] = *(int *)(w - (ulong)p);
}
