# SPDX-License-Identifier: Apache-2.0
"""Generates a random kernel: grow(seed, options) -> Program with defined behavior and a known result.

A program consists of gadgets, each a few statements that pass a pointer in some way (through a phi, a union, a byte copy, an integer...)
and use it. The whole program is simulated; a statement with undefined behavior is removed and the simulation repeated, until the rest is
defined and has the same result on two memory layouts.

The pool of a function contains what its gadgets may use: pointers to int with the number of ints that are accessible through them,
variables for pointers, counters and so on.
"""
import random

from lang import *  # noqa: F401,F403 - the node names are the vocabulary of this file
from machine import simulate
from addresses import AddressKinds, KINDS, RECORDS_OF_ADDRESSES, SPACES
from arrays import ArrayGrower
from gadgets import BETWEEN, BYTES_FIRST, DEEP, HEADED, MoreGadgets, PAIR, READER
import pointers_builtin as lib

P = Pointer(INT)
PP = Pointer(P)
SLICE, OUT, NODES = 8, 48, 4

BITS = Record("bits", [("p", P), ("u", ULONG), ("h", Array(UINT, 2)), ("b", Array(UCHAR, 8))], union=True)
NODE = Record("node", [])
NODE.fields = {"next": Pointer(NODE), "v": INT}
BLOB = Record("blob", [("x", INT), ("y", Array(INT, 3)), ("z", ULONG)])
ALL_KINDS = [*KINDS, "arrays"]
RECORDS = [PAIR, BITS, NODE, BLOB, DEEP, HEADED, BYTES_FIRST, BETWEEN]


def c(v):
    return Const(v)


def u64(v):
    return Const(v, ULONG)


class Scope:
    """The variables and pointers that a function body may use while it is generated."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.ints = []       # names of int variables that have a value
        self.pointers = []   # (Expr of type int *, ints that may be touched)
        self.slots = []      # Expr of type int ** : where a pointer may be stored
        self.words = []      # Expr of type ulong * : where an integer that is a pointer may be stored
        self.nodes = []      # Expr of type struct node *
        self.blobs = []      # Expr of type struct blob *
        self.records = []    # Expr of type struct pair *
        self.floats = []     # Expr of type float *
        self.depth = 0


class Grower(MoreGadgets, AddressKinds):
    def __init__(self, seed, options, tag=""):
        """`tag` is the suffix of the names of kernel and functions, so that several programs can be in one file."""
        self.rng = random.Random(seed)
        self.tag, self.kernel = tag, "k" + tag
        self.options, self.plain = options, options.get("plain")
        self.count = 0
        self.functions = {"value": [], "choose": [], "set": [], "pair": [], "walk": [], "bits": [], "recursive": [],
                          "blob": []}

    # ---- Small things ------------------------------------------------------------------------------------------

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, p):
        return self.rng.random() < p

    def condition(self, s):
        """An expression that usually differs between work-items."""
        r = self.rng
        kinds = [lambda: Bin("&", self.item(), c(1 << r.randrange(2))),
                 lambda: Bin("==", self.item(), c(r.randrange(4))),
                 lambda: Bin("&", self.value(s, 1), c(1)),
                 lambda: Bin(">", Var("n", INT) if s.kernel else self.value(s, 1), c(r.randrange(6))),
                 lambda: Bin("<", Bin("&", self.value(s, 1), c(7)), c(r.randrange(1, 7)))]
        return Bin("!=", r.choice(kinds)(), c(0))

    def item(self):
        return Item(self.rng.choice(["global", "global", "local", "group"]))

    def index(self, s, below):
        if below == 1:
            return c(0)
        if self.chance(0.5):
            return c(self.rng.randrange(below))
        mask = 1
        while mask * 2 + 1 < below:
            mask = mask * 2 + 1
        return Bin("&", self.value(s, 1), c(mask if mask < below else 0))

    def value(self, s, depth=2):
        """An int from 0 to 65535."""
        r = self.rng
        if depth <= 0 or self.chance(0.25):
            return c(r.randrange(100)) if not s.ints or self.chance(0.3) else Bin("&", Var(r.choice(s.ints), INT), c(0xffff))
        kind = r.randrange(6)
        if kind <= 2 and s.pointers:
            p, n = r.choice(s.pointers)
            return Bin("&", Index(p, self.index(s, n)) if n > 1 else Deref(p), c(0xffff))
        if kind == 3:
            return self.item()
        if kind == 4 and self.functions["value"] and depth > 1:
            fn = r.choice(self.functions["value"])
            return Bin("&", Call(fn, [self.pointer(s, 4)[0], self.value(s, depth - 1)]), c(0xffff))
        op = r.choice(["+", "^", "|", "*"])
        a, b = self.value(s, depth - 1), self.value(s, depth - 1)
        if op == "*":
            b = c(r.randrange(2, 9))
        return Bin("&", Bin(op, a, b), c(0xffff))

    def pointer(self, s, n=1, depth=2):
        """(Expr, ints): a pointer through which at least n ints are accessible."""
        fit = [x for x in s.pointers if x[1] >= n]
        if depth <= 0 or self.chance(0.5):
            return self.rng.choice(fit)
        kind = self.rng.randrange(4)
        if kind == 0:
            a, b = self.pointer(s, n, depth - 1), self.pointer(s, n, depth - 1)
            return Cond(self.condition(s), a[0], b[0]), min(a[1], b[1])
        if kind == 1 and self.functions["choose"]:
            a, b = self.pointer(s, max(n, 4), depth - 1), self.pointer(s, max(n, 4), depth - 1)
            return Call(self.rng.choice(self.functions["choose"]), [a[0], b[0], self.value(s, 1)]), 4 if n <= 4 else n
        wide = [x for x in fit if x[1] > n]
        if kind == 2 and wide:
            p, have = self.rng.choice(wide)
            k = self.rng.randrange(have - n + 1)
            return Shift(p, c(k)), have - k
        return self.rng.choice(fit)

    def keep(self, s, p, n):
        s.pointers.append((p, n))

    def use(self, s, p, n):
        """Statements that read or write through p."""
        r = self.rng
        kind = r.randrange(8)
        if kind == 0:
            return [Assign(Index(p, self.index(s, n)), self.value(s))]
        if kind == 1:
            return [Assign(Deref(p), Bin("&", Bin("+", Bin("&", Deref(p), c(0xffff)), self.value(s)), c(0xffff)))]
        if kind == 2:
            name = self.name("i")
            return [For(name, c(min(n, r.randrange(2, 5))), [self.mix(s, Index(p, Var(name, INT)))])]
        if kind == 3 and n >= 4:
            v = self.name("v")
            return [Decl(v, lib.INT4, lib.vload4(p)),
                    self.mix(s, Bin("^", Comp(Var(v, lib.INT4), r.randrange(4)), Comp(Var(v, lib.INT4), 3)))]
        if kind == 4 and n >= 4:
            return [Do(lib.vstore4(VecLit(lib.INT4, [self.value(s, 1) for _ in range(4)]), p))]
        return [self.mix(s, Index(p, self.index(s, n)) if n > 1 else Deref(p))]

    def mix(self, s, e):
        """acc = acc * 3 + e, limited to small values."""
        acc = Var("acc", INT)
        return Assign(acc, Bin("&", Bin("+", Bin("*", acc, c(3)), Bin("&", e, c(0xffff))), c(0xfffff)))

    # ---- Gadgets: each returns a list of statements and may add to the scope -----------------------------------------

    def g_select(self, s):
        name = self.name("p")
        p, n = self.pointer(s, self.rng.choice([1, 4]), 3)
        made = [Decl(name, P, p)]
        self.keep(s, Var(name, P), n)
        return made + self.use(s, Var(name, P), n)

    def g_branch(self, s):
        name = self.name("p")
        a, b, d = (self.pointer(s, 4) for _ in range(3))
        made = [Decl(name, P, a[0])]
        if self.chance(0.5):
            made.append(If(self.condition(s), [Assign(Var(name, P), b[0])] + self.use(s, Var(name, P), 4),
                           [Assign(Var(name, P), d[0])] if self.chance(0.5) else []))
        else:
            # A mask of more bits than the cases need: clang -O2 would make `switch (v & 3)` use a 2-bit integer, which SPIR-V lacks.
            made.append(Switch(Bin("&", self.value(s, 1), c(0x8003)),
                               [[Assign(Var(name, P), b[0])], [Assign(Var(name, P), d[0])], []]))
        self.keep(s, Var(name, P), 4)
        return made + self.use(s, Var(name, P), 4)

    def g_loop(self, s):
        """A pointer whose space changes in a loop."""
        name, i = self.name("p"), self.name("i")
        a, b = self.pointer(s, 4), self.pointer(s, 4)
        v = Var(name, P)
        step = Assign(v, Cond(Bin("!=", Bin("&", Var(i, INT), c(1)), c(0)), b[0], v if self.chance(0.5) else a[0]))
        body = self.use(s, v, 4) + [step]
        if self.chance(0.3):
            body.insert(1, Jump(self.rng.choice([BREAK, CONTINUE]), Bin("==", Var(i, INT), c(2))))
        self.keep(s, v, 4)
        return [Decl(name, P, a[0]), For(i, c(self.rng.randrange(2, 5)), body)]

    def g_swap(self, s):
        """Two pointers are exchanged in a loop: two phis, each an operand of the other."""
        p, q, t, i = (self.name(x) for x in "pqti")
        a, b = self.pointer(s, 4), self.pointer(s, 4)
        body = [Decl(t, P, Var(p, P)), Assign(Var(p, P), Var(q, P)), Assign(Var(q, P), Var(t, P))]
        body += self.use(s, Var(p, P), 4)
        made = [Decl(p, P, a[0]), Decl(q, P, b[0]), For(i, c(self.rng.randrange(1, 4)), body)]
        self.keep(s, Var(p, P), 4)
        self.keep(s, Var(q, P), 4)
        return made

    def g_table(self, s):
        name = self.name("t")
        ty = Array(P, 4)
        made = [Decl(name, ty)]
        made += [Assign(Index(Var(name, ty), c(i)), self.pointer(s, 4)[0]) for i in range(4)]
        p = Index(Var(name, ty), Bin("&", self.value(s, 1), c(3)))
        s.slots.append(AddrOf(Index(Var(name, ty), c(self.rng.randrange(4)))))
        return made + self.use(s, p, 4) + self.use(s, Index(Var(name, ty), c(self.rng.randrange(4))), 4)

    def g_pair(self, s):
        name, other = self.name("s"), self.name("s")
        v = Var(name, PAIR)
        made = [Decl(name, PAIR), Assign(Field(v, "f0"), self.pointer(s, 4)[0]), Assign(Field(v, "k"), self.value(s)),
                Assign(Field(v, "f1"), self.pointer(s, 4)[0])]
        if self.functions["pair"] and self.chance(0.6):
            made.append(Decl(other, PAIR, Call(self.rng.choice(self.functions["pair"]),
                                               [v, self.pointer(s, 4)[0], self.value(s, 1)])))
        elif self.chance(0.5):
            made += [Decl(other, PAIR), Assign(Deref(AddrOf(Var(other, PAIR))), v),
                     Assign(Field(Var(other, PAIR), "f0"), Field(v, "f1"))]
        else:
            other = name
        w = Var(other, PAIR)
        for key in ("f0", "f1"):
            self.keep(s, Field(w, key), 4)
            s.slots.append(AddrOf(Field(w, key)))
        return made + self.use(s, Field(w, "f0"), 4) + [self.mix(s, Field(w, "k"))] + self.use(s, Field(w, "f1"), 4)

    def g_union(self, s):
        name = self.name("u")
        v = Var(name, BITS)
        p, n = self.pointer(s, 4)
        made = [Decl(name, BITS), Assign(Field(v, "p"), p)]
        kind = self.rng.randrange(4)
        if kind == 0:
            made.append(Assign(Field(v, "u"), Bin("+", Field(v, "u"), u64(4))))
            n -= 1
        elif kind == 1:
            t = self.name("h")
            made += [Decl(t, UINT, Index(Field(v, "h"), c(0))),
                     Assign(Index(Field(v, "h"), c(0)), Bin("+", Var(t, UINT), Const(0, UINT)))]
        elif kind == 2:
            other, i = self.name("u"), self.name("i")
            w = Var(other, BITS)
            made += [Decl(other, BITS), For(i, c(P.size), [Assign(Index(Field(w, "b"), Var(i, INT)),
                                                             Index(Field(v, "b"), Var(i, INT)))])]
            v = w
        self.keep(s, Field(v, "p"), n)
        return made + self.use(s, Field(v, "p"), n)

    def g_bytes(self, s):
        """A pointer copied byte by byte."""
        p, q, i = self.name("p"), self.name("p"), self.name("i")
        a, n = self.pointer(s, 4)
        to = AddrOf(Var(q, P)) if not s.slots or self.chance(0.5) else self.rng.choice(s.slots)
        bytes_of = lambda e: Cast(Pointer(UCHAR), e)  # noqa: E731
        step, ty = self.rng.choice([(1, UCHAR), (2, USHORT), (4, UINT)])
        view = lambda e: Cast(Pointer(ty), e) if ty is not UCHAR else bytes_of(e)  # noqa: E731
        made = [Decl(p, P, a, memory=True), Decl(q, P, self.pointer(s, 4)[0], memory=True),
                For(i, c(P.size // step), [Assign(Index(view(to), Var(i, INT)), Index(view(AddrOf(Var(p, P))), Var(i, INT)))])]
        self.keep(s, Var(q, P), 4)
        return made + self.use(s, Deref(to), 4) + self.use(s, Var(q, P), 4)

    def g_integer(self, s):
        """A pointer through integer arithmetic and back."""
        r = self.rng
        u, name = self.name("u"), self.name("p")
        p, n = self.pointer(s, 4)
        bits = Cast(ULONG, p)
        kind = r.randrange(7)
        made, back = [Decl(u, ULONG, bits)], Var(u, ULONG)
        if kind == 0:
            k = r.randrange(0, n - 1)
            back, n = Bin("-", Bin("+", back, u64(4 * k + 8)), u64(8)), n - k
        elif kind == 1:
            key = u64(r.randrange(1 << 40)) if self.chance(0.5) else Cast(ULONG, self.value(s, 1))
            t = self.name("k")
            made.append(Decl(t, ULONG, key))
            made.append(Assign(Var(u, ULONG), Bin("^", back, Var(t, ULONG))))
            back = Bin("^", back, Var(t, ULONG))
        elif kind == 2:
            lo, hi = self.name("lo"), self.name("hi")
            made += [Decl(lo, UINT, Cast(UINT, back)), Decl(hi, UINT, Cast(UINT, Bin(">>", back, c(32))))]
            back = Bin("|", Bin("<<", Cast(ULONG, Var(hi, UINT)), c(32)), Cast(ULONG, Var(lo, UINT)))
        elif kind == 3:
            # The XOR of two pointers, as in a doubly linked list with one link field.
            q, x = self.pointer(s, 4), self.name("x")
            made += [Decl(x, ULONG, Bin("^", back, Cast(ULONG, q[0])))]
            back = Bin("^", Var(x, ULONG), Cast(ULONG, q[0]) if self.chance(0.5) else back)
            n = min(n, q[1])
        elif kind == 4:
            q, d = self.pointer(s, 4), self.name("d")
            made += [Decl(d, ULONG, Bin("-", Cast(ULONG, q[0]), back))]
            back, n = Bin("+", back, Var(d, ULONG)), q[1]
        elif kind == 5:
            v2 = Vector(ULONG, 2)
            v, q = self.name("v"), self.pointer(s, 4)
            made += [Decl(v, v2, VecLit(v2, [back, Cast(ULONG, q[0])]), memory=self.chance(0.3)),
                     Assign(Var(v, v2), Swizzle(Var(v, v2), [1, 0]))]
            back, n = Comp(Var(v, v2), r.randrange(2)), min(n, q[1])
        else:
            i2 = Vector(r.choice([UINT, FLOAT, INT]), 2)
            v = self.name("v")
            made += [Decl(v, i2, As(i2, back), memory=True)]
            back = As(ULONG, Var(v, i2))
        made.append(Decl(name, P, Cast(P, back)))
        self.keep(s, Var(name, P), n)
        return made + self.use(s, Var(name, P), n)

    def g_store(self, s):
        """A pointer stored as a pointer, and loaded again."""
        if not s.slots:
            return []
        slot, name = self.rng.choice(s.slots), self.name("p")
        p, n = self.pointer(s, 4)
        made = [Assign(Deref(slot), p)]
        if self.functions["set"] and self.chance(0.5):
            made.append(Do(Call(self.rng.choice(self.functions["set"]), [slot, self.pointer(s, 4)[0], self.value(s, 1)])))
        if self.chance(0.3):
            other = self.rng.choice(s.slots)
            made.append(If(self.condition(s), [Assign(Deref(other), Deref(slot))]))
        made.append(Decl(name, P, Deref(slot)))
        self.keep(s, Var(name, P), 4)
        return made + self.use(s, Var(name, P), 4)

    def g_word(self, s):
        """A pointer in a word of any memory, stored or loaded as an integer, or both."""
        if not s.words:
            return []
        word, name = self.rng.choice(s.words), self.name("p")
        p, n = self.pointer(s, 4)
        made = [Assign(Deref(word), Cast(ULONG, p))]
        back = Cast(P, Deref(word))
        kind = self.rng.randrange(4)
        if kind == 0:
            back = Deref(Cast(PP, word))
        elif kind == 1:
            made = [Assign(Deref(Cast(PP, word)), p)]
        elif kind == 2:
            made.append(Assign(Deref(word), u64(4), "+"))
            n -= 1
        elif self.functions["bits"]:
            back = Cast(P, Call(self.rng.choice(self.functions["bits"]), [Deref(word), self.value(s, 1)]))
        made.append(Decl(name, P, back))
        self.keep(s, Var(name, P), n)
        return made + self.use(s, Var(name, P), n)

    def g_exchange(self, s):
        """A pointer through a 64-bit atomic."""
        if not s.words or not self.options.get("atomic64"):
            return []
        word, name = self.rng.choice(s.words), self.name("p")
        p, q = self.pointer(s, 4), self.pointer(s, 4)
        made = [Assign(Deref(word), Cast(ULONG, p[0])),
                Decl(name, P, Cast(P, lib.atomic_exchange(word, Cast(ULONG, q[0]))))]
        self.keep(s, Var(name, P), 4)
        return made + self.use(s, Var(name, P), 4) + self.use(s, Cast(P, Deref(word)), 4)

    def g_atomic(self, s):
        p, n = self.pointer(s, self.rng.choice([1, 4]))
        make = self.rng.choice([lib.atomic_add, lib.atomic_max, lib.atomic_min, lib.atomic_exchange])
        made = [self.mix(s, make(p, self.value(s)))] if self.chance(0.6) else [Do(make(p, self.value(s)))]
        if self.chance(0.3):
            e = self.name("e")
            made += [Decl(e, INT, self.value(s), memory=True),
                     self.mix(s, lib.CompareExchange(p, AddrOf(Var(e, INT)), self.value(s, 1))), self.mix(s, Var(e, INT))]
        return made

    def g_nodes(self, s):
        """A list with nodes in different memories, traversed and changed."""
        if len(s.nodes) < 2:
            return []
        r = self.rng
        chain = r.sample(s.nodes, r.randrange(2, min(len(s.nodes), 5) + 1))
        made = []
        for i, node in enumerate(chain):
            following = chain[i + 1] if i + 1 < len(chain) else Null(Pointer(NODE))
            made += [Assign(Arrow(node, "v"), self.value(s, 1)), Assign(Arrow(node, "next"), following)]
        if self.chance(0.3):
            made.append(If(self.condition(s), [Assign(Arrow(chain[0], "next"), chain[-1])]))
        ty = Pointer(NODE)
        name = self.name("e")
        e = Var(name, ty)
        if self.functions["walk"] and self.chance(0.5):
            return made + [self.mix(s, Call(r.choice(self.functions["walk"]), [chain[0], self.value(s, 1)]))]
        body = [self.mix(s, Arrow(e, "v"))]
        if self.chance(0.5):
            body.append(Assign(Arrow(e, "v"), self.value(s, 1)))
        made.append(Walk(name, ty, chain[0], Bin("!=", e, Null(ty)), Arrow(e, "next"), body))
        if self.chance(0.5) and len(chain) > 2:
            made.append(self.mix(s, Arrow(Arrow(chain[0], "next"), "v")))
        return made

    def g_compare(self, s):
        r = self.rng
        p, n = self.pointer(s, 4)
        a, b = self.name("p"), self.name("p")
        i, j = r.randrange(4), r.randrange(4)
        made = [Decl(a, P, Shift(p, c(i))), Decl(b, P, Shift(p, c(j)) if self.chance(0.7) else self.pointer(s)[0])]
        va, vb = Var(a, P), Var(b, P)
        kind = r.randrange(5)
        if kind == 0:
            made.append(self.mix(s, Bin("==", va, vb)))
        elif kind == 1:
            made.append(self.mix(s, Bin("+", Diff(va, vb), c(100))))
        elif kind == 2:
            made.append(self.mix(s, Bin(r.choice(["<", ">=", "<=", ">"]), va, vb)))
        elif kind == 3:
            made.append(self.mix(s, Bin("==", Cast(ULONG, va), Cast(ULONG, vb))))
        else:
            made.append(If(Bin("!=", va, vb), self.use(s, va, 1), self.use(s, vb, 1)))
        return made

    def g_null(self, s):
        name = self.name("p")
        p, n = self.pointer(s, 4)
        v = Var(name, P)
        made = [Decl(name, P, Cond(self.condition(s), p, Null(P)))]
        test = self.rng.choice([Bin("!=", v, Null(P)), v, Not(Not(v)), Bin("!=", Cast(ULONG, v), u64(0))])
        if test is v:
            test = Not(Not(v))
        made.append(If(test, self.use(s, v, 4), [self.mix(s, c(7))]))
        if self.chance(0.5) and s.words:
            word, q = self.rng.choice(s.words), self.name("p")
            made += [Assign(Deref(word), Cast(ULONG, v)), Decl(q, P, Cast(P, Deref(word))),
                     If(Not(Var(q, P)), [self.mix(s, c(9))], self.use(s, Var(q, P), 4))]
        return made

    def g_space(self, s):
        """Explicit casts, which give null for pointers to other spaces."""
        p, n = self.pointer(s, 4)
        space, name = self.rng.choice(["global", "local", "private"]), self.name("p")
        ty = Pointer(INT, space)
        v = Var(name, ty)
        made = [Decl(name, ty, ToSpace(space, p)),
                If(Bin("!=", v, Null(ty)), self.use(s, v, 4), [self.mix(s, c(self.rng.randrange(50)))])]
        if self.chance(0.3):
            made.append(self.mix(s, Fence(p)))
        return made

    def g_float(self, s):
        """Built-in functions with an output parameter."""
        r = self.rng
        x = Bin("*", Cast(FLOAT, Bin("&", self.value(s, 1), c(63))), Const(0.25, FLOAT))
        f, kind = self.name("f"), r.randrange(4)
        if kind < 2 and s.floats:
            to = r.choice(s.floats)
            if len(s.floats) > 1 and self.chance(0.5):
                to = Cond(self.condition(s), to, r.choice(s.floats))
            made = [Decl(f, FLOAT, (lib.fract if kind else lib.modf)(x, to)), self.mix(s, lib.as_int(Deref(to)))]
        elif kind == 2:
            p, n = self.pointer(s)
            made = [Decl(f, FLOAT, lib.frexp(x, p)), self.mix(s, Deref(p))]
        else:
            p, n = self.pointer(s)
            whole = Cast(FLOAT, Bin("&", self.value(s, 1), c(7)))
            made = [Decl(f, FLOAT, lib.remquo(whole, Const(1.0, FLOAT), p)), self.mix(s, Bin("&", Deref(p), c(3)))]
        return made + [self.mix(s, lib.as_int(Bin("*", Var(f, FLOAT), Const(16.0, FLOAT))))]

    def g_blob(self, s):
        """Whole structs through generic pointers."""
        if len(s.blobs) < 1:
            return []
        r = self.rng
        name = self.name("o")
        v = Var(name, BLOB)
        a, b = r.choice(s.blobs), r.choice(s.blobs)
        source = Cond(self.condition(s), a, b) if self.chance(0.5) else a
        made = [Decl(name, BLOB, Deref(source))]
        if self.chance(0.5):
            made.append(Assign(Deref(b), v))
        if self.chance(0.5):
            made.append(Assign(Index(Field(v, "y"), Bin("&", self.value(s, 1), c(1))), self.value(s, 1)))
        q = Cond(self.condition(s), AddrOf(v), source) if self.chance(0.5) else AddrOf(v)
        if self.functions["blob"] and self.chance(0.5):
            made.append(self.mix(s, Call(r.choice(self.functions["blob"]), [q, self.value(s, 1)])))
        self.keep(s, AddrOf(Index(Field(v, "y"), c(0))), 3)
        return made + [self.mix(s, Arrow(q, "x")), self.mix(s, Index(Arrow(q, "y"), c(r.randrange(3)))),
                       self.mix(s, Cast(INT, Bin("&", Arrow(q, "z"), u64(255))))]

    def g_narrow(self, s):
        """The bytes and halves of ints, accessed through a pointer to another type."""
        p, n = self.pointer(s, 4)
        ty = self.rng.choice([UCHAR, CHAR, SHORT, USHORT])
        name = self.name("c")
        q = Pointer(ty)
        made = [Decl(name, q, Cast(q, p))]
        k = c(self.rng.randrange(16 // ty.size))
        made.append(self.mix(s, Bin("+", Cast(INT, Index(Var(name, q), k)), c(40000))))
        if self.chance(0.5):
            made.append(Assign(Index(Var(name, q), c(0)), Cast(ty, Bin("&", self.value(s, 1), c(63)))))
        return made

    def g_wander(self, s):
        """for (int *e = p; e != p + k; ++e)"""
        name, n = self.name("e"), self.rng.randrange(1, 5)
        p = self.name("p")
        first, _ = self.pointer(s, 4)
        e = Var(name, P)
        body = [self.mix(s, Deref(e))] + ([Assign(Deref(e), self.value(s, 1))] if self.chance(0.4) else [])
        return [Decl(p, P, first), Walk(name, P, Var(p, P), Bin("!=", e, Shift(Var(p, P), c(n))), Shift(e, c(1)), body)]

    def g_copy(self, s):
        i = self.name("i")
        p, q = self.pointer(s, 4)[0], self.pointer(s, 4)[0]
        a, b = self.name("p"), self.name("p")
        return [Decl(a, P, p), Decl(b, P, q),
                For(i, c(4), [Assign(Index(Var(a, P), Var(i, INT)),
                                     Bin("&", Bin("+", Bin("&", Index(Var(b, P), Var(i, INT)), c(0xffff)), c(1)), c(0xffff)))])]

    def g_pointer_to_pointer(self, s):
        """An int ** that may itself point to any space."""
        if len(s.slots) < 2:
            return []
        name = self.name("pp")
        a, b = self.rng.choice(s.slots), self.rng.choice(s.slots)
        v = Var(name, PP)
        p, q = self.pointer(s, 4)[0], self.pointer(s, 4)[0]
        made = [Assign(Deref(a), p), Assign(Deref(b), q), Decl(name, PP, Cond(self.condition(s), a, b))]
        made += self.use(s, Deref(v), 4) + [Assign(Deref(v), self.pointer(s, 4)[0])]
        return made + self.use(s, Deref(a), 4) + self.use(s, Deref(b), 4)

    def g_call(self, s):
        r = self.rng
        if self.functions["recursive"] and self.chance(0.5):
            fn = r.choice(self.functions["recursive"])
            return [self.mix(s, Call(fn, [self.pointer(s, 4)[0], self.pointer(s, 4)[0], c(r.randrange(4))]))]
        if not self.functions["value"]:
            return []
        fn = r.choice(self.functions["value"])
        return [self.mix(s, Call(fn, [self.pointer(s, 4)[0], self.value(s, 1)])) for _ in range(r.randrange(1, 3))]

    def g_block(self, s):
        """Gadgets under a condition, whose declarations are local to the block."""
        if s.depth > 1:
            return []
        saved = {k: list(v) for k, v in s.__dict__.items() if isinstance(v, list)}
        s.depth += 1
        body = self.gadgets(s, self.rng.randrange(1, 4))
        s.depth -= 1
        s.__dict__.update(saved)
        if self.chance(0.4):
            return [For(self.name("i"), c(self.rng.randrange(1, 3)), body)]
        return [If(self.condition(s), body, self.gadgets_apart(s) if self.chance(0.3) else [])]

    def gadgets_apart(self, s):
        saved = {k: list(v) for k, v in s.__dict__.items() if isinstance(v, list)}
        s.depth += 1
        body = self.gadgets(s, 1)
        s.depth -= 1
        s.__dict__.update(saved)
        return body

    WEIGHTS = {"select": 3, "branch": 3, "loop": 3, "swap": 2, "table": 2, "pair": 3, "union": 2, "bytes": 2,
               "integer": 4, "store": 4, "word": 4, "exchange": 1, "atomic": 2, "nodes": 4, "compare": 2, "null": 2,
               "space": 2, "float": 1, "blob": 2, "narrow": 1, "wander": 1, "copy": 1, "pointer_to_pointer": 2,
               "call": 3, "block": 3, "record": 3, "deep": 1, "memcpy": 2, "mask": 3, "vector": 1, "functions": 3,
               "headed": 2, "one_memory": 3, "beside": 2}

    def gadgets(self, s, count):
        made = []
        # Every other program uses only operations that the Intel CPU driver supports natively.
        weights = {k: w for k, w in self.WEIGHTS.items() if not (self.plain and k in ("atomic", "exchange", "space"))}
        kinds, weights = zip(*weights.items())
        for _ in range(count):
            kind = self.rng.choices(kinds, weights)[0]
            made += getattr(self, "g_" + kind)(s)
        return made

    # ---- Functions ------------------------------------------------------------------------------------------------

    def start(self, params, pointers=(), **pools):
        s = Scope(False)
        s.ints = ["k", "acc"]
        s.pointers = [(Var(p, P), 4) for p in pointers]
        for key, names in pools.items():
            getattr(s, key).extend(names)
        prologue = [Decl("acc", INT, Bin("&", Var("k", INT), c(255)))]
        if self.chance(0.5):
            name, ty = self.name("q"), Array(INT, 4)
            i = self.name("i")
            prologue += [Decl(name, ty), For(i, c(4), [Assign(Index(Var(name, ty), Var(i, INT)), Bin("+", Var(i, INT), c(3)))])]
            self.keep(s, AddrOf(Index(Var(name, ty), c(0))), 4)
        return s, prologue

    def add(self, kind, ty, params, s, body):
        attribute = self.rng.choice(["", "", "__attribute__((noinline)) "])
        fn = Function(self.name("f") + self.tag, ty, params, body, attribute)
        self.functions[kind].append(fn)
        self.program.functions.append(fn)

    def make_value(self):
        s, body = self.start(None, ["p"])
        body += self.gadgets(s, self.rng.randrange(1, 4))
        self.add("value", INT, [("p", P), ("k", INT)], s, body + [Return(Var("acc", INT))])

    def make_choose(self):
        """A function that returns one of its arguments, and not a pointer to its own variables."""
        s, body = self.start(None, ["p", "q"])
        s.pointers = s.pointers[:2]
        choice = self.rng.randrange(3)
        a, b = Var("p", P), Var("q", P)
        if choice == 0:
            body.append(Return(Cond(self.condition(s), a, b)))
        elif choice == 1:
            body += [If(self.condition(s), [Return(a)]), Return(b)]
        else:
            t, ty = self.name("t"), Array(P, 2)
            body += [Decl(t, ty), Assign(Index(Var(t, ty), c(0)), a), Assign(Index(Var(t, ty), c(1)), b),
                     Return(Index(Var(t, ty), Bin("&", self.value(s, 1), c(1))))]
        self.add("choose", P, [("p", P), ("q", P), ("k", INT)], s, body)

    def make_set(self):
        s, body = self.start(None, ["q"])
        s.pointers = s.pointers[:1]
        d = Deref(Var("d", PP))
        body.append(If(self.condition(s), [Assign(d, Var("q", P))], self.use(s, d, 4)))
        self.add("set", VOID, [("d", PP), ("q", P), ("k", INT)], s, body + [Return(None)])

    def make_pair(self):
        s, body = self.start(None, ["p"])
        s.pointers = s.pointers[:1]
        v = Var("s", PAIR)
        key, other = self.rng.sample(["f0", "f1"], 2)
        body += [Assign(Field(v, "k"), Bin("&", Bin("+", Bin("&", Field(v, "k"), c(0xffff)), Var("k", INT)), c(0xffff))),
                 If(self.condition(s), [Assign(Field(v, key), Var("p", P))], [Assign(Field(v, key), Field(v, other))])]
        self.add("pair", PAIR, [("s", PAIR), ("p", P), ("k", INT)], s, body + [Return(v)])

    def make_walk(self):
        s, body = self.start(None)
        s.pointers = []
        ty = Pointer(NODE)
        e = Var("e", ty)
        inner = [self.mix(s, Arrow(e, "v"))]
        if self.chance(0.5):
            inner.append(Assign(Arrow(e, "v"), Bin("&", Var("acc", INT), c(0xffff))))
        body.append(Walk("e", ty, Var("n", ty), Bin("!=", e, Null(ty)), Arrow(e, "next"), inner))
        self.add("walk", INT, [("n", ty), ("k", INT)], s, body + [Return(Var("acc", INT))])

    def make_bits(self):
        s, body = self.start(None)
        u, x = Var("u", ULONG), self.name("x")
        kind = self.rng.randrange(3)
        if kind == 0:
            body += [Decl(x, ULONG, Bin("^", u, Cast(ULONG, Bin("&", Var("k", INT), c(0xff)))), memory=True),
                     Return(Bin("^", Deref(AddrOf(Var(x, ULONG))), Cast(ULONG, Bin("&", Var("k", INT), c(0xff)))))]
        elif kind == 1:
            body += [Decl(x, PP.to, Cast(P, u)), Return(Cast(ULONG, Var(x, P)))]
        else:
            ty = Array(ULONG, 2)
            body += [Decl(x, ty), Assign(Index(Var(x, ty), Bin("&", Var("k", INT), c(1))), u),
                     Return(Index(Var(x, ty), Bin("&", Var("k", INT), c(1))))]
        self.add("bits", ULONG, [("u", ULONG), ("k", INT)], s, body)

    def make_blob(self):
        s, body = self.start(None)
        s.pointers = []
        o = Var("o", Pointer(BLOB))
        body += [self.mix(s, Arrow(o, "x")), self.mix(s, Index(Arrow(o, "y"), Bin("&", Var("k", INT), c(1))))]
        if self.chance(0.5):
            body.append(Assign(Index(Arrow(o, "y"), c(2)), Bin("&", Var("acc", INT), c(0xffff))))
        self.add("blob", INT, [("o", Pointer(BLOB)), ("k", INT)], s, body + [Return(Var("acc", INT))])

    def make_recursive(self):
        s, body = self.start(None, ["p", "q"])
        k = Var("k", INT)
        fn = Function(self.name("f") + self.tag, INT, [("p", P), ("q", P), ("k", INT)], [])
        body += self.use(s, Var("p", P), 4)
        again = Call(fn, [Var("q", P), self.rng.choice([Var("p", P), s.pointers[-1][0]]), Bin("-", k, c(1))])
        body += [If(Bin("<=", k, c(0)), [Return(Bin("&", Deref(Var("q", P)), c(0xffff)))]), self.mix(s, again)]
        fn.body = body + [Return(Var("acc", INT))]
        self.functions["recursive"].append(fn)
        self.program.functions.append(fn)
        self.program.features.add("recursion")

    def make_functions(self):
        kinds = ["choose", "value", "set", "pair", "walk", "bits", "blob", "value"]
        for kind in kinds:
            if self.chance(0.55):
                getattr(self, "make_" + kind)()
        if self.options.get("recursion"):
            self.make_recursive()

    # ---- The kernel ----------------------------------------------------------------------------------------------

    def make_kernel(self):
        r, program = self.rng, self.program
        program.group_size = r.choice([1, 2, 4])
        program.items = program.group_size * r.choice([1, 2])
        self.make_arguments()
        s = Scope(True)
        s.ints = ["acc", "n"]
        body = self.prologue(s)
        body += self.gadgets(s, r.randrange(3, 7))
        for _ in range(r.randrange(0, 3)):
            if program.group_size > 1:
                body += self.neighbor(s)
            body += self.gadgets(s, r.randrange(1, 4))
        program.body = body + self.epilogue()

    def make_arguments(self):
        r, program, ints = self.rng, self.program, Pointer(INT, "global")
        items, group = program.items, program.group_size
        numbers = lambda n: ",".join(str(r.randrange(1000)) for _ in range(n))  # noqa: E731
        blob = struct_bytes([r.randrange(1000) for _ in range(4)], r.randrange(1 << 32))
        program.args = [("a", ints, "buffer:int:" + numbers(items * SLICE)),
                        ("b", ints, "same:0" if self.chance(0.3) else "buffer:int:" + numbers(items * SLICE)),
                        ("out", ints, f"zero:{items * OUT * 4}"),
                        ("hp", Pointer(ULONG, "global"), f"zero:{items * 16 * 8}"),
                        ("la", Pointer(INT, "local"), f"local:{group * SLICE * 4}"),
                        ("n", INT, f"int:{r.randrange(8)}"),
                        ("arg", BLOB, "bytes:" + blob)]
        program.writes_by_value = not self.plain and self.chance(0.5)

    def prologue(self, s):
        """Declares one variable of every kind, initializes it, and adds pointers to it to the pool."""
        group = self.program.group_size
        gid, lid = Var("gid", INT), Var("lid", INT)
        i = Var("i", INT)
        lb, pa, ln, pn, lw, fl = (Array(INT, group * 4), Array(INT, 8), Array(NODE, group), Array(NODE, 2),
                                  Array(ULONG, group * 2), Array(FLOAT, 1))
        fb = Array(FLOAT, group)
        body = [Decl("lb", lb, space="local"), Decl("ln", ln, space="local"), Decl("lw", lw, space="local"),
                Decl("lf", fb, space="local"),
                Decl("gid", INT, Item("global")), Decl("lid", INT, Item("local")), Decl("acc", INT, c(1)),
                Decl("pa", pa), Decl("x", INT, c(self.rng.randrange(50)), memory=True), Decl("pn", pn), Decl("pf", fl),
                Decl("ps", P, Null(P), memory=True), Decl("pw", ULONG, u64(0), memory=True)]
        ga = Shift(Var("a", Pointer(INT, "global")), Bin("*", gid, c(SLICE)))
        gb = Shift(Var("b", Pointer(INT, "global")), Bin("*", gid, c(SLICE)))
        la = Shift(Var("la", Pointer(INT, "local")), Bin("*", lid, c(SLICE)))
        hp = Shift(Var("hp", Pointer(ULONG, "global")), Bin("*", gid, c(16)))
        body += [Decl("hw", Pointer(ULONG, "global"), hp)]
        lbi, lni, lwi = (AddrOf(Index(Var("lb", lb), Bin("*", lid, c(4)))), AddrOf(Index(Var("ln", ln), lid)),
                         AddrOf(Index(Var("lw", lw), Bin("*", lid, c(2)))))
        body += [For("i", c(8), [Assign(Index(Var("pa", pa), i), Bin("+", Bin("*", i, c(5)), gid)),
                                 Assign(Index(la, i), Bin("+", Bin("*", i, c(7)), lid))]),
                 For("i", c(4), [Assign(Index(Var("lb", lb), Bin("+", Bin("*", lid, c(4)), i)), Bin("+", i, c(11)))]),
                 Assign(Index(Var("lw", lw), Bin("*", lid, c(2))), u64(0)),
                 Assign(Index(Var("lw", lw), Bin("+", Bin("*", lid, c(2)), c(1))), u64(0)),
                 Assign(Index(Var("lf", fb), lid), Const(0.0, FLOAT)), Assign(Index(Var("pf", fl), c(0)), Const(0.0, FLOAT))]
        hw = Var("hw", Pointer(ULONG, "global"))
        g = lambda e: Cast(P, e)  # noqa: E731 - to a generic pointer
        s.pointers = [(g(ga), SLICE), (g(gb), SLICE), (g(la), SLICE), (lbi, 4), (AddrOf(Index(Var("pa", pa), c(0))), 8),
                      (AddrOf(Var("x", INT)), 1), (AddrOf(Index(Var("pa", pa), c(3))), 5)]
        node = Pointer(NODE)
        s.nodes = [lni, AddrOf(Index(Var("pn", pn), c(0))), AddrOf(Index(Var("pn", pn), c(1))), Cast(node, hw),
                   Cast(node, Shift(hw, c(2)))]
        s.slots = [AddrOf(Var("ps", P)), Cast(PP, Shift(hw, c(4))), Cast(PP, lwi)]
        s.words = [Cast(Pointer(ULONG), Shift(hw, c(5))), AddrOf(Var("pw", ULONG)), Shift(lwi, c(1))]
        s.floats = [AddrOf(Index(Var("lf", fb), lid)), AddrOf(Index(Var("pf", fl), c(0))),
                    Cast(Pointer(FLOAT), Shift(hw, c(6)))]
        pair, lp = Pointer(PAIR), Array(PAIR, group)
        body += [Decl("lp", lp, space="local"), Decl("pp", PAIR)]
        s.records = [AddrOf(Var("pp", PAIR)), AddrOf(Index(Var("lp", lp), lid)), Cast(pair, Shift(hw, c(11)))]
        s.blobs = [AddrOf(Var("arg", BLOB))] if self.chance(0.6) else []
        if self.chance(0.6):
            body += [Decl("po", BLOB, Var("arg", BLOB)), Decl("lo", Array(BLOB, group), space="local"),
                     Assign(Index(Var("lo", Array(BLOB, group)), lid), Var("po", BLOB))]
            s.blobs += [AddrOf(Var("po", BLOB)), AddrOf(Index(Var("lo", Array(BLOB, group)), lid)),
                        Cast(Pointer(BLOB), Shift(hw, c(8)))]
            body.append(Assign(Deref(s.blobs[-1]), Var("po", BLOB)))
        self.rng.shuffle(s.pointers)
        return body

    def neighbor(self, s):
        """Between barriers: reads or writes an object of another work-item of the group."""
        r, group = self.rng, self.program.group_size
        other = Bin("^", Var("lid", INT), c(1))
        word = Index(Var("lw", Array(ULONG, group * 2)), Bin("*", Var("lid", INT), c(2)))
        theirs = Index(Var("lw", Array(ULONG, group * 2)), Bin("*", other, c(2)))
        la, lb = Var("la", Pointer(INT, "local")), Var("lb", Array(INT, group * 4))
        ga = Var("a", Pointer(INT, "global"))
        mine = r.choice([Cast(P, Shift(la, Bin("*", Var("lid", INT), c(SLICE)))),
                         AddrOf(Index(lb, Bin("*", Var("lid", INT), c(4)))),
                         Cast(P, Shift(ga, Bin("*", Var("gid", INT), c(SLICE))))])
        if self.chance(0.5):
            mine = Cond(self.condition(s), mine, Cast(P, Shift(ga, Bin("*", Var("gid", INT), c(SLICE)))))
        kind = r.randrange(4)
        if kind == 3:
            return self.broadcast(s, mine)
        if kind == 0:
            return [Barrier(), AsyncCopy(la, ga, group * SLICE), Barrier()]
        name = self.name("p")
        made = [Assign(word, Cast(ULONG, mine)), Barrier(), Decl(name, P, Cast(P, theirs))]
        v = Var(name, P)
        if kind == 1:
            made += [self.mix(s, Index(v, c(r.randrange(4))))]
        else:
            made += [Assign(Index(v, c(1)), self.value(s, 0)), self.mix(s, Index(v, c(1)))]
        return made + [Barrier()]

    def epilogue(self):
        """Stores all objects that may have been written to `out`, through pointers that were never generic."""
        group, gid, lid, i = self.program.group_size, Var("gid", INT), Var("lid", INT), Var("i", INT)
        out = Shift(Var("out", Pointer(INT, "global")), Bin("*", gid, c(OUT)))
        to = lambda k: Index(out, k)  # noqa: E731
        body = [Assign(to(c(0)), Var("acc", INT)), Assign(to(c(1)), Var("x", INT)),
                For("i", c(8), [Assign(to(Bin("+", i, c(2))), Index(Var("pa", Array(INT, 8)), i)),
                                Assign(to(Bin("+", i, c(10))), Index(Var("la", Pointer(INT, "local")),
                                                                     Bin("+", Bin("*", lid, c(SLICE)), i)))]),
                For("i", c(4), [Assign(to(Bin("+", i, c(18))), Index(Var("lb", Array(INT, group * 4)),
                                                                     Bin("+", Bin("*", lid, c(4)), i)))]),
                Assign(to(c(22)), Cast(INT, Index(Var("lf", Array(FLOAT, group)), lid))),
                Assign(to(c(23)), Cast(INT, Index(Var("pf", Array(FLOAT, 1)), c(0))))]
        # Pointers left in global memory have no known value.
        body.append(For("i", c(16), [Assign(Index(Var("hw", Pointer(ULONG, "global")), i), u64(0))]))
        return body

    def grow(self):
        self.program = Program(self.kernel, None)
        self.program.records = RECORDS + ([READER] if self.options.get("function_pointers") else [])
        if self.options.get("kind"):
            self.program.records = RECORDS_OF_ADDRESSES
            self.make_addresses(Scope(True))
            return self.program
        self.make_functions()
        self.make_kernel()
        return self.program


def source(programs):
    """The text of one OpenCL C file with all of `programs`."""
    used = {id(r): r for program in programs for r in program.records}
    return "".join(r.text() + "\n" for r in used.values()) + "".join(program.text() for program in programs)


def struct_bytes(ints, wide):
    return b"".join(x.to_bytes(4, "little") for x in ints).hex() + wide.to_bytes(8, "little").hex()


# ---- Removal of undefined behavior -------------------------------------------------------------------------------------------

def all_blocks(program):
    """Yields every list of statements of the program, the outermost first."""
    todo = [program.body] + [fn.body for fn in program.functions]
    while todo:
        block = todo.pop(0)
        yield block
        for s in block:
            todo += s.blocks()


def uses(s):
    for value in s.__dict__.values():
        if isinstance(value, Expr):
            yield from names_of(value)


def undeclared(block, known, found):
    """Appends to `found` the statements of `block` that use a name whose declaration was removed."""
    known = set(known)
    for s in block:
        if s.off:
            continue
        inner = known | ({s.name} if isinstance(s, (For, Walk)) else set())
        if not set(uses(s)) <= inner:
            found.append(s)
        for part in s.blocks():
            undeclared(part, inner, found)
        if isinstance(s, Decl):
            known.add(s.name)


def tidy(program):
    """Switches off the statements that do not compile because a declaration was switched off."""
    while True:
        found = []
        undeclared(program.body, {name for name, _, _ in program.args}, found)
        for fn in program.functions:
            undeclared(fn.body, {name for name, _ in fn.params}, found)
        if not found:
            return
        for s in found:
            s.off = True


def settle(program, layouts=(1, 2)):
    """Removes statements until the program is defined. -> its Outcome, or None if no useful program remains."""
    for _ in range(60):
        tidy(program)
        outcome = simulate(program, layouts[0])
        if outcome.bad is None:
            break
        guilty = [s for s in outcome.where if not isinstance(s, Return)]
        if not guilty:
            return None
        guilty[-1].off = True
    else:
        return None
    for layout in layouts[1:]:
        second = simulate(program, layout)
        if second.bad is not None or second.buffers != outcome.buffers:
            return None
    return outcome


def features(seed, tables, kinds=None):
    """Features that a program may use although some targets lack them, by the last digit of its seed. Even seeds use only features that the
    Intel CPU driver supports natively."""
    last = seed % 10
    if kinds and kinds[seed % len(kinds)] == "arrays" or not kinds and seed % 6 == 1:
        return {"plain": last % 2 == 0, "kind": "arrays"}
    if kinds or seed % 3 == 2:
        # Every third program computes with addresses; 420 seeds cover each kind with each set of memories.
        every = kinds or KINDS
        turn = seed if kinds else seed // 3
        return {"plain": True, "kind": every[turn % len(every)], "spaces": SPACES[turn // len(every) % len(SPACES)]}
    return {"plain": last % 2 == 0, "recursion": last == 3, "function_pointers": tables and last == 7,
            "atomic64": last in (1, 9)}


def grow(seed, tables=False, kinds=None):
    """-> (Program, Outcome). Always succeeds: seeds without a usable program are replaced by derived ones."""
    for attempt in range(50):
        options, name = features(seed, tables, kinds), (f"{seed}.{attempt}", f"_{seed}")
        grower = ArrayGrower(*name) if options.get("kind") == "arrays" else Grower(name[0], options, name[1])
        program = grower.grow()
        program.seed = seed
        outcome = settle(program)
        if outcome is not None:
            return program, outcome
    raise RuntimeError(f"seed {seed} came to nothing")
