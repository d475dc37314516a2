#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""csmith.py - checks random programs of Csmith (https://github.com/csmith-project/csmith) in the judge.

    csmith.py --seeds 0:50 --judge JUDGE --nonflat NONFLAT [--modes LIST] [--levels LIST] [--work DIR] [--write DIR]

A generator that knows nothing of Nonflat: Csmith writes C programs with pointers to pointers, structures, unions, arrays and gotos that have no
undefined behavior. Its global variables become members of three structures, one in a buffer, one in local and one in private memory, which every
function gets, in half of the programs by generic pointers. So the program's pointers to its variables lead to three memories. The host's C
compiler computes the expected result.

Each program is compiled as corpus.py compiles its programs, and checked in the same way. --write DIR only writes the programs and their modules,
which `conformance/corpus --sources DIR --modules DIR` runs on drivers. Programs that run too long, or compare pointers to two memories that the
compiler knows, are left out.
Exit status: 0 nothing failed; 1 a program failed; 77 Csmith or a compiler is missing, or no program was checked.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import corpus  # noqa: E402

HEADER = (HERE / "csmith.h").read_text(encoding="utf-8")
# What OpenCL C lacks, or the structures cannot hold.
WITHOUT = ["--no-argc", "--no-bitfields", "--no-packed-struct", "--no-volatiles", "--no-volatile-pointers", "--no-consts", "--no-const-pointers",
           "--no-float", "--concise"]
MOST_OPERATIONS = 20000
MEMORIES = {"buffer": ("struct in_buffer", "global"), "near": ("struct in_local", "local"), "own": ("struct in_private", "")}
NAMES = ", ".join(MEMORIES)
FUNCTION = re.compile(r"^static\s.*\bfunc_\d+\(")


class LeftOut(Exception):
    """The program is not checked; the text is the reason."""


def options_of(seed):
    r = random.Random(seed)
    chosen = {"--max-funcs": (2, 6), "--max-block-depth": (1, 3), "--max-expr-complexity": (3, 8), "--max-pointer-depth": (2, 4),
              "--max-array-dim": (1, 3), "--max-array-len-per-dim": (2, 6), "--max-block-size": (3, 5)}
    return [word for name, (least, most) in chosen.items() for word in (name, str(r.randint(least, most)))]


def generate(seed):
    """@return the C program of that seed."""
    done = subprocess.run(["csmith", "--seed", str(seed), *WITHOUT, *options_of(seed)], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode or "#include" not in done.stdout:
        raise LeftOut("Csmith wrote nothing")
    return re.sub(r"(?<=[0-9A-F])(U?)LL\b", r"\1L", done.stdout)


class Parts:
    """The parts of a program: lines of types, of prototypes and of functions; variables as (type, name, dimensions, initializer); main()."""

    def __init__(self, text):
        self.types, self.variables, self.prototypes, self.functions, self.main = [], [], [], [], []
        to = self.types
        for line in text.split("\n"):
            variable = re.match(r"^static (.*?)\b(g_\d+)((?:\[\d+\])*) = (.*);\s*(?:/\*.*)?$", line)
            if line.startswith(("//", "/*", "#include", "static long __undefined")):
                continue
            if variable and "(" not in variable.group(1):
                self.variables.append(variable.groups())
                continue
            if FUNCTION.match(line) and line.rstrip().endswith(";"):
                self.prototypes.append(line)
                continue
            if line.startswith("int main"):
                to = self.main
            elif FUNCTION.match(line):
                to = self.functions
            to.append(line)

    def results(self):
        """@return the statements of main() that sum up the variables."""
        body = "\n".join(self.main)
        body = body[body.index("func_1();") + len("func_1();"):body.index("platform_main_end")]
        return "\n".join(line for line in body.split("\n") if "printf(" not in line)


def with_memories(line, parameters):
    """@return a line of a function with the three structures as further parameters and arguments."""
    if FUNCTION.match(line):
        return re.sub(r"(func_\d+)\((void)?\s*", lambda m: f"{m[1]}({parameters}" + ("" if m[2] else ", "), line, count=1)
    line = re.sub(r"\b(func_\d+)\(\s*\)", rf"\1({NAMES})", line)
    return re.sub(rf"\b(func_\d+)\((?!{NAMES}\))", rf"\1({NAMES}, ", line)


def initialize(name, members, whole):
    """@return the statements that initialize one structure: as a whole, or member by member."""
    if whole:
        kind = MEMORIES[name][0]
        return [f"    {kind} first_{name} = {{1{''.join(', ' + first for *_, first in members)}}};", f"    *{name} = first_{name};"]
    lines = []
    for kind, member, dimensions, first in members:
        if dimensions or first.startswith("{"):
            lines += [f"    {{ {kind} first{dimensions} = {first};", f"    __builtin_memcpy(&{member}, &first, sizeof first); }}"]
        else:
            lines.append(f"    {member} = {first};")
    return lines


def convert(text, seed):
    """@return the program as a kernel of OpenCL C without its header."""
    r, parts = random.Random(seed), Parts(text)
    spaces = r.random() < 0.5
    parameters = ", ".join(f"{space if spaces else ''} {kind} *{name}".strip() for name, (kind, space) in MEMORIES.items())
    inline = r.choice(["", "__attribute__((noinline)) "])
    weights, whole = r.choice([(1, 1, 1), (3, 1, 1), (1, 3, 1), (1, 1, 3)]), r.random() < 0.4
    members = {name: [] for name in MEMORIES}
    for variable in parts.variables:
        members[r.choices(list(MEMORIES), weights)[0]].append(variable)
    lines = parts.types
    for name, (kind, _) in MEMORIES.items():
        lines += [f"{kind} {{ int unused;", *(f"    {t} {n}{d};" for t, n, d, _ in members[name]), "};"]
        lines += [f"#define {n} ({name}->{n})" for _, n, _, _ in members[name]]
    lines += [inline + with_memories(line, parameters) for line in parts.prototypes]
    lines += [with_memories(line, parameters) for line in parts.functions]
    lines += ["kernel void k(global uint64_t *out, global struct in_buffer *buffer, local struct in_local *near)", "{",
              "    struct in_private mine, *own = &mine;", "    uint64_t sum = 1469598103934665603ul;", "    int i, j, k, l;"]
    for name in MEMORIES:
        lines += initialize(name, members[name], whole)
    return "\n".join(lines + [f"    func_1({NAMES});", parts.results(), "    out[0] = sum;", "}", ""])


def expected(kernel, work):
    """Runs the kernel on the host. @return (result, size of the buffer, size of the local structure), in bytes."""
    source, program = work / "host.c", work / "host"
    source.write_text("#include <stdio.h>\n#define kernel\n#define global\n#define local\n" + HEADER + kernel + """
int main(void)
{
    static struct in_buffer buffer;
    static struct in_local near;
    uint64_t out[1];
    k(out, &buffer, &near);
    printf("%lu %zu %zu %lu\\n", out[0], sizeof buffer, sizeof near, count);
    return 0;
}
""", encoding="utf-8")
    flags = ["-std=gnu11", "-w", "-fpermissive", "-O1", "-fno-strict-aliasing", "-fwrapv"]
    if subprocess.run(["cc", *flags, "-o", program, source], capture_output=True, check=False).returncode:
        raise LeftOut("the host's compiler refuses it")
    try:
        done = subprocess.run([program], capture_output=True, text=True, timeout=2, check=True)
    except subprocess.TimeoutExpired as error:
        raise LeftOut("it runs too long") from error
    result, buffer, near, count = map(int, done.stdout.split())
    if count > MOST_OPERATIONS:
        raise LeftOut("it runs too long")
    return result, buffer, near


def write(seed, folder, work):
    """Writes the program of that seed, with its arguments and its result. @return its path."""
    kernel = convert(generate(seed), seed)
    result, buffer, near = expected(kernel, work)
    truth = {"kernels": [{"name": "k", "args": ["zero:8", f"zero:{buffer}", f"local:{near}"], "expect": {"0": f"ulong:{result}"},
                          "global": 1, "local": 1}]}
    path = folder / f"csmith_{seed}.cl"
    path.write_text(f"/* TRUTH\n{json.dumps(truth)}\n*/\n{HEADER}{kernel}", encoding="utf-8")
    if not corpus.compile_program(path, "O0", work / "compiled.spv"):
        path.unlink()
        raise LeftOut("it does not compile, as it compares pointers to two memories")
    return path


def check(options, path):
    """Compiles the program at every level, and checks it, or only keeps the modules for --write. @return the number of checks, and of
    failures."""
    checks = failures = 0
    for level in options.levels:
        module = path.parent / f"{path.stem}.{level}.spv"
        if corpus.compile_program(path, level, module) and not options.write:
            done, wrong = corpus.check_module(options, module, corpus.corpus_truth.truth_of(path))
            checks, failures = checks + done, failures + wrong
    return checks, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:50")
    parser.add_argument("--judge")
    parser.add_argument("--nonflat")
    parser.add_argument("--modes", default="auto,dynamic,windows,hint,process", type=lambda text: text.split(","))
    parser.add_argument("--levels", default="O0,O2,llvm-O2")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("judge-csmith"))
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    options.left_out = []
    if not shutil.which("csmith") or not shutil.which("cc") or not corpus.has_compiler(pathlib.Path("a.cl")):
        print("SKIPPED: csmith, cc, clang or llvm-spirv is not installed")
        return 77
    folder = options.write or options.work
    for path in {folder, options.work}:
        path.mkdir(parents=True, exist_ok=True)
    options.levels = ("O0", "O2") if options.write else options.levels.split(",")
    reasons, made, checks, failures = collections.Counter(), 0, 0, 0
    first, end = map(int, options.seeds.split(":"))
    for seed in range(first, end):
        try:
            path = write(seed, folder, options.work)
        except LeftOut as reason:
            reasons[str(reason)] += 1
            continue
        made += 1
        done, wrong = check(options, path)
        checks, failures = checks + done, failures + wrong
    for reason, number in [*reasons.items(), *collections.Counter(options.left_out).items()]:
        print(f"left out, {number} times: {reason}")
    print(f"{made} programs, {checks} checks, {failures} failed")
    return 1 if failures else 0 if made else 77


if __name__ == "__main__":
    sys.exit(main())
