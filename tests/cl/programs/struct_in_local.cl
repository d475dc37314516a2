// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 5 6 7 8 9 10 11 12
typedef struct {
    global int *g;
    int *any;
    int n;
} job;
int run(job *j)
{
    return j->g[0] + *j->any + j->n;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), x = 2;
    local int y[4];
    y[get_local_id(0)] = 2;
    local job jobs[4];
    jobs[get_local_id(0)] = (job){in + i, i & 1 ? (int *)&x : (int *)&y[get_local_id(0)], 3};
    out[i] = run(&jobs[get_local_id(0)]);
}
