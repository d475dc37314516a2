// SPDX-License-Identifier: Apache-2.0
// OpenCL 2 atomics through generic pointers: local and global counters, one function for both.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:16"],
  "expect": {"0": "int:{[16 for i in range(64)]}", "1": "int:{[64, 63, 64 * 63 // 2, 0]}"}, "ambiguous": 0}], "wrong_on": {"native": "no atomics on generic pointers: unresolved symbol"}}
*/
__attribute__((noinline)) void count(atomic_int *c, int v) { atomic_fetch_add_explicit(c, v, memory_order_relaxed, memory_scope_device); }
__attribute__((noinline)) void most(atomic_int *c, int v) { atomic_fetch_max_explicit(c, v, memory_order_relaxed, memory_scope_device); }
kernel void k(global int *out, global atomic_int *totals) {
    local atomic_int mine;
    int i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_init(&mine, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    count((atomic_int *)&mine, 1);
    count((atomic_int *)&totals[0], 1);
    most((atomic_int *)&totals[1], i);
    count((atomic_int *)&totals[2], i);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = atomic_load_explicit(&mine, memory_order_relaxed, memory_scope_work_group);
}
