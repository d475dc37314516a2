// SPDX-License-Identifier: Apache-2.0
// -D with blanks after it, quotes, a backslash, arguments, and no value.
// options: -cl-std=CL2.0 -DTEXT=\"abc\" -D LEN=3 -DVALUE=7 -DLETTER='q' -D"ADD(a,b)=((a)+(b))" -DEMPTY=
// expect: 0 1 2 3 4 5 6 7
int f(int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    constant char *t = TEXT;
    int n = 0;
    while (t[n])
        n++;
    int x = 3;
    out[g] = f(&x) == LEN && n == LEN && VALUE == 7 && LETTER == 'q' && ADD(2, 3) == 5 && EMPTY + 1 == 1 ? g : n;
}
