// SPDX-License-Identifier: Apache-2.0
// With debug lines, llvm-spirv writes OpExtInst DebugScope between a block's label and its phis.
// FLAGS: -gline-tables-only
// RUN: --kernel smallest --arg zero:4 --arg buffer:int:9,8,3,6 --arg int:4 --arg local:16
// CHECK: arg 0 int: 3
kernel void smallest(global int *out, global int *in, int count, local int *tile) {
    int mine = 7;
    int *least = &mine;
    for (int i = 0; i < count; i++) {
        tile[i] = in[i];
        if (tile[i] < *least)
            least = &tile[i];
    }
    *out = *least;
}
