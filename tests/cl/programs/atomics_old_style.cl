// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 10686 10687 10688 10689 10791 10893 10995 11097
int helper(int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    l[j] = i;
    int x = 2;
    atomic_add(&l[j], helper(&x));
    atomic_max(&l[j], 5);
    atomic_inc(&l[j]);
    out[i] = in[i];
    atomic_sub(&out[i], 20);
    atomic_xchg((local uint *)&l[j], atomic_or((local uint *)&l[j], 16u) + 100);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[i] += helper(l + j) * 100 + atomic_cmpxchg(&l[j], 7, 8);
}
