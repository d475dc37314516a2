// SPDX-License-Identifier: Apache-2.0
// Program-scope variables that kernels write, on a device that has none, lie in memory that every kernel gets: what they
// hold at first is copied or, where it is an address, computed. What is only read stays, and a device that has such
// variables keeps them, but for one that holds an address which it loses.
// OPTIONS --globals
// CHECK-pocl-NOT: @counter =
// CHECK-pocl: @constants = {{.*}}addrspace(2) constant
// CHECK-pocl: @{{nonflat.initial.*}} = internal addrspace(2) constant %struct.node { i32 100
// CHECK-pocl: define spir_kernel void @add(i32 addrspace(1)* {{.*}}%0, i32 %1, i8 addrspace(1)* %[[M:[0-9]+]])
// CHECK-pocl: getelementptr inbounds i8, i8 addrspace(1)* %[[M]], i64
// CHECK-pocl: define spir_kernel void @none(i8 addrspace(1)* %0)
// CHECK-pocl: define spir_kernel void @nonflat_globals_{{[0-9]+}}(i8 addrspace(1)* %[[F:[0-9]+]])
// CHECK-pocl: call void @llvm.memcpy
// CHECK-pocl: store %struct.node addrspace(1)* %{{[0-9]+}}, %struct.node addrspace(1)* addrspace(1)*
// CHECK-pocl: store i32 5,
// CHECK-oclgrind: @counter = {{.*}}addrspace(1) global i32 5
// CHECK-oclgrind-NOT: @head =
// CHECK-oclgrind: define spir_kernel void @nonflat_globals_16(i8 addrspace(1)* %{{[0-9]+}})
// CHECK-oclgrind: store %struct.node addrspace(1)* @tail,
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
