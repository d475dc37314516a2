// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 140 130 120 110 140 130 120 110
void store(int *p, int v)
{
    *p = v;
}
kernel void inner(global int *out, local int *room, int v)
{
    size_t l = get_local_id(0);
    store(room + l, v + (int)l);
    barrier(CLK_LOCAL_MEM_FENCE);
    store(out + get_global_id(0), room[3 - l]);
}
kernel __attribute__((vec_type_hint(float4))) void middle(global int *out, local int *room, int v)
{
    inner(out, room, v * 2);
    store(out + get_global_id(0), out[get_global_id(0)] + 1);
}
kernel __attribute__((reqd_work_group_size(4, 1, 1))) __attribute__((work_group_size_hint(4, 1, 1))) void
k(global int *out, global int *in)
{
    local int room[4];
    middle(out, room, in[5]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int x;
    store(&x, out[get_global_id(0)] * 10);
    out[get_global_id(0)] = x;
}
