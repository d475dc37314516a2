// SPDX-License-Identifier: Apache-2.0
// A by-value argument that points to itself and to a buffer is in one region with the host's memory. llvm-spirv's entry
// point calls the function of the kernel and must learn from it that the argument is written, so that each work-item gets
// a copy of the argument.
/* TRUTH
{"kernels": [
  {"name": "points_into_itself", "args": ["ulong:0;uint:5,6,7,8;ulong:0", "zero:16", "buffer:uint:0,1,2,3"], "expect": {"1": "uint:9,9,9,9"}, "global": 4, "local": 4}]}
*/
struct cells {
    uint *out;
    uint v[4];
    uint *own;
};
struct words {
    ulong out;
    uint v[4];
    ulong own;
};
kernel void points_into_itself(struct words w, global uint *out, global const uint *in)
{
    struct cells *a = (struct cells *)&w;
    a->own = a->v + in[1];
    a->out = (uint *)out;
    *a->own += 3;
    a->out[get_global_id(0)] = a->v[1];
}
