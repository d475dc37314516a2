// SPDX-License-Identifier: Apache-2.0
// A select of private and local pointers, one of which an unknown mask made loose: the condition tells two spaces apart, but a loose
// pointer has a third part, and so needs a tag.
/* TRUTH
{"kernels": [
  {"name": "loose_in_select", "args": ["zero:16", "ulong:18446744073709551615"],
   "expect": {"0": "int:5000,5001,1250,5003"}, "global": 4, "local": 4}]}
*/
kernel void loose_in_select(global int *out, ulong mask)
{
    local int l[4];
    int n = get_local_id(0), x = n;
    l[n] = n + 10;
    int *near = n & 1 ? (int *)&l[n] : &x;
    int *loose = (int *)((ulong)&l[n] & mask);
    int *p = n & 2 ? near : loose;
    *p = 50;
    out[n] = l[n] * 100 + x;
}
