// SPDX-License-Identifier: Apache-2.0
// A small integer becomes a pointer, and the difference of an address and that pointer is nearly the address itself. The third kernel asks for the
// space of a pointer, so that a device with one address space for all memories gets windows for this module.
/* TRUTH
{"kernels": [
  {"name": "chosen", "args": ["zero:16", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "in_memory", "args": ["zero:16", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "query", "args": ["zero:16", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:2"}, "global": 1, "local": 1}]}
*/
kernel void chosen(global uint *out, global const uint *in, local uint *near)
{
    uint own = 99, *a = &near[1];
    near[1] = in[2];
    ulong z = in[0] == 7 ? (ulong)(uint *)&near[5] : 64;
    uint *q = (uint *)z;
    ulong x = (ulong)a - (ulong)q + 64;
    out[0] = *(uint *)(in[0] == 7 ? (ulong)(uint *)&own : x);
}
kernel void in_memory(global uint *out, global const uint *in, local uint *near)
{
    uint own = 99, *a = &near[1];
    near[1] = in[2];
    ulong z[2];
    z[0] = (ulong)(uint *)&near[5], z[1] = in[3] + 64;
    uint *q = (uint *)z[in[0] != 7];
    ulong x = (ulong)a - (ulong)q + in[3] + 64;
    out[0] = *(uint *)(in[0] == 7 ? (ulong)(uint *)&own : x);
}
kernel void query(global uint *out, global const uint *in, local uint *near)
{
    uint own = 1, *p = in[0] == 7 ? (uint *)near : (uint *)&own;
    out[0] = to_local(p) ? 1 : 2;
}
