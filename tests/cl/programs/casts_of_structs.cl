// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1 1 1 1 1 1 1
typedef struct {
    int tag;
    union {
        float f;
        int i;
        uchar b[4];
    } u;
} item;
typedef struct {
    item head;
    struct {
        short a, b;
    } tail;
} longer;
int look(item *p)
{
    return p->tag == 1   ? as_int(p->u.f)
           : p->tag == 2 ? p->u.i
                         : p->u.b[0] | p->u.b[1] << 8 | p->u.b[2] << 16 | p->u.b[3] << 24;
}
int far(item *p)
{
    return ((longer *)p)->tail.b;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0), ok = 1;
    longer p = {{1, {.f = i}}, {3, 4}};
    local longer l[4];
    l[t] = p;
    for (int tag = 1; tag < 4; tag++) {
        p.head.tag = l[t].head.tag = tag;
        ok &= look(&p.head) == as_int((float)i) && look((item *)&l[t]) == as_int((float)i);
    }
    ok &= far(&p.head) == 4 && far(&l[t].head) == 4;
    out[i] = ok;
}
