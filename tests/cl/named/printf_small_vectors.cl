// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL1.2
// expect: 0 0 0 0 0 0 0 0
// prints: 42 1,-2 1,2,253 1,2,254,255 7 1,-2 1,-2,3 65535,2 1,2,3,-4 9
/* rusticl prints vector elements of fewer than 32 bits without their sign. */
void say(const int *p)
{
    printf("%d %v2hhd %v3hhu %v4hhu %d %v2hd %v3hd %v2hu %v4hd %d\n", *p, (char2)(1, -2), (uchar3)(1, 2, 253),
           (uchar4)(1, 2, 254, 255), 7, (short2)(1, -2), (short3)(1, -2, 3), (ushort2)(65535, 2),
           (short4)(1, 2, 3, -4), 9);
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = 42;
    if (i == 0) say(&x);
    out[i] = 0;
}
