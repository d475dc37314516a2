// SPDX-License-Identifier: Apache-2.0
// Without a buffer, a variable that kernels write is refused if each kernel would have its own copy.
// REFUSED pocl: writes program-scope variable 'counter'
// CHECK: @counter = {{.*}}addrspace(1) global i32 0
global int counter;

kernel void add(global int *out)
{
    out[0] = ++counter;
}
// KERNEL add 1 1
// ARG int 5
// EXPECT int 1
