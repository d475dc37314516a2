// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: format strings in private memory are an extension there
// Variable arguments: one work-item of the first group prints values that are loaded through pointers to three memories.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 1 for i in range(64)]}"}, "ambiguous": 0}]}
*/
__attribute__((noinline)) void show(int *p, int *q, int *r) {
    printf("%d %d %d\n", *p, *q, *r);
    *q = *p + 1;
}
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0), l = get_local_id(0), mine = i;
    scratch[l] = 2 * i;
    if (i == 7) show((int *)&in[i], (int *)&scratch[l], &mine);
    else scratch[l] = in[i] + 1;
    out[i] = scratch[l];
}
