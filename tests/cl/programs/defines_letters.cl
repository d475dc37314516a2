// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 -DFIRST='a' -D SECOND='b' -DSUM='(1 + 2)' -cl-mad-enable -DLAST='c'
// expect: 979899 979899 979899 979899 979899 979899 979899 979899
int join(const char *letters, int count)
{
    int all = 0;
    for (int j = 0; j < count; j++)
        all = all * 100 + letters[j];
    return all;
}
kernel void k(global int *out, global int *in)
{
    char letters[3] = {FIRST, SECOND, LAST};
    local char same[4][3];
    int t = get_local_id(0);
    for (int j = 0; j < SUM; j++)
        same[t][j] = letters[j];
    out[get_global_id(0)] = join(letters, SUM) == join(same[t], SUM) ? join(same[t], SUM) : -1;
}
