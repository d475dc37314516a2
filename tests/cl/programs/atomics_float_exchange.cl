// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 925 1075 1225 1375 1525 1675 1825 1975
float xchg(atomic_float *f, float v)
{
    return atomic_exchange_explicit(f, v, memory_order_acq_rel, memory_scope_device);
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0);
    local atomic_float f[4];
    atomic_init(&f[t], 1.5f * i);
    float o = xchg(&f[t], 9.25f);
    atomic_store(&f[t], atomic_load(&f[t]) + o);
    out[i] = (int)(atomic_load(&f[t]) * 100);
}
