// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 100 201 302 403 504 605 706 807
void copy(void *to, const void *from, int n) { char *t = to; const char *f = from; while (n--) *t++ = *f++; }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    long x = 0;
    copy(&x, in + i, 4);
    copy((char *)&x + 4, in + i + 1, 4);
    int y = (int)(x >> 32) * 100 + (int)x;
    copy(out + i, &y, 4);
}
