// SPDX-License-Identifier: Apache-2.0
// Signed arithmetic on addresses of several spaces: the sum of two, or one shifted left by one bit, must not be negative.
/* TRUTH
{"kernels": [
  {"name": "shifted", "args": ["zero:16", "local:16", "uint:2"], "expect": {"0": "int:11,21"}, "global": 1, "local": 1},
  {"name": "middle", "args": ["zero:16", "local:16", "uint:2"], "expect": {"0": "int:12,22"}, "global": 1, "local": 1}]}
*/
kernel void shifted(global int *out, local int *tile, uint n)
{
    int own[4] = {10, 11, 12, 13};
    long words[2];
    for (int i = 0; i < 4; i++)
        tile[i] = 20 + i;
    words[0] = (long)(int *)&own[1] << 1;
    words[1] = (long)(int *)&tile[1] * 2;
    for (uint i = 0; i < n; i++)
        out[i] = *(int *)(words[i] >> 1);
}
kernel void middle(global int *out, local int *tile, uint n)
{
    int own[4] = {10, 11, 12, 13};
    long low[2], high[2];
    for (int i = 0; i < 4; i++)
        tile[i] = 20 + i;
    low[0] = (long)(int *)own, high[0] = (long)(int *)(own + 4);
    low[1] = (long)(int *)tile, high[1] = (long)(int *)(tile + 4);
    for (uint i = 0; i < n; i++)
        out[i] = *(int *)((low[i] + high[i]) / 2);
}
