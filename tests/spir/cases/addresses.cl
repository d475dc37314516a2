// SPDX-License-Identifier: Apache-2.0
// Variables that are initialized with an address, as a pointer and as an integer: the additional kernel stores it.
// VARIABLES
// CHECK-NOT: @{{[a-z]+}} ={{.*}} addrspace(1)
// CHECK: define spir_kernel void @pick(i32 addrspace(1)* {{.*}}%0, i8 addrspace(1)* %{{[0-9]+}})
// CHECK: define spir_kernel void @nonflat_globals_48(i8 addrspace(1)* %{{[0-9]+}})
// CHECK: store i32 11, i32 addrspace(1)*
// CHECK: store i32 addrspace(1)* %{{[0-9]+}}, i32 addrspace(1)* addrspace(1)*
// CHECK: ptrtoint i32 addrspace(1)* %{{[0-9]+}} to i64
// CHECK: ret void
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
