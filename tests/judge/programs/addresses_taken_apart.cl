// SPDX-License-Identifier: Apache-2.0
// A private address is split from either end into bits, bytes and 16-bit words, and assembled again. The highest and
// the lowest bits of a word contain no address bits at first, but do after shifts have moved them there.
/* TRUTH
{"kernels": [{"name": "apart", "args": ["zero:4", "int:3"], "expect": {"0": "int:48"}, "global": 1, "local": 1}]}
*/
kernel void apart(global int *out, int n)
{
    int x[4], acc = 0;
    for (int i = 0; i < 4; i++)
        x[i] = i * 3 + n;
    {
        ulong w = (ulong)(int *)x, r = 0;
        for (int i = 0; i < 64; i++) {
            r |= ((w >> i) & 1) << i;
        }
        acc += ((int *)r)[1];
    }
    {
        ulong w = (ulong)(int *)x, r = 0;
        for (int i = 0; i < 64; i++) {
            r = r << 1 | (w >> 63);
            w <<= 1;
        }
        acc += ((int *)r)[2];
    }
    {
        ulong w = (ulong)(int *)x, r = 0;
        for (int i = 0; i < 4; i++) {
            r = r << 16 | (w >> 48);
            w <<= 16;
        }
        acc += ((int *)r)[3];
    }
    {
        ulong w = (ulong)(int *)x, r = 0;
        for (int i = 0; i < 8; i++) {
            r = r | (w & 255) << 8 * i;
            w >>= 8;
        }
        acc += ((int *)r)[1];
    }
    {
        ulong w = (ulong)(int *)x, r = 0;
        for (int i = 0; i < 8; i++) {
            r = r + ((w % 256) << 8 * i);
            w /= 256;
        }
        acc += ((int *)r)[2];
    }
    {
        uint d[4];
        ulong w = (ulong)(int *)x;
        for (int i = 0; i < 4; i++) {
            d[i] = (uint)(w & 65535);
            w >>= 16;
        }
        ulong r = (ulong)d[3] << 48 | (ulong)d[2] << 32 | (ulong)d[1] << 16 | d[0];
        acc += ((int *)r)[1];
    }
    out[0] = acc;
}
