// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1006620 1011208 1015812 1020416 1025036 1029624 1034228 1038832
typedef struct ring {
    int *items;
    uint head, tail, size;
} ring;
static bool put(ring *r, int v)
{
    if (r->head - r->tail == r->size) return false;
    r->items[r->head++ % r->size] = v;
    return true;
}
static bool get(ring *r, int *v)
{
    if (r->head == r->tail) return false;
    *v = r->items[r->tail++ % r->size];
    return true;
}
static int drain(ring *from, ring *to)
{
    int v, sum = 0;
    while (get(from, &v)) {
        sum += v;
        if (!put(to, v * 2)) sum += 1000;
    }
    return sum;
}
kernel void k(global int *out, global int *in)
{
    local ring shared[4];
    local int places[4][4];
    int own[3], id = get_global_id(0), me = get_local_id(0);
    ring mine = {own, 0, 0, 3};
    shared[me].items = places[me];
    shared[me].head = shared[me].tail = 0;
    shared[me].size = 4;
    for (int i = 0; i < 5; i++) put(&shared[me], in[id + i]);
    int sum = drain(&shared[me], &mine);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    sum = sum * 10 + drain(&mine, &shared[(me + 1) % 4]);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int last = 0;
    while (get(&shared[me], &last)) {}
    out[id] = sum * 100 + last;
}
