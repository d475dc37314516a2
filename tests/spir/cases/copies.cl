// SPDX-License-Identifier: Apache-2.0
// Async copies by the whole work-group. After the wait all of them are complete: a later store by a work-item is not overwritten, whichever
// work-item runs next.
// SPECIALIZE
// CHECK: define spir_kernel void @bytes(
// CHECK-pocl-NOT: declare{{.*(async_work_group|wait_group_events)}}

kernel void in_and_out(global int *in, global int *out)
{
    local int tile[12];
    event_t done = async_work_group_copy(tile, in, 12, 0);
    wait_group_events(1, &done);
    int me = get_local_id(0);
    tile[me] += 100;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    tile[8 + me] += tile[me ^ 1];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    done = async_work_group_copy(out, tile, 12, 0);
    wait_group_events(1, &done);
}
// KERNEL in_and_out 4 4
// ARG int iota 12
// ARG int zero 12
// EXPECT skip
// EXPECT int 100 101 102 103 4 5 6 7 109 109 113 113

kernel void strided(global float4 *in, global float4 *out, local float4 *tile)
{
    event_t done[2];
    done[0] = async_work_group_strided_copy(tile, in, 3, 2, 0);
    done[1] = async_work_group_strided_copy(tile + 3, in + 1, 2, 1, done[0]);
    wait_group_events(2, done);
    if (get_local_id(0) == 1) tile[0].y = -1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    event_t back = async_work_group_strided_copy(out, tile, 5, 2, 0);
    wait_group_events(1, &back);
}
// KERNEL strided 2 2
// ARG float iota 24
// ARG float zero 40
// LOCAL 80
// EXPECT skip
// EXPECT float 0 -1 2 3 0 0 0 0 8 9 10 11 0 0 0 0 16 17 18 19 0 0 0 0 4 5 6 7 0 0 0 0 8 9 10 11

kernel void bytes(global uchar *in, global uchar *out)
{
    local uchar tile[16];
    event_t done = async_work_group_copy(tile, in, 16, 0);
    wait_group_events(1, &done);
    out[get_global_id(0)] = tile[15 - get_local_id(0)];
}
// KERNEL bytes 8 8
// ARG char iota 16
// ARG char zero 8
// EXPECT skip
// EXPECT char 15 14 13 12 11 10 9 8
