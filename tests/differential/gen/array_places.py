# SPDX-License-Identifier: Apache-2.0
"""Objects that hold pointers, and expressions for the pointer at an offset (see arrays.py).

A face is a place and a type by which a program knows an object: its declaration; for an arena, each structure in it. A place is reached
through a face, as an element of words or of an array of pointers, at an offset in bytes, through a structure that is laid over a part, or
at a constant distance from another part.
"""
import copy

from lang import *  # noqa: F401,F403
import pointers_builtin as lib

P = Pointer(INT)
PP = Pointer(P)
BYTES = Pointer(UCHAR)
KNOWN = 8                               # the numbers that variables and a buffer hold: 0 to 7
TARGETS = 4                             # ints in each memory that the pointers lead to
SPACES = ("private", "local", "global")


def c(v):
    return Const(v)


def word():
    """The type of an integer as wide as an address."""
    return ULONG if P.size == 8 else UINT


def holds(ty):
    """True if a value of the type may be a pointer."""
    return isinstance(ty, Pointer) or isinstance(ty, Scalar) and ty.size == P.size and ty.kind == "u"


def unaligned(ty, align=1):
    """The type as a member of a packed structure."""
    if isinstance(ty, Array):
        return Array(unaligned(ty.elem), ty.n)
    made = copy.copy(ty)
    made.align = align
    return made


def innermost(ty):
    """The type of the elements of an array, of the innermost one if it has more dimensions."""
    while isinstance(ty, Array):
        ty = ty.elem
    return ty


def parts_of(ty, at=0, steps=()):
    """Yields (offset, steps, type) of the type itself and of all members and elements in it; a step is a member's name, or an index."""
    yield at, steps, ty
    if isinstance(ty, Record):
        for key, member in ty.fields.items():
            yield from parts_of(member, at + ty.offsets[key], (*steps, key))
    elif isinstance(ty, Array) and ty.elem is not UCHAR:
        for i in range(ty.n):
            yield from parts_of(ty.elem, at + i * ty.elem.size, (*steps, i))


class Face:
    """A place that is known as `ty`, at an offset in its object."""

    def __init__(self, of, place, at=0):
        self.of, self.place, self.at = of, place, at
        self.parts = [(at + offset, steps, ty) for offset, steps, ty in parts_of(place.ty)]


class Thing:
    """An object: its faces, the memory that its pointers usually lead to, and `words`: the targets of the pointers that it holds, by
    offset."""

    def __init__(self, name, size, space, home):
        self.name, self.size, self.space, self.home = name, size, space, home
        self.faces, self.words = [], {}

    def erase(self, at, size):
        for offset in [o for o in self.words if o < at + size and at < o + P.size]:
            del self.words[offset]

    def put(self, at, target):
        self.erase(at, P.size)
        self.words[at] = target

    def held(self, at, size):
        """The pointers that lie whole in a range: (distance from its beginning, target)."""
        return [(o - at, t) for o, t in self.words.items() if at <= o and o + P.size <= at + size]

    def receive(self, at, size, held):
        self.erase(at, size)
        for offset, target in held:
            self.put(at + offset, target)

    def parts(self):
        return [(face, *part) for face in self.faces for part in face.parts]

class Places:
    """A mixin of ArrayGrower."""

    # ---- Indices and addresses -----------------------------------------------------------------------------------------------

    def hidden(self, v):
        """Returns an expression for the int `v` whose value is known to the generator, but not to the compiler."""
        k = self.rng.randrange(KNOWN)
        k = v if 0 <= v < KNOWN and self.chance(0.7) else k
        there = Var(f"k{k}", INT) if self.chance(0.8) else Index(Var("b", Pointer(INT, "global")), c(k))
        return there if v == k else Bin("+", there, c(v - k))

    def index(self, v):
        return self.hidden(v) if self.chance(self.variable) else c(v)

    def along(self, face, steps, loops=None):
        """-> (place, the end of the bytes that may be accessed from there on); `loops`: expressions for the indices at some steps."""
        e, at, end = face.place, face.at, face.of.size
        for k, step in enumerate(steps):
            if isinstance(step, str):
                at += e.ty.offsets[step]
                e = Field(e, step)
                continue
            i = loops[k] if loops and k in loops else self.index(step)
            if not isinstance(i, Const):
                end = at + e.ty.size
            ty = e.ty.elem
            at += step * ty.size
            plain = ty.align > 1 and not isinstance(ty, (Array, Vector))
            e = Index(AddrOf(e) if plain and self.chance(0.15) else e, i)
        return e, end

    def base(self, of):
        face = of.faces[0]
        return AddrOf(face.place, UCHAR)

    def address(self, of, at, need, fixed=False):
        """A pointer to uchar: the address of byte `at`, from which `need` bytes may be accessed."""
        fit = [x for x in of.parts() if x[1] == at and x[3] is not UCHAR]
        for face, _, steps, _ in self.rng.sample(fit, len(fit)):
            e, end = self.along(face, steps, {k: c(v) for k, v in enumerate(steps)} if fixed else None)
            if at + need <= end:
                return AddrOf(e, UCHAR)
        if not at:
            return self.base(of)
        by = c(at)
        if not fixed and at % P.size == 0 and self.chance(self.variable / 6):
            by = Bin("*", self.hidden(at // P.size), c(P.size))
        return Shift(self.base(of), by)

    def view_type(self, before, after):
        """A structure to lay over a part: (type, offset of a pointer or word in it), which begins at most `before` bytes before that and
        ends at most `after` bytes after its beginning."""
        choices = [[("v", Array(P, n))] for n in (2, 3, 5)] + [[("q", P), ("v", Array(P, n))] for n in (2, 3)]
        choices += [[("v", Array(P, n)), ("q", P)] for n in (2, 3)] + [[("p", P)], [("a", P), ("b", P)], [("n", word()), ("p", P)]]
        choices += [[("a", Array(self.pair_type(), 2))]]
        for fields in self.rng.sample(choices, len(choices)):
            ty = Record("", fields)
            fit = [o for o, _, t in parts_of(ty) if holds(t) and o <= before and ty.size - o <= after]
            if fit:
                return self.shared(fields), self.rng.choice(fit)
        return None

    def shared(self, fields, **how):
        """The structure of the program that has these members."""
        key = tuple((name, type_name(ty)) for name, ty in fields)
        if key not in self.views:
            self.views[key] = self.record(fields, **how)
        return self.views[key]

    def wide(self, address, n):
        """A place for n words that is accessed as one vector, of words or of halves of them."""
        ty = self.rng.choice([Vector(word(), n), Vector(UINT, n * P.size // 4)])
        boxed = self.shared([("x", unaligned(ty, P.size))], packed=P.size)
        return Field(Deref(Cast(Pointer(boxed), address)), "x")

    def pair_type(self):
        return self.shared([("n", word()), ("p", P)])

    # ---- Places ------------------------------------------------------------------------------------------------------------------

    def place(self, of, at, styles=None):
        """A place for the pointer at byte `at`: of type int *, or of a word."""
        for style in [self.rng.choice(styles or self.styles), "typed", "beside", "bytes"]:
            made = getattr(self, "p_" + style)(of, at)
            if made:
                return made
        return None

    def p_typed(self, of, at):
        fit = [x for x in of.parts() if x[1] == at and holds(x[3])]
        if not fit:
            return None
        face, _, steps, _ = self.rng.choice(fit)
        return self.along(face, steps)[0]

    def p_words(self, of, at):
        if at % P.size:
            return None
        i = at // P.size
        return Index(Cast(PP, self.base(of)), self.hidden(i) if self.chance(self.variable / 3) else c(i))

    def p_array(self, of, at):
        """Reaches the place from any element of an array of pointers or words, forward or backward."""
        fit = [x for x in of.parts() if isinstance(x[3], Array) and holds(x[3].elem) and x[3].align > 1 and x[1] <= at < x[1] + x[3].size
               and (at - x[1]) % P.size == 0]
        if not fit:
            return None
        face, low, steps, ty = self.rng.choice(fit)
        k = self.rng.randrange(ty.n)
        by = (at - low) // P.size - k
        return Index(Cast(PP, AddrOf(self.along(face, (*steps, k))[0])), self.hidden(by) if self.chance(0.6) else c(by))

    def p_bytes(self, of, at):
        if at % P.align:
            return None
        return Deref(Cast(PP, self.address(of, at, P.size, fixed=self.chance(0.5))))

    def p_view(self, of, at):
        if at % P.align:
            return None
        found = self.view_type(at, of.size - at)
        if not found:
            return None
        ty, inside = found
        start = self.address(of, at - inside, ty.size)
        face = Face(Thing("", ty.size, "", ""), Deref(Cast(Pointer(ty), start)))
        steps = next(s for o, s, t in face.parts if o == inside and holds(t))
        fixed = not all(self.stays(of, at - inside + o, t.size) for o, _, t in face.parts if isinstance(t, (Array, Record)))
        return self.along(face, steps, {k: c(v) for k, v in enumerate(steps)} if fixed else None)[0]

    @staticmethod
    def stays(of, at, size):
        """True if the array in which the range begins contains all of it, so that steps of a variable number may lead through it."""
        return all(low + ty.size >= at + size for _, low, _, ty in of.parts()
                   if isinstance(ty, Array) and ty.elem is not UCHAR and low <= at < low + ty.size)

    def p_beside(self, of, at):
        """Reaches the place at a constant distance from another part, as container_of does; if that part has a variable
        index, the distance does not leave the array."""
        others = [x for x in of.parts() if x[1] != at and (at - x[1]) % P.size == 0 and holds(x[3]) and x[3].align > 1]
        if not others or at % P.align:
            return None
        face, offset, steps, _ = self.rng.choice(others)
        arrays = [k for k, step in enumerate(steps) if not isinstance(step, str)]
        fixed = {k: c(steps[k]) for k in arrays}
        if arrays and self.chance(self.variable):
            # The innermost array has to contain both.
            low, size = next((o, t.size) for f, o, s, t in of.parts() if f is face and s == steps[:arrays[-1]])
            if low <= at and at + P.size <= low + size:
                fixed = None
        there = AddrOf(self.along(face, steps, fixed)[0], INT)
        if self.chance(0.5):
            return Index(Cast(PP, there), c((at - offset) // P.size))
        back = Shift(Cast(BYTES, there), c(at - offset)) if self.chance(0.5) else Bin("+", Cast(ULONG, there), Const(at - offset, ULONG))
        return Deref(Cast(PP, back)) if at > offset or isinstance(back, Shift) else Deref(Cast(PP, Before(Cast(BYTES, there), offset - at)))

    @staticmethod
    def as_pointer(e):
        return e if isinstance(e.ty, Pointer) else Cast(P, e)

    @staticmethod
    def stored(there, p):
        """A store of a pointer to a place for pointers or words."""
        return Assign(there, p if isinstance(there.ty, Pointer) else Cast(there.ty, p))

    def read(self, of, at):
        """-> (statements, an expression for the pointer at `at`)"""
        kind, there = self.rng.random(), self.place(of, at)
        if kind < 0.12 or not there:
            name = self.name("t")
            return [Decl(name, P, memory=True), Do(lib.memcpy(AddrOf(Var(name, P)), self.address(of, at, P.size), P.size))], Var(name, P)
        if kind < 0.2 and at % word().align == 0:
            lane = self.rng.randrange(2)
            low = at - lane * P.size
            if low >= 0 and low + 2 * P.size <= of.size and self.is_known(of, low, 2):
                start = Cast(Pointer(word()), self.address(of, low, 2 * P.size))
                return [], Cast(P, Comp(lib.vload_of(Vector(word(), 2), start), lane))
        if kind < 0.3 and at % P.align == 0:
            fn = self.helper("get", P, [("p", PP), ("i", INT)], [Return(Index(Var("p", PP), Var("i", INT)))])
            arrays = [x for x in of.parts() if isinstance(x[3], Array) and isinstance(x[3].elem, Pointer) and x[1] <= at < x[1] + x[3].size]
            if not arrays:
                return [], Call(fn, [Cast(PP, self.address(of, at, P.size)), c(0)])
            face, low, steps, ty = self.rng.choice(arrays)
            k = self.rng.randrange(ty.n)
            if (at - low) % P.size == 0 and P.align == ty.align:
                there, _ = self.along(face, (*steps, k))
                return [], Call(fn, [Cast(PP, AddrOf(there)), self.index((at - low) // P.size - k)])
        return [], self.as_pointer(there)

    def is_known(self, of, at, count):
        return all(at + k * P.size in of.words for k in range(count))

    def write(self, of, at, target):
        """Statements that store the address of a target at byte `at`."""
        value = self.target(target)
        of.put(at, target)
        kind, there = self.rng.random(), self.place(of, at)
        if kind < 0.1 or not there:
            name = self.name("t")
            return [Decl(name, P, value, memory=True), Do(lib.memcpy(self.address(of, at, P.size), AddrOf(Var(name, P)), P.size))]
        if kind < 0.2 and at % P.align == 0:
            fn = self.helper("set", VOID, [("p", PP), ("i", INT), ("q", P)], [Assign(Index(Var("p", PP), Var("i", INT)), Var("q", P))])
            return [Do(Call(fn, [Cast(PP, self.address(of, at, P.size, fixed=True)), self.index(0), value]))]
        return [self.stored(there, value)]

    def helper(self, name, ty, params, body):
        """A function of the program; there may be several of a name, each with its own callers."""
        key = name, tuple(type_name(t) for _, t in params)
        if key not in self.helpers or self.chance(0.3):
            self.helpers[key] = Function(self.name(name) + self.tag, ty, params, body, self.rng.choice(["", "__attribute__((noinline)) "]))
            self.program.functions.append(self.helpers[key])
        return self.helpers[key]

    # ---- Targets -------------------------------------------------------------------------------------------------------------------

    def target(self, target):
        space, k = target
        base = Var({"global": "G", "local": "L", "private": "O"}[space], P)
        return Shift(base, self.index(k)) if k else base

    def some_target(self, of, foreign):
        """(memory, the number of an int in it)"""
        space = of.home
        if foreign:
            space = self.rng.choice([x for x in SPACES if x != of.home])
        if of.space == "global" and not self.leaky:
            space = "global"
        return space, self.rng.randrange(TARGETS)
