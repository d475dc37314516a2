// SPDX-License-Identifier: Apache-2.0
// Work-group collectives, which SPIR 1.2 lacks, are implemented with local memory, in small and large groups.
// CHECK: @sums.local = internal addrspace(3) global [1024 x i64] undef
// CHECK: @picks.local = internal addrspace(3) global [1024 x i64] undef
// CHECK-NOT: @_Z{{[0-9]+}}work_group_

kernel void sums(global int *in, global int *out, global int *large)
{
    int me = get_global_id(0);
    out[me] = work_group_reduce_add(in[me]);
    out[8 + me] = work_group_scan_inclusive_add(in[me]);
    out[16 + me] = work_group_scan_exclusive_max(in[me]);
    out[24 + me] = work_group_all(in[me] > 0) + 2 * work_group_any(in[me] == 5);
}
// KERNEL sums 8 4
// ARG int 3 1 2 4 7 5 6 0
// ARG int zero 32
// ARG int zero 1
// EXPECT skip
// EXPECT int 10 10 10 10 18 18 18 18 3 4 6 10 7 12 18 18 -2147483648 3 3 3 -2147483648 7 7 7 1 1 1 1 2 2 2 2

kernel void picks(global int *out, global float *f)
{
    int x = get_local_id(0), y = get_local_id(1);
    int me = y * 4 + x;
    out[me] = work_group_broadcast(10 * me, 2, 1);
    f[me] = work_group_reduce_max(f[me]) + work_group_reduce_min(f[me]);
}
// KERNEL picks 4,2 4,2
// ARG int zero 8
// ARG float 1 2.5 -3 4 5 6 7 8
// EXPECT int 60 60 60 60 60 60 60 60
// EXPECT float 5 5 5 5 5 5 5 5

kernel void rounds(global long *in, global long *out)
{
    int me = get_local_id(0);
    out[me] = work_group_scan_inclusive_add(in[me]);
    out[600 + me] = work_group_reduce_max(in[me]) + work_group_scan_exclusive_add(1L);
}
// KERNEL rounds 600 600
// ARG long iota 600
// ARG long zero 1200
// EXPECT skip
// EXPECT long 0 1 3 6 10 15 21 28 36 45

kernel void last(global long *in, global long *out)
{
    int me = get_local_id(0);
    long sum = work_group_scan_inclusive_add(in[me]);
    long before = work_group_scan_exclusive_add(1L);
    if (me == 599) {
        out[0] = sum;
        out[1] = before;
    }
    if (me == 255) out[2] = sum;
}
// KERNEL last 600 600
// ARG long iota 600
// ARG long zero 3
// EXPECT skip
// EXPECT long 179700 599 32640

// Every type, and groups of three dimensions; a second collective immediately after the first.
kernel void types(global uint *u, global double *d, global ulong *w, global float *f)
{
    size_t me = get_local_linear_id();
    u[me] = work_group_scan_inclusive_min(u[me]) + work_group_broadcast(u[me], 1, 0, 1);
    d[me] = work_group_reduce_add(d[me]) + work_group_scan_exclusive_add(d[me]);
    w[me] = work_group_scan_inclusive_max(w[me]) + work_group_reduce_min(w[me]);
    f[me] = work_group_scan_exclusive_min(f[me]);
}
// KERNEL types 2,2,2 2,2,2
// ARG int 9 8 7 8 6 5 4 9
// ARG double 0.5 1 1.5 2 2.5 3 3.5 4
// ARG long 1 3 2 0xffffffffffffff00 1 1 1 2
// ARG float 4 3 5 2 1 9 9 9
// EXPECT int 14 13 12 12 11 10 9 9
// EXPECT double 18 18.5 19.5 21 23 25.5 28.5 32
// EXPECT long 2 4 4 0xffffffffffffff01 0xffffffffffffff01 0xffffffffffffff01 0xffffffffffffff01 0xffffffffffffff01
// EXPECT float inf 4 3 3 2 1 1 1
