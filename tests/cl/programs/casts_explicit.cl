// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 40001 40302 40603 40904 41205 41506 41807 42108
int read_local(int *p)
{
    return *(local int *)p;
}
int read_global(void *p)
{
    global int *q = (global int *)p;
    return q[1];
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    l[j] = 3 * i;
    generic int *named = &l[j];
    __generic void *v = in + i;
    out[i] = read_local(named) * 100 + read_global(v) + (*(private int *)(generic int *)&(int){4}) * 10000;
}
