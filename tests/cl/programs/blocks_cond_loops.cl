// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 11936 1388 12520 1420 12852 1368 12428 12416
kernel void k(global int *out, global int *in)
{
    local int l[64];
    size_t i = get_global_id(0), j = get_local_id(0);
    int mine[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    for (int n = j; n < 64; n += 4)
        l[n] = n * 3 % 17;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = mine, *end = mine + 8, r = 0;
    for (int round = 0; round < 3; round++) {
        while (p != end) {
            if (*p & 1) {
                p++;
                continue;
            }
            r = r * 3 + *p++;
            if (r > 100000) break;
        }
        if (round == 0) {
            p = l + i;
            end = p + 6;
        } else {
            p = (int *)in + i;
            end = p + 3;
        }
    }
    out[i] = r;
}
