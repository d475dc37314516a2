// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 121251 225291 329331 433371 537411 641451 745491 849531
typedef struct __attribute__((packed)) {
    char c;
    int i;
    short s;
} packed;
typedef struct {
    char c;
    int i __attribute__((aligned(16)));
} aligned;
int get(packed *p)
{
    return p->i * 10 + p->s;
}
int get2(aligned *p)
{
    return p->i;
}
__attribute__((reqd_work_group_size(4, 1, 1))) kernel void k(global int *out, global int *in)
{
    local packed l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    packed x = {1, i, 3};
    aligned y = {1, i + 1};
    l[j] = x;
    l[j].i += 5;
    int r = 0;
    __attribute__((opencl_unroll_hint(2))) for (int n = 0; n < 4; n++) r += get(&x) + get(l + j) * 100;
    out[i] = r + get2(&y) * 100000 + (int)sizeof(packed) + (int)sizeof(aligned);
}
