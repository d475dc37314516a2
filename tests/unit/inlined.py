#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""inlined.py - checks that inference has the same result for a call as for the callee's body in its place.

    inlined.py INLINED_TEST WORK [--seeds FIRST:LAST] [--modules FOLDER_OR_FILE...] [--spirv-dis COMMAND]
            [--clang COMMAND --llvm-spirv COMMAND] [--keep]

Each call copies the summary of its callee, and has its own instance of the callee; so every access of a module with calls must get the same
spaces as in the inlined module. INLINED_TEST (inlined.c) compares the two, access by access.

The form with calls may be less precise: if a constant argument is an offset that a callee adds, if a callee selects between pointers to
memory that it cannot distinguish, or if the number of instances is at its limit. Then the form with calls has more spaces, which is sound
but slow. Fewer spaces are an error. One legitimate cause of fewer spaces is known: inlining changes the order in which regions are unified,
which may join memory that the form with calls distinguishes.
This happens in one of three thousand random modules, and in none of the test's modules.

Random modules have helper functions, two levels deep, on generic pointers and 64-bit integers. The functions pass no constants, and access
whole words only, because the result for a part of a word depends on the state of inference at the access. All but a few must have equal
results. Other modules are given as text, as SPIR-V, which may be compressed, or as OpenCL C. Modules whose blocks are reordered before
inference, because definitions must precede uses, cannot be compared.

Exit status: 0 success, 1 a check failed; both forms of the modules that differ are kept in WORK.
"""
import argparse
import collections
import gzip
import pathlib
import random
import re
import subprocess
import sys

ID = re.compile(r"%\w+")
# Two lists that end at one constant address share memory if they are in one function: the form with calls is more precise.
LEFT_OUT = ("sentinels.llvm-O0", "sentinels.llvm-O2")
MOST_WIDER = 0.01  # the part of the random modules that may have more spaces with calls

# ---- The inliner ----


class Function:
    def __init__(self, head):
        self.head, self.parameters, self.body = head, [], []
        self.id = head.split()[0]


def split_module(text):
    """@return (lines before the functions, functions) of a module as text, without comments."""
    before, functions, inside = [], [], None
    for line in text.splitlines():
        line = re.sub(r'^((?:[^";]|"(?:[^"\\]|\\.)*")*);.*$', r"\1", line).strip()
        if re.match(r"%\w+ = OpFunction ", line):
            inside = Function(line)
            functions.append(inside)
        elif inside is None:
            before.append(line)
        elif " = OpFunctionParameter " in line:
            inside.parameters.append(line.split()[0])
        elif line and line != "OpFunctionEnd":
            inside.body.append(line)
    return [line for line in before if line], functions


class Inliner:
    """Replaces calls by the body of the callee if it is known, is not recursive and has no by-value parameters.

    The blocks of the callee are inserted at the call, in their order, so that the order of all instructions is preserved."""

    def __init__(self, text):
        self.before, functions = split_module(text)
        self.functions = {f.id: f for f in functions}
        self.origin, self.count, self.calls, self.done, self.open = {}, 0, 0, set(), []
        self.by_value = {line.split()[1] for line in self.before if re.search(r"FuncParamAttr ByVal\b", line)}
        self.recursive = set()
        for f in functions:
            self.inline(f)

    def inline(self, f):
        """Inlines all calls of `f`, after those of its callees."""
        if f.id in self.open:
            self.recursive.update(self.open[self.open.index(f.id):])
        if f.id in self.done or f.id in self.open:
            return
        self.open.append(f.id)
        for callee in self.callees(f):
            self.inline(callee)
        self.open.pop()
        self.done.add(f.id)
        Body(self, f)

    def callees(self, f):
        called = (re.search(r"= OpFunctionCall %\w+ (%\w+)", line) for line in f.body)
        return [self.functions[match[1]] for match in called if match]

    def can_inline(self, f):
        return f.body and f.id not in self.recursive and not self.by_value.intersection(f.parameters)

    def text(self):
        copies = collections.defaultdict(list)
        for new, old in self.origin.items():
            copies[old].append(new)
        lines = []
        for line in self.before:
            lines.append(line)
            words = line.split(None, 2)
            if words[0] == "OpDecorate":
                lines += [f"OpDecorate {new} {words[2]}" for new in copies.get(words[1], ())]
        for f in self.functions.values():
            types = re.search(r"(%\w+)$", f.head)[1]
            parameters = next(line for line in self.before if line.startswith(f"{types} = OpTypeFunction")).split()[4:]
            lines += [f.head, *(f"{name} = OpFunctionParameter {kind}" for name, kind in zip(f.parameters, parameters))]
            lines += [*f.body, "OpFunctionEnd"]
        return "\n".join(lines) + "\n"


class Body:
    """The new body of one function."""

    def __init__(self, inliner, f):
        self.inliner, self.lines, self.variables, self.renamed, self.last = inliner, [], [], {}, {}
        block = None
        for line in f.body:
            call = re.match(r"(%\w+) = OpFunctionCall (%\w+) (%\w+)((?: %\w+)*)$", line)
            if " = OpLabel" in line:
                block = self.last[line.split()[0]] = line.split()[0]
                start = block
            if call and inliner.can_inline(inliner.functions[call[3]]):
                block = self.paste(block, inliner.functions[call[3]], call[1], call[2], call[4].split())
                self.last[start] = block
            else:
                self.lines.append(line)
        f.body = [self.finished(line) for line in self.with_variables()]

    def with_variables(self):
        return [*self.lines[:1], *self.variables, *self.lines[1:]]

    def finished(self, line):
        """Replaces results of calls by the returned values, and predecessors in phis by the last block that the predecessor became."""
        if " = OpPhi " in line:
            head, operands = line.split(" = OpPhi ")
            kind, *pairs = operands.split()
            pairs[1::2] = [self.last.get(label, label) for label in pairs[1::2]]
            line = f"{head} = OpPhi {kind} {' '.join(pairs)}"
        return ID.sub(lambda match: self.value(match[0]), line)

    def value(self, name):
        while name in self.renamed:
            name = self.renamed[name]
        return name

    def paste(self, block, callee, result, kind, arguments):
        """@return the label of the block in which the function continues after the call."""
        inliner = self.inliner
        inliner.count += 1
        inliner.calls += 1
        names = dict(zip(callee.parameters, arguments))
        for line in callee.body:
            match = re.match(r"(%\w+) = ", line)
            if match:
                names[match[1]] = f"{match[1]}_c{inliner.count}"
                inliner.origin[names[match[1]]] = inliner.origin.get(match[1], match[1])
        lines = [ID.sub(lambda match: names.get(match[0], match[0]), line) for line in callee.body]
        self.variables += [line for line in lines if " = OpVariable " in line]
        lines = [line for line in lines if " = OpVariable " not in line]
        if len([line for line in lines if " = OpLabel" in line]) == 1 and lines[-1].startswith("OpReturn"):
            if lines[-1].startswith("OpReturnValue"):
                self.renamed[result] = lines[-1].split()[1]
            self.lines += lines[1:-1]
            return block
        behind, returned = f"%behind_c{inliner.count}", []
        self.lines.append(f"OpBranch {lines[0].split()[0]}")
        for line in lines:
            if " = OpLabel" in line:
                block = line.split()[0]
            if line.startswith("OpReturn"):
                returned += [(line.split()[-1], block)]
                line = f"OpBranch {behind}"
            self.lines.append(line)
        self.lines.append(f"{behind} = OpLabel")
        self.give(result, kind, returned)
        return behind

    def give(self, result, kind, returned):
        if returned and returned[0][0] == "OpReturn":
            return
        if len(returned) == 1:
            self.renamed[result] = returned[0][0]
        elif returned:
            self.lines.append(f"{result} = OpPhi {kind} {' '.join(f'{value} {block}' for value, block in returned)}")
        elif not re.search(rf"^{kind} = OpTypeVoid", "\n".join(self.inliner.before), re.M):
            self.lines.append(f"{result} = OpUndef {kind}")


# ---- Random modules ----

HEAD = """OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "k"
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%ulong_0 = OpConstant %ulong 0
%ulong_1 = OpConstant %ulong 1
%ulong_4 = OpConstant %ulong 4
%ulong_24 = OpConstant %ulong 24
%ulong_m16 = OpConstant %ulong 18446744073709551600
%ulong_m64 = OpConstant %ulong 18446744073709551552
%ulong_far = OpConstant %ulong 70368744177664
%array = OpTypeArray %ulong %ulong_4
%private = OpTypePointer Function %ulong
%private_array = OpTypePointer Function %array
%local = OpTypePointer Workgroup %ulong
%global = OpTypePointer CrossWorkgroup %ulong
%generic = OpTypePointer Generic %ulong
%slot = OpTypePointer Function %generic
"""
TYPES = {"p": "%generic", "u": "%ulong", "c": "%uint", "b": "%bool", "v": "%void"}


class Builder:
    """A function that is being generated: lines, and the values that are available in the current block."""

    def __init__(self, module, name, depth):
        self.module, self.name, self.depth, self.random = module, name, depth, module.random
        self.lines, self.variables, self.slots = [], [], []
        self.values = {"p": [], "u": [], "c": [], "b": []}
        self.block = f"{name}_entry"
        self.level = 0

    def emit(self, kind, text):
        name = self.module.fresh()
        self.lines.append(f"{name} = {text}")
        if kind != "v":
            self.values[kind].append(name)
        return name

    def say(self, text):
        self.lines.append(text)

    def pick(self, kind):
        """Returns a value of that kind; the newest ones are the most likely, so that chains become long."""
        values = self.values[kind]
        if not values:
            return {"p": self.to_pointer, "u": self.to_integer, "b": self.condition}[kind]()
        return values[-1 - min(int(self.random.expovariate(0.5)), len(values) - 1)]

    def begin(self, name):
        self.say(f"{name} = OpLabel")
        self.block = name

    # Statements.

    def to_integer(self):
        return self.emit("u", f"OpConvertPtrToU %ulong {self.pick('p')}")

    def to_pointer(self):
        return self.emit("p", f"OpConvertUToPtr %generic {self.pick('u')}")

    def condition(self):
        return self.emit("b", f"OpIEqual %bool {self.random.choice(self.values['c'])} %uint_0")

    def compare(self):
        other = self.random.choice(("%ulong_far", self.pick("u"), self.pick("u"), self.pick("u")))
        self.emit("b", f"{self.random.choice(('OpIEqual', 'OpULessThan', 'OpINotEqual'))} %bool {self.pick('u')} {other}")

    def of_constant(self):
        op, constant = self.random.choice((("OpIAdd", "%ulong_24"), ("OpISub", "%ulong_24"), ("OpBitwiseOr", "%ulong_1"),
                                           ("OpBitwiseXor", "%ulong_4"), ("OpBitwiseAnd", "%ulong_m16")))
        self.emit("u", f"{op} %ulong {self.pick('u')} {constant}")

    def of_two(self):
        op = self.random.choice(("OpIAdd", "OpISub", "OpISub", "OpBitwiseXor", "OpBitwiseAnd", "OpBitwiseOr"))
        a, b = self.pick("u"), self.pick("u")
        # The operands of a subtraction are known inside a function only, so a mask is inserted.
        if op == "OpISub":
            a = self.emit("u", f"OpBitwiseAnd %ulong {a} %ulong_m16")
        self.emit("u", f"{op} %ulong {a} {b}")

    def shift(self):
        op = self.random.choice(("OpShiftRightLogical", "OpShiftLeftLogical"))
        self.emit("u", f"{op} %ulong {self.pick('u')} %ulong_4")

    def select(self):
        kind = self.random.choice("ppu")
        a, b = self.pick(kind), self.pick(kind)
        self.emit(kind, f"OpSelect {TYPES[kind]} {self.pick('b')} {a} {b}")

    def load(self):
        self.emit("u", f"OpLoad %ulong {self.pick('p')} Aligned 8")

    def store(self):
        self.say(f"OpStore {self.pick('p')} {self.pick('u')} Aligned 8")

    def keep(self):
        """Passes a pointer through a variable."""
        if len(self.slots) < 2:
            self.slots.append(self.module.fresh())
            self.variables.append(f"{self.slots[-1]} = OpVariable %slot Function")
        self.say(f"OpStore {self.random.choice(self.slots)} {self.pick('p')} Aligned 8")
        self.emit("p", f"OpLoad %generic {self.random.choice(self.slots)} Aligned 8")

    def chain(self):
        index = self.random.choice(("%ulong_1", self.pick("u")))
        self.emit("p", f"OpPtrAccessChain %generic {self.pick('p')} {index}")

    def phi(self):
        """A branch with statements on both sides, and a phi of their values."""
        if self.level == 2:
            return
        condition = self.pick("b")
        names = [self.module.fresh() for _ in range(3)]
        self.say(f"OpBranchConditional {condition} {names[0]} {names[1]}")
        kinds = [self.random.choice("ppu") for _ in range(1 + self.random.randrange(2))]
        came, before = [], {kind: list(values) for kind, values in self.values.items()}
        self.level += 1
        for name in names[:2]:
            self.begin(name)
            self.statements(self.random.randrange(3))
            picked = [self.pick(kind) for kind in kinds]
            came.append((picked, self.block))
            self.say(f"OpBranch {names[2]}")
            self.values = {kind: list(values) for kind, values in before.items()}
        self.level -= 1
        self.begin(names[2])
        for number, kind in enumerate(kinds):
            pairs = " ".join(f"{picked[number]} {block}" for picked, block in came)
            self.emit(kind, f"OpPhi {TYPES[kind]} {pairs}")

    def loop(self):
        """A loop-carried value."""
        if self.level == 2:
            return
        kind, first, before = self.random.choice("pu"), None, self.block
        first, condition = self.pick(kind), self.pick("b")
        before = self.block
        head, behind, place = self.module.fresh(), self.module.fresh(), self.module.fresh()
        self.say(f"OpBranch {head}")
        self.begin(head)
        at = len(self.lines)
        kept = {name: list(values) for name, values in self.values.items()}
        self.values[kind].append(place)
        self.level += 1
        self.statements(1 + self.random.randrange(3))
        self.level -= 1
        last = self.pick(kind)
        self.lines.insert(at, f"{place} = OpPhi {TYPES[kind]} {first} {before} {last} {self.block}")
        self.say(f"OpBranchConditional {condition} {head} {behind}")
        self.begin(behind)
        self.values = kept
        self.values[kind].append(place)

    def call(self):
        callees = self.module.callees(self)
        if not callees:
            return
        callee = self.random.choice(callees)
        arguments = [self.random.choice(self.values["c"]) if kind == "c" else self.pick(kind) for kind in callee.kinds]
        self.emit(callee.gives, f"OpFunctionCall {TYPES[callee.gives]} {callee.name} {' '.join(arguments)}")

    STATEMENTS = {to_integer: 3, to_pointer: 5, compare: 2, of_constant: 3, of_two: 4, shift: 1, select: 3, load: 4, store: 4,
                  keep: 2, chain: 2, phi: 2, loop: 1, call: 5}

    def statements(self, count):
        for made in self.random.choices(list(self.STATEMENTS), self.STATEMENTS.values(), k=count):
            made(self)


class Module:
    def __init__(self, seed):
        self.random, self.count, self.types, self.helpers = random.Random(seed), 0, {}, []
        for depth in (0, 0, 1, 1):
            self.helpers.append(self.helper(depth))
        self.kernel = self.make_kernel()

    def fresh(self):
        self.count += 1
        return f"%x{self.count}"

    def type_of(self, gives, kinds):
        return self.types.setdefault((gives, *kinds), f"%fn{len(self.types)}")

    def callees(self, builder):
        """A helper of depth 1 calls those of depth 0; a kernel calls all."""
        return [helper for helper in self.helpers if helper.depth < builder.depth]

    def helper(self, depth):
        f = Builder(self, f"%f{len(self.helpers)}", depth)
        f.gives = self.random.choice("ppuuv")
        f.kinds = ["c", *(self.random.choice("ppu") for _ in range(1 + self.random.randrange(3)))]
        f.parameters = [self.fresh() for _ in f.kinds]
        for kind, name in zip(f.kinds, f.parameters):
            f.values[kind].append(name)
        if not f.values["p"]:
            f.to_pointer()
        f.statements(2 + self.random.randrange(6))
        if f.gives == "v":
            f.store()
            f.say("OpReturn")
        else:
            f.say(f"OpReturnValue {f.pick(f.gives)}")
        return f

    def make_kernel(self):
        f = Builder(self, "%kernel", 2)
        f.gives, f.kinds, f.parameters = "v", None, None
        f.values["c"].append("%n")
        f.variables += ["%v = OpVariable %private Function", "%w = OpVariable %private_array Function"]
        storages = self.random.sample(("%v", "%w", "%a", "%b", "%h"), 1 + self.random.randrange(3))
        if not {"%v", "%a", "%b"}.intersection(storages):
            storages.append(self.random.choice(("%v", "%a", "%b")))
        for storage in storages:
            if storage == "%w":
                storage = f.emit("v", "OpInBoundsPtrAccessChain %private %w %ulong_0 %ulong_1")
            if storage == "%h":
                f.values["u"].append("%h")
            else:
                f.emit("p", f"OpPtrCastToGeneric %generic {storage}")
        f.statements(5 + self.random.randrange(8))
        for _ in range(2):
            f.call()
            f.load()
        f.say("OpReturn")
        return f

    def text(self):
        functions = ["%kernel = OpFunction %void None %of_kernel", "%a = OpFunctionParameter %global",
                     "%b = OpFunctionParameter %local", "%h = OpFunctionParameter %ulong", "%n = OpFunctionParameter %uint",
                     "%kernel_entry = OpLabel", *self.kernel.variables, *self.kernel.lines, "OpFunctionEnd"]
        for f in self.helpers:
            functions += [f"{f.name} = OpFunction {TYPES[f.gives]} DontInline {self.type_of(f.gives, f.kinds)}"]
            functions += [f"{name} = OpFunctionParameter {TYPES[kind]}" for kind, name in zip(f.kinds, f.parameters)]
            functions += [f"{f.name}_entry = OpLabel", *f.variables, *f.lines, "OpFunctionEnd"]
        types = [f"{name} = OpTypeFunction {' '.join(TYPES[kind] for kind in kinds)}" for kinds, name in self.types.items()]
        types.append("%of_kernel = OpTypeFunction %void %global %local %ulong %uint")
        return HEAD + "\n".join([*types, *functions]) + "\n"


# ---- The comparison ----


def texts(options):
    """(name, text, whether it is random) for all modules."""
    first, _, last = options.seeds.partition(":")
    for seed in range(int(first), int(last)):
        yield f"random-{seed}", Module(seed).text(), True
    for place in options.modules:
        for path in sorted(place.iterdir()) if place.is_dir() else [place]:
            yield from ((name, text, False) for name, text in texts_of(options, path) if name not in LEFT_OUT)


def texts_of(options, path):
    """(name, text) for the modules in one file; nothing for other files. Compiles programs without inlining."""
    if path.suffix == ".spvasm":
        yield path.stem, path.read_text(encoding="utf-8")
    elif path.suffix == ".cl" and options.clang and options.llvm_spirv:
        for level in ("-O0", "-O2"):
            bitcode = options.work / "program.bc"
            words = ["-x", "cl", "-cl-std=CL2.0", level, "-fno-inline", "-target", "spir64", "-emit-llvm", "-c", "-w"]
            subprocess.run([options.clang, *words, "-Xclang", "-finclude-default-header", path, "-o", bitcode], check=True)
            done = subprocess.run([options.llvm_spirv, bitcode, "-o", "-"], capture_output=True, check=False)
            if not done.returncode:
                yield from disassembled(options, f"{path.stem}{level}", done.stdout)
    elif path.suffix in (".spv", ".gz"):
        module = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        yield from disassembled(options, path.name.partition(".spv")[0], module)


def disassembled(options, name, module):
    done = subprocess.run([options.spirv_dis, "--raw-id", "--no-header", "-"], input=module, capture_output=True, check=False)
    if not done.returncode:
        yield name, done.stdout.decode()


def write_pair(options, name, text):
    """@return the two files of a module, or None if it has no call that can be inlined."""
    try:
        inliner = Inliner(text)
    except KeyError:  # it calls what is no function of its own
        return None
    if not inliner.calls:
        return None
    pair = [options.work / f"{name}.{form}.spvasm" for form in ("calls", "inlined")]
    pair[0].write_text(text, encoding="utf-8")
    pair[1].write_text(inliner.text(), encoding="utf-8")
    return pair


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inlined_test")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seeds", default="2000:3000", metavar="FIRST:LAST")
    parser.add_argument("--modules", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--spirv-dis", default="spirv-dis")
    parser.add_argument("--clang", help="compiles modules that are programs")
    parser.add_argument("--llvm-spirv")
    parser.add_argument("--keep", action="store_true", help="keep the modules that are right, too")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    pairs = {str(pair[0]): (pair, is_random) for name, text, is_random in texts(options) if (pair := write_pair(options, name, text))}
    done = subprocess.run([options.inlined_test], input="".join(f"{a} {b}\n" for (a, b), _ in pairs.values()), text=True,
                          capture_output=True, check=False)
    totals, verdicts, randoms, wrong, notes = [0, 0, 0], collections.Counter(), collections.Counter(), 0, []
    for line in done.stdout.splitlines():
        words = line.split()
        if line.startswith(" "):
            notes.append(line)
            continue
        if len(words) != 5 or words[0] not in pairs:
            print(line)
            continue
        pair, is_random = pairs.pop(words[0])
        totals = [total + int(word) for total, word in zip(totals, words[1:])]
        verdicts[words[4]] += 1
        randoms[words[4]] += is_random
        wrong += words[4] == "lost" or (words[4] == "apart" and is_random)
        if words[4] != "same":
            print(f"{words[4]}: {pair[0]} {pair[1]}", *notes, sep="\n")
        elif not options.keep:
            for path in pair:
                path.unlink()
        notes = []
    for name in pairs:
        print(f"not compared: {name}")
    print(f"{sum(verdicts.values())} modules, {totals[0]} accesses, {totals[1]} of them in one space and {totals[2]} in several: "
          + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    if randoms["wider"] > MOST_WIDER * sum(randoms.values()):
        print("too many random modules have more spaces with calls than inlined")
        wrong += 1
    return 1 if wrong or pairs or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
