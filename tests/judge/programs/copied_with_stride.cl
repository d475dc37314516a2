// SPDX-License-Identifier: Apache-2.0
// A copy with a stride moves the third word of an array to the second place of another one.
/* TRUTH
{"kernels": [
  {"name": "strided", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
global ulong outlasts[4];
kernel void strided(global ulong *out, global const ulong *in, local ulong *near)
{
    local ulong from[4], to[2];
    ulong own[2] = {in[0], in[0]};
    from[0] = (ulong)(ulong *)near, from[1] = 0, from[2] = (ulong)(ulong *)&own[in[1]], from[3] = 0;
    event_t copied = async_work_group_copy(outlasts, from, 4, 0);
    wait_group_events(1, &copied);
    copied = async_work_group_strided_copy(to, outlasts, 2, 2, 0);
    wait_group_events(1, &copied);
    *(ulong *)to[1] = in[2];
    out[0] = own[1];
}
