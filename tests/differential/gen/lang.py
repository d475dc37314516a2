# SPDX-License-Identifier: Apache-2.0
"""The language of the random kernels: each node has its OpenCL C text and its semantics.

Order in this file: types, expressions, statements, functions and the program. A node has `text()`, expressions have `ty`, `ev(m, f)`
(value) and, if they denote memory, `at(m, f)` (address); statements have `run(m, f)`. `m` is the work-item that executes (machine.py), `f`
the frame: the value of each name, or a Slot if the variable is in memory.
"""
import functools
import struct

from memory import Bad, Memory


# ---- Types -----------------------------------------------------------------------------------------------------

class Type:
    def __deepcopy__(self, memo):
        return self  # types are compared by identity, and never change


class Scalar(Type):
    def __init__(self, name, size, kind):
        self.name, self.size, self.align, self.kind = name, size, size, kind
        self.low = -(1 << (8 * size - 1)) if kind == "i" else 0
        self.high = (1 << (8 * size - (kind == "i"))) - 1

    def decl(self, name):
        return f"{self.name} {name}"

    def pack(self, v):
        if self.kind == "f":
            return list(struct.pack("<f", v))
        return list((v & ((1 << 8 * self.size) - 1)).to_bytes(self.size, "little"))

    def unpack(self, data):
        if None in data:
            raise Bad("uninitialized")
        if self.kind == "f":
            return struct.unpack("<f", bytes(data))[0]
        return int.from_bytes(bytes(data), "little", signed=self.kind == "i")

    def wrap(self, v):
        """The value after a conversion to this type."""
        if self.kind == "f":
            return struct.unpack("<f", struct.pack("<f", float(v)))[0]
        v = int(v) & ((1 << 8 * self.size) - 1)
        return v - (1 << 8 * self.size) if v > self.high else v


CHAR, UCHAR = Scalar("char", 1, "i"), Scalar("uchar", 1, "u")
SHORT, USHORT = Scalar("short", 2, "i"), Scalar("ushort", 2, "u")
INT, UINT = Scalar("int", 4, "i"), Scalar("uint", 4, "u")
LONG, ULONG = Scalar("long", 8, "i"), Scalar("ulong", 8, "u")
FLOAT = Scalar("float", 4, "f")


class Void(Type):
    name = "void"
    size = 0

    def decl(self, name):
        return f"void {name}"


VOID = Void()


class Vector(Type):
    def __init__(self, elem, n):
        self.elem, self.n, self.name = elem, n, f"{elem.name}{n}"
        self.size = self.align = elem.size * n

    def decl(self, name):
        return f"{self.name} {name}"

    def pack(self, v):
        return [b for x in v for b in self.elem.pack(x)]

    def unpack(self, data):
        s = self.elem.size
        return tuple(self.elem.unpack(data[i * s:i * s + s]) for i in range(self.n))


def set_address_bits(bits):
    """Sets the width of addresses in bits, 64 (the default) or 32. It must be called before any program is made."""
    Pointer.size = Pointer.align = bits // 8
    Memory.bits = bits


class Pointer(Type):
    size = align = 8

    def __init__(self, to, space=""):
        self.to, self.space = to, space

    def decl(self, name):
        prefix = self.space + " " if self.space else ""
        return prefix + self.to.decl("*" + name if not isinstance(self.to, Array) else f"(*{name})")

    def pack(self, v):
        return (ULONG if self.size == 8 else UINT).pack(v)

    def unpack(self, data):
        return (ULONG if self.size == 8 else UINT).unpack(data)


class FunctionPointer(Type):
    """A pointer to a function; `name` is that of a typedef, which the program declares first."""
    size = align = 8

    def __init__(self, name, result, params):
        self.name, self.result, self.params = name, result, params

    def decl(self, name):
        return f"{self.name} {name}"

    def pack(self, v):
        return ULONG.pack(v)

    def unpack(self, data):
        return ULONG.unpack(data)

    def text(self):
        return "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n" \
            f"typedef {self.result.decl('')}(*{self.name})({', '.join(type_name(t) for t in self.params)});"


class Array(Type):
    def __init__(self, elem, n):
        self.elem, self.n = elem, n

    @functools.cached_property
    def size(self):
        return self.elem.size * self.n

    @property
    def align(self):
        return self.elem.align

    def decl(self, name):
        return self.elem.decl(f"{name}[{self.n}]")


class Record(Type):
    """A struct, or a union; `packed`: the alignment of a packed one, which the types of its members have, too."""

    def __init__(self, name, fields, union=False, packed=0):
        self.name, self.fields, self.union, self.packed = name, dict(fields), union, packed

    @functools.cached_property
    def align(self):
        return max(ty.align for ty in self.fields.values())

    @functools.cached_property
    def offsets(self):
        found, offset = {}, 0
        for key, ty in self.fields.items():
            found[key] = offset = 0 if self.union else -(-offset // ty.align) * ty.align
            offset += ty.size
        return found

    @functools.cached_property
    def size(self):
        end = max(self.offsets[key] + ty.size for key, ty in self.fields.items())
        return -(-end // self.align) * self.align

    @property
    def word(self):
        return ("union " if self.union else "struct ") + self.name

    def decl(self, name):
        return f"{self.word} {name}"

    def pack(self, v):
        return list(v)

    def unpack(self, data):
        return tuple(data)

    def text(self):
        inner = " ".join(ty.decl(key) + ";" for key, ty in self.fields.items())
        return f"{self.word} {{ {inner} }}{f' __attribute__((packed, aligned({self.packed})))' if self.packed else ''};"


class BitFields(Record):
    """A structure of bit-fields in one 64-bit word: (name, type, bits), lowest bits first."""

    def __init__(self, name, fields):
        super().__init__(name, [("word", ULONG)])
        self.bits, self.members, at = fields, {}, 0
        for key, ty, width in fields:
            self.members[key] = (ty, at, width)
            at += width

    def text(self):
        members = " ".join(f"{ty.name} {key} : {width};" for key, ty, width in self.bits)
        return f"#pragma OPENCL EXTENSION __cl_clang_bitfields : enable\n{self.word} {{ {members} }};"


def type_name(ty):
    return ty.decl("").strip()


# ---- Expressions -----------------------------------------------------------------------------------------------

class Slot:
    __slots__ = ("address", "ty", "object")

    def __init__(self, object_, ty):
        self.object, self.address, self.ty = object_, object_.base, ty


class Expr:
    def kids(self):
        return [k for k in self.__dict__.values() if isinstance(k, Expr)] + \
               [x for k in self.__dict__.values() if isinstance(k, list) for x in k if isinstance(x, Expr)]


def names_of(e):
    todo = [e]
    while todo:
        e = todo.pop()
        if isinstance(e, Var):
            yield e.name
        todo += e.kids()


class Const(Expr):
    def __init__(self, v, ty=INT):
        self.v, self.ty = v, ty

    def text(self):
        if self.ty is FLOAT:
            return f"{self.v!r}f"
        tail = {"uint": "u", "long": "l", "ulong": "ul"}.get(self.ty.name, "")
        return f"({self.v}{tail})" if self.v < 0 else f"{self.v}{tail}"

    def ev(self, m, f):
        return self.v


class Null(Expr):
    def __init__(self, ty):
        self.ty = ty

    def text(self):
        return f"(({type_name(self.ty)})0)"

    def ev(self, m, f):
        return 0


class Var(Expr):
    def __init__(self, name, ty):
        self.name, self.ty = name, ty

    def text(self):
        return self.name

    def ev(self, m, f):
        try:
            v = f[self.name]
        except KeyError:
            raise Bad("not declared: " + self.name) from None
        if type(v) is Slot:
            return v.address if isinstance(self.ty, Array) else m.load(v.address, self.ty)
        if v is None:
            raise Bad("uninitialized")
        return v

    def at(self, m, f):
        try:
            return f[self.name].address
        except (KeyError, AttributeError):
            raise Bad("not declared: " + self.name) from None


class Item(Expr):
    """get_global_id(0) and similar functions, as int."""
    ty = INT

    def __init__(self, which):
        self.which = which

    def text(self):
        return f"(int)get_{self.which}_id(0)"

    def ev(self, m, f):
        return {"global": m.gid, "local": m.lid, "group": m.group}[self.which]


class Cast(Expr):
    def __init__(self, ty, e):
        self.ty, self.e = ty, e

    def text(self):
        return f"(({type_name(self.ty)}){self.e.text()})"

    def ev(self, m, f):
        v = self.e.ev(m, f)
        return v & (1 << 8 * Pointer.size) - 1 if isinstance(self.ty, Pointer) else self.ty.wrap(v)


ARITH = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b,
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "/": lambda a, b: divided(a, b), "%": lambda a, b: a - b * divided(a, b),
}


def divided(a, b):
    """Division as in C: rounded towards zero."""
    if b == 0:
        raise Bad("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


COMPARE = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
    "&&": lambda a, b: bool(a) and bool(b), "||": lambda a, b: bool(a) or bool(b),
}


class Bin(Expr):
    """Both operands have the same scalar type, except in shifts; the generator inserts casts."""

    def __init__(self, op, a, b):
        self.op, self.a, self.b = op, a, b
        self.ty = INT if op in COMPARE else a.ty

    def text(self):
        return f"({self.a.text()} {self.op} {self.b.text()})"

    def ev(self, m, f):
        a = self.a.ev(m, f)
        if self.op == "&&" and not a:
            return 0
        if self.op == "||" and a:
            return 1
        b = self.b.ev(m, f)
        if self.op in COMPARE:
            if self.op in "<=>=" and self.op != "==" and isinstance(self.a.ty, Pointer):
                m.same_object(a, b)
            return int(COMPARE[self.op](a, b))
        if self.op in ("<<", ">>") and not 0 <= b < 8 * self.ty.size:
            raise Bad("shift")
        v = ARITH[self.op](a, b)
        if self.ty.kind == "i" and not self.ty.low <= v <= self.ty.high:
            raise Bad("overflow")
        return self.ty.wrap(v)


class Not(Expr):
    ty = INT

    def __init__(self, e):
        self.e = e

    def text(self):
        return f"!({self.e.text()})"

    def ev(self, m, f):
        return int(not self.e.ev(m, f))


class Cond(Expr):
    def __init__(self, c, a, b):
        self.c, self.a, self.b, self.ty = c, a, b, a.ty

    def text(self):
        return f"({self.c.text()} ? {self.a.text()} : {self.b.text()})"

    def ev(self, m, f):
        return self.a.ev(m, f) if self.c.ev(m, f) else self.b.ev(m, f)


class Shift(Expr):
    """Pointer plus int."""

    def __init__(self, p, i):
        self.p, self.i, self.ty = p, i, p.ty

    def text(self):
        return f"({self.p.text()} + {self.i.text()})"

    def ev(self, m, f):
        p, i = self.p.ev(m, f), self.i.ev(m, f)
        return m.move(p, i * self.ty.to.size)


class Before(Expr):
    """A pointer minus ints, as in programs whose arrays begin at 1. The pointer must not point before its object, or clang treats the
    following code as unreachable; an integer may."""

    def __init__(self, p, by):
        self.p, self.by, self.ty = p, by, p.ty

    def text(self):
        return f"({self.p.text()} - {self.by})"

    def ev(self, m, f):
        return m.move(self.p.ev(m, f), -self.by * self.ty.to.size)


class OffsetOf(Expr):
    """&((struct s *)0)->member, or &((T *)0)[index], as an integer."""

    def __init__(self, ty, key):
        self.of, self.key, self.ty = ty, key, ULONG

    def text(self):
        null = f"(({type_name(Pointer(self.of))})0)"
        return f"((ulong)&{null}{f'->{self.key}' if isinstance(self.of, Record) else f'[{self.key}]'})"

    def ev(self, m, f):
        return self.of.offsets[self.key] if isinstance(self.of, Record) else self.key * self.of.size


class FromNull(Expr):
    """The distance of a pointer from the null pointer in bytes, or the pointer with that distance."""

    def __init__(self, ty, e):
        self.ty, self.e = ty, e

    def text(self):
        if isinstance(self.ty, Pointer):
            return f"(({type_name(self.ty)})((uchar *)0 + {self.e.text()}))"
        return f"((ulong)((uchar *){self.e.text()} - (uchar *)0))"

    def ev(self, m, f):
        return self.e.ev(m, f)


class Diff(Expr):
    """Pointer minus pointer, as int."""
    ty = INT

    def __init__(self, a, b):
        self.a, self.b = a, b

    def text(self):
        return f"(int)({self.a.text()} - {self.b.text()})"

    def ev(self, m, f):
        a, b = self.a.ev(m, f), self.b.ev(m, f)
        m.same_object(a, b)
        if (a - b) % self.a.ty.to.size:
            raise Bad("difference")
        return (a - b) // self.a.ty.to.size


class Place(Expr):
    """An expression that denotes memory."""

    def ev(self, m, f):
        address = self.at(m, f)
        return address if isinstance(self.ty, Array) else m.load(address, self.ty)


class Deref(Place):
    def __init__(self, p):
        self.p, self.ty = p, p.ty.to

    def text(self):
        return f"(*{self.p.text()})"

    def at(self, m, f):
        return self.p.ev(m, f)


class Index(Place):
    def __init__(self, p, i):
        self.p, self.i = p, i
        self.ty = p.ty.elem if isinstance(p.ty, Array) else p.ty.to

    def text(self):
        return f"{self.p.text()}[{self.i.text()}]"

    def at(self, m, f):
        base = self.p.at(m, f) if isinstance(self.p.ty, Array) else self.p.ev(m, f)
        return m.move(base, self.i.ev(m, f) * self.ty.size)


class Field(Place):
    def __init__(self, e, key):
        self.e, self.key, self.ty = e, key, e.ty.fields[key]

    def text(self):
        return f"{self.e.text()}.{self.key}"

    def at(self, m, f):
        return self.e.at(m, f) + self.e.ty.offsets[self.key]


class BitField(Place):
    """A member of a structure of bit-fields: `at` bits above bit 0 of the 64-bit word that contains it."""

    def __init__(self, e, key):
        self.e, self.key = e, key
        self.ty, self.first, self.width = e.ty.members[key]

    def text(self):
        return f"{self.e.text()}.{self.key}"

    def ev(self, m, f):
        v = m.load(self.e.at(m, f), ULONG) >> self.first & (1 << self.width) - 1
        return v - (1 << self.width) if self.ty is LONG and v >> (self.width - 1) else v

    def put(self, m, f, v):
        """Stores one member and keeps the others; until all have been stored the word is uninitialized."""
        address, mask = self.e.at(m, f), (1 << self.width) - 1 << self.first
        try:
            kept = m.load(address, ULONG) & ~mask
        except Bad:
            kept = 0
        m.store(address, ULONG, kept | v << self.first & mask)


class Arrow(Place):
    def __init__(self, p, key):
        self.p, self.key, self.ty = p, key, p.ty.to.fields[key]

    def text(self):
        return f"{self.p.text()}->{self.key}"

    def at(self, m, f):
        return self.p.ev(m, f) + self.p.ty.to.offsets[self.key]


class AddrOf(Expr):
    """&place, as a generic pointer to `to` (by default, to the type of the place)."""

    def __init__(self, e, to=None):
        self.e = e
        ty = e.ty.elem if isinstance(e.ty, Array) else e.ty
        self.ty = Pointer(to or ty)

    def text(self):
        inner = self.e.text() if isinstance(self.e.ty, Array) else "&" + self.e.text()
        return f"(({type_name(self.ty)}){inner})"

    def ev(self, m, f):
        return self.e.at(m, f)


class VecLit(Expr):
    def __init__(self, ty, parts):
        self.ty, self.parts = ty, parts

    def text(self):
        return f"(({self.ty.name})({', '.join(p.text() for p in self.parts)}))"

    def ev(self, m, f):
        return tuple(p.ev(m, f) for p in self.parts)


class Comp(Expr):
    def __init__(self, e, i):
        self.e, self.i, self.ty = e, i, e.ty.elem

    def text(self):
        return f"{self.e.text()}.s{self.i:x}"

    def ev(self, m, f):
        return self.e.ev(m, f)[self.i]


class Swizzle(Expr):
    def __init__(self, e, order):
        self.e, self.order, self.ty = e, order, e.ty

    def text(self):
        return f"{self.e.text()}.s{''.join(f'{i:x}' for i in self.order)}"

    def ev(self, m, f):
        v = self.e.ev(m, f)
        return tuple(v[i] for i in self.order)


class As(Expr):
    """as_type(e): the same bits."""

    def __init__(self, ty, e):
        self.ty, self.e = ty, e

    def text(self):
        return f"as_{self.ty.name}({self.e.text()})"

    def ev(self, m, f):
        return self.ty.unpack(self.e.ty.pack(self.e.ev(m, f)))


class Call(Expr):
    def __init__(self, function, args):
        self.function, self.args, self.ty = function, args, function.ty

    def text(self):
        return f"{self.function.name}({', '.join(a.text() for a in self.args)})"

    def ev(self, m, f):
        return m.call(self.function, [a.ev(m, f) for a in self.args])


class FunctionName(Expr):
    """The address of a function, of type FunctionPointer."""

    def __init__(self, function, ty):
        self.function, self.ty = function, ty

    def text(self):
        return self.function.name

    def ev(self, m, f):
        return m.launch.address_of(self.function)


class CallPointer(Expr):
    """A call through a function pointer."""

    def __init__(self, e, args):
        self.e, self.args, self.ty = e, args, e.ty.result

    def text(self):
        return f"{self.e.text()}({', '.join(a.text() for a in self.args)})"

    def ev(self, m, f):
        return m.call(m.launch.functions[self.e.ev(m, f)], [a.ev(m, f) for a in self.args])


class ToSpace(Expr):
    """to_global and similar functions: null if the pointer is of another space."""

    def __init__(self, space, e):
        self.space, self.e, self.ty = space, e, Pointer(e.ty.to, space)

    def text(self):
        return f"to_{self.space}({self.e.text()})"

    def ev(self, m, f):
        m.flags.add("to_space")
        v = self.e.ev(m, f)
        return v if v and m.space(v) == self.space else 0


class Fence(Expr):
    """get_fence(p), compared with the flag of a space."""
    ty = INT

    def __init__(self, p):
        self.p = p

    def text(self):
        return f"(int)(get_fence({self.p.text()}) == CLK_LOCAL_MEM_FENCE)"

    def ev(self, m, f):
        m.flags.add("to_space")
        return int(m.space(self.p.ev(m, f)) == "local")


class Builtin(Expr):
    """A built-in function that takes pointers; `do(m, *values)` is its effect."""

    def __init__(self, ty, name, args, do, flag=None):
        self.ty, self.name, self.args, self.do, self.flag = ty, name, args, do, flag

    def text(self):
        return f"{self.name}({', '.join(a if isinstance(a, str) else a.text() for a in self.args)})"

    def ev(self, m, f):
        if self.flag:
            m.flags.add(self.flag)
        return self.do(m, *[a.ev(m, f) for a in self.args if not isinstance(a, str)])


# ---- Statements ------------------------------------------------------------------------------------------------

BREAK, CONTINUE = object(), object()


class Stmt:
    off = False   # the shrinker's: as if it were not there
    flat = False  # the shrinker's: only the body of a compound statement remains

    def blocks(self):
        return []


def indent(block, by="    "):
    return "".join(by + line + "\n" for s in block if not s.off for line in s.text().rstrip("\n").split("\n"))


def run_block(block, m, f):
    for s in block:
        if s.off:
            continue
        m.here.append(s)
        signal = s.run(m, f)
        m.here.pop()
        if signal is not None:
            return signal
    return None


def run_scope(block, m, f):
    """A block in braces: the lifetime of its variables ends with it."""
    inner = dict(f)
    mark = len(m.stack)
    signal = run_block(block, m, inner)
    m.pop_to(mark)
    for key in f:
        f[key] = inner[key]
    return signal


class Decl(Stmt):
    """A variable; `memory` if its address is taken, `space` if it is not private."""

    def __init__(self, name, ty, init=None, memory=False, space="", volatile=False, aligned=0):
        self.name, self.ty, self.init, self.space, self.volatile, self.aligned = name, ty, init, space, volatile, aligned
        self.memory = memory or isinstance(ty, (Array, Record))

    def text(self):
        head = (self.space + " " if self.space else "") + ("volatile " if self.volatile else "")
        tail = "" if self.init is None else f" = {self.init.text()}"
        aligned = f" __attribute__((aligned({self.aligned})))" if self.aligned > self.ty.align else ""
        return f"{head}{self.ty.decl(self.name)}{aligned}{tail};"

    def run(self, m, f):
        v = None if self.init is None else self.init.ev(m, f)
        if self.space == "local":
            f[self.name] = Slot(m.local_object(self.name, self.ty), self.ty)
        elif self.memory:
            f[self.name] = slot = Slot(m.private_object(self.ty.size), self.ty)
            if v is not None:
                m.store(slot.address, self.ty, v)
        else:
            f[self.name] = v


class Assign(Stmt):
    def __init__(self, place, e, op=""):
        self.place, self.e, self.op = place, e, op

    def text(self):
        return f"{self.place.text()} {self.op}= {self.e.text()};"

    def run(self, m, f):
        v = self.e.ev(m, f)
        if self.op:
            v = Bin(self.op, self.place, Const(v, self.place.ty)).ev(m, f)
        if isinstance(self.place, Var) and type(f.get(self.place.name)) is not Slot:
            if self.place.name not in f:
                raise Bad("not declared: " + self.place.name)
            f[self.place.name] = v
        elif isinstance(self.place, BitField):
            self.place.put(m, f, v)
        else:
            m.store(self.place.at(m, f), self.place.ty, v)


class Do(Stmt):
    def __init__(self, e):
        self.e = e

    def text(self):
        return self.e.text() + ";"

    def run(self, m, f):
        self.e.ev(m, f)


class If(Stmt):
    def __init__(self, c, then, other=()):
        self.c, self.then, self.other = c, list(then), list(other)

    def text(self):
        if self.flat:
            return "{\n" + indent(self.then) + "}"
        tail = f" else {{\n{indent(self.other)}}}" if self.other else ""
        return f"if ({self.c.text()}) {{\n{indent(self.then)}}}{tail}"

    def run(self, m, f):
        return run_scope(self.then if self.flat or self.c.ev(m, f) else self.other, m, f)

    def blocks(self):
        return [self.then] if self.flat else [self.then, self.other]


class For(Stmt):
    """for (int name = 0; name < count; ++name), optionally `&& more`."""

    def __init__(self, name, count, body, more=None):
        self.name, self.count, self.body, self.more = name, count, list(body), more

    def text(self):
        more = f" && {self.more.text()}" if self.more else ""
        n = self.name
        return f"for (int {n} = 0; {n} < {self.count.text()}{more}; ++{n}) {{\n{indent(self.body)}}}"

    def run(self, m, f):
        shadow = f.get(self.name)
        i = 0
        while True:
            f[self.name] = i
            if not i < self.count.ev(m, f) or (self.more and not self.more.ev(m, f)):
                break
            m.tick()
            signal = run_scope(self.body, m, f)
            if signal is BREAK:
                break
            if signal is not None and signal is not CONTINUE:
                f[self.name] = shadow
                return signal
            i += 1
        del f[self.name]
        return None

    def blocks(self):
        return [self.body]


class Walk(Stmt):
    """for (T *name = first; end; name = next): loops over pointers. `end` is the condition to continue."""

    def __init__(self, name, ty, first, end, step, body):
        self.name, self.ty, self.first, self.end, self.step, self.body = name, ty, first, end, step, list(body)

    def text(self):
        return (f"for ({self.ty.decl(self.name)} = {self.first.text()}; {self.end.text()}; "
                f"{self.name} = {self.step.text()}) {{\n{indent(self.body)}}}")

    def run(self, m, f):
        f[self.name] = self.first.ev(m, f)
        while self.end.ev(m, f):
            m.tick()
            signal = run_scope(self.body, m, f)
            if signal is BREAK:
                break
            if signal is not None and signal is not CONTINUE:
                return signal
            f[self.name] = self.step.ev(m, f)
        del f[self.name]
        return None

    def blocks(self):
        return [self.body]


class Switch(Stmt):
    def __init__(self, e, cases):
        self.e, self.cases = e, [list(c) for c in cases]

    def text(self):
        out = f"switch ({self.e.text()}) {{\n"
        for i, case in enumerate(self.cases):
            label = "default" if i + 1 == len(self.cases) else f"case {i}"
            out += f"    {label}: {{\n{indent(case, '        ')}    }} break;\n"
        return out + "}"

    def run(self, m, f):
        i = self.e.ev(m, f)
        return run_scope(self.cases[i if 0 <= i < len(self.cases) else -1], m, f)

    def blocks(self):
        return self.cases


class Jump(Stmt):
    def __init__(self, signal, c):
        self.signal, self.c = signal, c

    def text(self):
        return f"if ({self.c.text()}) {'break' if self.signal is BREAK else 'continue'};"

    def run(self, m, f):
        return self.signal if self.c.ev(m, f) else None


class Return(Stmt):
    def __init__(self, e):
        self.e = e

    def text(self):
        return f"return {self.e.text()};" if self.e else "return;"

    def run(self, m, f):
        return ("return", self.e.ev(m, f) if self.e else None)


class Body(Return):
    """The text of a whole function; `result(f)` gives the function's result for the parameters in the frame `f`."""

    def __init__(self, body, result):
        self.body, self.result = body, result

    def text(self):
        return self.body

    def run(self, m, f):
        return ("return", self.result(f))


class Barrier(Stmt):
    """Only at the top level of the kernel, where the machine divides the body."""

    def text(self):
        return "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"

    def run(self, m, f):
        raise Bad("barrier inside a block")


class Publish(Stmt):
    """One work-item publishes a value for the whole group; stands between barriers, before a Meeting."""

    def __init__(self, name, e, who):
        self.name, self.e, self.who = name, e, who

    def text(self):
        return f"ulong {self.name} = work_group_broadcast({self.e.text()}, {self.who});"

    def run(self, m, f):
        if m.lid == self.who:
            m.launch.published[m.group, self.name] = self.e.ev(m, f)


class Meeting(Barrier):
    """The barrier of Publish: every work-item has executed it. It has no text."""

    def text(self):
        return ""


class Receive(Decl):
    """After a Meeting: the published value becomes a variable of each work-item."""

    def __init__(self, name):
        super().__init__(name, ULONG)

    def text(self):
        return ""

    def run(self, m, f):
        f[self.name] = m.launch.published[m.group, self.name]


class AsyncCopy(Stmt):
    """async_work_group_copy of ints; stands between two barriers."""

    def __init__(self, to, source, count):
        self.to, self.source, self.count = to, source, count

    def text(self):
        return (f"{{ event_t done = async_work_group_copy({self.to.text()}, {self.source.text()}, {self.count}, 0); "
                "wait_group_events(1, &done); }")

    def run(self, m, f):
        if m.lid:
            return
        to, source = self.to.ev(m, f), self.source.ev(m, f)
        for i in range(0, 4 * self.count, 4):
            m.store(to + i, INT, m.load(source + i, INT))


# ---- Functions and the program ------------------------------------------------------------------------------

class Function:
    def __init__(self, name, ty, params, body, attribute=""):
        self.name, self.ty, self.params, self.body, self.attribute = name, ty, params, body, attribute

    def head(self):
        params = ", ".join(ty.decl(name) for name, ty in self.params)
        return f"{self.attribute}{self.ty.decl(self.name)}({params})"

    def text(self):
        return f"{self.head()} {{\n{indent(self.body)}}}\n"


class Program:
    """`args`: (name, type, specification as in spec.h)."""

    kind, spaces = None, ()  # of those that compute with addresses (addresses.py)
    scratch = ()             # names of the buffers whose final content is no result

    def __init__(self, name, seed):
        self.name, self.seed = name, seed
        self.records, self.functions, self.args, self.body = [], [], [], []
        self.items, self.group_size = 1, 1
        self.features = set()
        self.language = "c"

    def arguments(self):
        """The argument specifications in the form of clrun and the judge."""
        return [spec for _, _, spec in self.args]

    def text(self):
        """Without the structure declarations, which programs in one file share."""
        out = "".join(fn.text() for fn in self.functions)
        params = ", ".join(ty.decl(name) for name, ty, _ in self.args)
        return out + f"kernel void {self.name}({params}) {{\n{indent(self.body)}}}\n"
