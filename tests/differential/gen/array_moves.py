# SPDX-License-Identifier: Apache-2.0
"""Steps that move pointers in and between objects (see arrays.py): each method s_* returns statements.

A step usually begins at a pointer that is unusual in its object, or at the one that the step before has moved.
"""
from lang import *  # noqa: F401,F403
from array_places import BYTES, c, Face, holds, KNOWN, P, parts_of, Places, PP, Thing, word
import pointers_builtin as lib


class Moves(Places):
    """A mixin of ArrayGrower."""

    # ---- Steps: each returns statements ---------------------------------------------------------------------------------------------

    def some_place(self, of):
        """An offset where a pointer may lie."""
        leaves = [x[1] for x in of.parts() if holds(x[3]) and x[1] % P.align in (0, x[3].align)]
        if self.chance(0.4):  # at the end of an array, or before its beginning
            ends = {at for _, at, _, ty in of.parts() if isinstance(ty, Array) for at in (at - P.size, at + ty.size - P.size)}
            leaves = [at for at in leaves if at in ends] or leaves
        return self.rng.choice(leaves) if leaves else P.size * self.rng.randrange(of.size // P.size)

    def s_store(self):
        of, at = self.rng.choice(self.things), None
        if self.last and self.chance(0.6):
            of, at = self.last
            at += P.size * self.rng.randrange(-2, 4)
        if at is None or not 0 <= at <= of.size - P.size:
            at = self.some_place(of)
        target = self.some_target(of, self.chance(0.7))
        if at + 2 * P.size <= of.size and at % P.align == 0 and self.chance(0.25):
            return self.write_two(of, at, target, self.some_target(of, self.chance(0.5)))
        return self.write(of, at, target)

    def write_two(self, of, at, *targets):
        """Stores two pointers at once."""
        there = self.wide(self.address(of, at, 2 * P.size), 2)
        both = VecLit(Vector(word(), 2), [Cast(word(), self.target(t)) for t in targets])
        of.receive(at, 2 * P.size, [(k * P.size, t) for k, t in enumerate(targets)])
        return [Assign(there, both if there.ty.elem is word() else As(Vector(there.ty.elem, there.ty.n), both))]

    def source(self):
        """(object, offset of a pointer in it that is worth copying), or None"""
        every = [(of, at) for of in self.things for at in of.words]
        odd = [(of, at) for of, at in every if of.words[at][0] != of.home]
        fresh = [x for x in [self.last] if x and x[1] in x[0].words]
        choices = [x for x in (fresh, odd, every, every) if x]
        return self.rng.choice(self.rng.choice(choices)) if choices else None

    def s_copy(self):
        """Copies some words, of which one is a known pointer, to any place where they fit."""
        found = self.source()
        if not found:
            return []
        (of, at), w = found, P.size
        to = self.rng.choice([x for x in self.things if x is not of] or self.things)
        if self.chance(0.12):
            to = of
        count = self.rng.choice([1, 2, 2, 3, 4, 4, 5, 8])
        inside = self.rng.randrange(count)
        there = self.some_place(to)
        first, target = at - inside * w, there - inside * w
        size = min(count * w, of.size - first, to.size - target)
        if first < 0 or target < 0 or size <= inside * w or size % w or to is of and first == target:
            return []
        self.last = to, there
        return self.copied(to, target, of, first, size)

    def copied(self, to, target, of, first, size):
        held, overlap = of.held(first, size), to is of and abs(target - first) < size
        d, s = self.address(to, target, size), self.address(of, first, size)
        to.receive(target, size, held)
        kinds = ["bytes", "bytes", "bytes", "call"]
        if target % P.align == 0 and first % P.align == 0:
            kinds += ["loop" if self.stays(to, target, size) and self.stays(of, first, size) else "struct", "struct", "struct", "struct", "struct_call"]
            if size // P.size in (2, 4) and size % P.size == 0:
                kinds += ["vector", "vector"]
        if self.is_known_range(of, first, size) and "loop" in kinds:
            kinds.append("pieces")
        return getattr(self, "c_" + self.rng.choice(kinds))(d, s, size, overlap, target > first)

    def is_known_range(self, of, first, size):
        return all(o in of.words for o in range(first, first + size, P.size))

    def c_bytes(self, d, s, size, overlap, _):
        move = lib.memmove if overlap or self.chance(0.2) else lib.memcpy
        to = self.rng.choice([BYTES, PP])
        if isinstance(d, Shift) or isinstance(s, Shift):
            to = BYTES  # a pointer to pointers must have their alignment
        return [Do(move(Cast(to, d), Cast(to, s), size))]

    def c_call(self, d, s, size, overlap, _):
        move = lib.memmove if overlap else lib.memcpy
        fn = self.helper(f"move{size}_" + ("over" if overlap else ""), VOID, [("d", BYTES), ("s", BYTES)],
                         [Do(move(Var("d", BYTES), Var("s", BYTES), size))])
        return [Do(Call(fn, [d, s]))]

    def c_loop(self, d, s, size, overlap, down, ty=None):
        """Copies element by element, in the direction in which overlapping ranges can be moved."""
        ty, i = ty or self.rng.choice([P, P, word()]), self.name("i")
        to, n, k = Pointer(ty), size // ty.size, Var(i, INT)
        if overlap and down:
            k = Bin("-", c(n - 1), k)
        count = self.index(n) if n < KNOWN else c(n)
        if self.chance(0.3):
            fn = self.helper(f"walk{'_down' if overlap and down else ''}", VOID, [("d", to), ("s", to), ("n", INT)], [
                For("i", Var("n", INT), [Assign(Index(Var("d", to), self.turned(overlap and down)),
                                                Index(Var("s", to), self.turned(overlap and down)))])])
            return [Do(Call(fn, [Cast(to, d), Cast(to, s), count]))]
        if self.chance(0.5):
            x, y = self.name("d"), self.name("s")
            return [Decl(x, to, Cast(to, d)), Decl(y, to, Cast(to, s)),
                    For(i, count, [Assign(Index(Var(x, to), k), Index(Var(y, to), k))])]
        return [For(i, count, [Assign(Index(Cast(to, d), k), Index(Cast(to, s), k))])]

    @staticmethod
    def turned(down):
        return Bin("-", Bin("-", Var("n", INT), c(1)), Var("i", INT)) if down else Var("i", INT)

    def c_pieces(self, d, s, size, overlap, down):
        """Copies in parts of words; all bytes of the source are known to be initialized."""
        return self.c_loop(d, s, size, overlap, down, self.rng.choice([UCHAR, UINT]) if not isinstance(d, Shift) else UCHAR)

    def moved_type(self, size):
        n = size // P.size
        choices = [[("v", Array(P, n))], [("w", Array(word(), n))]]
        if n == 2:
            choices += [[("a", P), ("b", P)], [("n", word()), ("p", P)]]
        if n > 2:
            choices += [[("q", P), ("v", Array(P, n - 1))], [("v", Array(P, n - 1)), ("q", P)]]
        return self.shared(self.rng.choice(choices))

    def c_struct(self, d, s, size, overlap, down):
        if overlap:  # C does not define such an assignment, and drivers copy it in different ways
            return self.c_bytes(d, s, size, overlap, down)
        to = Pointer(self.moved_type(size))
        return [Assign(Deref(Cast(to, d)), Deref(Cast(to, s)))]

    def c_struct_call(self, d, s, size, overlap, down):
        if overlap:
            return self.c_bytes(d, s, size, overlap, down)
        to = Pointer(self.moved_type(size))
        fn = self.helper("copy", VOID, [("d", to), ("s", to)], [Assign(Deref(Var("d", to)), Deref(Var("s", to)))])
        return [Do(Call(fn, [Cast(to, d), Cast(to, s)]))]

    def c_vector(self, d, s, size, *_):
        """Copies as one vector, of words or of halves of them."""
        if self.chance(0.7):
            to = self.wide(d, size // P.size)
            return [Assign(to, Field(Deref(Cast(Pointer(to.e.ty), s)), "x"))]
        ty, name, to = Vector(word(), size // P.size), self.name("v"), Pointer(word())
        return [Decl(name, ty, lib.vload_of(ty, Cast(to, s))), Do(lib.vstore_of(Var(name, ty), Cast(to, d)))]

    def s_assign(self):
        """Assigns parts of the same type, or the elements of arrays of the same type."""
        found = self.source()
        if not found:
            return []
        of, at = found
        around = [x for x in of.parts() if isinstance(x[3], (Record, Array)) and x[1] <= at and at + P.size <= x[1] + x[3].size]
        pairs = [(x, other, y) for x in around for other in self.things for y in other.parts()
                 if y[3] is x[3] and (other is not of or y[1] != x[1])]
        if not pairs:
            return self.s_copy()
        (face, first, steps, ty), to, (face2, target, steps2, _) = self.rng.choice(pairs)
        a, b = self.along(face, steps)[0], self.along(face2, steps2)[0]
        if to is of and abs(target - first) < ty.size:
            return []
        self.last = to, target + at - first
        to.receive(target, ty.size, of.held(first, ty.size))
        if isinstance(ty, Record):
            return [self.rng.choice([Assign(b, a), Assign(b, a), Do(lib.memcpy(AddrOf(b), AddrOf(a), ty.size))])]
        i = self.name("i")
        if isinstance(ty.elem, Record) and self.chance(0.6):
            return [For(i, c(ty.n), [Assign(Index(b, Var(i, INT)), Index(a, Var(i, INT)))])]
        return [Do(lib.memcpy(AddrOf(b), AddrOf(a), ty.size))]

    def s_elements(self):
        """Moves the elements of an array: a shift, a rotation, a reversal, an exchange, or into the order of their targets."""
        fit = [(of, x) for of in self.things for x in of.parts()
               if isinstance(x[3], Array) and x[3].n > 1 and not isinstance(x[3].elem, (Array, Vector)) and x[3].elem is not UCHAR
               and of.held(x[1], x[3].size) and (isinstance(x[3].elem, Record) or self.is_known_range(of, x[1], x[3].size))]
        if not fit:
            return []
        of, (face, at, steps, ty) = self.rng.choice(fit)
        v, _ = self.along(face, steps)
        kind = self.rng.choice(["up", "down", "turn", "reverse", "exchange", "sort"])
        if kind == "sort" and not (isinstance(ty.elem, Pointer) and self.is_known_range(of, at, ty.size)):
            kind = "exchange"
        order, made = getattr(self, "e_" + kind)(v, ty)
        if order is None:
            values = {t: self.values[t] for t in of.words.values()}
            order = sorted(range(ty.n), key=lambda k: values[of.words[at + k * P.size]])
        size = ty.elem.size
        held = [of.held(at + k * size, size) for k in order]
        for k, pointers in enumerate(held):
            of.receive(at + k * size, size, pointers)
        return made

    def e_up(self, v, ty):
        """v[i] = v[i - 1] from the end down to an index."""
        low, i = self.rng.randrange(ty.n - 1), self.name("i")
        k = Bin("-", c(ty.n - 1), Var(i, INT))
        return [*range(low + 1), *range(low, ty.n - 1)], [For(i, Bin("-", c(ty.n - 1), self.index(low)), [
            Assign(Index(v, k), Index(v, Bin("-", k, c(1))))])]

    def e_down(self, v, ty):
        low, i = self.rng.randrange(ty.n - 1), self.name("i")
        k = Bin("+", Var(i, INT), self.index(low))
        return [*range(low), *range(low + 1, ty.n), ty.n - 1], [For(i, c(ty.n - 1 - low), [
            Assign(Index(v, k), Index(v, Bin("+", k, c(1))))])]

    def e_turn(self, v, ty):
        name = self.name("t")
        _, made = self.e_down(v, ty)
        low = self.rng.randrange(ty.n - 1)
        i = self.name("i")
        k = Bin("+", Var(i, INT), c(low))
        made = [Decl(name, ty.elem, memory=True), Assign(Var(name, ty.elem), Index(v, self.index(low))),
                For(i, c(ty.n - 1 - low), [Assign(Index(v, k), Index(v, Bin("+", k, c(1))))]),
                Assign(Index(v, self.index(ty.n - 1)), Var(name, ty.elem))]
        return [*range(low), *range(low + 1, ty.n), low], made

    def swapped(self, ty, a, b):
        name = self.name("t")
        return [Decl(name, ty, memory=isinstance(ty, Record)), Assign(Var(name, ty), a), Assign(a, b), Assign(b, Var(name, ty))]

    def e_reverse(self, v, ty):
        i = self.name("i")
        k = Bin("-", c(ty.n - 1), Var(i, INT))
        return [*reversed(range(ty.n))], [For(i, c(ty.n // 2), self.swapped(ty.elem, Index(v, Var(i, INT)), Index(v, k)))]

    def e_exchange(self, v, ty):
        a, b = self.rng.sample(range(ty.n), 2)
        order = list(range(ty.n))
        order[a], order[b] = b, a
        return order, self.swapped(ty.elem, Index(v, self.index(a)), Index(v, self.index(b)))

    def e_sort(self, v, ty):
        i, j = self.name("i"), self.name("j")
        a, b = Index(v, Var(j, INT)), Index(v, Bin("+", Var(j, INT), c(1)))
        return None, [For(i, c(ty.n - 1), [For(j, c(ty.n - 1), [If(Bin(">", Deref(a), Deref(b)), self.swapped(ty.elem, a, b))])])]

    def s_members(self):
        """Rotates some pointers of one object, or of two."""
        every = [(of, at) for of in self.things for at in of.words if at % P.align == 0]
        if len(every) < 2:
            return []
        chosen = self.rng.sample(every, min(len(every), self.rng.randrange(2, 4)))
        if not all(of.space != "global" or self.leaky for of, _ in chosen):
            chosen = [(of, at) for of, at in chosen if of.space != "global"]
        places = [self.place(of, at) for of, at in chosen]
        if len(chosen) < 2 or None in places:
            return []
        name, as_value = self.name("t"), self.as_pointer
        made = [Decl(name, P, as_value(places[0]))]
        made += [self.stored(a, as_value(b)) for a, b in zip(places, places[1:])] + [self.stored(places[-1], Var(name, P))]
        targets = [of.words[at] for of, at in chosen]
        for (of, at), target in zip(chosen, targets[1:] + targets[:1]):
            of.put(at, target)
        return made

    def s_either(self):
        """A pointer to one of two parts of the same type; the part is read, written or copied through it."""
        by_type = {}
        for of in self.things:
            for x in of.parts():
                if isinstance(x[3], Record) and any(holds(t) for _, _, t in parts_of(x[3])):
                    by_type.setdefault(x[3], []).append((of, x))
        pairs = [(a, b) for same in by_type.values() for a in same for b in same if a[0] is not b[0]]
        if not pairs:
            return []
        one, other = self.rng.choice(pairs)
        (of, (_, at, _, ty)), to, name = one, Pointer(one[1][3]), self.name("q")
        ends = [Cast(to, AddrOf(self.along(x[0], x[2])[0])) for x in (one[1], other[1])]
        v, made = Var(name, to), []
        if self.chance(0.5):
            which = Bin("==", self.hidden(self.rng.randrange(KNOWN)), c(KNOWN))  # never
            made.append(Decl(name, to, Cond(which, ends[1], ends[0])))
        else:
            slots, pair = self.name("slot"), Array(to, 2)
            made = [Decl(slots, pair), Assign(Index(Var(slots, pair), c(0)), ends[0]), Assign(Index(Var(slots, pair), c(1)), ends[1]),
                    Decl(name, to, Null(to)), *self.fetched(v, to, pair, Var(slots, pair))]
        inner = Thing(name, ty.size, of.space, of.home)
        inner.faces.append(Face(inner, Deref(v)))
        inner.words = dict(of.held(at, ty.size))
        kind = self.rng.randrange(4)
        if kind == 0 and inner.words:
            return made + self.check(inner, self.rng.choice(sorted(inner.words)))
        if kind == 1:
            made += self.write(inner, self.some_place(inner), self.some_target(of, True))
            of.receive(at, ty.size, list(inner.words.items()))
            return made
        others = [z for z in self.things if z is not of]
        size = P.size * self.rng.randrange(1, ty.size // P.size + 1)
        first = P.size * self.rng.randrange((ty.size - size) // P.size + 1)
        z = self.rng.choice(others)
        there = self.some_place(z)
        if there + size > z.size:
            return made
        if kind == 2:
            self.last = z, there
            return made + self.copied(z, there, inner, first, size)
        made += self.copied(inner, first, z, there, size)
        of.receive(at, ty.size, list(inner.words.items()))
        return made

    def fetched(self, v, to, pair, slots):
        """Statements that set v to the first element of a table: at once, from a copy of the table, or in a function."""
        kind = self.rng.randrange(3)
        if kind == 0:
            return [Assign(v, Index(slots, self.hidden(0)))]
        if kind == 1:
            box, ty = self.name("box"), self.record([("n", word()), ("t", pair)])
            table = Field(Var(box, ty), "t")
            return [Decl(box, ty), Do(lib.memcpy(AddrOf(table), AddrOf(slots), pair.size)), Assign(v, Index(table, self.hidden(0)))]
        fn = self.helper("pick", to, [("t", Pointer(to)), ("i", INT)], [Return(Index(Var("t", Pointer(to)), Var("i", INT)))])
        return [Assign(v, Call(fn, [AddrOf(slots, to), self.hidden(0)]))]

    def s_gather(self):
        """Copies an element of each structure of an array, in a loop, to the elements of another array of any stride."""
        loose = [(of, x, k) for of in self.things for x in of.parts() if holds(x[3])
                 for k, step in enumerate(x[2]) if step == 0 and not isinstance(step, str)]
        full = [y for y in loose if y[1][1] in y[0].words]
        if not full:
            return []
        source, target = self.rng.choice(full), self.rng.choice(loose)
        if source[0] is target[0]:
            return self.s_copy()
        i, ends, strides = self.name("i"), [], []
        for of, (face, _, steps, _), k in (source, target):
            ty = next(t for f, _, s, t in of.parts() if f is face and s == steps[:k])
            ends.append(ty.n)
            strides.append(ty.elem.size)
        n = min(*ends, KNOWN)
        known = [k for k in range(n) if source[1][1] + k * strides[0] in source[0].words]
        n = next((k for k in range(n) if k not in known), n)
        here, there = (self.along(face, steps, {k: Var(i, INT)})[0] for _, (face, _, steps, _), k in (source, target))
        for k in range(n):
            target[0].put(target[1][1] + k * strides[1], source[0].words[source[1][1] + k * strides[0]])
        return [For(i, c(n), [self.stored(there, self.as_pointer(here))])]

    def s_reorder(self):
        """Loads words of one object as a vector, and stores them in another order."""
        every = [(of, at, n) for of in self.things for at in of.words for n in (2, 4) if self.is_known(of, at, n) and at % P.align == 0]
        if not every:
            return []
        of, at, n = self.rng.choice(every)
        to = self.rng.choice(self.things)
        target, size = self.some_place(to), n * P.size
        if target + size > to.size or target % P.align:
            return []
        order, name, ty = self.rng.sample(range(n), n), self.name("v"), Vector(word(), n)
        d, s = Cast(Pointer(word()), self.address(to, target, size)), Cast(Pointer(word()), self.address(of, at, size))
        held = [of.words[at + k * P.size] for k in order]
        to.receive(target, size, [(k * P.size, t) for k, t in enumerate(held)])
        return [Decl(name, ty, lib.vload_of(ty, s)), Do(lib.vstore_of(Swizzle(Var(name, ty), order), d))]

    def s_clear(self):
        """Sets some words of an object to zero."""
        of = self.rng.choice(self.things)
        at, size = self.some_place(of), P.size * self.rng.randrange(1, 5)
        if at + size > of.size:
            return []
        of.erase(at, size)
        return [Do(lib.memset0(self.address(of, at, size), size))]

    def s_by_value(self):
        """A function gets a structure by value, and returns it changed. The structure has no padding: C does not specify the padding of an
        argument, and Mesa does not copy it."""
        fit = [(of, x) for of in self.things for x in of.parts() if isinstance(x[3], Record) and of.held(x[1], x[3].size)
               and sum(leaf.size for _, _, leaf in parts_of(x[3])) == x[3].size]
        if not fit:
            return []
        of, (face, at, steps, ty) = self.rng.choice(fit)
        pairs = [(z, y) for z in self.things for y in z.parts() if y[3] is ty]
        to, (face2, there, steps2, _) = self.rng.choice(pairs)
        inner = Thing("", ty.size, "private", of.home)
        inner.faces.append(Face(inner, Var("x", ty)))
        leaves = [(o, s) for o, s, t in parts_of(ty) if isinstance(t, Pointer)]
        if to is of and at != there and abs(at - there) < ty.size or not leaves:
            return []
        offset, leaf = self.rng.choice(leaves)
        body = [Assign(self.along(inner.faces[0], leaf, {k: c(s) for k, s in enumerate(leaf)})[0], Var("p", P)), Return(Var("x", ty))]
        fn = self.helper("changed", ty, [("x", ty), ("p", P)], body)
        if fn.body is not body:
            return []
        target = self.some_target(to, self.chance(0.6))
        held = [(o, t) for o, t in of.held(at, ty.size) if not (o < offset + P.size and offset < o + P.size)]
        to.receive(there, ty.size, [*held, (offset, target)])
        return [Assign(self.along(face2, steps2)[0], Call(fn, [self.along(face, steps)[0], self.target(target)]))]

    def s_cursor(self):
        """A pointer moves over the elements of an array, and writes to each; or to one, after some steps."""
        fit = [(of, x) for of in self.things for x in of.parts() if isinstance(x[3], Array) and not isinstance(x[3].elem, (Array, Vector))
               and x[3].elem is not UCHAR and x[3].align > 1 and any(isinstance(t, Pointer) for _, _, t in parts_of(x[3].elem))]
        if not fit:
            return []
        of, (face, at, steps, ty) = self.rng.choice(fit)
        to, name, size = Pointer(ty.elem), self.name("e"), ty.elem.size
        v = Var(name, to)
        offset, leaf = self.rng.choice([(o, s) for o, s, t in parts_of(ty.elem) if isinstance(t, Pointer)])
        first = AddrOf(self.along(face, (*steps, 0))[0], ty.elem)
        target = self.some_target(of, self.chance(0.4))
        if self.chance(0.5):
            there, _ = self.along(Face(of, Deref(v)), leaf)
            low, high = sorted(self.rng.sample(range(ty.n + 1), 2))
            start, end = (Shift(first, self.index(k)) if k else first for k in (low, high))
            for k in range(low, high):
                of.put(at + k * size + offset, target)
            return [Walk(name, to, start, Bin("!=", v, end), Shift(v, c(1)), [Assign(there, self.target(target))])]
        by, i = self.rng.randrange(ty.n), self.name("i")
        k = self.rng.randrange(ty.n)
        there, _ = self.along(Face(of, Index(v, c(k - by))), leaf)
        of.put(at + k * size + offset, target)
        return [Decl(name, to, first), For(i, self.index(by), [Assign(v, Shift(v, c(1)))]), Assign(there, self.target(target))]

    def check(self, of, at):
        made, p = self.read(of, at)
        acc = Var("acc", INT)
        return made + [Assign(acc, Bin("&", Bin("+", Bin("*", acc, c(3)), Deref(p)), c(0xfffff)))]

    STEPS = ["store", "store", *["copy"] * 5, "assign", "assign", "elements", "members", *["either"] * 4, "gather", "reorder",
             "clear", "by_value", "cursor"]
