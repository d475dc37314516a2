// SPDX-License-Identifier: Apache-2.0
// Addresses in vectors of words, which are reconstructed bit by bit with comparisons of whole vectors.
/* TRUTH
{"kernels": [
  {"name": "vector_comparison", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1}]}
*/
kernel void vector_comparison(global ulong *out, local ulong *loc, uint n)
{
    ulong own[2] = {10, 11};
    ulong2 v = (ulong2)((ulong)(ulong *)&own[1], n);
    ulong y = 0;
    for (int i = 47; i >= 0; i--) {
        ulong t = y | 1ul << i;
        if (any(v >= (ulong2)(t, ~0ul))) y = t;
    }
    out[0] = *(ulong *)y; // 11
}
