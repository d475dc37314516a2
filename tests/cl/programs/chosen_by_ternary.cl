// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 291 363 375 327 399 411 363 435
static int *choose(int which, int *a, int *b, int *c)
{
    return which == 0 ? a : which == 1 ? b : c;
}
static void bump(int **p, int by)
{
    **p += by;
    *p += 1;
}
kernel void k(global int *out, global int *in)
{
    local int l[4][3];
    int p[3] = {1, 2, 3}, id = get_global_id(0), me = get_local_id(0);
    for (int i = 0; i < 3; i++) l[me][i] = 10 * i;
    global int *mine = in + id * 4;
    for (int turn = 0; turn < 6; turn++) {
        int *at = choose((turn + id) % 3, p, l[me], mine);
        bump(&at, turn);
        bump(&at, turn * 10);
        if (turn & 1) at[-1] -= at[0];
    }
    out[id] = p[0] + p[1] * 3 + p[2] * 5 + l[me][0] + l[me][1] * 2 + l[me][2] + mine[0] + mine[1] + mine[2] * 2;
}
