// SPDX-License-Identifier: Apache-2.0
// Program-scope variables that kernels write, on a device without such variables, are in a buffer that every kernel gets: initial values
// are copied or, if they are addresses, computed. Variables that are only read remain.
// VARIABLES
// CHECK-NOT: @counter =
// CHECK: @constants = {{.*}}addrspace(2) constant
// CHECK: @{{[0-9]+}} = internal addrspace(2) constant %struct.node { i32 100
// CHECK: define spir_kernel void @add(i32 addrspace(1)* {{.*}}%0, i32 %1, i8 addrspace(1)* %[[M:[0-9]+]])
// CHECK-SAME: !kernel_arg_type ![[TYPES:[0-9]+]]
// CHECK: getelementptr inbounds i8, i8 addrspace(1)* %[[M]], i64
// CHECK: define spir_kernel void @none(i8 addrspace(1)* %0)
// CHECK: define spir_kernel void @nonflat_globals_{{[0-9]+}}(i8 addrspace(1)* %[[F:[0-9]+]])
// CHECK: call void @llvm.memcpy
// CHECK: store %struct.node addrspace(1)* %{{[0-9]+}}, %struct.node addrspace(1)* addrspace(1)*
// CHECK: store i32 5,
// CHECK: ![[TYPES]] = !{!"int*", !"int", !"char*"}
typedef struct node {
    int value;
    global struct node *next;
} node;

global node tail = {100, 0};
global node head = {10, &tail};
global int counter = 5;
global int zeros[64];
constant int constants[3] = {1, 2, 3};

void bump(int by)
{
    counter += by;
    head.next->value += by;
}

kernel void add(global int *out, int by)
{
    bump(by);
    zeros[by] += constants[by % 3];
    out[0] = counter;
}

kernel void none(void)
{
}
