# SPDX-License-Identifier: Apache-2.0
"""More gadgets that pass pointers, which use only the general parts of a Grower.

A mixin of grow.Grower. Structures with pointers in every memory, copied whole, as words and by memcpy; tables inside structures; pointers
with tag bits, rotated and mirrored; tables of functions; wide vectors.
"""
from lang import *  # noqa: F401,F403
import pointers_builtin as lib

P = Pointer(INT)
PP = Pointer(P)
PAIR = Record("pair", [("f0", P), ("k", INT), ("f1", P)])
DEEP = Record("deep", [("s", Array(PAIR, 2)), ("t", Array(P, 2))])
HEADED = Record("headed", [("n", Array(INT, 2)), ("f0", P), ("f1", P)])
BYTES_FIRST = Record("bytes_first", [("n", Array(UCHAR, 8)), ("f0", P), ("f1", P)])
BETWEEN = Record("between", [("first", P), ("t", Array(P, 4)), ("last", P)])
READER = FunctionPointer("reader", INT, [P, INT])
ALL = (1 << 64) - 1


def c(v):
    return Const(v)


def u64(v):
    return Const(v, ULONG)


class MoreGadgets:
    def g_record(self, s):
        """A structure with pointers is copied from one memory to another, and used through a pointer to either."""
        r, made = self.rng, []
        while len(s.records) < 2:
            name = self.name("s")
            made.append(Decl(name, PAIR))
            s.records.append(AddrOf(Var(name, PAIR)))
        a, b = r.sample(s.records, 2)
        for key in ("f0", "f1"):
            made.append(Assign(Arrow(a, key), self.pointer(s, 4)[0]))
        made.append(Assign(Arrow(a, "k"), self.value(s, 1)))
        kind = r.randrange(4)
        if kind == 0:
            made.append(Assign(Deref(b), Deref(a)))
        elif kind == 1:
            made.append(Do(lib.memcpy(b, a, PAIR.size)))
        elif kind == 2:
            i, word = self.name("i"), lambda e: Cast(Pointer(ULONG), e)
            twice = Bin("*", Var(i, INT), c(2))  # the word between has a hole
            made += [For(i, c(2), [Assign(Index(word(b), twice), Index(word(a), twice))]),
                     Assign(Arrow(b, "k"), Arrow(a, "k"))]
        else:
            made += [Assign(Arrow(b, key), Arrow(a, other)) for key, other in (("f0", "f1"), ("f1", "f0"), ("k", "k"))]
        q, ty = self.name("q"), Pointer(PAIR)
        made.append(Decl(q, ty, Cond(self.condition(s), a, b)))
        self.keep(s, Arrow(b, "f0"), 4)
        s.slots.append(AddrOf(Arrow(b, "f1")))
        return made + self.use(s, Arrow(Var(q, ty), "f0"), 4) + [self.mix(s, Arrow(Var(q, ty), "k"))] + \
            self.use(s, Arrow(b, "f1"), 4)

    def g_deep(self, s):
        """Tables inside nested structures."""
        r, name = self.rng, self.name("s")
        v, made = Var(name, DEEP), [Decl(name, DEEP)]
        for i in range(2):
            inner = Index(Field(v, "s"), c(i))
            made += [Assign(Field(inner, key), self.pointer(s, 4)[0]) for key in ("f0", "f1")]
            made += [Assign(Field(inner, "k"), self.value(s, 1)), Assign(Index(Field(v, "t"), c(i)), self.pointer(s, 4)[0])]
        w = v
        if self.chance(0.6):
            other = self.name("s")
            w = Var(other, DEEP)
            made += [Decl(other, DEEP), r.choice([Assign(Deref(AddrOf(w)), v), Do(lib.memcpy(AddrOf(w), AddrOf(v), DEEP.size))])]
            made.append(Assign(Index(Field(v, "t"), c(0)), self.pointer(s, 4)[0]))
        i = Bin("&", self.value(s, 1), c(1))
        inner = Index(Field(w, "s"), i)
        s.slots.append(AddrOf(Index(Field(w, "t"), c(1))))
        s.records.append(AddrOf(Index(Field(w, "s"), c(r.randrange(2)))))
        self.keep(s, Index(Field(w, "t"), c(r.randrange(2))), 4)
        return made + self.use(s, Field(inner, r.choice(["f0", "f1"])), 4) + [self.mix(s, Field(inner, "k"))] + \
            self.use(s, Index(Field(w, "t"), i), 4)

    def g_headed(self, s):
        """A structure that begins with integers is copied in parts through a pointer to it, and partly overwritten."""
        r, ty = self.rng, self.rng.choice([HEADED, BYTES_FIRST])
        from_name, to_name, i = self.name("s"), self.name("s"), self.name("i")
        a, b = Var(from_name, ty), Var(to_name, ty)
        count, number = (2, INT) if ty is HEADED else (8, UCHAR)
        made = [Decl(from_name, ty), Decl(to_name, ty)]
        made += [Assign(Index(Field(a, "n"), c(k)), Cast(number, Bin("&", self.value(s, 1), c(127)))) for k in range(count)]
        made += [Assign(Field(a, key), self.pointer(s, 4)[0]) for key in ("f0", "f1")]
        if self.chance(0.3):
            made += [Assign(Deref(AddrOf(b)), a), Assign(Field(a, r.choice(["f0", "f1"])), self.pointer(s, 4)[0])]
        piece = r.choice([UCHAR, USHORT, UINT, INT, ULONG])
        words = lambda v: Cast(Pointer(piece), AddrOf(v))  # noqa: E731
        made.append(For(i, c(ty.size // piece.size), [Assign(Index(words(b), Var(i, INT)), Index(words(a), Var(i, INT)))]))
        if self.chance(0.4):
            made.append(Assign(Field(b, r.choice(["f0", "f1"])), self.pointer(s, 4)[0]))
        k = Bin("&", self.value(s, 1), c(count - 1))
        made.append(self.mix(s, Cast(INT, Index(Field(b, "n"), k))))
        self.keep(s, Field(b, "f0"), 4)
        s.slots.append(AddrOf(Field(b, "f1")))
        return made + self.use(s, Field(b, "f1"), 4) + self.use(s, Field(b, "f0"), 4)

    def g_beside(self, s):
        """Accesses the neighbors of an unknown element, in a table that lies between other pointers."""
        r, name, element = self.rng, self.name("s"), self.name("pp")
        v, q = Var(name, BETWEEN), Var(element, PP)
        made = [Decl(name, BETWEEN)] + [Assign(Field(v, key), self.pointer(s, 4)[0]) for key in ("first", "last")]
        made += [Assign(Index(Field(v, "t"), c(i)), self.pointer(s, 4)[0]) for i in range(4)]
        at = Bin("&", self.value(s, 1), c(1))
        made.append(Decl(element, PP, AddrOf(Index(Field(v, "t"), Bin("+", at, c(1)))), memory=self.chance(0.4)))
        return made + self.use(s, Index(q, c(r.choice([-1, 1, 2]))), 4) + self.use(s, Index(q, c(r.choice([-1, 0]))), 4)

    def g_memcpy(self, s):
        """Ints, or a pointer, by memcpy from any memory to any other."""
        if s.slots and self.chance(0.5):
            a, name = self.rng.choice(s.slots), self.name("p")
            made = [Assign(Deref(a), self.pointer(s, 4)[0]), Decl(name, P, self.pointer(s, 4)[0], memory=True)]
            pair = [a, AddrOf(Var(name, P))]
            self.rng.shuffle(pair)
            self.keep(s, Var(name, P), 4)
            return made + [Do(lib.memcpy(*pair, P.size))] + self.use(s, Var(name, P), 4) + self.use(s, Deref(a), 4)
        p, q = self.pointer(s, 4)[0], self.pointer(s, 4)[0]
        return [Do(lib.memcpy(p, q, 4 * self.rng.randrange(1, 5))), self.mix(s, Index(p, c(0)))]

    def g_mask(self, s):
        """Pointers whose bits are changed and restored, without loss of the upper ones."""
        u, name = self.name("u"), self.name("p")
        p, n = self.pointer(s, 4)
        v, kind = Var(u, ULONG), self.rng.randrange(7)
        made, back = [Decl(u, ULONG, Cast(ULONG, p), memory=self.chance(0.3))], v
        if kind == 0:
            made += [Assign(v, Bin("|", v, Cast(ULONG, Bin("&", self.value(s, 1), c(3))))),
                     self.mix(s, Cast(INT, Bin("&", v, u64(3))))]
            back = Bin("&", v, u64(ALL - 3))
        elif kind == 1:
            back = Bin("|", Bin("&", v, u64(ALL - 0xff)), Bin("&", v, u64(0xff)))
        elif kind == 2:
            by = self.rng.randrange(1, 64)
            made.append(Assign(v, lib.rotate(v, by)))
            back = lib.rotate(v, 64 - by)
        elif kind == 3:
            made.append(Assign(v, Bin("^", v, u64(ALL))))
            back = Bin("^", v, u64(ALL))
        elif kind == 4:
            back = Bin("<<", Bin(">>", v, c(2)), c(2))
        elif kind == 5:
            bytes8 = Vector(UCHAR, 8)
            turned = self.name("v")
            made.append(Decl(turned, bytes8, Swizzle(As(bytes8, v), [7, 6, 5, 4, 3, 2, 1, 0]), memory=self.chance(0.5)))
            back = As(ULONG, Swizzle(Var(turned, bytes8), [7, 6, 5, 4, 3, 2, 1, 0]))
        else:
            back = Bin("&", v, Cond(self.condition(s), u64(ALL), u64(ALL - 3)))
        made.append(Decl(name, P, Cast(P, back)))
        self.keep(s, Var(name, P), n)
        return made + self.use(s, Var(name, P), n)

    def g_one_memory(self, s):
        """Typical operations on addresses in integers: shifted left with a kind, multiplied, averaged, distinguished from integers by their
        sign, counted from 1, mirrored. The shift is by one bit only, so that an address stays in the range of its window."""
        r = self.rng
        o, u = self.name("o"), self.name("u")
        own, v = Var(o, INT), Var(u, ULONG)
        made = [Decl(o, INT, self.value(s), memory=True),
                Decl(u, ULONG, Cast(ULONG, Cast(P, AddrOf(own))), memory=self.chance(0.5))]
        kind = r.randrange(6)
        if kind == 0:
            made += [Assign(v, Bin("|", Bin("<<", v, c(1)), u64(1))), self.mix(s, Cast(INT, Bin("&", v, u64(7))))]
            back = Bin(">>", v, c(1))
        elif kind == 1:
            made.append(Assign(v, Bin("*", v, u64(2))))
            back = Bin(">>", v, c(1))
        elif kind == 2:
            t = self.name("u")
            made.append(Decl(t, ULONG, v, memory=self.chance(0.5)))
            back = Bin(">>", Bin("+", v, Var(t, ULONG)), c(1))
        elif kind == 3:
            made.append(self.mix(s, Cast(INT, Bin(">>", v, c(63)))))
            back = v
        elif kind == 4:
            made.append(Assign(v, Bin("-", v, u64(4))))
            back = Bin("+", v, u64(4))
        else:
            made.append(Assign(v, Bin("^", v, u64(ALL))))
            back = Bin("^", v, u64(ALL))
        p = Deref(Cast(P, back))
        return made + [self.mix(s, p), Assign(p, self.value(s, 1)), self.mix(s, own)]

    def g_vector(self, s):
        """vloadN and vstoreN with various widths and offsets."""
        n, at = self.rng.choice([(2, 0), (2, 1), (3, 0), (8, 0), (2, 2)])
        if not any(have >= n * (at + 1) for _, have in s.pointers):
            return []
        ty = Vector(INT, n)
        p = self.pointer(s, n * (at + 1))[0]
        made = []
        if self.chance(0.5):
            made.append(Do(lib.vstore(n, VecLit(ty, [self.value(s, 1) for _ in range(n)]), p, at)))
        v = self.name("v")
        return made + [Decl(v, ty, lib.vload(n, p, at)), self.mix(s, Comp(Var(v, ty), self.rng.randrange(n)))]

    def g_functions(self, s):
        """A table of functions in private memory; the called one is known only at run time."""
        known = self.functions["value"]
        if not self.options.get("function_pointers") or not known:
            return []
        self.program.features.add("function pointers")
        t, ty = self.name("t"), Array(READER, 2)
        made = [Decl(t, ty)] + [Assign(Index(Var(t, ty), c(i)), FunctionName(self.rng.choice(known), READER)) for i in range(2)]
        for _ in range(2):
            which = Index(Var(t, ty), Bin("&", self.value(s, 1), c(1)))
            made.append(self.mix(s, CallPointer(which, [self.pointer(s, 4)[0], self.value(s, 1)])))
        return made

    def broadcast(self, s, mine):
        """Between barriers: one work-item sends the address of an object of its own to the whole group."""
        word, name = self.name("w"), self.name("p")
        v = Var(name, P)
        return [Barrier(), Publish(word, Cast(ULONG, mine), self.rng.randrange(self.program.group_size)), Meeting(),
                Receive(word), Decl(name, P, Cast(P, Var(word, ULONG))),
                self.mix(s, Index(v, c(self.rng.randrange(4)))), Barrier()]
