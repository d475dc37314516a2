// SPDX-License-Identifier: Apache-2.0
// A kernel with the name of a function of OpenCL C, local memory that a function uses, atomics with an order, attributes, 64-bit atomics,
// and a signed maximum.
// TEXT: #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
// TEXT: inline __attribute__((always_inline)) void step_{{[0-9]+}}(global u32 *v{{[0-9]+}}, local T{{[0-9]+}} *step_shared_
// TEXT: // "step" is this kernel:
// TEXT-NEXT: kernel __attribute__((reqd_work_group_size(4, 1, 1))) {{.*}}void step_{{[0-9a-f]+}}(
// TEXT: local T{{[0-9]+}} step_shared_

static uint sum(uint x)
{
    return x + 1;
}
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void step(global uint *o)
{
    local uint shared[4];
    shared[get_local_id(0)] = sum(get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_local_id(0)] = shared[3 - get_local_id(0)];
}
kernel void counts(global int *o, global ulong *wide)
{
    atomic_max(&o[1], -(int)get_global_id(0));
    atomic_fetch_add_explicit((volatile global atomic_int *)&o[0], 2, memory_order_acq_rel, memory_scope_device);
    atom_add(wide, 1ul << 32);
}
// KERNEL counts 4 4
// ARG int 0 -9
// ARG long 1
// EXPECT int 8 0
// EXPECT long 0x400000001
