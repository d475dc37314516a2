// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL1.2
// expect: 21212 25252 29292 33332 37372 41412 45452 49492
/* rusticl on llvmpipe rounds an address in local memory down to a multiple of what is accessed there. */
typedef struct __attribute__((packed)) {
    char c;
    int i;
    short s;
} packed;
int get(packed *p)
{
    return p->i * 10 + p->s;
}
int get_local(local packed *p)
{
    return p->i * 10 + p->s;
}
__attribute__((reqd_work_group_size(4, 1, 1))) kernel void k(global int *out, global int *in)
{
    local packed l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    packed x = {1, i, 3};
    l[j] = x;
    l[j].i += 5;
    int r = 0;
    for (int n = 0; n < 4; n++) r += get(&x) + get_local(l + j) * 100;
    out[i] = r;
}
