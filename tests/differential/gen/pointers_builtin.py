# SPDX-License-Identifier: Apache-2.0
"""OpenCL built-in functions that take generic pointers: the text of a call, and its effect on memory."""
import math

from lang import Builtin, Cast, FLOAT, INT, Pointer, UINT, ULONG, VOID, Vector
from memory import Bad

INT4 = Vector(INT, 4)


def vload4(p):
    return vload(4, p)


def vstore4(v, p):
    return vstore(4, v, p)


def vload(n, p, at=0):
    """vloadN(at, p): n ints from p + n * at."""
    return Builtin(Vector(INT, n), f"vload{n}", [str(at), p],
                   lambda m, a: tuple(m.load(a + 4 * (n * at + i), INT) for i in range(n)))


def vstore(n, v, p, at=0):
    def do(m, value, a):
        for i, x in enumerate(value):
            m.store(a + 4 * (n * at + i), INT, x)
    return Builtin(VOID, f"vstore{n}", [v, str(at), p], do)


def memcpy(to, source, size):
    """Both are pointers to any space; the bytes must not overlap."""
    def do(m, to, source):
        if to < source + size and source < to + size:
            raise Bad("overlap")
        data = m.memory.read(source, size, m)
        m.memory.write(to, data, m)
    return Builtin(VOID, "__builtin_memcpy", [to, source, str(size)], do)


def memmove(to, source, size):
    """Both are pointers to any space; the bytes may overlap."""
    return Builtin(VOID, "__builtin_memmove", [to, source, str(size)],
                   lambda m, to, source: m.memory.write(to, m.memory.read(source, size, m), m))


def memset0(to, size):
    """Sets `size` bytes to 0."""
    return Builtin(VOID, "__builtin_memset", [to, "0", str(size)], lambda m, to: m.memory.write(to, [0] * size, m))


def vload_of(ty, p):
    """vloadN(0, p): a vector from an address that has the alignment of an element."""
    return Builtin(ty, f"vload{ty.n}", ["0", p], lambda m, a: tuple(m.load(a + ty.elem.size * i, ty.elem) for i in range(ty.n)))


def vstore_of(v, p):
    def do(m, value, a):
        for i, x in enumerate(value):
            m.store(a + v.ty.elem.size * i, v.ty.elem, x)
    return Builtin(VOID, f"vstore{v.ty.n}", [v, "0", p], do)


def rotate(u, by):
    """rotate(ulong, by)"""
    return Builtin(ULONG, "rotate", [u, f"{by}ul"], lambda m, v: (v << by | v >> (64 - by)) & (1 << 64) - 1)


def integers(name, do):
    """A built-in function on integers."""
    return lambda *args: Builtin(ULONG, name, list(args), lambda m, *values: do(*values))


hadd, least, most = integers("hadd", lambda a, b: a + b >> 1), integers("min", min), integers("max", max)
abs_diff, upsample = integers("abs_diff", lambda a, b: abs(a - b)), integers("upsample", lambda hi, lo: hi << 32 | lo)
bitselect = integers("bitselect", lambda a, b, mask: a & ~mask | b & mask)


def fract(x, p):
    """fract(x, &floor): x is a small multiple of 0.25, so that both results are exact."""
    def do(m, x, a):
        m.store(a, FLOAT, float(math.floor(x)))
        return x - math.floor(x)
    return Builtin(FLOAT, "fract", [x, p], do)


def modf(x, p):
    def do(m, x, a):
        m.store(a, FLOAT, float(math.trunc(x)))
        return x - math.trunc(x)
    return Builtin(FLOAT, "modf", [x, p], do)


def frexp(x, p):
    def do(m, x, a):
        fraction, exponent = math.frexp(x)
        m.store(a, INT, exponent)
        return fraction
    return Builtin(FLOAT, "frexp", [x, p], do)


def remquo(x, y, p):
    """Called with y = 1 and integers x below 8: Oclgrind returns only the low three of the seven bits of the quotient."""
    def do(m, x, y, a):
        m.store(a, INT, int(x))
        return 0.0
    return Builtin(FLOAT, "remquo", [x, y, p], do)


def _atomic(m, a):
    if m.space(a) == "private":
        m.flags.add("private_atomic")
    m.flags.add("atomic")


def _pointer(p, ty):
    name = {"int": "volatile atomic_int *", "uint": "volatile atomic_uint *", "ulong": "volatile atomic_ulong *"}[ty.name]
    return f"({name})({p.text()})"


class Atomic(Builtin):
    """atomic_FUNCTION_explicit on the target of a pointer; `change(old, value)` returns the stored value."""

    def __init__(self, function, p, value, change):
        self.function, self.p, self.value, self.change = function, p, value, change
        super().__init__(p.ty.to, "atomic", [p, value], self.act)

    def text(self):
        return (f"atomic_{self.function}_explicit({_pointer(self.p, self.ty)}, {self.value.text()}, "
                "memory_order_relaxed, memory_scope_work_group)")

    def act(self, m, a, value):
        _atomic(m, a)
        old = m.load(a, self.ty, True)
        m.store(a, self.ty, self.ty.wrap(self.change(old, value)), True)
        return old


def atomic_add(p, v):
    return Atomic("fetch_add", p, v, lambda old, x: old + x)


def atomic_max(p, v):
    return Atomic("fetch_max", p, v, max)


def atomic_min(p, v):
    return Atomic("fetch_min", p, v, min)


def atomic_exchange(p, v):
    return Atomic("exchange", p, v, lambda old, x: x)


class CompareExchange(Builtin):
    """atomic_compare_exchange_strong_explicit(p, &expected, desired): all three pointers may be of any space."""

    def __init__(self, p, expected, desired):
        self.p, self.expected, self.desired = p, expected, desired
        super().__init__(INT, "cmpxchg", [p, expected, desired], self.act)

    def text(self):
        return (f"(int)atomic_compare_exchange_strong_explicit({_pointer(self.p, self.p.ty.to)}, {self.expected.text()}, "
                f"{self.desired.text()}, memory_order_relaxed, memory_order_relaxed, memory_scope_work_group)")

    def act(self, m, a, expected, desired):
        _atomic(m, a)
        ty = self.p.ty.to
        old, want = m.load(a, ty, True), m.load(expected, ty)
        if old == want:
            m.store(a, ty, desired, True)
            return 1
        m.store(expected, ty, old)
        return 0


def as_int(e):
    return Cast(INT, e)


def generic(ty):
    return Pointer(ty)


__all__ = ["INT4", "vload4", "vstore4", "vload", "vstore", "memcpy", "rotate", "fract", "modf", "frexp", "remquo",
           "atomic_add", "atomic_max", "atomic_min", "atomic_exchange", "CompareExchange", "UINT", "hadd", "least", "most", "abs_diff", "upsample", "bitselect"]
