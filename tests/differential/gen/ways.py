# SPDX-License-Identifier: Apache-2.0
"""Functions in OpenCL C that take an address as a ulong apart, and put it together again.

A function here takes a random.Random, and returns the text of a body with constants of its choice. The body must not use a name of the program.

ONE: each entry returns the body of `ulong f(ulong v, int t)`, whose result is v. TWO: the body of a function that changes v and w and
restores both; the caller adds `return t & 1 ? v : w;`. `t` is a number below 65536 that is unknown at compile time. All bodies are right
for each 64-bit number but 0. addresses.py puts such functions into its programs.
"""
ALL = (1 << 64) - 1


def k64(r):
    return f"{r.choice([r.randrange(1 << 64), r.randrange(1 << 64), r.randrange(1 << 20), 1 << r.randrange(64), ALL, ALL - 7])}ul"


def k32(r):
    return f"{r.choice([r.randrange(1 << 32), r.randrange(1 << 32), 0xffffffff, 1 << r.randrange(32)])}u"


def odd(r):
    k = r.choice([3, 5, 31, 0x9e3779b97f4a7c15, r.randrange(1 << 64) | 1])
    return f"{k}ul", f"{pow(k, -1, 1 << 64)}ul"


def limbs_of_32(r):
    a, b = k32(r), k32(r)
    return f"""uint lo = (uint)v, hi = (uint)(v >> 32), s = lo + {a}, u = hi + {b} + (s < lo);
lo = s - {a};
hi = u - {b} - (s < {a});
return (ulong)hi << 32 | lo;"""


def limbs_of_16(r):
    a = [r.randrange(1 << 16) for _ in range(4)]
    return f"""ushort d[4], k[4] = {{{', '.join(map(str, a))}}};
uint c = 0;
for (int i = 0; i < 4; i++) {{ c += (uint)(ushort)(v >> 16 * i) + k[i]; d[i] = (ushort)c; c >>= 16; }}
ulong x = 0;
int b = 0;
for (int i = 0; i < 4; i++) {{ int y = (int)d[i] - k[i] - b; b = y < 0; x |= (ulong)(y & 0xffff) << 16 * i; }}
return x;"""


def digits(r):
    base = r.choice([10, 10, 7, 36, 1000])
    n = next(n for n in range(64) if base ** n > ALL)
    return f"""ushort d[{n}];
for (int i = 0; i < {n}; i++) {{ d[i] = (ushort)(v % {base}); v /= {base}; }}
ulong x = 0;
for (int i = {n} - 1; i >= 0; i--) x = x * {base} + d[i];
return x;"""


def text(r):
    return """char s[16];
for (int i = 0; i < 16; i++) { int n = v >> 4 * i & 15; s[i] = (char)(n < 10 ? '0' + n : 'a' + n - 10); }
ulong x = 0;
for (int i = 15; i >= 0; i--) x = x << 4 | (ulong)(s[i] <= '9' ? s[i] - '0' : s[i] - 'a' + 10);
return x;"""


def bits(r):
    body = r.choice(["if (v >> i & 1) x |= 1ul << i;", "x |= (ulong)popcount(v & 1ul << i) << i;", "x += v & 1ul << i;",
                     "x |= (v & 1ul << i) ? 1ul << i : 0ul;", "if ((long)(v << (63 - i)) < 0) x += 1ul << i;"])
    return f"ulong x = 0;\nfor (int i = 0; i < 64; i++) {body}\nreturn x;"


def flags(r):
    return """bool a[64];
for (int i = 0; i < 64; i++) a[i] = (v >> i & 1) != 0;
ulong x = 0;
for (int i = 63; i >= 0; i--) x = 2 * x + a[i];
return x;"""


def floats(r):
    k = r.choice([1, 3, 100])
    return r.choice([
        f"""float4 f = convert_float4(as_ushort4(v)) + (float4)({k}.0f);
f = f * 0.5f;
f = f + f - (float4)({k}.0f);
return as_ulong(convert_ushort4(f));""",
        """float f[8];
for (int i = 0; i < 8; i++) f[i] = (float)(uchar)(v >> 8 * i) - 128.0f;
ulong x = 0;
for (int i = 0; i < 8; i++) x |= (ulong)(uint)(f[i] + 128.0f) << 8 * i;
return x;""",
        """uint lo = (uint)v & 0xffffffu, mid = (uint)(v >> 24) & 0xffffffu, hi = (uint)(v >> 48);
float a = (float)lo, b = (float)mid, c = (float)hi * 65536.0f;
return (ulong)(uint)a | (ulong)(uint)b << 24 | (ulong)(uint)(c / 65536.0f) << 48;"""])


def halves(r):
    return r.choice([
        "uint2 h = as_uint2(v).yx;\nreturn as_ulong(h.yx);",
        "uint h[2];\nh[t & 1] = (uint)v;\nh[t & 1 ^ 1] = (uint)(v >> 32);\nreturn (ulong)h[t & 1 ^ 1] << 32 | h[t & 1];",
        "return upsample(upsample((ushort)(v >> 48), (ushort)(v >> 32)), upsample((ushort)(v >> 16), (ushort)v));",
        "uint2 h = as_uint2(v);\nh = rotate(h, (uint2)(t & 31, 7));\nh = rotate(h, (uint2)(-t & 31, 25));\nreturn as_ulong(h);",
        "uchar8 h = as_uchar8(v);\nh = rotate(h, (uchar8)(3)) + (uchar8)(200);\nh = rotate(h - (uchar8)(200), (uchar8)(5));\nreturn as_ulong(h);",
        "float2 f = as_float2(v);\nfloat g[2] = {f.y, f.x};\nreturn as_ulong((uint2)(as_uint(g[1]), as_uint(g[0])));",
        "uint2 h = as_uint2(v);\nuint2 m = (uint2)(0u - (t & 1), 0u - (t >> 1 & 1));\nuint2 a = h & m, b = h & ~m;\nreturn as_ulong(a + b);"])


def morton(r):
    return """ulong a = v & 0xfffffffful, b = v >> 32, z = 0;
for (int i = 0; i < 32; i++) z |= (a >> i & 1) << 2 * i | (b >> i & 1) << (2 * i + 1);
a = z & 0x5555555555555555ul;
b = z >> 1 & 0x5555555555555555ul;
a = (a | a >> 1) & 0x3333333333333333ul; b = (b | b >> 1) & 0x3333333333333333ul;
a = (a | a >> 2) & 0x0f0f0f0f0f0f0f0ful; b = (b | b >> 2) & 0x0f0f0f0f0f0f0f0ful;
a = (a | a >> 4) & 0x00ff00ff00ff00fful; b = (b | b >> 4) & 0x00ff00ff00ff00fful;
a = (a | a >> 8) & 0x0000ffff0000fffful; b = (b | b >> 8) & 0x0000ffff0000fffful;
a = (a | a >> 16) & 0xfffffffful; b = (b | b >> 16) & 0xfffffffful;
return b << 32 | a;"""


def swapped_bits(r):
    masks = {1: 0x5555555555555555, 2: 0x3333333333333333, 4: 0x0f0f0f0f0f0f0f0f, 8: 0x00ff00ff00ff00ff, 16: 0x0000ffff0000ffff, 32: 0xffffffff}
    steps = r.sample(sorted(masks), r.randrange(1, 7))
    join = r.choice(["|", "+", "^"])
    line = "".join(f"v = (v & {masks[n]}ul) << {n} {join} (v >> {n} & {masks[n]}ul);\n" for n in steps)
    return line + line + "return v;"


def feistel(r):
    k, n = k32(r), r.randrange(2, 5)
    return f"""uint a = (uint)v, b = (uint)(v >> 32);
for (int i = 0; i < {n}; i++) {{ uint c = a; a = b ^ (a * {k} + (uint)i); b = c; }}
for (int i = {n} - 1; i >= 0; i--) {{ uint c = b; b = a ^ (b * {k} + (uint)i); a = c; }}
return (ulong)b << 32 | a;"""


def folded_left(r):
    by = r.randrange(7, 40)
    return f"v ^= v << {by};\nulong x = v;\nfor (int i = {by}; i < 64; i += {by}) x = v ^ x << {by};\nreturn x;"


def hashed(r):
    (a, ia), (b, ib) = odd(r), odd(r)
    return f"""v ^= v >> 32; v *= {a}; v ^= v >> 32; v *= {b}; v ^= v >> 33;
v ^= v >> 33; v *= {ib}; v ^= v >> 32; v *= {ia}; v ^= v >> 32;
return v;"""


def zigzag(r):
    return "ulong z = v << 1 ^ (ulong)((long)v >> 63);\nreturn z >> 1 ^ -(z & 1);"


def normalized(r):
    return r.choice(["ulong n = clz(v);\nv <<= n;\nreturn v >> n;",
                     "ulong n = popcount(~v & (v - 1));\nv >>= n;\nreturn v << n;",
                     "ulong n = clz(v), x = 0;\nfor (int i = 63 - (int)n; i >= 0; i--) x = x << 1 | (v >> i & 1);\nreturn x;"])


def products(r):
    by, (k, inverse) = r.randrange(1, 63), odd(r)
    return r.choice([f"ulong hi = mul_hi(v, 1ul << {by}), lo = v << {by};\nreturn hi << (64 - {by}) | lo >> {by};",
                     f"ulong hi = mul_hi(v, {k}), lo = v * {k}, x = lo * {inverse};\nreturn x ^ hi ^ mul_hi(x, {k});",
                     f"for (int i = 0; i < (t & 3); i++) v *= {k};\nfor (int i = 0; i < (t & 3); i++) v *= {inverse};\nreturn v;",
                     f"ulong x = 0, y = v, k = {k};\nwhile (k) {{ if (k & 1) x += y; y <<= 1; k >>= 1; }}\nreturn x * {inverse};",
                     "uint a = (uint)v & 0xfffu, b = (uint)(v >> 12) & 0xfffu;\nuint low = mad24(b, 4096u, a);\nreturn (v >> 24) << 24 | low;",
                     "uint4 d = (uint4)((uint)v & 0xffffu, (uint)(v >> 16) & 0xffffu, (uint)(v >> 32) & 0xffffu, (uint)(v >> 48));\n"
                     "uint4 q = d * 0x10001u;\nd = mul_hi(q, (uint4)(0x10000u));\nreturn (ulong)d.x | (ulong)d.y << 16 | (ulong)d.z << 32 | (ulong)d.w << 48;"])


def sums(r):
    k = k64(r)
    return r.choice([f"return (v | {k}) + (v & {k}) - {k};", f"return (v | {k}) - (~v & {k});", f"return ~(~v + {k}) + {k};",
                     f"return min(v, {k}) + max(v, {k}) - {k};", f"return 2 * hadd(v, {k}) + ((v ^ {k}) & 1) - {k};",
                     f"ulong d = abs_diff(v, {k});\nreturn v > {k} ? {k} + d : {k} - d;",
                     f"return 2 * rhadd(v, {k}) - ((v ^ {k}) & 1) - {k};",
                     f"return sub_sat(add_sat(v >> 2, {k} >> 2), {k} >> 2) << 2 | (v & 3);",
                     f"ulong k = {k}, x = v;\nwhile (k) {{ ulong c = x & k; x ^= k; k = c << 1; }}\nreturn x - {k};",
                     f"ulong k = {k}, x = v;\nwhile (k) {{ ulong c = ~x & k; x ^= k; k = c << 1; }}\nreturn x + {k};",
                     f"return bitselect(bitselect(v, {k}, (ulong)t), bitselect({k}, v, (ulong)t), (ulong)t);",
                     "return clamp(v, 1ul, (ulong)-1);", f"return (v ^ {k}) - 2 * (~v & {k}) + {k};",
                     f"ulong d = v - {k};\nulong c = v < {k};\nd -= c;\nreturn d + {k} + c;",
                     f"long d = (long)(v >> 1) - (long)({k} >> 1);\nreturn (ulong)(d + (long)({k} >> 1)) << 1 | (v & 1);"])


def tables(r):
    order = list(range(16))
    r.shuffle(order)
    box = ", ".join(map(str, order))
    back = ", ".join(str(order.index(i)) for i in range(16))
    return r.choice([
        f"""uchar box[16] = {{{box}}}, back[16] = {{{back}}};
ulong x = 0, y = 0;
for (int i = 0; i < 64; i += 4) x |= (ulong)box[v >> i & 15] << i;
for (int i = 0; i < 64; i += 4) y |= (ulong)back[x >> i & 15] << i;
return y;""",
        f"""uchar box[16] = {{{box}}};
ulong x = 0, y = 0;
for (int i = 0; i < 64; i += 4) x |= (ulong)box[v >> i & 15] << i;
for (int i = 0; i < 64; i += 4)
    for (int j = 0; j < 16; j++)
        if (box[j] == (x >> i & 15)) y |= (ulong)j << i;
return y;""",
        "ulong x = 0;\nfor (int i = 0; i < 64; i += 2)\n    switch (v >> i & 3) {\n    case 1: x |= 1ul << i; break;\n"
        "    case 2: x |= 2ul << i; break;\n    case 3: x |= 3ul << i; break;\n    }\nreturn x;"])


def bytes_(r):
    order = list(range(8))
    r.shuffle(order)
    there, back = ", ".join(map(str, order)), ", ".join(str(order.index(i)) for i in range(8))
    return r.choice([
        f"uchar8 b = shuffle(as_uchar8(v), (uchar8)({there}));\nreturn as_ulong(shuffle(b, (uchar8)({back})));",
        f"""uchar b[8], c[8], order[8] = {{{there}}};
vstore8(as_uchar8(v), 0, b);
for (int i = 0; i < 8; i++) c[order[i]] = b[i] + (uchar)i;
ulong x = 0;
for (int i = 7; i >= 0; i--) x = x << 8 | (uchar)(c[order[i]] - (uchar)i);
return x;""",
        """uchar b[8];
uchar last = 0;
for (int i = 0; i < 8; i++) { uchar x = (uchar)(v >> 8 * i); b[i] = x - last; last = x; }
ulong x = 0;
last = 0;
for (int i = 0; i < 8; i++) { last += b[i]; x |= (ulong)last << 8 * i; }
return x;""",
        """uchar b[10];
int n = 0;
ulong y = v;
do { b[n++] = (uchar)((y & 127) | (y >> 7 ? 128 : 0)); y >>= 7; } while (y);
ulong x = 0;
int i = 0;
for (int at = 0;; at += 7) { x |= (ulong)(b[i] & 127) << at; if (!(b[i++] & 128)) break; }
return x;""",
        """char c[8];
ulong y = v;
for (int i = 0; i < 8; i++) { c[i] = (char)y; y = (y - (ulong)(long)c[i]) >> 8; }
ulong x = 0;
for (int i = 7; i >= 0; i--) x = (x << 8) + (ulong)(long)c[i];
return x;""",
        """uchar value[16], count[16];
int n = -1;
for (int i = 0; i < 16; i++) {
    uchar d = (uchar)(v >> 4 * i & 15);
    if (n >= 0 && value[n] == d) count[n]++;
    else { n++; value[n] = d; count[n] = 1; }
}
ulong x = 0;
int at = 0;
for (int i = 0; i <= n; i++)
    for (int j = 0; j < count[i]; j++, at += 4) x |= (ulong)value[i] << at;
return x;""",
        """ushort s[4];
vstore4(as_ushort4(v), 0, s);
for (int i = 0; i < 2; i++) { ushort a = s[i]; s[i] = s[3 - i]; s[3 - i] = a; }
return (ulong)s[0] << 48 | (ulong)s[1] << 32 | (ulong)s[2] << 16 | s[3];"""])


def quotients(r):
    k, j = r.choice([3, 7, 10, 641, 65537, 1 << 20, (1 << 31) - 1, 1 << 33]), r.choice([2, 12, 100])
    return r.choice([f"ulong q = v / {k}ul, m = v % {k}ul;\nreturn q * {k}ul + m;",
                     f"ulong q = v / {k}ul;\nulong m = v - q * {k}ul;\nulong a = m / {j}ul, b = m % {j}ul;\nreturn q * {k}ul + a * {j}ul + b;",
                     f"long q = (long)v / {k}l, m = (long)v % {k}l;\nreturn (ulong)(q * {k}l + m);",
                     f"ulong q = (v >> 32) / {k & 0x7fffffff or 3}ul, m = (v >> 32) % {k & 0x7fffffff or 3}ul;\nreturn ((q * {k & 0x7fffffff or 3}ul + m) << 32) + (v & 0xfffffffful);"])


def masked(r):
    parts = sorted(r.sample(range(1, 64), r.randrange(1, 6)))
    edges = [0, *parts, 64]
    masks = [((1 << hi) - 1) ^ ((1 << lo) - 1) for lo, hi in zip(edges, edges[1:])]
    r.shuffle(masks)
    join = r.choice(["|", "+", "^"])
    form = r.randrange(3)
    if form == 0:
        return "return " + f" {join} ".join(f"(v & {m}ul)" for m in masks) + ";"
    if form == 1:
        return f"ulong m[{len(masks)}] = {{{', '.join(f'{m}ul' for m in masks)}}}, x = 0;\nfor (int i = 0; i < {len(masks)}; i++) x {join}= v & m[i];\nreturn x;"
    return "ulong x = v;\n" + "".join(f"x -= v & {m}ul;\n" for m in masks[1:]) + "".join(f"x {join}= v & {m}ul;\n" for m in masks[1:]) + "return x;"


def turned(r):
    return r.choice(["return rotate(rotate(v, (ulong)(t & 63)), (ulong)(-t & 63));",
                     "int n = t & 31;\nulong hi = v >> (32 + n), lo = v << (32 - n);\nreturn hi << (32 + n) | (lo >> (32 - n) & (((1ul << 32) << n) - 1));",
                     "volatile ulong y = v;\nulong x = y >> 7, z = y << 57;\ny = x | z;\nreturn y << 7 | y >> 57;"])


ONE = [limbs_of_32, limbs_of_16, digits, text, bits, flags, floats, halves, halves, morton, swapped_bits, feistel, folded_left, hashed, zigzag, normalized, products,
       products, sums, sums, sums, tables, bytes_, bytes_, quotients, masked, turned]


# ---- Two addresses at once -----------------------------------------------------------------------------------------------

def exchanged(r):
    return r.choice(["v ^= w; w ^= v; v ^= w;\nv ^= w; w ^= v; v ^= w;", "v += w; w = v - w; v -= w;\nulong x = v; v = w; w = x;",
                     "ulong m = 0ul - (t & 1), d = (v ^ w) & m;\nv ^= d; w ^= d;\nd = (v ^ w) & m;\nv ^= d; w ^= d;",
                     "ulong a[2];\na[t & 1] = v; a[~t & 1] = w;\nv = a[t & 1]; w = a[~t & 1];",
                     "ulong2 p = (ulong2)(v, w);\nif (t & 2) p = p.yx;\nif (t & 2) p = p.yx;\nv = p.x; w = p.y;"])


def sum_and_difference(r):
    return r.choice(["ulong s = v + w, d = v - w;\nv = s - w; w = v - d;", "ulong s = 2 * v + 3 * w, d = v + 2 * w;\nv = 2 * s - 3 * d;\nw = 2 * d - s;",
                     "ulong b = w - v;\nw = v + b;", "ulong d = v ^ w, a = v & w;\nulong s = d + 2 * a;\nw = s - v; v = s - w;",
                     "ulong lo = min(v, w), hi = max(v, w);\nbool turned = v > w;\nv = turned ? hi : lo;\nw = turned ? lo : hi;",
                     "ulong lo = min(v, w), s = v + w;\nulong hi = s - lo;\nbool turned = v > w;\nv = turned ? hi : lo;\nw = turned ? lo : hi;"])


def keyed(r):
    (k, inverse), by = odd(r), r.randrange(1, 60)
    return r.choice([f"v ^= w * {k}; w ^= v >> {by};\nw ^= v >> {by}; v ^= w * {k};", f"ulong a = v * {k} + w;\nw = a - v * {k};\nv = (a - w) * {inverse};",
                     f"v += w << {by}; w ^= v;\nw ^= v; v -= w << {by};", f"v = rotate(v, w & 63); w += v;\nw -= v; v = rotate(v, -w & 63);"])


def crossed(r):
    by = r.randrange(1, 63)
    a, b = k64(r), k64(r)
    return r.choice([
        "ulong a = (v >> 32) << 32 | (w & 0xfffffffful), b = (w >> 32) << 32 | (v & 0xfffffffful);\n"
        "v = (a >> 32) << 32 | (b & 0xfffffffful);\nw = (b >> 32) << 32 | (a & 0xfffffffful);",
        f"ulong lost = v >> {64 - by};\nv <<= {by};\nulong hi = w << {by} | lost, top = w >> {64 - by};\nv = v >> {by} | hi << {64 - by};\nw = hi >> {by} | top << {64 - by};",
        f"ulong lo = v + {a}, c = lo < v, hi = w + {b} + c;\nulong borrow = lo < {a};\nv = lo - {a};\nw = hi - {b} - borrow;",
        "uchar16 z = (uchar16)(as_uchar8(v), as_uchar8(w)).s08192a3b4c5d6e7f;\nv = as_ulong(z.even); w = as_ulong(z.odd);",
        "uint4 q = (uint4)(as_uint2(v), as_uint2(w)).s2031;\nq = q.s1302;\nv = as_ulong(q.xy); w = as_ulong(q.zw);",
        "ulong x = 0, y = 0;\nfor (int i = 0; i < 64; i++) { x |= ((i & 1 ? w : v) >> i & 1) << i; y |= ((i & 1 ? v : w) >> i & 1) << i; }\n"
        "ulong m = 0x5555555555555555ul;\nv = (x & m) | (y & ~m); w = (y & m) | (x & ~m);"])


def selected(r):
    return r.choice(["ulong a = v * (ulong)(t & 1) + w * (ulong)(~t & 1), b = v + w - a;\nv = t & 1 ? a : b; w = t & 1 ? b : a;",
                     "ulong m = 0ul - (t & 1);\nulong a = (v & m) | (w & ~m), b = (w & m) | (v & ~m);\nv = (a & m) | (b & ~m); w = (b & m) | (a & ~m);",
                     "ulong a = select(v, w, (ulong)0 - (t & 1)), b = select(w, v, (ulong)0 - (t & 1));\nv = select(a, b, (ulong)0 - (t & 1)); w = select(b, a, (ulong)0 - (t & 1));",
                     "ulong2 p = (ulong2)(v, w);\nlong2 m = (long2)(0 - (long)(t & 1));\np = select(p, p.yx, m);\np = select(p, p.yx, m);\nv = p.x; w = p.y;",
                     "ulong x = v ^ w;\nif (t & 2) w = x ^ v; else v = x ^ w;\nw = x ^ v;"])


TWO = [exchanged, sum_and_difference, sum_and_difference, keyed, crossed, crossed, selected]
