// SPDX-License-Identifier: Apache-2.0
// llvm-spirv 15 writes the OpLoopMerge of a loop with an attribute also in the loop's exit block, ahead of that block's
// other instructions. A value that such an instruction computes is an operand of a phi, and the cast of the operand
// belongs behind the value, at the end of the block.
/* TRUTH
{"kernels": [
  {"name": "computed_in_exit", "args": ["buffer:uint:0,4,0,0", "buffer:uint:1,1,1,0", "buffer:uint:50,51,52,53", "local:64"], "expect": {"0": "uint:0,4,3,109"}, "global": 1, "local": 1}]}
*/
kernel void computed_in_exit(global uint *out, global const uint *in, global uint *far, local uint *near)
{
    for (uint i = 0; i < 8; i++)
        near[i] = 100 + i * out[1] / 4 * 3;
    uint *p = (uint *)far;
    uint i = 0;
    if (in[0]) {
#pragma unroll 2
        while (in[i])
            i++;
        p = (uint *)&near[i];
    }
    out[2] = i;
    out[3] = *p;
}
