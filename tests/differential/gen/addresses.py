# SPDX-License-Identifier: Apache-2.0
"""Programs that compute with addresses in integers: each has one kind of computation (KINDS), in one memory or in several.

A mixin of grow.Grower. The other gadgets pass pointers through any operations, all from one pool; these programs keep their data in
memories that only one kind accesses, so that the generator determines whether the addresses of one memory or of several are mixed in
integers. A program that Nonflat refuses counts as a failure.

    encoded words    an address becomes a word and comes back: moved, scaled, turned, masked, beside a tag, in bit-fields
    structures       stacks, lists, tables, arenas whose links are such words
    ways             functions that take one or two addresses apart, and put them together again

Storage in each memory: `data`, four objects of four ints; `words`, sixteen ulongs: eight nodes of two words; `cells`, eight ulongs for
words of any kind. Addresses have at most 47 bits here; kinds that depend on it are listed in NARROW.
"""
from lang import *  # noqa: F401,F403
import pointers_builtin as lib
import ways

P = Pointer(INT)
WORD = Pointer(ULONG)
ALL = (1 << 64) - 1
LOW48 = (1 << 48) - 1
INTS, WORDS, CELLS, NUMBERS, OUT = 16, 16, 8, 4, 48

FOUR = Record("four", [("a", INT), ("b", INT), ("c", INT), ("d", INT)])
BOXED = [BitFields("boxed48", [("p", ULONG, 48), ("tag", ULONG, 16)]), BitFields("boxed16", [("tag", ULONG, 16), ("p", ULONG, 48)]),
         BitFields("boxed56", [("tag", ULONG, 3), ("p", ULONG, 56), ("more", ULONG, 5)]),
         BitFields("boxed_long", [("p", LONG, 50), ("tag", LONG, 14)])]
RECORDS_OF_ADDRESSES = [FOUR, *BOXED]


def c(v):
    return Const(v)


def u64(v):
    return Const(v, ULONG)


def wide(e):
    """An int from 0 to 65535, as a ulong."""
    return Cast(ULONG, e)


def mirrored(v, ty=ULONG):
    """Reverses the bytes of a ulong."""
    bytes8 = Vector(UCHAR, 8)
    return As(ty, Swizzle(As(bytes8, v), [7, 6, 5, 4, 3, 2, 1, 0]))


def folded(v, by):
    """Returns v ^ v >> by."""
    return Bin("^", v, Bin(">>", v, c(by)))


def signed_down(v, by):
    """Returns an arithmetic shift right."""
    return Cast(ULONG, Bin(">>", Cast(LONG, v), c(by)))


# ---- Words: each function returns (address to word, word to address, further observation or None) -----------------------

def low_tag(self, s):
    """A tag in the low bits that are free because of an int's alignment; the third bit is used only where memory guarantees more
    alignment."""
    tag, bits = self.value(s, 0), self.rng.choice([1, 3, 3])
    join = self.rng.choice(["|", "+", "^"])
    back = self.rng.choice([lambda v: Bin("&", v, u64(ALL - bits)), lambda v: Bin("-", v, Bin("&", v, u64(bits))),
                            lambda v: Bin("^", v, Bin("&", v, u64(bits))),
                            lambda v: Bin("<<", Bin(">>", v, c(bits.bit_length())), c(bits.bit_length()))])
    return lambda v: Bin(join, v, Bin("&", wide(tag), u64(bits))), back, lambda v: Bin("&", v, u64(bits))


def high_tag(self, s):
    tag = self.value(s, 0)
    back = self.rng.choice([lambda v: Bin("&", v, u64(LOW48)), lambda v: signed_down(Bin("<<", v, c(16)), 16),
                            lambda v: Bin(">>", Bin("<<", v, c(16)), c(16)),
                            lambda v: Bin("-", v, Bin("<<", Bin(">>", v, c(48)), c(48)))])
    return lambda v: Bin(self.join, v, Bin("<<", wide(tag), c(48))), back, lambda v: Bin(">>", v, c(48))


def nan_box(self, s):
    top = self.rng.choice([0xfff8, 0x7ffc, 0xfffe])
    forms = [(lambda v: Bin("|", v, u64(top << 48)), lambda v: Bin("&", v, u64(LOW48))),
             (lambda v: Bin("+", v, u64(top << 48)), lambda v: Bin("-", v, u64(top << 48))),
             (lambda v: Bin("^", v, u64(ALL - LOW48)), lambda v: Bin("^", v, u64(ALL - LOW48)))]
    there, back = self.rng.choice(forms)
    return there, back, lambda v: wide(Bin("==", Bin("&", v, u64(0x7ff << 52)), u64(0x7ff << 52)))


def shifted(self, s):
    by, tag = self.rng.choice([2, 8, 12, 16]), self.value(s, 0)
    mask = (1 << by) - 1
    back = self.rng.choice([lambda v: Bin(">>", v, c(by)), lambda v: signed_down(v, by)])
    if by == 16:
        back = lambda v: Bin(">>", v, c(by))  # noqa: E731 - the sign would be bit 47
    return lambda v: Bin("|", Bin("<<", v, c(by)), Bin("&", wide(tag), u64(mask))), back, lambda v: Bin("&", v, u64(mask))


def scaled(self, s):
    by, tag = self.rng.choice([8, 10, 24, 1000]), self.value(s, 0)
    return lambda v: Bin("+", Bin("*", v, u64(by)), Bin("&", wide(tag), u64(7))), lambda v: Bin("/", v, u64(by)), \
        lambda v: Bin("%", v, u64(by))


def compressed(self, s):
    """An address without the low bits that are free because of alignment; in some programs a tag is in the high
    bits."""
    tag = self.value(s, 0)
    if self.chance(0.5):
        return lambda v: Bin(">>", v, c(2)), lambda v: Bin("<<", v, c(2)), None
    return lambda v: Bin("|", Bin(">>", v, c(2)), Bin("<<", Bin("&", wide(tag), u64(0xff)), c(56))), \
        lambda v: Bin("<<", Bin("&", v, u64((1 << 56) - 1)), c(2)), lambda v: Bin(">>", v, c(56))


def fixnum_word(self, s):
    """A word that is an address, or an integer shifted left with bit 0 set."""
    number = Bin("|", Bin("<<", wide(self.value(s, 1)), c(2)), u64(3))
    which, step = self.condition(s), u64(self.rng.choice([4, 8]))

    def told(v):
        word = Cond(which, number, v)
        added = Bin("&", Bin("+", word, step), u64((1 << 34) - 4))
        return Cond(Bin("==", Bin("&", word, u64(3)), u64(3)), Bin(">>", added, c(2)), u64(5))
    return (lambda v: v), (lambda v: v), told


def sign_link(self, s):
    """An address, or the complement of an index, distinguished by the sign."""
    leaf = Bin("^", wide(self.value(s, 1)), u64(ALL))
    which = self.condition(s)
    told = lambda v: Cond(Bin("<", Cast(LONG, Cond(which, v, leaf)), Const(0, LONG)), u64(5), u64(3))  # noqa: E731
    return (lambda v: v), (lambda v: v), told


def paged(self, s):
    """A page, and the offset in the page."""
    size = self.rng.choice([64, 100, 4096])
    ty = self.rng.choice([ULONG, LONG])
    k = Const(size, ty)
    page = lambda v: Bin("/", Cast(ty, v), k)  # noqa: E731
    place = lambda v: Bin("%", Cast(ty, v), k)  # noqa: E731
    return (lambda v: v), lambda v: Cast(ULONG, Bin("+", Bin("*", page(v), k), place(v))), \
        lambda v: wide(Bin("<", place(v), Const(0, ty)))


def turned(self, s):
    """A sequence of invertible operations."""
    chain = [self.rng.choice(BIJECTIONS)(self, s) for _ in range(self.rng.randrange(1, 4))]

    def there(v):
        for one, _ in chain:
            v = one(v)
        return v

    def back(v):
        for _, one in reversed(chain):
            v = one(v)
        return v
    return there, back, None


def from_null(self, s):
    """Offsets that are not relative to an object: the offset of a member, and the distance from null."""
    member, index = self.rng.choice(["b", "c", "d"]), self.rng.randrange(1, 4)
    forms = [(lambda v: Bin("-", v, OffsetOf(FOUR, member)), lambda v: Bin("+", v, OffsetOf(FOUR, member))),
             (lambda v: Bin("+", v, OffsetOf(INT, index)), lambda v: Bin("-", v, OffsetOf(INT, index))),
             (lambda v: FromNull(ULONG, Cast(Pointer(UCHAR), v)), lambda v: Cast(ULONG, FromNull(P, v)))]
    return *self.rng.choice(forms), None


ODD = 0x9e3779b97f4a7c15


def plus(self, s):
    k = self.rng.choice([u64(self.rng.randrange(1 << 64)), wide(self.value(s, 1))])
    return lambda v: Bin("+", v, k), lambda v: Bin("-", v, k)


def less_than(self, s):
    k = u64(self.rng.choice([0, ALL, self.rng.randrange(1 << 64)]))
    return (lambda v: Bin("-", k, v),) * 2


def keyed(self, s):
    k = self.rng.choice([u64(ALL), u64(self.rng.randrange(1 << 64)), wide(self.value(s, 1))])
    return (lambda v: Bin("^", v, k),) * 2


def rotated(self, s):
    by = self.rng.randrange(1, 64)
    return lambda v: lib.rotate(v, by), lambda v: lib.rotate(v, 64 - by)


def multiplied(self, s):
    k = self.rng.choice([3, 5, ODD])
    return lambda v: Bin("*", v, u64(k)), lambda v: Bin("*", v, u64(pow(k, -1, 1 << 64)))


def gray(self, s):
    """Gray code, which is decoded in six steps."""
    def back(v):
        for by in (1, 2, 4, 8, 16, 32):
            v = folded(v, by)
        return v
    return lambda v: folded(v, 1), back


BIJECTIONS = [plus, plus, less_than, keyed, keyed, rotated, rotated, multiplied, lambda self, s: (mirrored, mirrored), gray]


class AddressKinds:
    join = "|"

    # ---- Shared by all kinds ------------------------------------------------------------------------------------------------

    def object(self, s):
        """An address of four ints in one of the program's memories, which may be known only at run time."""
        if self.chance(0.3):
            a, b = self.rng.choice(s.objects), self.rng.choice(s.objects)
            return Cond(self.condition(s), a, b)
        return self.rng.choice(s.objects)

    def through(self, change, e):
        """Returns the expression change(e), or, if it uses no other variable, sometimes a call of a new function that
        computes it."""
        body = change(Var("u", ULONG))
        if self.chance(0.4) or set(names_of(body)) != {"u"}:
            return change(e)
        fn = Function(self.name("f") + self.tag, ULONG, [("u", ULONG)], [Return(body)],
                      self.rng.choice(["", "__attribute__((noinline)) "]))
        self.program.functions.append(fn)
        return Call(fn, [e])

    def word_of(self, s, there, p):
        return self.through(there, Cast(ULONG, p))

    def carried(self, s, words):
        """Statements that pass on one of `words`, some kinds chosen at run time (in SSA, through memory, in fragments, from a loop), and the
        expression for the result."""
        r, name = self.rng, self.name("w")
        v, first, kind = Var(name, ULONG), words[0], r.randrange(9 if P.size == 8 or self.options["kind"] in NARROW or self.options["kind"] == "turned" else 11)
        if kind == 0:
            return [Decl(name, ULONG, first)], v
        if kind == 1:
            return [Decl(name, ULONG, first, memory=True)], v
        if kind == 2:
            cell = Index(r.choice(s.cells), c(r.randrange(CELLS)))
            return [Assign(cell, first), Decl(name, ULONG, cell)], v
        if kind == 3:
            cells, i = r.choice(s.cells), self.name("i")
            fill = [Assign(Index(cells, c(k)), words[k % len(words)]) for k in range(4)]
            return fill + [Decl(i, INT, Bin("&", self.value(s, 1), c(3))), Decl(name, ULONG, Index(cells, Var(i, INT)))], v
        if kind == 4:
            return [Decl(name, ULONG, Cond(self.condition(s), first, words[-1]))], v
        if kind == 5:
            return [Decl(name, ULONG, first), If(self.condition(s), [Assign(v, words[-1])])], v
        if kind == 6:
            i, other = self.name("i"), self.name("w")
            step = [Decl(other, ULONG, words[-1]),
                    If(Bin("==", Bin("&", Var(i, INT), c(1)), c(1)), [Assign(v, Var(other, ULONG))], [Assign(v, first)])]
            return [Decl(name, ULONG, words[-1]), For(i, c(r.randrange(1, 4)), step)], v
        if kind == 7:
            lo, hi = self.name("lo"), self.name("hi")
            made = [Decl(name, ULONG, first), Decl(lo, UINT, Cast(UINT, v), memory=self.chance(0.5)),
                    Decl(hi, UINT, Cast(UINT, Bin(">>", v, c(32))), memory=self.chance(0.5))]
            return made, lib.upsample(Var(hi, UINT), Var(lo, UINT)) if self.chance(0.5) else \
                Bin("|", Bin("<<", Cast(ULONG, Var(hi, UINT)), c(32)), Cast(ULONG, Var(lo, UINT)))
        if kind > 8:
            # Through an integer as wide as an address.
            return [Decl(name, UINT, Cast(UINT, first), memory=self.chance(0.5))], Cast(ULONG, Var(name, UINT))
        other, i, ty = self.name("w"), self.name("i"), r.choice([UCHAR, USHORT, UINT])
        view = lambda e: Cast(Pointer(ty), e)  # noqa: E731
        return [Decl(other, ULONG, first, memory=True), Decl(name, ULONG, u64(0), memory=True),
                For(i, c(8 // ty.size), [Assign(Index(view(AddrOf(v)), Var(i, INT)),
                                                Index(view(AddrOf(Var(other, ULONG))), Var(i, INT)))])], v

    def arrived(self, s, address):
        """Statements that use a decoded address."""
        name = self.name("p")
        return [Decl(name, P, Cast(P, address))] + self.use(s, Var(name, P), 4) + self.use(s, Var(name, P), 4)

    def mix_word(self, s, e):
        return self.mix(s, Cast(INT, Bin("&", e, u64(0xffff))))

    def encoded(self, s, make):
        there, back, told = make(self, s)
        words = [self.word_of(s, there, self.object(s)) for _ in range(2)]
        made, v = self.carried(s, words)
        if told and self.chance(0.7):
            made.append(self.mix_word(s, told(v)))
        made += self.arrived(s, self.through(back, v))
        return made

    # ---- Kinds whose data is more than one word ----------------------------------------------------------------------------------------

    def k_bit_field(self, s):
        ty, name = self.rng.choice(BOXED), self.name("b")
        v, p = Var(name, ty), self.object(s)
        word, tag = ty.members["p"][0], ty.members["tag"]
        limit = Const((1 << tag[2] - 1) - 1, tag[0])
        made = [Decl(name, ty), Assign(BitField(v, "p"), Cast(word, Cast(ULONG, p)))]
        made += [Assign(BitField(v, key), Bin("&", Cast(tag[0], self.value(s, 1)), limit)) for key in ty.members if key != "p"]
        if self.chance(0.4):
            made.append(Assign(BitField(v, "tag"), Bin("&", Bin("+", BitField(v, "tag"), Const(1, tag[0])), limit)))
        if self.chance(0.4):
            other = self.name("b")
            made += [Decl(other, ty), Assign(Deref(AddrOf(Var(other, ty))), v), Assign(BitField(v, "p"), Cast(word, Cast(ULONG, self.object(s))))]
            v = Var(other, ty)
        made.append(self.mix(s, Cast(INT, BitField(v, "tag"))))
        return made + self.arrived(s, Cast(ULONG, BitField(v, "p")))

    def k_one_based(self, s):
        r, name = self.rng, self.name("p")
        p, i = self.rng.choice(s.objects), self.name("i")
        first = Before(p, 1) if self.chance(0.5) else Cast(P, Bin("-", Cast(ULONG, p), u64(4)))
        if self.chance(0.3):
            first = Cond(self.condition(s), first, Before(self.object(s), 1))
        v, k = Var(name, P), Bin("+", Var(i, INT), c(1))
        return [Decl(name, P, first, memory=self.chance(0.4)),
                For(i, c(r.randrange(1, 5)), [Assign(Index(v, k), Bin("&", Bin("+", Bin("&", Index(v, k), c(0xffff)), self.value(s, 0)), c(0xffff))),
                                              self.mix(s, Index(v, k))]),
                self.mix(s, Index(v, c(r.randrange(1, 5))))]

    def k_two_addresses(self, s):
        """Sums, means, differences, minimum and maximum, and ranges, of two addresses."""
        r = self.rng
        a, b = self.name("u"), self.name("u")
        va, vb, mean = Var(a, ULONG), Var(b, ULONG), self.name("m")
        p = r.choice(s.objects)
        kind = r.randrange(8)
        q = Shift(p, c(2)) if kind < 5 else self.object(s)
        made = [Decl(a, ULONG, Cast(ULONG, p), memory=self.chance(0.4)), Decl(b, ULONG, Cast(ULONG, q), memory=self.chance(0.4))]
        if kind == 0:
            form = r.choice([lambda x, y: Bin(">>", Bin("+", x, y), c(1)), lib.hadd, lambda x, y: Bin("/", Bin("+", x, y), u64(2)),
                             lambda x, y: Bin("+", x, Bin("/", Bin("-", y, x), u64(2)))])
            made += [Decl(mean, ULONG, form(va, vb)), Assign(Deref(Cast(P, Var(mean, ULONG))), self.value(s, 1))]
            return made + [self.mix(s, Index(p, c(1))), self.mix(s, Deref(Cast(P, Var(mean, ULONG))))]
        if kind == 1:
            low = r.choice([lambda x, y: lib.least(x, y), lambda x, y: Cond(Bin("<", x, y), x, y)])
            return made + self.arrived(s, low(vb, va))
        if kind == 2:
            size = Bin("-", lib.most(va, vb), lib.least(va, vb)) if self.chance(0.5) else lib.abs_diff(va, vb)
            made.append(Decl(mean, ULONG, size))
            if self.chance(0.5):  # the difference goes to the host: no address is in it
                made.append(Assign(Deref(Cast(WORD, Shift(s.leak, c(0)))), Var(mean, ULONG)))
            return made + [self.mix_word(s, Var(mean, ULONG))] + self.arrived(s, Bin("-", vb, Var(mean, ULONG)))
        if kind == 3:
            return made + [self.mix(s, Bin("<", Bin("-", vb, va), u64(r.choice([4, 8, 12])))), self.mix(s, Bin("<", va, vb)),
                           self.mix(s, Bin(">", Cast(LONG, va), Cast(LONG, vb))), self.mix_word(s, Bin("&", va, u64(3)))]
        if kind == 4:
            up = Bin("&", Bin("+", Bin("-", vb, u64(7)), u64(3)), u64(ALL - 3))  # aligned anew: b - 4
            return made + [self.mix(s, Deref(Cast(P, up)))]
        if kind == 5:
            made.append(Decl(mean, ULONG, Bin("+", va, vb), memory=self.chance(0.5)))
            return made + self.arrived(s, Bin("-", Var(mean, ULONG), va)) + self.arrived(s, Bin("-", Var(mean, ULONG), vb))
        if kind == 6:
            made.append(Decl(mean, ULONG, Bin("-", vb, va), memory=self.chance(0.5)))
            return made + self.arrived(s, Bin("+", va, Var(mean, ULONG))) + [self.mix(s, Bin("==", Var(mean, ULONG), u64(0)))]
        mask = r.choice([u64(0), u64(ALL), u64(0xffffffff)])
        made.append(Decl(mean, ULONG, lib.bitselect(va, vb, mask)))
        other = lib.bitselect(vb, va, mask)
        return made + self.arrived(s, lib.bitselect(Var(mean, ULONG), other, mask))

    def k_xor_list(self, s):
        """A doubly linked list with one link in each node: the XOR of both neighbors. Traversed from either end, by count or until null."""
        r = self.rng
        nodes = r.sample(s.nodes, r.randrange(2, min(6, len(s.nodes)) + 1))
        address = lambda i: Cast(ULONG, nodes[i]) if 0 <= i < len(nodes) else u64(0)  # noqa: E731
        made = []
        for i, node in enumerate(nodes):
            made += [Assign(Index(node, c(0)), Bin("^", address(i - 1), address(i + 1))), Assign(Index(node, c(1)), wide(self.value(s, 1)))]
        before, here, then, i = (self.name(x) for x in "uuui")
        vb, vh, vt = (Var(x, ULONG) for x in (before, here, then))
        first = r.choice([0, len(nodes) - 1])
        body = [self.mix_word(s, Index(Cast(WORD, vh), c(1))), Assign(vt, Bin("^", Index(Cast(WORD, vh), c(0)), vb)), Assign(vb, vh)]
        made += [Decl(before, ULONG, u64(0)), Decl(then, ULONG, u64(0))]
        if self.chance(0.4):
            return made + [Walk(here, ULONG, address(first), Bin("!=", vh, u64(0)), vt, body)]
        return made + [Decl(here, ULONG, address(first)), For(i, c(len(nodes)), body + [Assign(vh, vt)])]

    def k_aba_stack(self, s):
        """A stack whose head and links consist of an address and a count."""
        r = self.rng
        nodes, head = r.sample(s.nodes, r.randrange(2, min(5, len(s.nodes)) + 1)), self.name("h")
        forms = [(lambda p, n: Bin("|", p, Bin("<<", n, c(48))), lambda w: Bin("&", w, u64(LOW48)), lambda w: Bin(">>", w, c(48))),
                 (lambda p, n: Bin("|", Bin("<<", p, c(16)), Bin("&", n, u64(0xffff))), lambda w: Bin(">>", w, c(16)), lambda w: Bin("&", w, u64(0xffff))),
                 (lambda p, n: Bin("|", p, Bin("&", n, u64(7))), lambda w: Bin("&", w, u64(ALL - 7)), lambda w: Bin("&", w, u64(7)))]
        join, address, count = r.choice(forms)
        made = [Decl(head, ULONG, u64(0))]
        top = Var(head, ULONG)
        if self.chance(0.5):
            top = Index(r.choice(s.cells), c(r.randrange(CELLS)))
            made = [Assign(top, u64(0))]
        for node in nodes:
            push = [Assign(Index(node, c(0)), top), Assign(Index(node, c(1)), wide(self.value(s, 1)))]
            made += push + [Assign(top, join(Cast(ULONG, node), Bin("+", count(top), u64(1))))]
        body_name = self.name("p")
        node = Var(body_name, WORD)
        pop = [Decl(body_name, WORD, Cast(WORD, self.through(address, top))), self.mix_word(s, Index(node, c(1))), self.mix_word(s, count(top)),
               Assign(top, join(address(Index(node, c(0))), Bin("+", count(top), u64(1))))]
        made.append(For(self.name("i"), c(r.randrange(1, len(nodes) + 1)), pop))
        return made + [self.mix_word(s, count(top))]

    def k_hash(self, s):
        """A hash table by address, with open addressing; then every key is looked up."""
        r, table = self.rng, self.rng.choice(s.cells)
        ty, by = r.choice([ULONG, LONG]), c(r.choice([2, 3, 4]))
        place = lambda v: Cast(INT, Bin("%", Bin(">>", Cast(ty, v), by), Const(CELLS, ty)))  # noqa: E731
        keys = r.sample(s.objects, min(3, len(s.objects)))
        made = [Assign(Index(table, c(k)), u64(0)) for k in range(CELLS)]
        at = lambda k, i: Index(table, Bin("&", Bin("+", place(k), Var(i, INT)), c(CELLS - 1)))  # noqa: E731
        for key in keys:
            i, k = self.name("i"), self.name("u")
            v = Var(k, ULONG)
            made += [Decl(k, ULONG, Cast(ULONG, key)),
                     For(i, c(CELLS), [Jump(CONTINUE, Bin("!=", at(v, i), u64(0))), Assign(at(v, i), v), Jump(BREAK, Bin("==", c(1), c(1)))])]
        for key in keys:
            i, k = self.name("i"), self.name("u")
            v = Var(k, ULONG)
            made += [Decl(k, ULONG, Cast(ULONG, key)),
                     For(i, c(CELLS), [Jump(CONTINUE, Bin("!=", at(v, i), v)), self.mix(s, Index(Cast(P, at(v, i)), c(r.randrange(4)))),
                                       Assign(Index(Cast(P, at(v, i)), c(1)), self.value(s, 1)), Jump(BREAK, Bin("==", c(1), c(1)))])]
        return made + [Assign(Index(table, c(k)), u64(0)) for k in range(CELLS)]

    def k_arena(self, s):
        """An arena of words contains numbers and addresses; the program traverses a chain of records in it."""
        r = self.rng
        ty = r.choice([ULONG, ULONG, UINT, USHORT])
        a, per, count = self.name("m"), 8 // ty.size, r.randrange(2, 4)
        arena, other = r.choice(s.arenas), r.choice(s.arenas)
        size = (WORDS // 4) * per
        view = lambda base, k: Shift(Cast(Pointer(ty), base), c(k * size))  # noqa: E731
        made, records = [], []
        for k in range(count):
            name = self.name("m")
            made.append(Decl(name, Pointer(ty), view(other if k == 1 else arena, k)))
            records.append(Var(name, Pointer(ty)))
        for k, record in enumerate(records):
            following = Cast(ULONG, records[k + 1]) if k + 1 < count else u64(0)
            word = self.name("u")
            made += [Decl(word, ULONG, following), Assign(Index(record, c(0)), Cast(ty, Cast(ULONG, self.value(s, 1))))]
            made += [Assign(Index(record, c(1 + j)), Cast(ty, Bin(">>", Var(word, ULONG), c(8 * ty.size * j)) if j else Var(word, ULONG)))
                     for j in range(per)]
            made.append(Assign(Index(record, c(1 + per)), Cast(ty, wide(Bin("&", Index(s.numbers, c(k)), c(0xffff))))))
        here, i = self.name("p"), self.name("i")
        v = Var(here, Pointer(ty))
        link = wide_of([Index(v, c(1 + j)) for j in range(per)], ty)
        body = [self.mix(s, Cast(INT, Bin("&", Index(v, c(0)), Const(0x7fff, ty)))), self.mix(s, Cast(INT, Bin("&", Index(v, c(1 + per)), Const(0x7fff, ty))))]
        step = self.name("u")
        if self.chance(0.5):
            body += [Decl(step, ULONG, link), Jump(BREAK, Bin("==", Var(step, ULONG), u64(0))), Assign(v, Cast(Pointer(ty), Var(step, ULONG)))]
        else:
            body += [If(Bin("<", Var(i, INT), c(count - 1)), [Assign(v, Cast(Pointer(ty), link))])]
        made += [Decl(here, Pointer(ty), records[0]), For(i, c(count), body)]
        return made + [Assign(Index(records[-1], c(0)), Cast(ty, Cast(ULONG, self.value(s, 1)))), self.mix(s, Cast(INT, Bin("&", Index(v, c(0)), Const(0x7fff, ty))))]

    def k_relative(self, s):
        """Distances from a base instead of addresses, as ints."""
        base, p, d = self.name("u"), self.rng.choice(s.objects), self.name("d")
        k = self.rng.randrange(4)
        made = [Decl(base, ULONG, Cast(ULONG, p), memory=self.chance(0.4)),
                Decl(d, INT, Cast(INT, Bin(">>", Bin("-", Cast(ULONG, Shift(p, c(k))), Var(base, ULONG)), c(2))), memory=self.chance(0.5))]
        back = Cast(P, Bin("+", Var(base, ULONG), Bin("<<", Cast(ULONG, Var(d, INT)), c(2))))
        return made + [self.mix(s, Var(d, INT)), Assign(Deref(back), self.value(s, 1)), self.mix(s, Deref(back))]

    def k_tagged_union(self, s):
        """Words that are numbers or addresses, distinguished by bits; a small interpreter processes them."""
        r = self.rng
        cells, i, v = r.choice(s.cells), self.name("i"), self.name("u")
        forms = [(lambda p: p, lambda n: Bin("|", Bin("<<", n, c(1)), u64(1)), lambda w: Bin("&", w, u64(1)), lambda w: Bin(">>", w, c(1)), lambda w: w),
                 (lambda p: p, lambda n: Bin("+", n, u64(1 << 48)), lambda w: Bin(">>", w, c(48)), lambda w: Bin("-", w, u64(1 << 48)), lambda w: w),
                 (lambda p: p, lambda n: Bin("^", n, u64(ALL)), lambda w: wide(Bin("<", Cast(LONG, w), Const(0, LONG))), lambda w: Bin("^", w, u64(ALL)), lambda w: w),
                 (lambda p: Bin("|", p, u64(1)), lambda n: Bin("<<", n, c(2)), lambda w: Bin("^", Bin("&", w, u64(1)), u64(1)), lambda w: Bin(">>", w, c(2)), lambda w: Bin("-", w, u64(1)))]
        box, number, is_number, value, address = r.choice(forms)
        made = [Assign(Index(cells, c(k)), self.word_of(s, box, self.object(s)) if r.random() < 0.5 else self.through(number, wide(self.value(s, 1))))
                for k in range(CELLS)]
        w = Var(v, ULONG)
        p = Cast(P, address(w))
        body = [Decl(v, ULONG, Index(cells, Var(i, INT))),
                If(Bin("!=", is_number(w), u64(0)), [self.mix_word(s, value(w))] + ([Assign(Index(cells, Var(i, INT)), number(Bin("&", Bin("+", value(w), u64(1)), u64(0xffff))))] if self.chance(0.5) else []),
                   [self.mix(s, Index(p, c(r.randrange(4))))] + ([Assign(Index(p, c(2)), self.value(s, 1))] if self.chance(0.5) else []))]
        return made + [For(i, c(CELLS), body)]

    # ---- Addresses that functions take apart (ways.py) ---------------------------------------------------------------------------

    def way(self, body, params, result):
        fn = Function(self.name("f") + self.tag, ULONG, params, [Body(body, result)], self.rng.choice(["", "__attribute__((noinline)) "]))
        self.program.functions.append(fn)
        return fn

    def any_number(self, s):
        return Bin("&", self.value(s, 1), c(0xffff))

    def k_way(self, s):
        """One to three functions of ways.ONE, one after the other."""
        made, v = self.carried(s, [Cast(ULONG, self.object(s)) for _ in range(2)])
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            fn = self.way(self.rng.choice(ways.ONE)(self.rng), [("v", ULONG), ("t", INT)], lambda f: f["v"])
            v = Call(fn, [v, self.any_number(s)])
            if self.chance(0.5):
                more, v = self.carried(s, [v])
                made += more
        return made + self.arrived(s, v)

    def k_way_of_two(self, s):
        """A function of ways.TWO returns one of two addresses, or of an address and a number that is not made a pointer."""
        body = self.rng.choice(ways.TWO)(self.rng) + "\nreturn t & 1 ? v : w;"
        fn = self.way(body, [("v", ULONG), ("w", ULONG), ("t", INT)], lambda f: f["v"] if f["t"] & 1 else f["w"])
        words, t = [Cast(ULONG, self.object(s)) for _ in range(2)], self.any_number(s)
        if self.chance(0.2):
            which = self.rng.randrange(2)
            words[which] = Bin("|", Bin("<<", Cast(ULONG, self.value(s, 1)), c(self.rng.randrange(60))), u64(1))
            t = Bin("^", Bin("|", t, c(1)), c(1 - which))  # so that the result is the address
        made, v = self.carried(s, [Call(fn, [*words, t])])
        return made + self.arrived(s, v)

    # ---- The kernel -----------------------------------------------------------------------------------------------------------

    def address_gadgets(self, s, count):
        made = []
        for _ in range(count):
            kind = self.options["kind"]
            body = self.encoded(s, ENCODED[kind]) if kind in ENCODED else getattr(self, "k_" + kind)(s)
            wrap = self.rng.randrange(6)
            if wrap == 0:
                body = [If(self.condition(s), body)]
            elif wrap == 1:
                body = [For(self.name("i"), c(2), body)]
            made += body
        return made

    def make_addresses(self, s):
        """Returns the whole program; options: `kind`, and `spaces`, the memories whose addresses its integers contain. `s` is an empty
        scope."""
        r, program = self.rng, self.program
        program.kind, program.spaces = self.options["kind"], self.options["spaces"]
        program.group_size = r.choice([1, 2, 4])
        program.items = program.group_size * r.choice([1, 2])
        ints, items = Pointer(INT, "global"), program.items
        numbers = lambda n: ",".join(str(r.randrange(1000)) for _ in range(n))  # noqa: E731
        program.args = [("a", ints, "buffer:int:" + numbers(items * INTS)), ("b", ints, "buffer:int:" + numbers(items * NUMBERS)),
                        ("out", ints, f"zero:{items * OUT * 4}"), ("hp", Pointer(ULONG, "global"), f"zero:{items * (WORDS + CELLS) * 8}"),
                        ("n", INT, f"int:{r.randrange(8)}")]
        if program.kind in NARROW:
            program.features.add("48-bit addresses")
        body = self.memories(s) + self.address_gadgets(s, r.randrange(1, 4))
        program.body = body + self.what_is_left(s)

    def memories(self, s):
        """Statements that declare and fill the program's memories, which are added to the scope."""
        program, spaces = self.program, self.options["spaces"]
        group, i = program.group_size, Var("i", INT)
        gid, lid = Var("gid", INT), Var("lid", INT)
        s.ints = ["acc", "n"]
        s.numbers = Cast(P, Shift(Var("b", Pointer(INT, "global")), Bin("*", gid, c(NUMBERS))))
        s.leak = Shift(Var("out", Pointer(INT, "global")), Bin("+", Bin("*", gid, c(OUT)), c(40)))
        body = [Decl("gid", INT, Item("global")), Decl("lid", INT, Item("local")), Decl("acc", INT, c(1))]
        ld, lw, lc = Array(INT, INTS * group), Array(ULONG, WORDS * group), Array(ULONG, CELLS * group)
        pd, pw, pc = Array(INT, INTS), Array(ULONG, WORDS), Array(ULONG, CELLS)
        first = lambda name, ty, per: AddrOf(Index(Var(name, ty), Bin("*", lid, c(per)) if per else c(0)))  # noqa: E731
        body += [Decl("ld", ld, space="local"), Decl("lw", lw, space="local"), Decl("lc", lc, space="local")]
        body += [Decl("pd", pd), Decl("pw", pw), Decl("pc", pc)]
        hp = Shift(Var("hp", Pointer(ULONG, "global")), Bin("*", gid, c(WORDS + CELLS)))
        body += [Decl("hw", Pointer(ULONG, "global"), hp)]
        hw = Var("hw", Pointer(ULONG, "global"))
        s.data = {"private": first("pd", pd, 0), "local": first("ld", ld, INTS),
                  "global": Cast(P, Shift(Var("a", Pointer(INT, "global")), Bin("*", gid, c(INTS))))}
        words = {"private": first("pw", pw, 0), "local": first("lw", lw, WORDS), "global": Cast(WORD, hw)}
        cells = {"private": first("pc", pc, 0), "local": first("lc", lc, CELLS), "global": Cast(WORD, Shift(hw, c(WORDS)))}
        # A word in a buffer may come from the host, so words there are used only with global addresses, or with all memories.
        s.cells = [cells[space] for space in ("private", "local", "global") if space != "global" or spaces != ("private",) and spaces != ("local",)]
        s.objects = [Shift(s.data[space], c(k)) if k else s.data[space] for space in spaces for k in (0, 4, 8, 12)]
        s.arenas = [words[space] for space in spaces]
        s.nodes = [Shift(words[space], c(k)) if k else words[space] for space in spaces for k in (0, 4, 10, 14)]
        s.pointers = [(p, 4) for p in s.objects]
        body += [For("i", c(INTS), [Assign(Index(s.data[space], i), Bin("+", Bin("*", i, c(7)), Bin("&", gid, c(7))))])
                 for space in spaces if space != "global"]
        body += [For("i", c(CELLS), [Assign(Index(cells[space], i), u64(0))]) for space in ("private", "local")]
        return body

    def what_is_left(self, s):
        """Stores the final data to `out`; addresses in global memory have no known value."""
        gid, i = Var("gid", INT), Var("i", INT)
        out = Shift(Var("out", Pointer(INT, "global")), Bin("*", gid, c(OUT)))
        body = [Assign(Index(out, c(0)), Var("acc", INT))]
        for k, space in enumerate(x for x in self.options["spaces"] if x != "global"):
            body.append(For("i", c(INTS), [Assign(Index(out, Bin("+", i, c(1 + INTS * k))), Index(s.data[space], i))]))
        body.append(For("i", c(WORDS + CELLS), [Assign(Index(Var("hw", Pointer(ULONG, "global")), i), u64(0))]))
        return body


def wide_of(parts, ty):
    """Combines parts to a ulong, the lowest first."""
    whole = Cast(ULONG, parts[0])
    for j, part in enumerate(parts[1:], 1):
        whole = Bin("|", whole, Bin("<<", Cast(ULONG, part), c(8 * ty.size * j)))
    return whole


ENCODED = {"low_tag": low_tag, "high_tag": high_tag, "nan_box": nan_box, "shifted": shifted, "scaled": scaled, "compressed": compressed,
           "fixnum": fixnum_word, "sign_link": sign_link, "paged": paged, "turned": turned, "from_null": from_null}
KINDS = [*ENCODED, "bit_field", "one_based", "two_addresses", "xor_list", "aba_stack", "hash", "arena", "relative", "tagged_union", "way", "way_of_two"]
# Kinds that store into the upper 16 bits of an address, or shift it left.
NARROW = {"high_tag", "nan_box", "shifted", "scaled", "compressed", "bit_field", "aba_stack", "tagged_union"}
SPACES = [("private",), ("local",), ("global",), ("private", "local"), ("private", "global"), ("local", "global"), ("private", "local", "global")]
