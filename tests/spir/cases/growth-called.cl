// SPDX-License-Identifier: Apache-2.0
// Each function calls the previous one twice, so that inlining all of them would produce millions of instructions. PoCL calls functions
// that do not depend on the work-item; only the one that queries its id is inlined into the kernel.
// CHECK-pocl-NOT: define {{.*}}@last
// CHECK: define {{.*}}@f3
// CHECK-pocl-NOT: define {{.*}}@last
// KERNEL deep 4 1
// ARG int iota 4
// EXPECT int 219938816 219938817 -970194942 -970194941
#define TWICE(name, next)                                                                                              \
    __attribute__((noinline)) int name(int x)                                                                          \
    {                                                                                                                  \
        return next(x) + next(x ^ 1) * 5;                                                                              \
    }

__attribute__((noinline)) int f0(int x)
{
    return x * 3 + 1;
}

TWICE(f1, f0)
TWICE(f2, f1)
TWICE(f3, f2)
TWICE(f4, f3)
TWICE(f5, f4)
TWICE(f6, f5)
TWICE(f7, f6)
TWICE(f8, f7)
TWICE(f9, f8)
TWICE(f10, f9)
TWICE(f11, f10)
TWICE(f12, f11)
TWICE(f13, f12)
TWICE(f14, f13)
TWICE(f15, f14)
TWICE(f16, f15)
TWICE(f17, f16)
TWICE(f18, f17)
TWICE(f19, f18)

__attribute__((noinline)) int last(int x)
{
    return f19(x) + (int)get_global_id(0);
}

kernel void deep(global int *v)
{
    v[get_global_id(0)] = last(v[get_global_id(0)]);
}
