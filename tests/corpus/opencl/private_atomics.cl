// SPDX-License-Identifier: Apache-2.0
// Atomics on a private counter: drivers have none, so the private arm is load, operation, store.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256"],
  "expect": {"0": "int:{[i + 8 for i in range(64)]}"}, "ambiguous": 0}], "wrong_on": {"native": "no atomics on generic pointers: unresolved symbol"}}
*/
kernel void k(global int *out) {
    atomic_int mine;
    atomic_init(&mine, get_global_id(0));
    for (int j = 0; j < 4; j++) atomic_fetch_add_explicit(&mine, 2, memory_order_relaxed, memory_scope_work_item);
    out[get_global_id(0)] = atomic_load_explicit(&mine, memory_order_relaxed, memory_scope_work_item);
}
