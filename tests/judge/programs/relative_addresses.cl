// SPDX-License-Identifier: Apache-2.0
// Addresses that are computed as differences, by XOR, in atomics, and in other work-items.
/* TRUTH
{"kernels": [
  {"name": "offptr", "args": ["zero:16", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "xorlist", "args": ["zero:16", "buffer:int:7,8,48,10"],
   "expect": {"0": "int:123"}, "global": 1, "local": 1},
  {"name": "hostalias", "args": ["zero:16", "buffer:long:0,0", "same:1"],
   "expect": {"0": "int:42"}, "global": 1, "local": 1},
  {"name": "shuf", "args": ["zero:32"],
   "expect": {"0": "int:10,102,30,104,50,106,70,100"}, "global": 8, "local": 8},
  {"name": "wgb", "args": ["zero:32"],
   "expect": {"0": "int:30,30,30,30,30,30,30,30"}, "global": 8, "local": 8},
  {"name": "atomhalf", "args": ["zero:32", "buffer:int:7,8"],
   "expect": {"0": "int:42"}, "global": 1, "local": 1},
  {"name": "arena", "args": ["zero:16", "buffer:int:7,8,1,10"],
   "expect": {"0": "int:49"}, "global": 1, "local": 1}]}
*/
struct offptr_n {
    long off;
};
__attribute__((noinline)) int *offptr_get(struct offptr_n *n)
{
    return (int *)((long)n + n->off);
}
kernel void offptr(global int *out, global int *in)
{
    int x = 42;
    struct offptr_n n;
    struct offptr_n *pn = &n;
    int *t = out[1] ? &x : (int *)in;
    n.off = (long)t - (long)pn;
    out[0] = *offptr_get(&n);
}
struct xorlist_n {
    int v;
    ulong link;
};
kernel void xorlist(global int *out, global int *in)
{
    struct xorlist_n a, b;
    local struct xorlist_n c;
    c.v = 3;
    a.v = 1;
    b.v = 2;
    struct xorlist_n *pa = &a, *pb = &b, *pc = &c;
    a.link = (ulong)pb;
    b.link = (ulong)pa ^ (ulong)pc;
    c.link = (ulong)pb;
    ulong prev = 0;
    struct xorlist_n *n = &a;
    int s = 0;
    for (int i = 0; i < 3; i++) {
        s = s * 10 + n->v;
        ulong next = n->link ^ prev;
        prev = (ulong)n;
        n = (struct xorlist_n *)next;
    }
    out[0] = s;
}
kernel void hostalias(global int *out, global ulong *a, global ulong *b)
{
    int x = 42;
    a[0] = (ulong)(int *)&x;
    out[0] = *(int *)b[0];
}
kernel void shuf(global int *out)
{
    local int l[8];
    local ulong slot[8];
    int i = get_local_id(0);
    l[i] = i * 10;
    int *p = (i & 1) ? &l[i] : (int *)&out[i];
    slot[i] = (ulong)p;
    out[i] = i + 100;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int *q = (int *)slot[(i + 1) & 7];
    int v = *q;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = v;
}
kernel void wgb(global int *out)
{
    local int l[8];
    int i = get_local_id(0);
    l[i] = i * 10;
    int *p = &l[i];
    ulong u = (ulong)p;
    uint lo = work_group_broadcast((uint)u, 3), hi = work_group_broadcast((uint)(u >> 32), 3);
    ulong w = ((ulong)hi << 32) | lo;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = *(int *)w;
}
kernel void atomhalf(global int *out, global int *in)
{
    int x = 42;
    local uint h[2];
    h[0] = h[1] = 0;
    int *p = out[1] ? (int *)in : &x;
    ulong u = (ulong)p;
    atomic_xchg(&h[0], (uint)u);
    atomic_or(&h[1], (uint)(u >> 32));
    ulong w = ((ulong)atomic_add(&h[1], 0) << 32) | atomic_xchg(&h[0], 0);
    out[0] = *(int *)w;
}
struct arena_n {
    struct arena_n *next;
    int *v;
};
__attribute__((noinline)) void *arena_alloc(uchar *a, uint *top, uint n)
{
    void *r = a + *top;
    *top += n;
    return r;
}
kernel void arena(global int *out, global int *in)
{
    uchar arena[128] __attribute__((aligned(8)));
    uint top = 0;
    int x = 42;
    struct arena_n *a = arena_alloc(arena, &top, 16), *b = arena_alloc(arena, &top, 16);
    a->next = b;
    a->v = &x;
    b->next = 0;
    b->v = (int *)in;
    int s = 0;
    for (struct arena_n *n = a; n; n = n->next)
        s += *n->v;
    out[0] = s;
}
