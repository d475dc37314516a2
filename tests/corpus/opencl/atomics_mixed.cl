// SPDX-License-Identifier: Apache-2.0
// Atomic operations on a counter that is local for some work-items and global for others.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:16"],
  "expect": {"0": "int:{[8 for i in range(64)]}", "1": "int:{[32, 0, 0, 0]}"},
  "ambiguous": {"O0": 1, "O2": 1}, "why": "odd work-items count locally, even ones globally"}], "wrong_on": {"native": "no atomics on generic pointers: unresolved symbol"}}
*/
kernel void k(global int *out, global atomic_int *totals) {
    local atomic_int mine;
    int i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_init(&mine, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_int *c = i & 1 ? (atomic_int *)&mine : (atomic_int *)totals;
    atomic_fetch_add_explicit(c, 1, memory_order_relaxed, memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = atomic_load_explicit(&mine, memory_order_relaxed, memory_scope_work_group);
}
