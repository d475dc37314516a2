// SPDX-License-Identifier: Apache-2.0
// The format of printf stays in constant memory.
// CHECK: declare spir_func i32 @printf(i8 addrspace(2)*, ...)

kernel void speak(global int *v)
{
    printf("value %d\n", v[0]);
    v[0]++;
}
// KERNEL speak 1 1
// ARG int 41
// EXPECT int 42
