// SPDX-License-Identifier: Apache-2.0
// A collective function of a work-group contains a barrier, so a function that calls one is inlined, as it is with a
// barrier.
// TO: c:2.0,collectives
// STD: CL2.0
// MORE: -O0
// TEXT: static inline __attribute__((always_inline)) uint total_{{[0-9]+}}(uint
// TEXT: work_group_reduce_add(
// TEXT: static uint plain_{{[0-9]+}}(uint
// TEXT: kernel void sums(

static uint total(uint x)
{
    return work_group_reduce_add(x) + 1;
}
static uint plain(uint x)
{
    return x * 3;
}
kernel void sums(global uint *o)
{
    o[get_global_id(0)] = plain(total(o[get_global_id(0)]));
}
