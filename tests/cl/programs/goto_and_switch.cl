// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 10010 13013 16016 19019 22022 25025 28028 31031
int run(const uchar *code, int *stack)
{
    int *sp = stack;
again:
    switch (*code++) {
    case 0: return *--sp;
    case 1: *sp++ = *code++; goto again;
    case 2:
        sp[-2] += sp[-1];
        sp--;
        goto again;
    case 3:
        sp[-2] *= sp[-1];
        sp--;
        goto again;
    default: return -1;
    }
}
kernel void k(global int *out, global int *in)
{
    local int l[4][8];
    size_t i = get_global_id(0), j = get_local_id(0);
    int mine[8];
    uchar code[9] = {1, (uchar)(i + 2), 1, 3, 3, 1, 4, 2, 0};
    out[i] = run(code, mine) * 1000 + run(code, l[j]);
}
