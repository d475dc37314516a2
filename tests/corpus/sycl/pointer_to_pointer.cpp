// SPDX-License-Identifier: Apache-2.0
// int ** in private memory to private pointers to global memory, three levels deep.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i + 1) % 64 for i in range(64)]}"}, "ambiguous": 0}]}
*/
NOINLINE void aim(int **slot, int *target) { *slot = target; }
NOINLINE int read(int ***p) { return ***p; }
KERNEL k(int *out, int *in) {
    int *slot;
    int **pp = &slot;
    aim(pp, in + (gid() + 1) % 64);
    out[gid()] = read(&pp);
}
