// SPDX-License-Identifier: Apache-2.0
// An exclusive scan of addresses gives the first work-item the identity of the operation, which is no operand: the greatest
// integer for a minimum, 0 for a maximum. Unsound if the result of a scan is always one of its operands.
/* TRUTH
{"kernels": [
 {"name": "smallest_before", "args": ["zero:16", "local:16"], "expect": {"0": "uint:1,10,10,10"}, "global": 4, "local": 4},
 {"name": "largest_before", "args": ["zero:16", "local:16"], "expect": {"0": "uint:1,10,11,12"}, "global": 4, "local": 4}]}
*/
#define NOINLINE __attribute__((noinline))
NOINLINE ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void smallest_before(global uint *out, local uint *tile)
{
    uint i = get_local_id(0);
    tile[i] = i + 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint *p = (uint *)work_group_scan_exclusive_min((ulong)(uint *)&tile[i]);
    out[i] = number_of(p) == ~0ul ? 1 : *p;
}
kernel void largest_before(global uint *out, local uint *tile)
{
    uint i = get_local_id(0);
    tile[i] = i + 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint *p = (uint *)(work_group_scan_exclusive_max((ulong)(uint *)&tile[i]) | 1);
    out[i] = number_of(p) == 1 ? 1 : *(uint *)((ulong)p & ~1ul);
}
