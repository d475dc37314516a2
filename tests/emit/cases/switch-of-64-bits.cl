// SPDX-License-Identifier: Apache-2.0
// A switch over 64-bit values, one of which is above 32 bits. Oclgrind's compiler uses a 40-bit integer for it, which Oclgrind does not
// support.
// KERNEL-ONLY pocl
// MORE: -O0
// TEXT: case 17179869184ul: {

kernel void switch64(global uint *o, uint n)
{
    ulong x = (ulong)n << 32;
    switch (x) {
    case 17179869184uL: {
        goto A;
    }
    case 5uL: {
        goto B;
    }
    default: {
        goto B;
    }
    }
A : {
    o[0] = 1;
    return;
}
B : {
    o[0] = 2;
    return;
}
}
// KERNEL switch64 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x1 0x0 0x0 0x0

