// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -DLIST=X(a,1)X(b,20)X(c,300) -DNAME=pick -D JOIN(x,y)=x##y
// expect: 2020 21300 301001 2020 21300 301001 2020 21300
enum {
#define X(n, v) JOIN(value_, n) = v,
    LIST
#undef X
};
typedef struct {
#define X(n, v) int n;
    LIST
#undef X
} record;
static int NAME(const record *r, int which)
{
    const int *fields[] = {
#define X(n, v) &r->n,
        LIST
#undef X
    };
    return *fields[which % 3];
}
kernel void k(global int *out, global int *in)
{
    local record l[4];
    record p = {
#define X(n, v) v + 1,
        LIST
#undef X
    };
    int i = get_global_id(0);
    l[get_local_id(0)] = (record){value_a, value_b, value_c};
    out[i] = pick(&p, i) * 1000 + pick(&l[get_local_id(0)], i + 1) + __LINE__ * 0;
}
