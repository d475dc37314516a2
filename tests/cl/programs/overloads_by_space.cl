// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1001 2002 3003 4004 5003 6009 5002 5007
int __attribute__((overloadable)) kind(global int *p)
{
    return 1000 + *p;
}
int __attribute__((overloadable)) kind(local int *p)
{
    return 2000 + *p;
}
int __attribute__((overloadable)) kind(private int *p)
{
    return 3000 + *p;
}
int __attribute__((overloadable)) kind(const float *p)
{
    return 4000 + (int)*p;
}
int __attribute__((overloadable)) gen(int *p)
{
    return 5000 + *p;
}
int __attribute__((overloadable)) gen(long *p)
{
    return 6000 + (int)*p;
}
kernel void k(global int *out, global int *in)
{
    local int l;
  private
    int p = 3;
    local float f;
    long w = 9;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) {
        l = 2;
        f = 4.5f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = 0;
    switch (i) {
    case 0: r = kind(in + 1); break;
    case 1: r = kind(&l); break;
    case 2: r = kind(&p); break;
    case 3: r = kind(&f); break;
    case 4: r = gen(i & 4 ? &p : (int *)in); break;
    case 5: r = gen(&w); break;
    case 6: r = gen(&l); break;
    default: r = gen(in + 7);
    }
    out[i] = r;
}
