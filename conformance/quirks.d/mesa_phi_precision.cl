// SPDX-License-Identifier: Apache-2.0
// expect: 0 6 12 18 1504 1505 1506 1507
/* The minimum of some bytes, and 300 if there are none. */
kernel void k(global int *out, global int *in)
{
    local char near[16];
    int me = get_global_id(0), n = in[4], r = 300;
    near[me] = in[me];
    near[me + 8] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < n) {
        char least = 127;
        for (int i = me; i < n; i += get_local_size(0))
            least = min(least, near[i]);
        r = least;
    }
    out[me] = r * 5 + me;
}
