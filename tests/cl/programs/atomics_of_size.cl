// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// device: cl_khr_int64_base_atomics cl_khr_int64_extended_atomics
// expect: 1 1 1 1 1 1 1 1
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
long add(atomic_long *p, long v)
{
    atomic_fetch_add(p, v);
    return atomic_load(p);
}
ulong top(atomic_ulong *p, ulong v)
{
    atomic_fetch_max(p, v);
    atomic_fetch_min(p, v + 3);
    return atomic_load(p);
}
size_t size(atomic_size_t *p, size_t v)
{
    return atomic_fetch_sub(p, v) + atomic_load(p);
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0);
    local atomic_long l[4];
    local atomic_ulong u[4];
    local atomic_size_t s[4];
    atomic_init(&l[t], 1L << 40);
    atomic_init(&u[t], 5UL);
    atomic_init(&s[t], 100);
    out[i] = add(&l[t], i) == (1L << 40) + i && top(&u[t], i) == (i < 5 ? (i + 3 < 5 ? i + 3 : 5) : i) &&
             size(&s[t], i) == 200 - i;
}
