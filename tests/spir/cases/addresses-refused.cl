// SPDX-License-Identifier: Apache-2.0
// A constant that contains addresses, on a device that loses them: refused if it was not moved to a buffer.
// UNSUPPLIED
// REFUSED oclgrind: the initializer of program-scope variable 'table' contains an address, which device 'oclgrind' loses
// CHECK: @table = {{.*}}addrspace(2) constant [2 x i32 addrspace(2)*]
constant int a = 11, b = 22;
constant int *constant table[2] = {&a, &b};

kernel void pick(global int *out)
{
    int i = get_global_id(0);
    out[i] = *table[i & 1];
}
// KERNEL pick 4 1
// ARG int zero 4
// EXPECT int 11 22 11 22
