// SPDX-License-Identifier: Apache-2.0
// A constant that contains the address of a variable which has no address before the program runs.
// VARIABLES
// On the device that loses addresses in constants, the constant is also in the buffer, and its address is an integer.
// REFUSED pocl: contains the address of a module-scope variable, which this device does not know before the program runs
// CHECK-oclgrind: inttoptr i64 %{{[0-9]+}} to {{.*}}addrspace(2)*
// CHECK-oclgrind: store {{.*}}i32 addrspace(1)* %{{[0-9]+}}, i32 addrspace(1)* addrspace(1)*
global int counter;
constant struct {
    global int *where;
    int step[2];
} table = {&counter, {1, 2}};

kernel void add(global int *out, int at)
{
    *table.where += table.step[at];
    out[0] = counter;
}
