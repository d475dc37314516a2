// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 990 990 990 990 2590 2590 2590 2590
/* One work-item after the other takes the lock: a spin lock would hang on devices that run work-items in lockstep. */
typedef struct {
    atomic_flag busy;
    int value;
} guarded;
static bool try_lock(volatile atomic_flag *f)
{
    return !atomic_flag_test_and_set_explicit(f, memory_order_acquire, memory_scope_work_group);
}
static void unlock(volatile atomic_flag *f)
{
    atomic_flag_clear_explicit(f, memory_order_release, memory_scope_work_group);
}
static void add(guarded *g, int v)
{
    if (!try_lock(&g->busy)) return;
    g->value = g->value * 3 + v;
    unlock(&g->busy);
}
kernel void k(global int *out, global int *in)
{
    local guarded g;
    int id = get_global_id(0), me = get_local_id(0);
    if (me == 0) {
        g.value = 1;
        unlock(&g.busy);
    }
    for (int turn = 0; turn < 4; turn++) {
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (turn == me) add(&g, in[id]);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = g.value * 10 + try_lock(&g.busy) * 0;
}
