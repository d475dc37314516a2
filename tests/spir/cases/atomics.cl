// SPDX-License-Identifier: Apache-2.0
// OpenCL 2 atomics in every space and type: those that SPIR 1.2 has keep their 1.2 names, the others become a loop or, on private memory, a
// load and a store: in a function that nonflat-spir adds, or in the kernel if the device requires inlining.
// CHECK: define spir_kernel void @integers(
// CHECK: call spir_func i32 @_Z10atomic_addPU3AS1Vii
// CHECK: define spir_kernel void @private_ones(
// CHECK-oclgrind: call spir_func i32 @nonflat._Z10atomic_addPVii
// CHECK-oclgrind: define internal spir_func i32 @nonflat._Z10atomic_addPVii
// CHECK-pocl: [[OLD:%[0-9]+]] = load volatile i32, i32* [[WHICH:%[0-9]+]]
// CHECK-pocl-NEXT: [[NEW:%[0-9]+]] = add nsw i32 [[OLD]], 5
// CHECK-pocl-NEXT: store volatile i32 [[NEW]], i32* [[WHICH]]
// CHECK-pocl-NOT: {{define internal|call .*atomic_[a-z]+PV|declare .*atomic_[a-z]+PV}}

kernel void integers(global int *g, global long *l)
{
    local int shared[2];
    if (get_local_id(0) == 0) shared[0] = shared[1] = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit((local atomic_int *)&shared[0], 2, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max_explicit((local atomic_int *)&shared[1], (int)get_local_id(0), memory_order_relaxed,
                              memory_scope_work_group);
    atomic_fetch_add_explicit((global atomic_int *)&g[0], 3, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_min_explicit((global atomic_long *)&l[0], -(long)get_global_id(0), memory_order_relaxed,
                              memory_scope_device);
    atomic_fetch_add_explicit((global atomic_long *)&l[1], 1L << 33, memory_order_relaxed, memory_scope_device);
    atomic_fetch_or_explicit((global atomic_long *)&l[2], 1L << get_global_id(0), memory_order_relaxed,
                             memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) == 0) {
        g[1] = shared[0];
        g[2] = shared[1];
    }
}
// KERNEL integers 8 4
// ARG int zero 3
// ARG long zero 3
// EXPECT int 24 8 3
// EXPECT long -7 68719476736 255

int __attribute__((overloadable)) atomic_add(volatile private int *p, int value);
int __attribute__((overloadable)) atomic_inc(volatile private int *p);
int __attribute__((overloadable)) atomic_xchg(volatile private int *p, int value);
int __attribute__((overloadable)) atomic_cmpxchg(volatile private int *p, int expected, int value);
uint __attribute__((overloadable)) atomic_max(volatile private uint *p, uint value);

kernel void private_ones(global int *g, global long *l)
{
    volatile int p[2] = {3, 4};
    private volatile int *which = p + (g[0] & 1);
    g[1] = atomic_add(which, 5);
    g[2] = p[g[0] & 1];
    g[3] = atomic_cmpxchg(which, 9, 1);
    g[4] = p[1];
    private volatile uint *u = (private volatile uint *)which;
    g[5] = atomic_max(u, 7u) + atomic_inc(which) + atomic_xchg(which, 100);
    g[6] = p[1];
}
// KERNEL private_ones 1 1
// ARG int 1 0 0 0 0 0 0
// ARG long zero 1
// EXPECT int 1 4 9 9 1 16 100

kernel void floats(global float *f, global double *d)
{
    local float sum;
    if (get_local_id(0) == 0) sum = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit((local atomic_float *)&sum, 0.5f, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add_explicit((global atomic_float *)f, 1.5f, memory_order_relaxed, memory_scope_device);
    atomic_fetch_add_explicit((global atomic_double *)d, 0.25, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit((global atomic_double *)(d + 1), -(double)get_global_id(0), memory_order_relaxed,
                              memory_scope_device);
    atomic_fetch_max_explicit((global atomic_float *)(f + 2), (float)get_global_id(0), memory_order_relaxed,
                              memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) == 0) f[1] = sum;
}
// KERNEL floats 8 4
// ARG float zero 3
// ARG double zero 2
// EXPECT float 12 2 7
// EXPECT double 2 -7
