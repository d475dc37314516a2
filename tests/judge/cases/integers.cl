// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic of every width, conversions, saturation, and the built-in functions for integers.
// RUN: --kernel wide --arg zero:88:long --arg long:-7 --arg ulong:0xfffffffffffffff0
// CHECK: arg 0 long: -3 -1 0 -4 614891469123651720 0 -112 -14 -16 0 9223372036854775807
// RUN: --kernel narrow --arg zero:48 --arg char:-100 --arg uchar:200 --arg short:-30000
// CHECK: arg 0 int: -128 255 56 -44 -30100 200 2 -1 100 10 -20 255
// RUN: --kernel vectors --arg zero:32:short --arg short:1,-2,3,-4
// CHECK: arg 0 short: -2 1 -4 3 2 -4 6 -8 1 2 3 4 0 1 0 1
// RUN: --kernel bits --arg zero:32:uint --arg uint:0x80000001
// CHECK: arg 0 uint: 3 2 0 0 305419896 16 1 2147483649
kernel void wide(global long *out, long a, ulong b) {
    out[0] = a / 2;
    out[1] = a % 2;
    out[2] = (long)(b % 7);
    out[3] = a >> 1;
    out[4] = (long)(b / 30);
    out[5] = a > 0;
    out[6] = a * 16;
    out[7] = a + a;
    out[8] = (long)b;
    out[9] = clz(b ^ ~15ul ^ 15ul) ? 0 : popcount(b);
    out[10] = sub_sat(LONG_MAX, a);
}
kernel void narrow(global int *out, char c, uchar u, short s) {
    out[0] = sub_sat(c, (char)100);
    out[1] = add_sat(u, (uchar)200);
    out[2] = convert_uchar((uchar)(u + 112));
    out[3] = (char)(c + 56);
    out[4] = s + c;
    out[5] = u;
    out[6] = clz((short)0x3fff);
    out[7] = mul_hi(c, (char)1);
    out[8] = abs(c);
    out[9] = convert_char_sat(10.9f);
    out[10] = hadd(c, (char)60);
    out[11] = convert_uchar_sat(300);
}
kernel void vectors(global short4 *out, short4 v) {
    out[0] = v.yxwz;
    out[1] = v + v;
    out[2] = convert_short4(abs(v));
    out[3] = -(v < (short4)0);
}
kernel void bits(global uint *out, uint x) {
    out[0] = rotate(x, 1u);
    out[1] = popcount(x);
    out[2] = clz(x);
    out[3] = ctz(x);
    out[4] = upsample((ushort)0x1234, (ushort)0x5678);
    out[5] = bitselect(0u, 0x30u, 0x10u);
    out[6] = mad24(3u, 5u, 0u) - 14;
    out[7] = x >> 0;
}
