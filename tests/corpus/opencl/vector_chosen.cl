// SPDX-License-Identifier: Apache-2.0
// One condition selects whole vectors, which translators write in a form of SPIR-V 1.4, and whole
// structures. In LLVM's own SPIR-V there are also conversions to the same width, and all() of integers.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:ushort:{[7 * i % 11 for i in range(32)]}", "zero:64"], "global": 8, "local": 4,
  "expect": {"1": "ushort:{[x for i in range(8) for a in [[7 * (2 * i + j) % 11 for j in (0, 1)]] for b in [[7 * (2 * i + 16 + j) % 11 for j in (0, 1)]] for c in [all(p > q for p, q in zip(a, b))] for x in (a if c else b) + [b[0] if c else a[0], i + 1 if c else a[1] + 1]]}"},
  "ambiguous": 0}]}
*/
typedef struct { ushort first, second; } two;

ushort2 get(ushort *p) { return (ushort2)(p[0], p[1]); }
two pair(ushort *p, ushort add) { two t = {p[0], p[1] + add}; return t; }

kernel void k(global ushort *in, global ushort *out) {
    ushort i = get_global_id(0);
    ushort mine[2] = {in[2 * i + 16], i};
    ushort2 a = get(&in[2 * i]), b = get(&in[2 * i + 16]);
    ushort2 v = all(a > b) ? a : b;
    two t = all(a > b) ? pair(mine, 1) : pair(&in[2 * i], 1);
    vstore2(v, 2 * i, out);
    out[4 * i + 2] = t.first;
    out[4 * i + 3] = convert_ushort2(convert_short2((ushort2)(t.second))).y;
}
