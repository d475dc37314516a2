// SPDX-License-Identifier: Apache-2.0
// A select of private and local pointers, one of which has an unknown space because of a mask: the condition distinguishes two spaces, but
// the masked pointer may be in a third, and so needs a tag.
/* TRUTH
{"kernels": [
  {"name": "loose_in_select", "args": ["zero:16", "ulong:18446744073709551615"],
   "expect": {"0": "int:5000,5001,1250,5003"}, "global": 4, "local": 4},
  {"name": "loose_and_global", "args": ["buffer:int:10,11,12,13", "ulong:18446744073709551615"],
   "expect": {"0": "int:1050,1151,1250,1353"}, "global": 4, "local": 4}]}
*/
kernel void loose_in_select(global int *out, ulong mask)
{
    local int l[4];
    int n = get_local_id(0), x = n;
    l[n] = n + 10;
    int *near = n & 1 ? (int *)&l[n] : &x;
    int *loose = (int *)((ulong)&l[n] & (mask ? ~0ul : ~15ul));
    int *p = n & 2 ? near : loose;
    *p = 50;
    out[n] = l[n] * 100 + x;
}
kernel void loose_and_global(global int *out, ulong mask)
{
    int n = get_local_id(0), x[8];
    for (int i = 0; i < 8; i++)
        x[i] = n;
    int *near = n & 1 ? (int *)&x[n] : (int *)&out[n];
    int *loose = (int *)((ulong)&x[n] & (mask ? ~0ul : ~15ul));
    int *p = n & 2 ? near : loose;
    int before = out[n];
    *p = 50;
    out[n] = (n == 2 ? 12 : before) * 100 + (n == 2 ? out[n] : n == 3 ? x[n] + 3 : x[n] + n);
}
