// SPDX-License-Identifier: Apache-2.0
// A compiler that does not see that an address escapes when it becomes an integer gets a pointer in a variable of pointer type:
// with only the integer in memory Intel's forwards the first value of shared[me] to the last load.
// ADDRESSES: flat
// FAULTS: intel_escaping_addresses
// TEXT: { local u32 *volatile kept = {{.*}}; *(volatile private u64 *)(&[[OWN:x[0-9]+]]) = *(volatile private u64 *)&kept; }
// TEXT: *(volatile private u64 *){{.*}}[[OWN]]
// MORE: -O0

kernel void exposed(global int *out, global ulong *kept)
{
    local int shared[4];
    int me = get_local_id(0);
    shared[me] = 1;
    local int *volatile own = &shared[me];
    kept[me] = *(volatile private ulong *)&own;
    barrier(CLK_LOCAL_MEM_FENCE);
    *(local int *)kept[me] = me + 7;
    out[me] = shared[me];
}
// KERNEL exposed 4 4
// ARG int zero 4
// ARG long zero 4
// EXPECT int 7 8 9 10
