// SPDX-License-Identifier: Apache-2.0
// forms: il
// expect: 5 5 5 5 5 5 5 5
/* OpAtomicStore 5, OpAtomicIAdd, OpAtomicStore 6: the addition gives 5. OpenCL C has no atomic store with an explicit address space, so the
 * kernel calls the functions by the names that translators map to these instructions. */
__attribute__((overloadable)) void __spirv_AtomicStore(local int *p, int scope, int semantics, int v);
__attribute__((overloadable)) int __spirv_AtomicIAdd(local int *p, int scope, int semantics, int v);
kernel void k(global int *out, global int *in)
{
    local int l[8];
    size_t i = get_local_id(0);
    __spirv_AtomicStore(&l[i], 2, 0, 5);
    int old = __spirv_AtomicIAdd(&l[i], 2, 0, 1);
    __spirv_AtomicStore(&l[i], 2, 0, 6);
    out[i] = old;
}
