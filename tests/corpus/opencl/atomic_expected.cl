// SPDX-License-Identifier: Apache-2.0
// Atomic flags, and compare-and-exchange whose expected value lies in private, local and global memory, behind one function.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{[j for j in range(64)]}", "zero:16"],
  "expect": {"0": "int:{[4 + 2 for j in range(64)]}", "1": "int:{[1000 + j + 1 for j in range(64)]}", "2": "int:{[64, 0, 0, 0]}"},
  "ambiguous": 0}], "wrong_on": {"native": "no atomics on generic pointers: unresolved symbol"}}
*/
int claim(volatile atomic_int *cell, int *expected, int wanted) {
    int tries = 0;
    while (!atomic_compare_exchange_strong_explicit(cell, expected, wanted, memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_device))
        tries++;
    return tries;
}
int pass(volatile atomic_flag *gate) {
    int first = !atomic_flag_test_and_set_explicit(gate, memory_order_relaxed, memory_scope_work_group);
    atomic_flag_clear_explicit(gate, memory_order_relaxed, memory_scope_work_group);
    return first;
}
kernel void k(global int *out, global int *cells, global atomic_int *total) {
    local atomic_int counts[16];
    local atomic_flag gates[16];
    local int guess[16];
    int i = get_global_id(0), l = get_local_id(0), mine = -1;
    atomic_init(&counts[l], 7);
    atomic_flag_clear_explicit(&gates[l], memory_order_relaxed, memory_scope_work_group);
    guess[l] = -1;
    out[i] = -1;
    int sum = claim((global atomic_int *)&cells[i], &mine, 1000 + i);
    sum += claim(&counts[l], &guess[l], 9);
    sum += claim(&counts[l], (int *)&out[i], 11);
    mine = 1000 + i - 1;
    sum += claim((global atomic_int *)&cells[i], &mine, 1000 + i + 1);
    int passed = pass(&gates[l]) + pass(&gates[l]);
    atomic_fetch_add_explicit(total, guess[l] == 7 && out[i] == 9, memory_order_relaxed, memory_scope_device);
    out[i] = sum + passed;
}
