# SPDX-License-Identifier: Apache-2.0
"""Programs whose pointers lie in nested arrays, packed structures, unions and arenas, and move there by copies.

Inference must know for each part of an object which addresses it may hold. These programs let that matter: most pointers in an object
lead to one memory, one or two are brought there from elsewhere in an unusual way (array_moves.py), and are then read in another way. A pointer
whose memory inference loses reads the wrong number.

    objects    declared ones in private and local memory, parts of a buffer, arenas of words or bytes with structures in them (this file)
    places     expressions for the pointer at an offset of an object (array_places.py)
    steps      stores, copies, assignments, element-wise moves, pointers to one of two objects (array_moves.py)

The generator knows all indices, and what each object holds, so that it reads only what is a pointer; the simulator checks it. The compiler
knows only the constants: an index comes from a variable, the buffer of numbers, or a loop.
As in C, an index of a variable stays in its array, and a copy that begins at a variable index ends in the array of this element.
"""
import random

from lang import *  # noqa: F401,F403
from array_moves import Moves
from array_places import BYTES, c, Face, holds, innermost, KNOWN, P, parts_of, SPACES, TARGETS, Thing, unaligned, word

BUFFER = 48  # the number of ulongs of the buffer that each object in it occupies


class ArrayGrower(Moves):
    """Grows one program; `tag` is the suffix of the names of kernel and functions, as in grow.Grower."""

    def __init__(self, seed, tag=""):
        self.rng, self.tag, self.count = random.Random(seed), tag, 0
        self.program = Program("k" + tag, None)

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, p):
        return self.rng.random() < p

    # ---- Types ------------------------------------------------------------------------------------------------------------

    def record(self, fields, **how):
        made = Record(self.name("r") + self.tag, fields, **how)
        self.program.records.append(made)
        return made

    def small(self):
        """A structure of a few pointers and numbers, which arrays have as elements."""
        r, n, kind = self.rng, self.rng.randrange(2, 5), self.rng.randrange(9)
        if kind == 0:
            return self.record([("n", word()), ("p", P)])
        if kind == 1:
            return self.record([("p", P), ("n", r.choice([UINT, word()]))])
        if kind == 2:
            return self.record([("a", P), ("b", P)])
        if kind == 3:
            return self.record([("n", word()), ("v", Array(P, n))])
        if kind == 4:
            return self.record([("v", Array(P, n)), ("q", P)])
        if kind == 5:
            return self.record([("n", UINT), ("p", P), ("m", word())])
        if kind == 6:
            return self.record([("a", P), ("n", word()), ("b", P)])
        if kind == 7:
            return self.overlaid(n)
        number = unaligned(r.choice([UCHAR, USHORT, UINT]))
        member = unaligned(r.choice([P, Array(P, n)]))
        return self.record(r.choice([[("n", number), ("p", member)], [("p", member), ("n", number), ("q", unaligned(P))]]), packed=1)

    def overlaid(self, n):
        """A union of pointers with words, bytes or vectors."""
        others = [("w", Array(word(), n)), ("b", Array(UCHAR, n * P.size))]
        if n in (2, 4):
            others.append(("x", Vector(word(), n)))
        return self.record([("v", Array(P, n)), *self.rng.sample(others, self.rng.randrange(1, len(others) + 1))], union=True)

    def member(self, depth):
        r, kind = self.rng, self.rng.random()
        if kind < 0.2:
            return P
        if kind < 0.28:
            return word()
        if kind < 0.31:
            return Array(UCHAR, 8 * r.randrange(1, 4))
        if kind < 0.5 or depth == 0:
            return Array(P, r.randrange(2, 5))
        if kind < 0.57:
            return self.small()
        if kind < 0.65:
            return Array(Array(P, r.randrange(2, 4)), r.randrange(2, 4))
        return Array(self.structure(depth - 1) if kind > 0.93 else self.small(), r.randrange(2, 5))

    def structure(self, depth):
        while True:
            known = len(self.program.records)
            fields = [(f"m{i}", self.member(depth)) for i in range(self.rng.randrange(1, 4))]
            if sum(ty.size for _, ty in fields) <= 280 and any(holds(ty) for _, f in fields for _, _, ty in parts_of(f)):
                return self.record(fields)
            del self.program.records[known:]

    def nested(self):
        """An array inside of the elements of another array, with members beside both."""
        r, beside = self.rng, lambda name: [(name, r.choice([P, word(), Array(P, 2)]))] if r.random() < 0.5 else []
        inner = Array(P, r.randrange(2, 5)) if r.random() < 0.7 else Array(self.small(), 2)
        element = self.record([*beside("n"), ("v", inner), *beside("q")])
        return self.record([*beside("head"), ("a", Array(element, r.randrange(2, 4))), *beside("tail")])

    def whole(self):
        """The type of an object."""
        if self.known_types and self.chance(0.55):
            return self.rng.choice(self.known_types)
        kind = self.rng.random()
        if kind < 0.35:
            made = self.nested()
        elif kind < 0.6:
            made = self.structure(2)
        elif kind < 0.75:
            made = Array(self.small(), self.rng.randrange(2, 5))
        elif kind < 0.9:
            made = Array(self.structure(1), 2)
        else:
            made = Array(P, self.rng.randrange(2, 7))
        if made.size > 8 * BUFFER:
            return self.whole()
        self.known_types.append(made)
        return made

    # ---- Objects ------------------------------------------------------------------------------------------------------------------

    def declared(self, space=None):
        ty, name = self.whole(), self.name("o")
        space = space or self.rng.choice(["private", "private", "private", "local", "global"])
        if isinstance(innermost(ty), Pointer):
            space = "private"  # `local int *v[2]` would be an array of pointers to local memory
        home = "global" if space == "global" and not self.leaky else self.rng.choice(SPACES)
        of = Thing(name, ty.size, space, home)
        if space == "global":
            start = Shift(Var("hp", Pointer(ULONG, "global")), c(BUFFER * self.buffers))
            self.buffers += 1
            to = Pointer(ty, self.rng.choice(["global", "global", ""]))
            self.body.append(Decl(name, to, Cast(to, start)))
            of.faces.append(Face(of, Deref(Var(name, to))))
        else:
            self.body.append(Decl(name, ty, space="local" if space == "local" else "", aligned=32))
            of.faces.append(Face(of, Var(name, ty)))
        return of

    def arena(self):
        """Storage for some structures, one behind the other."""
        r, name = self.rng, self.name("arena")
        ty = self.whole() if self.chance(0.4) else self.small()
        if isinstance(ty, Record) and ty.align == 1:
            ty = self.pair_type()
        count, gap = r.randrange(1, 4), r.choice([0, 0, 1])
        step = max(8, ty.align)  # a union with a vector is more aligned than a pointer
        stride = -(-ty.size // step) * step + step * gap
        size = 16 * -(-stride * count // 16) + r.choice([0, 16])
        if size > 8 * BUFFER:
            return self.declared()
        of = Thing(name, size, r.choice(["private", "private", "local"]), r.choice(SPACES))
        unit = r.choice([word(), word(), UCHAR])
        whole = Array(unit, size // unit.size)
        self.body.append(Decl(name, whole, space="local" if of.space == "local" else "", aligned=32))
        of.faces.append(Face(of, Var(name, whole)))
        for i in range(count):
            start = Cast(Pointer(ty), Shift(AddrOf(Var(name, whole)), self.index(i * stride // unit.size)))
            if self.chance(0.5):
                node = self.name("n")
                self.body.append(Decl(node, Pointer(ty), start))
                start = Var(node, Pointer(ty))
            of.faces.append(Face(of, Deref(start), i * stride))
        if not gap and stride == ty.size and count > 1 and self.chance(0.5):
            of.faces.append(Face(of, Deref(Cast(Pointer(Array(ty, count)), AddrOf(Var(name, whole))))))
        if self.chance(0.6) and not isinstance(ty, Array):
            self.bump(of, ty, Var(name, whole), unit, stride, count)
        return of

    def bump(self, of, ty, storage, unit, stride, count):
        """A loop allocates the structures, and initializes a pointer in each."""
        leaves = [(o, s) for o, s, t in parts_of(ty) if holds(t)]
        offset, steps = self.rng.choice(leaves)
        used, node, i, to = self.name("used"), self.name("n"), self.name("i"), Pointer(ty)
        target = self.some_target(of, False)
        there, _ = self.along(Face(of, Deref(Var(node, to))), steps)
        value = self.target(target)
        self.body += [Decl(used, INT, c(0)),
                      For(i, c(count), [Decl(node, to, Cast(to, Shift(AddrOf(storage), Var(used, INT)))),
                                        Assign(Var(used, INT), Bin("+", Var(used, INT), c(stride // unit.size))),
                                        self.stored(there, value)])]
        for k in range(count):
            of.put(k * stride + offset, target)

    def fill(self, of):
        """Statements that store the address of one target in some members, in all elements or at single indices."""
        leaves = [x for x in of.parts() if holds(x[3])]
        if not leaves:
            return self.write(of, P.size * self.rng.randrange(of.size // P.size), self.some_target(of, False))
        face, _, steps, _ = self.rng.choice(leaves)
        target, loops, names = self.some_target(of, self.chance(0.1)), {}, []
        for k, step in enumerate(steps):
            if not isinstance(step, str) and self.chance(0.75):
                name = self.name("i")
                names.append((k, name))
                loops[k] = Index(Var("b", Pointer(INT, "global")), Var(name, INT)) if self.chance(0.5) else Var(name, INT)
        counts = {}
        for k, _ in names:
            ty = next(t for f, _, s, t in of.parts() if f is face and s == steps[:k])
            counts[k] = min(ty.n, KNOWN)
        there, _ = self.along(face, steps, loops)
        value = self.target(target)
        body = [self.stored(there, value)]
        for k, name in reversed(names):
            body = [For(name, c(counts[k]), body)]
        reached = [steps]
        for k, _ in names:
            reached = [(*s[:k], i, *s[k + 1:]) for s in reached for i in range(counts[k])]
        for other in reached:
            of.put(next(o for f, o, s, _ in of.parts() if f is face and s == other), target)
        return body

    # ---- The kernel ------------------------------------------------------------------------------------------------------------------

    def grow(self):
        """-> the whole program: one work-item."""
        r, program, ints = self.rng, self.program, Pointer(INT, "global")
        program.kind, program.spaces, program.scratch = "arrays", SPACES, {"hp"}
        self.known_types, self.views, self.helpers, self.things = [], {}, {}, []
        self.body, self.buffers, self.last = [], 0, None
        self.leaky, self.variable = self.chance(0.1), r.choice([0.1, 0.3, 0.6])
        self.styles = ["typed"] + r.sample(["words", "bytes", "view", "view", "beside", "array", "array"], 2)
        numbers = r.sample(range(1, 1000), TARGETS)
        self.values = {(space, k): numbers[k] + 1000 * j for j, space in enumerate(SPACES) for k in range(TARGETS)}
        program.args = [("a", ints, "buffer:int:" + ",".join(str(n + 2000) for n in numbers)),
                        ("b", ints, "buffer:int:" + ",".join(map(str, range(KNOWN)))), ("out", ints, "zero:64"),
                        ("hp", Pointer(ULONG, "global"), f"zero:{8 * BUFFER * 5}"), ("la", Pointer(INT, "local"), f"local:{4 * TARGETS}")]
        self.targets()
        for _ in range(r.randrange(2, 4)):
            self.things.append(self.arena() if self.chance(0.3) else self.declared())
        if not self.buffers and self.chance(0.4):
            self.things.append(self.declared("global"))
        for of in self.things:
            for _ in range(r.randrange(0, 4)):
                self.body += self.fill(of)
        for _ in range(r.randrange(3, 9)):
            self.step()
        self.finish()
        program.body = self.body
        return program

    def targets(self):
        """Declares the ints that pointers lead to. The global ones are those of an argument, or lie in the buffer of the objects."""
        own, to, i = Array(INT, TARGETS), Pointer(INT, "global"), Var("i", INT)
        given, far, near = Var("a", to), Var("gx", to), Var("la", Pointer(INT, "local"))
        start = given if self.chance(0.5) else Cast(to, Shift(Var("hp", Pointer(ULONG, "global")), c(4 * BUFFER)))
        fill = [Assign(Index(near, i), Bin("-", Index(given, i), c(1000))), Assign(Index(Var("own", own), i), Bin("-", Index(given, i), c(2000)))]
        if start is not given:
            fill.append(Assign(Index(far, i), Index(given, i)))
        self.body += [Decl("acc", INT, c(1)), Decl("own", own), Decl("gx", to, start), For("i", c(TARGETS), fill), Decl("G", P, Cast(P, far)),
                      Decl("L", P, Cast(P, near)), Decl("O", P, AddrOf(Var("own", own)))]
        self.body += [Decl(f"k{k}", INT, Index(Var("b", Pointer(INT, "global")), c(k))) for k in range(KNOWN)]

    def step(self):
        """Adds one step to the program, unless it would store a private or local address in the buffer, after which all
        pointers in buffers would be ambiguous."""
        saved = [(of, dict(of.words)) for of in self.things]
        made = getattr(self, "s_" + self.rng.choice(self.STEPS))()
        if not self.leaky and any(t[0] != "global" for of in self.things if of.space == "global" for t in of.words.values()):
            for of, words in saved:
                of.words = words
            return
        self.body += made

    def finish(self):
        """Reads many of the pointers, first those that lead to unusual memories, and writes through one; then shows the targets."""
        if self.chance(0.6):
            self.styles, self.variable = ["typed"], 0.1
        every = [(of, at) for of in self.things for at in sorted(of.words)]
        odd = [x for x in every if x[0].words[x[1]][0] != x[0].home]
        chosen = self.rng.sample(odd, min(len(odd), 6)) + self.rng.sample(every, min(len(every), 4))
        for of, at in chosen:
            self.body += self.check(of, at)
        if chosen:
            of, at = chosen[0]
            made, p = self.read(of, at)
            self.body += [*made, Assign(Deref(p), c(7)), *self.check(*chosen[-1])]
        out = Var("out", Pointer(INT, "global"))
        self.body.append(Assign(Index(out, c(0)), Var("acc", INT)))
        for j, name in enumerate(("own", "la")):
            ty = Array(INT, TARGETS) if name == "own" else Pointer(INT, "local")
            self.body += [Assign(Index(out, c(1 + TARGETS * j + k)), Index(Var(name, ty), c(k))) for k in range(TARGETS)]
