// SPDX-License-Identifier: Apache-2.0
// Local variables of two kernels have the names of their kernels.
// CHECK-DAG: @one.{{.*}} = internal addrspace(3) global [8 x i32] undef
// CHECK-DAG: @two.{{.*}} = internal addrspace(3) global [8 x i32] undef

void turn(local int *t, int x)
{
    t[get_local_id(0)] = x;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void one(global int *v)
{
    local int tile[8];
    turn(tile, v[get_global_id(0)]);
    v[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];
}
// KERNEL one 8 4
// ARG int iota 8
// EXPECT int 3 2 1 0 7 6 5 4

kernel void two(global int *v)
{
    local int tile[8];
    turn(tile, v[get_global_id(0)]);
    v[get_global_id(0)] = tile[get_local_id(0) ^ 1];
}
// KERNEL two 8 8
// ARG int iota 8
// EXPECT int 1 0 3 2 5 4 7 6
