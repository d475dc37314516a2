// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 3444333 3444333 3444333 3444333 4333344 4333344 4333344 4333344
typedef struct {
    atomic_int key;
    atomic_int count;
} slot;
static void clear(slot *table, int size)
{
    for (int i = 0; i < size; i++) {
        atomic_init(&table[i].key, -1);
        atomic_init(&table[i].count, 0);
    }
}
static void insert(volatile slot *table, int size, int key)
{
    for (int at = (key * 7) % size;; at = (at + 1) % size) {
        int expected = -1;
        bool mine = atomic_compare_exchange_strong_explicit(&table[at].key, &expected, key, memory_order_relaxed,
                                                            memory_order_relaxed, memory_scope_work_group);
        if (mine || expected == key) {
            atomic_fetch_add_explicit(&table[at].count, 1, memory_order_relaxed, memory_scope_work_group);
            return;
        }
    }
}
static int lookup(volatile slot *table, int size, int key)
{
    for (int n = 0, at = (key * 7) % size; n < size; n++, at = (at + 1) % size)
        if (atomic_load_explicit(&table[at].key, memory_order_relaxed, memory_scope_work_group) == key)
            return atomic_load_explicit(&table[at].count, memory_order_relaxed, memory_scope_work_group);
    return 0;
}
kernel void k(global int *out, global int *in)
{
    local slot table[16];
    int i = get_global_id(0);
    if (get_local_id(0) == 0) clear(table, 16);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < 6; n++) insert(table, 16, (in[n] * 3 + i) % 7);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int n = 0; n < 7; n++) sum = sum * 10 + lookup(table, 16, n);
    out[i] = sum;
}
