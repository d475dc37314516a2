// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 3070 2008 1900 3070 2008 1900 3070 2008
int which(int *p)
{
    return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 0;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    int x = 7;
    l[j] = 8;
    int *g = i % 3 == 0 ? &x : i % 3 == 1 ? (int *)&l[j] : (int *)&in[9];
    local int *back = to_local(g);
  private
    int *mine = to_private(g);
    global int *theirs = to_global(g);
    out[i] = which(g) * 1000 + (back ? *back : 0) + (mine ? *mine * 10 : 0) + (theirs ? *theirs * 100 : 0);
}
