#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layouts.py - random structures and arrays of pointers, which are stored to, copied and traversed in every way, in the judge.

    layouts.py --nonflat BUILD [--seeds 0:100] [--levels O0,O2] [--keep DIR]

In addition to run.py it tests how inference distinguishes parts of memory: members, elements, views, traversals of a whole structure as
bytes, words or pointers. Every program is correct by construction (the generator knows the indices, the compiler does not); the judge runs
the original, and then the specialized module with buffers at sign-extended addresses. A report about the original is an error of this
program.

Exit status: 0 success, 1 a check failed, 77 a dependency is missing.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "conformance"))
import toolchain  # noqa: E402

ARGUMENTS = ["--kernel", "k", "--arg", "zero:16", "--arg", "buffer:int:7,8,0,1,2,3,0,1,1,0", "--arg", "local:1024",
             "--arg", "zero:1024"]
INDICES = {"k0": 0, "k1": 1, "k2": 2, "k3": 3}  # loaded from argument 1
TARGETS = ["(int *)&x", "(int *)ly", "(int *)in", "(int *)(in + 1)", "(int *)&x2"]
PIECES = [("uchar", 1), ("ushort", 2), ("uint", 4), ("int", 4), ("ulong", 8)]


class Scalar:
    def __init__(self, name, size):
        self.name, self.size, self.align, self.pointers = name, size, size, name == "int *"

    def declare(self, what):
        return f"{self.name} {what}"

    def leaves(self, path):
        yield path, self


class Array:
    def __init__(self, element, count):
        self.element, self.count, self.size, self.align = element, count, element.size * count, element.align
        self.pointers = element.pointers

    def declare(self, what):
        return self.element.declare(f"{what}[{self.count}]")

    def leaves(self, path):
        for i in range(self.count):
            yield from self.element.leaves(f"{path}[{i}]")


class Struct:
    def __init__(self, name, members):
        self.name, self.members, end = f"struct {name}", members, 0
        self.align = max(t.align for _, t in members)
        self.pointers = any(t.pointers for _, t in members)
        for _, t in members:
            end = -(-end // t.align) * t.align + t.size
        self.size = -(-end // self.align) * self.align

    def declare(self, what):
        return f"{self.name} {what}"

    def definition(self):
        return f"{self.name} {{ {' '.join(t.declare(n) + ';' for n, t in self.members)} }};"

    def leaves(self, path):
        for name, member in self.members:
            yield from member.leaves(f"{path}.{name}")


POINTER = Scalar("int *", 8)
NUMBERS = [Scalar("int", 4), Scalar("uchar", 1), Scalar("ulong", 8), Scalar("short", 2)]


def address(what, of):
    return what if isinstance(of, Array) else "&" + what


def first_of(of):
    """The element type of a pointer to `of`, followed by '*'."""
    return ("ip" if of is POINTER else of.name) + " *"


class Program:
    def __init__(self, seed):
        self.r, self.count, self.structs, self.functions, self.body = random.Random(seed), 0, [], [], []
        self.objects, declared = [], []
        for _ in range(2):
            made = self.struct(2)
            if made.size > 900:
                made = self.add_struct([("a", POINTER), ("n", Array(NUMBERS[0], 2)), ("b", POINTER)])
            for _ in range(self.r.randint(2, 3)):
                name = self.name("o")
                declared.append(f"{self.r.choice(['', '', 'local '])}{made.declare(name)};")
                self.objects.append((name, made))
        for name, made in self.objects:
            self.body += [f"{path} = {self.target() if leaf is POINTER else self.r.randrange(99)};"
                          for path, leaf in made.leaves(name)]
        for _ in range(self.r.randint(4, 12)):
            self.body += self.step()
        self.body += [self.use(path) for path in self.some_leaves()]
        self.declared = declared

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def add_struct(self, members):
        self.structs.append(Struct(self.name("s"), members))
        return self.structs[-1]

    def type(self, depth):
        kind = self.r.random()
        if depth == 0 or kind < .35:
            return self.r.choice([POINTER, POINTER, POINTER, *NUMBERS])
        if kind < .7:
            return Array(self.type(depth - 1), self.r.randint(2, self.r.choice([3, 4, 20])))
        return self.struct(depth - 1)

    def struct(self, depth):
        members = [(f"m{i}", self.type(depth)) for i in range(self.r.randint(2, 4))]
        if not any(t.pointers for _, t in members):
            members.append(("q", POINTER))
        return self.add_struct(members)

    def target(self):
        return self.r.choice(TARGETS)

    def index(self, count):
        if self.r.random() < .4:
            return str(self.r.randrange(count))
        name, value = self.r.choice([(k, v) for k, v in INDICES.items() if v < count])
        return name if self.r.random() < .5 else f"{name} + ({self.r.randrange(count) - value})"

    def path(self, path, of):
        """The access path to some pointer in `path`."""
        while of is not POINTER:
            if isinstance(of, Struct):
                name, of = self.r.choice([m for m in of.members if m[1].pointers])
                path = f"{path}.{name}"
                continue
            decays = self.r.random() < .25 and not isinstance(of.element, Array)
            path = f"(({first_of(of.element)}){path})" if decays else path
            path, of = f"{path}[{self.index(of.count)}]", of.element
        return path

    def part(self, path, of):
        """Some structure or array that contains pointers."""
        while self.r.random() < .5:
            if isinstance(of, Struct):
                inner = [m for m in of.members if m[1].pointers and m[1] is not POINTER]
                if not inner:
                    break
                name, of = self.r.choice(inner)
                path = f"{path}.{name}"
            elif of.element is not POINTER:
                path, of = f"{path}[{self.index(of.count)}]", of.element
            else:
                break
        return path, of

    def some_leaves(self):
        for name, made in self.objects:
            paths = [path for path, leaf in made.leaves(name) if leaf is POINTER]
            yield from self.r.sample(paths, min(6, len(paths)))

    @staticmethod
    def use(path):
        return f"acc = acc * 3 + *{path};"

    # ---- Steps: each returns statements -----------------------------------------------------------------------------

    def step(self):
        name, made = self.r.choice(self.objects)
        others = [n for n, t in self.objects if t is made and n != name]
        steps = [self.assign, self.through_slot, self.through_either, self.through_function, self.through_struct,
                 self.through_cursor]
        if others:
            steps += [self.copy, self.walk, self.walk, self.move, self.through_memory]
        return self.r.choice(steps)(name, made, self.r.choice(others or [name]))

    def assign(self, name, made, _):
        return [f"{self.path(name, made)} = {self.target()};", self.use(self.path(name, made))]

    def copy(self, name, _, other):
        return [f"{other} = {name};"]

    @staticmethod
    def begins_with_numbers(of, size):
        """True if `of` begins with a shorter array of numbers of that size (docs/limits.md: an index stays in that array)."""
        whole = of
        while not isinstance(of, Scalar):
            first = of.members[0][1] if isinstance(of, Struct) else of.element
            numbers = isinstance(of, Array) and isinstance(first, Scalar) and not first.pointers
            if numbers and first.size == size > 1 and of.size < whole.size:
                return True
            of = first
        return False

    def walk(self, name, made, other):
        """Copies a part in pieces, possibly beginning at a pointer's boundary, in a function or inline."""
        path, of = self.part(name, made)
        pieces = [p for p in PIECES if of.size % p[1] == 0 and not self.begins_with_numbers(of, p[1])]
        if of.size % 8 == 0 and of.align == 8:
            pieces.append(("ip", 8))
        piece, size = self.r.choice(pieces)
        to, source = (f"({piece} *){address(x, of)}" for x in (other + path[len(name):], path))
        count, kind = of.size // size, self.r.randrange(4)
        if kind == 0:
            function = self.name("copy")
            self.functions.append(f"__attribute__((noinline)) void {function}({piece} *d, {piece} *s, int n) "
                                  "{ for (int i = 0; i < n; i++) d[i] = s[i]; }")
            return [f"{function}({to}, {source}, {count} + k0);"]
        if kind == 1:
            return [f"{{ {piece} *d = {to}, *s = {source}; int n = {count} + k0; while (n--) *d++ = *s++; }}"]
        first = self.r.randrange(count) if kind == 2 else 0
        first -= first % max(1, 8 // size)
        return [f"{{ {piece} *d = {to}, *s = {source}; for (int i = {first} - k0; i < {count} + k0; i++) d[i] = s[i]; }}"]

    def move(self, name, made, other):
        path, of = self.part(name, made)
        call = self.r.choice(["memcpy", "memmove"])
        return [f"__builtin_{call}({address(other + path[len(name):], of)}, {address(path, of)}, {of.size});"]

    def through_slot(self, name, made, _):
        slot = self.name("slot")
        return [f"int **{slot} = (int **)&{self.path(name, made)}; *{slot} = {self.target()};", self.use(f"*{slot}")]

    def through_either(self, name, made, _):
        slot, (other, of) = self.name("slot"), self.r.choice(self.objects)
        return [f"int **{slot} = flag[{self.r.randrange(4)}] ? (int **)&{self.path(name, made)} : "
                f"(int **)&{self.path(other, of)};", self.use(f"*{slot}"), f"*{slot} = {self.target()};"]

    def through_function(self, name, made, _):
        function = self.name("set")
        self.functions.append(f"__attribute__((noinline)) void {function}(int **s, int *p) {{ *s = p; }}")
        return [f"{function}((int **)&{self.path(name, made)}, {self.target()});",
                f"{function}((int **)&{self.path(name, made)}, {self.path(name, made)});"]

    def through_struct(self, name, made, other):
        q = self.name("q")
        made_here = [f"{made.name} *{q} = flag[{self.r.randrange(4)}] ? ({made.name} *)&{name} : ({made.name} *)&{other};",
                     self.use(self.path(f"(*{q})", made))]
        if self.r.random() < .5:
            made_here.append(f"{self.path(f'(*{q})', made)} = {self.target()};")
        if self.r.random() < .4:
            made_here.append(f"{other} = *{q};")
        return made_here

    def through_cursor(self, name, made, other):
        """A pointer moves over an array in constant steps; an element is accessed at a constant distance from it."""
        path, of = self.part(name, made)
        if not isinstance(of, Array):
            return self.assign(name, made, other)
        c, reached, element = self.name("c"), self.r.randint(1, of.count), of.element
        by = self.r.randrange(of.count) - reached
        declared, base = element.declare(f"(*{c})"), f"({element.declare('(*)')}){path}"
        walk = self.r.choice([f"for (int i = k0; i < {reached}; i++) {c}++;", f"while ({c} < ({base}) + {reached}) {c}++;",
                              f"if (k1) {c} += {reached};"])
        there = f"{c}[{by}]"
        if self.r.random() < .4:
            sum_ = f"(ulong){c} {'-' if by < 0 else '+'} {abs(by) * element.size}"
            there = f"(*({element.declare('(*)')})({sum_}))"
        where = self.path(there, element)
        if self.r.random() < .4:
            function, own = self.name("at"), "".join(f", int {k}" for k in INDICES)
            self.functions.append(f"__attribute__((noinline)) int **{function}({declared}{own}) {{ return (int **)&{where}; }}")
            where = f"(*{function}({', '.join([c, *INDICES])}))"
        return [f"{declared} = {base}; {walk}", self.use(where), f"{where} = {self.target()};"]

    def through_memory(self, name, made, other):
        space, raw = self.r.choice([("local", "la"), ("global", "hp")])
        lines = []
        for forth in (True, False):
            piece, size = self.r.choice([p for p in PIECES if made.size % p[1] == 0])
            mine, far = f"(({piece} *)&{name if forth else other})[i]", f"(({space} {piece} *){raw})[i]"
            to, source = (far, mine) if forth else (mine, far)
            lines.append(f"for (int i = 0; i < {made.size // size}; i++) {to} = {source};")
        return lines

    def source(self):
        lines = ["typedef int *ip;", *(s.definition() for s in self.structs), *self.functions,
                 "kernel void k(global int *out, global int *in, local ulong *la, global ulong *hp) {",
                 "int x = 42, x2 = 43, k0 = in[2], k1 = in[3], k2 = in[4], k3 = in[5], acc = 1;",
                 "local int ly[2]; global int *flag = in + 6; ly[0] = 5;", *self.declared, *self.body,
                 "out[0] = acc; out[1] = x + x2 + ly[0]; }"]
        return "\n".join(lines) + "\n"


# ---- Running ------------------------------------------------------------------------------------------------------------


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def compiled(work, level):
    """-> path of the module, or None if llvm-spirv cannot write it; raises an exception if the program is invalid OpenCL C."""
    made = run(toolchain.tool("clang"), "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-w", "-fno-strict-aliasing", "-" + level,
               "-emit-llvm", "-c", "-Xclang", "-finclude-default-header", f"{work}/k.cl", "-o", f"{work}/k.bc")
    if made.returncode:
        raise RuntimeError(made.stderr[:300])
    done = run(toolchain.tool("llvm-spirv"), "--spirv-max-version=1.3", f"{work}/k.bc", "-o", f"{work}/k.spv")
    return None if done.returncode else f"{work}/k.spv"


def failures(options, work, seed):
    """Yields the errors of the program of `seed`; counts compared and skipped modules in `options`."""
    with open(f"{work}/k.cl", "w", encoding="utf-8") as out:
        out.write(Program(seed).source())
    for level in options.levels.split(","):
        module = compiled(work, level)
        if not module:
            options.left_out += 1
            continue
        original = run(options.judge, *ARGUMENTS, module)
        if original.returncode:
            yield f"-{level}: the original is wrong: {original.stderr[:200]}"
            continue
        for mode in options.modes.split(","):
            made = run(options.command, "specialize", module, "-o", f"{work}/out.spv", "--mode", mode)
            judged = made if made.returncode else run(options.judge, "--compare", *ARGUMENTS, module, f"{work}/out.spv",
                                                      "--global-base=0xff00000000010000")
            options.compared += 1
            if judged.returncode:
                yield f"-{level} {mode}: {' '.join(judged.stderr.split())[:250]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nonflat", required=True, help="build folder of Nonflat")
    parser.add_argument("--seeds", default="0:100", help="A:B, B not included; or one seed")
    parser.add_argument("--levels", default="O0,O2")
    parser.add_argument("--modes", default="auto,dynamic")
    parser.add_argument("--keep", help="folder for the programs that fail")
    options = parser.parse_args()
    options.judge, options.command = f"{options.nonflat}/tests/judge/nonflat-judge", f"{options.nonflat}/tools/nonflat"
    options.compared = options.left_out = failed = 0
    missing = toolchain.missing("clang", "llvm-spirv", options.judge, options.command)
    if missing:
        print("SKIPPED:", ", ".join(missing), "missing")
        return 77
    first, _, last = options.seeds.partition(":")
    with tempfile.TemporaryDirectory(prefix="nonflat-layouts-") as work:
        for seed in range(int(first), int(last or int(first) + 1)):
            found = list(failures(options, work, seed))
            failed += bool(found)
            for what in found:
                print(f"FAIL seed {seed} {what}", flush=True)
            if found and options.keep:
                os.makedirs(options.keep, exist_ok=True)
                shutil.copy(f"{work}/k.cl", f"{options.keep}/{seed}.cl")
    print(f"{options.compared} runs compared, {failed} programs failed, {options.left_out} left out by llvm-spirv")
    return 1 if failed or not options.compared else 0


if __name__ == "__main__":
    sys.exit(main())
