// SPDX-License-Identifier: Apache-2.0
// Hints are removed: an interpreter crashes on llvm.assume.
// CHECK-NOT: @llvm.assume
// CHECK-NOT: @llvm.expect

kernel void hinted(global int *v)
{
    int x = v[0];
    __builtin_assume(x > 0);
    v[1] = __builtin_expect(x == 3, 1) ? x + 1 : x;
}
// KERNEL hinted 1 1
// ARG int 3 0
// EXPECT int 3 4
