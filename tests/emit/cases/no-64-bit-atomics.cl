// SPDX-License-Identifier: Apache-2.0
// A compiler without 64-bit atomics.
// TO: c:fp64
// TEXT-REFUSED: an atomic operation on 64 bits

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global ulong *o)
{
    atom_add(o, 1ul);
}
