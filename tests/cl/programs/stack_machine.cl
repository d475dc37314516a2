// SPDX-License-Identifier: Apache-2.0
// An interpreter whose stack is in either memory, with goto out of a switch.
// options: -cl-std=CL2.0
// expect: 0 1 2 3 4 5 6 7

int machine(const uchar *code, int *stack)
{
    int *sp = stack;
    for (;;)
        switch (*code++) {
        case 0: return sp[-1];
        case 1: *sp++ = *code++; break;
        case 2:
            sp--;
            sp[-1] += *sp;
            break;
        case 3:
            sp--;
            sp[-1] *= *sp;
            break;
        default: goto bad;
        }
bad:
    return -99;
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    uchar c[8] = {1, g, 1, 3, 2, 1, 2, 3};
    uchar d[10];
    for (int i = 0; i < 8; i++)
        d[i] = c[i];
    d[8] = 0;
    int st[4];
    local int ls[4][4];
    int a = machine(d, st), b = machine(d, ls[l]);
    out[g] = a == (g + 3) * 2 && a == b ? g : a;
}
