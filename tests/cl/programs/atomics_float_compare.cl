// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1009 1009 1009 1009 1009 1009 1009 1009
/* Floats are compared by their representation in memory: -0 is not 0. */
int replace(atomic_float *f, float *expected, float value)
{
    while (!atomic_compare_exchange_weak(f, expected, value))
        if (*expected != 4.0f) return -1;
    return (int)*expected;
}
int refuse(atomic_float *f)
{
    float expected = 0.0f;
    atomic_store(f, -0.0f);
    if (atomic_compare_exchange_strong(f, &expected, 1.0f)) return 0;
    return atomic_compare_exchange_strong_explicit(f, &expected, 9.0f, memory_order_acq_rel, memory_order_relaxed) ? 1000 : 1;
}
int all(atomic_float *f)
{
    float expected = 3.0f;
    atomic_init(f, 1.5f);
    atomic_store(f, atomic_exchange(f, 2.5f) + atomic_load(f));
    if (replace(f, &expected, 8.0f) != 4) return -2;
    expected = 8.0f;
    if (!atomic_compare_exchange_strong_explicit(f, &expected, 2.0f, memory_order_seq_cst, memory_order_acquire, memory_scope_device)) return -3;
    int refused = refuse(f);
    return refused + (int)atomic_load(f);
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    local atomic_float l[4];
    int shared = all(&l[get_local_id(0)]), far = all((global atomic_float *)&out[i]);
    out[i] = shared == far ? far : -4;
}
