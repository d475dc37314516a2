// SPDX-License-Identifier: Apache-2.0
// Variables that begin with an address, as a pointer and as an integer: a device that loses it there gets it from a
// kernel, with what points there, and keeps the variables that hold none, or are a pointer to such a one.
// OPTIONS --globals
// CHECK-pocl: define spir_kernel void @nonflat_globals_48(i8 addrspace(1)* %{{[0-9]+}})
// CHECK-oclgrind-NOT: @table =
// CHECK-oclgrind: @a = {{.*}}addrspace(1) global i32 11
// CHECK-oclgrind: @b = {{.*}}addrspace(1) global i32 22
// CHECK-oclgrind-NOT: @table =
// CHECK-oclgrind-NOT: @number =
// CHECK-oclgrind: @kept = {{.*}}addrspace(1) global i32 addrspace(1)* @b
// CHECK-oclgrind-NOT: @into =
// CHECK-oclgrind: define spir_kernel void @pick(i32 addrspace(1)* {{.*}}%0, i8 addrspace(1)* %{{[0-9]+}})
// CHECK-oclgrind: define spir_kernel void @nonflat_globals_32(i8 addrspace(1)* %{{[0-9]+}})
// CHECK-oclgrind-DAG: store i32 addrspace(1)* @a, i32 addrspace(1)* addrspace(1)*
// CHECK-oclgrind-DAG: store i32 addrspace(1)* @b, i32 addrspace(1)* addrspace(1)*
// CHECK-oclgrind-DAG: store i64 ptrtoint (i32 addrspace(1)* @b to i64), i64 addrspace(1)*
// CHECK-oclgrind: ret void
global int a = 11, b = 22;
global int *global table[2] = {&a, &b};
global ulong number = (ulong)&b;
global int *global kept = &b;
global int *global *global into = &table[1];

kernel void pick(global int *out)
{
    int i = get_global_id(0);
    out[i] = *table[i & 1] + *(global int *)number + *kept + **into;
    if (i == 3) {
        table[0] = &b;
        number = 0;
        kept = &a;
        into = table;
        a = 12;
    }
}
