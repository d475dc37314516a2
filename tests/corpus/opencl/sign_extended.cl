// SPDX-License-Identifier: Apache-2.0
// Words with an address in their high 48 bits and a count below it: an arithmetic shift gives the address sign-extended,
// so no address of any memory may have its sign bit set. The same as bytes, and as the difference from null.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:int:{[1000 + 7 * i for i in range(64)]}", "zero:256", "zero:1024"], "global": 64, "local": 16,
  "expect": {"1": "int:{[(1000 + 7 * (i ^ 1)) + 3 * ((i + 3) % 100) + 5 * (i + 9) + 3 for i in range(64)]}"}, "ambiguous": 1}],
 "wrong_on": {"pocl-nvidia": "nothing is known of addresses there, so that one as an integer has all 64 bits"}}
*/
__attribute__((noinline)) long pack(const int *p, uint count) { return (long)((ulong)p << 16 | count); }
__attribute__((noinline)) int load(long word) { return *(const int *)(word >> 16); }
kernel void k(global const int *in, global int *out, global int *far)
{
    local int all[16];
    int i = get_global_id(0), me = get_local_id(0);
    all[me] = in[i];
    far[i] = i + 9;
    barrier(CLK_LOCAL_MEM_FENCE);
    int own[2] = {(i + 3) % 100, 5};
    long words[3] = {pack(&all[me ^ 1], 1), pack(own, 2), pack(&far[i], 0)};
    int sum = 0;
    for (int j = 0; j < 3; j++)
        sum += load(words[j]) * (2 * j + 1) + (int)(words[j] & 0xffff);
    out[i] = sum;
}
