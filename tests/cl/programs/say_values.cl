// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 5 6 11 12 17 18 23
static void say(const char *what_is_private, const int *v, const float4 *f)
{
    printf("%c %d %#x %v4.1f %s\n", what_is_private[0], *v, v[0], *f, "end");
}
static int tell(const int *v)
{
    printf("%d%%\n", *v);
    return *v & 1;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    local float4 lf;
    char word[] = "ab";
    float4 f = (float4)(1, 2, 3, 4);
    int id = get_global_id(0), p = id * 2;
    l[get_local_id(0)] = id;
    lf = f;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 3) {
        say(word, &p, &f);
        say(word + 1, l + 3, &lf);
    }
    out[id] = tell(&p) + tell(&l[get_local_id(0)]) + tell(&in[id]) + p + l[get_local_id(0)];
}
