// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1403 1404 1405 1406 12607 12608 12609 12610
typedef struct {
    int count;
    int list[4];
} bag;
void put(local bag *b, int v)
{
    int at = atomic_inc(&b->count);
    b->list[at & 3] = v;
}
int sum(const bag *b)
{
    int s = 0;
    for (int j = 0; j < b->count; j++)
        s += b->list[j];
    return s;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    local bag b;
    if (get_local_id(0) == 0) b.count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    put(&b, i * i);
    barrier(CLK_LOCAL_MEM_FENCE);
    bag mine = {2, {i, 3, 0, 0}};
    out[i] = sum(&b) * 100 + sum(&mine);
}
