// SPDX-License-Identifier: Apache-2.0
// A list of addresses and integers, distinguished by their high bits: LLVM 22 unrolls the loop, and emits a select
// between the lower half of a word and the value that an address points to. The low bits of both are not addresses.
/* TRUTH
{"kernels": [
  {"name": "listed", "args": ["zero:64", "int:300"], "expect": {"0": "int:355837"}, "global": 1, "local": 1}]}
*/
ulong same(ulong u)
{
    return u;
}
__attribute__((noinline)) ulong same_again(ulong u)
{
    return u;
}
__attribute__((noinline)) ulong same_for_ever(ulong u)
{
    return u;
}
kernel void listed(global int *out, int n)
{
    int gid = get_global_id(0), group = get_group_id(0);
    int acc = 1;
    int own[16];
    ulong list[8];
    for (int i = 0; i < 16; i++) own[i] = i * 7 + (gid & 7);
    list[0] = same((ulong)(gid & 1 ? (int *)&own[0] : (int *)&own[12]));
    list[1] = (ulong)((acc & 7) < 4 ? (int *)&own[8] : (int *)&own[0]);
    list[2] = (ulong)(n & 0xffff) + 0x1000000000000;
    list[3] = (ulong)(int *)&own[12];
    list[4] = same_again((ulong)(int *)&own[12]);
    list[5] = (ulong)(acc * 8 & 0xffff) + 0x1000000000000;
    list[6] = (ulong)((group & 7) < 5 ? (int *)&own[12] : (int *)&own[4]);
    list[7] = same_for_ever((ulong)(group & 1 ? (int *)&own[8] : (int *)&own[8]));
    for (int i = 0; i < 8; i++) {
        ulong u = list[i];
        if (u >> 48)
            acc = acc * 3 + (int)(u - 0x1000000000000 & 0xffff) & 0xfffff;
        else
            acc = acc * 3 + (((int *)u)[2] & 0xffff) & 0xfffff;
    }
    out[gid * 16] = acc;
    for (int i = 1; i < 16; i++) out[gid * 16 + i] = own[i];
}
