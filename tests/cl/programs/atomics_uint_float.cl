// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 550049 650050 750051 850052 950053 1050054 1150055 1250056
uint low(atomic_uint *a, uint v)
{
    return atomic_fetch_min(a, v) - atomic_fetch_sub(a, 1u);
}
float change(atomic_float *f, float v)
{
    float old = atomic_exchange(f, v);
    return old + atomic_load(f);
}
kernel void k(global int *out, global int *in)
{
    local atomic_uint u[4];
    local atomic_float f[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    atomic_init(&u[j], 100u + i);
    atomic_init(&f[j], 2.5f);
    uint d = low(&u[j], 50u + i);
    out[i] = (int)d * 1000 + (int)atomic_load(&u[j]) + (int)(change(&f[j], i * 0.5f) * 2) * 100000;
}
