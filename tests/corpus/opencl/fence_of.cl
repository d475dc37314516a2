// SPDX-License-Identifier: Apache-2.0
// get_fence of pointers whose memory is known, and of one whose memory is not.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[1 + 2 + (4 if i % 2 else 8) for i in range(64)]}"}, "ambiguous": 0}], "wrong_on": {"native": "get_fence knows no local pointers"}}
*/
__attribute__((noinline)) cl_mem_fence_flags fence_of(int *p) { return get_fence(p); }
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0);
    scratch[get_local_id(0)] = 0;
    int *p = in[i] & 1 ? (int *)&in[i] : (int *)&scratch[get_local_id(0)];
    int far = fence_of((int *)in) == CLK_GLOBAL_MEM_FENCE, near = fence_of((int *)scratch) == CLK_LOCAL_MEM_FENCE;
    out[i] = far + 2 * near + (get_fence(p) == CLK_GLOBAL_MEM_FENCE ? 4 : 8);
}
