// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 227432 225447 215426 221413 171356 137315 95222 197153
/* Members of packed structures behind unnamed pointers, at unaligned addresses. */
typedef struct __attribute__((packed)) {
    uchar kind;
    long wide;
    float list[3];
    short2 pair;
} entry;
typedef struct __attribute__((packed)) {
    short tag;
    entry inner[2];
    uchar end;
} outer;
static void fill(outer *o, int v)
{
    o->tag = v;
    for (int i = 0; i < 2; i++) {
        entry *e = &o->inner[i];
        e->kind = 200 + i;
        e->wide = (long)v << 33 | i;
        for (int n = 0; n < 3; n++) e->list[n] = v * n + i + 0.5f;
        e->pair = (short2)(v + i, -v);
    }
    o->end = 7;
}
static int sum(const outer *o, int which)
{
    const entry *e = o->inner + which;
    return o->tag + e->kind + (int)(e->wide >> 33) * 3 + (int)(e->wide & 1) + (int)(e->list[which] * 2 + e->list[2]) +
           e->pair.x * e->pair.y + o->end;
}
kernel void k(global int *out, global int *in)
{
    local outer l[4];
    outer p;
    int i = get_global_id(0), me = get_local_id(0);
    fill(&p, i + 1);
    fill(&l[me], in[i] * 2 + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    l[me].inner[1].wide += 1l << 34;
    l[me].inner[in[1]].list[in[2]] -= 4;
    p.inner[0] = l[me].inner[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    outer *other = &l[(me + 1) % 4];
    out[i] = sum(&p, 0) + sum(other, 1) * 1000 + sum(l + me, in[me & 1]);
}
