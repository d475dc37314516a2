// SPDX-License-Identifier: Apache-2.0
// Each function calls the previous one twice, so that inlining all of them produces millions of instructions from a hundred. The innermost
// one queries the work-item's id, which PoCL supports in kernels only: the module is refused at once. Oclgrind accepts the functions
// without inlining.
// REFUSED pocl: which makes 1000000000 instructions or more of
#define TWICE(name, next)                                                                                              \
    __attribute__((noinline)) int name(int x, global int *v)                                                           \
    {                                                                                                                  \
        return next(x + 1, v) ^ next(x * 3, v);                                                                        \
    }

__attribute__((noinline)) int f0(int x, global int *v)
{
    return v[x & 7] * 3 + (int)get_local_id(0);
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
TWICE(f20, f19)
TWICE(f21, f20)
TWICE(f22, f21)
TWICE(f23, f22)
TWICE(f24, f23)
TWICE(f25, f24)
TWICE(f26, f25)
TWICE(f27, f26)
TWICE(f28, f27)
TWICE(f29, f28)

kernel void deep(global int *v)
{
    v[get_global_id(0)] = v[0] > 1000000 ? f29(v[0], v) : 1;
}
