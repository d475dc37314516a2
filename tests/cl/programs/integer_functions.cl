// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 649 655 662 672 686 709 748 820
uint2 both(const uint *a, const uint *b)
{
    return (uint2)(mul_hi(*a, *b), add_sat(*a, *b));
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    uint a = 0xf0000000u + i, b = 0x20000000u;
    uint2 r = both(&a, &b);
    out[i] = (int)(r.x & 0xffff) + (int)clz(a >> 4) * 10 + (int)ctz(b) + (int)popcount(r.y) + (int)rotate(1u, (uint)i) +
             (int)mad24((int)i, 3, 4) + (int)hadd(5, (int)i) + (int)abs_diff(3, (int)i) +
             convert_int_sat_rte(2.5f * i) + (int)upsample((short)1, (ushort)2) % 1000;
}
