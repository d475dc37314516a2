// SPDX-License-Identifier: Apache-2.0
// Addresses in the bits of doubles, which are extracted by functions and comparisons of doubles.
/* TRUTH
{"kernels": [
  {"name": "ordered_comparison", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1},
  {"name": "copysign_of_a_box", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1},
  {"name": "step_of_boxes", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1}]}
*/
kernel void ordered_comparison(global ulong *out, local ulong *loc, uint n)
{
    ulong own[2] = {10, 11};
    ulong y = 0x3ff0000000000000ul;
    double d = as_double((ulong)(ulong *)&own[1] | y);
    for (int i = 47; i >= 0; i--) {
        ulong t = y | 1ul << i;
        if (d >= as_double(t)) y = t;
    }
    out[0] = *(ulong *)(y & 0xfffffffffffful); // 11
}
kernel void copysign_of_a_box(global ulong *out, local ulong *loc, uint n)
{
    ulong own[2] = {10, 11};
    double box = as_double((ulong)(ulong *)&own[1] | 0xbff0000000000000ul); // a boxed pointer, marked by the sign
    double plain = copysign(box, 1.0);
    out[0] = *(ulong *)(as_ulong(plain) & 0xfffffffffffful); // 11
}
kernel void step_of_boxes(global ulong *out, local ulong *loc, uint n)
{
    ulong own[2] = {10, 11};
    ulong r = 0x3ff0000000000000ul;
    double d = as_double((ulong)(ulong *)&own[1] | r);
    for (int i = 47; i >= 0; i--)
        if (step(as_double(r | 1ul << i), d) != 0.0) r |= 1ul << i;
    out[0] = *(ulong *)(r & 0xfffffffffffful); // 11
}
