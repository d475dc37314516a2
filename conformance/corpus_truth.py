# SPDX-License-Identifier: Apache-2.0
"""corpus_truth.py - reads the expected results of each program of tests/corpus, which are JSON in a comment of the program.

    /* TRUTH
    {"kernels": [{"name": KERNEL, "args": [SPEC...], "expect": {"N": "TYPE:{EXPRESSION}"}, "ambiguous": A, ...}], ...}
    */

KERNEL    one name, or several joined by '+' that run one after another with the same arguments
SPEC      an argument of clrun; {EXPRESSION} in it is a Python expression whose items are joined by commas
expect    for each buffer argument that is checked, its contents afterwards
global, local    numbers of work-items, 64 and 16 by default
ambiguous        the number of generic accesses that really reach more than one space, or one number per level
conservative     the number of further accesses that no sound analysis of the kernel alone can prove (they depend on host data)
why              the explanation, if either is not 0
devices          the only devices that can run it (cpu, pocl, oclgrind, fpga); needs: a feature that some devices lack
wrong_on         {target, or "target mode": why the driver computes a wrong result, with or without Nonflat}
refused          what the reason says for which the core refuses it where no pointer may stay generic
run, drivers     why it is compiled and analyzed but not run, at all or by any driver
"""
import json
import pathlib
import re
import struct

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "tests/corpus"
FORMAT = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q",
          "float": "f", "double": "d"}


def sources():
    """Returns {program: path} of all programs of the corpus, including benchmarks."""
    found = {}
    for pattern in ("sycl/*.cpp", "opencl/*.cl", "opencl/*.clcpp", "bench/*.cl"):
        found.update({p.stem if p.suffix != ".cpp" else p.stem: p for p in sorted(CORPUS.glob(pattern))})
    return found


def truth_of(path):
    text = path.read_text(encoding="utf-8")
    match = re.search(r"/\* TRUTH\n(.*?)\n\*/", text, re.S)
    if not match:
        raise ValueError(f"{path}: no TRUTH comment")
    return json.loads(match.group(1))


def evaluate(text):
    """Replaces each {EXPRESSION} by its items, joined by commas."""
    def items(match):
        value = eval(match.group(1), {})  # safe: the corpus is part of this tree
        return ",".join(str(v) for v in value)
    return re.sub(r"\{(.*)\}", items, text)


def per_level(value, level):
    return value.get(level, 0) if isinstance(value, dict) else value


def ambiguous(truth, level):
    """Returns the numbers of (ambiguous, conservative) accesses of the program at `level`."""
    return tuple(sum(per_level(k.get(key, 0), level) for k in truth["kernels"]) for key in ("ambiguous", "conservative"))


def difference(expected, data):
    """Returns None if the bytes equal "TYPE:numbers", else a description of the first difference."""
    kind, numbers = expected.split(":", 1)
    wanted = [float(n) if kind in ("float", "double") else int(n) for n in numbers.split(",")]
    size = struct.calcsize(FORMAT[kind])
    if len(data) < size * len(wanted):
        return f"{len(data)} bytes instead of {size * len(wanted)}"
    got = struct.unpack(f"<{len(wanted)}{FORMAT[kind]}", data[:size * len(wanted)])
    for i, (want, have) in enumerate(zip(wanted, got)):
        if want != have and not (kind in ("float", "double") and abs(want - have) <= 1e-5 * max(1.0, abs(want))):
            return f"element {i} is {have} instead of {want}"
    return None


def jobs(truth):
    """Yields (index, arguments of clrun after FILE, {argument: expected}) for each kernel."""
    for index, kernel in enumerate(truth["kernels"]):
        words = [kernel["name"], str(kernel.get("global", 64)), str(kernel.get("local", 16))]
        words += [evaluate(a).replace(" ", "") for a in kernel["args"]]
        yield index, words, {int(k): evaluate(v).replace(" ", "") for k, v in kernel["expect"].items()}
