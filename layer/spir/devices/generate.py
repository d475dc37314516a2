#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of a device's features from its library of builtins.

    generate.py pocl [--nm llvm-nm-15] kernel-*.bc > pocl.txt       the kernel libraries in /usr/share/pocl
    generate.py oclgrind WorkItemBuiltins.cpp > oclgrind.txt        of Oclgrind's source package

The format of a table, one entry per line:
    # ...                    a comment
    f NAME... : SUFFIX...    the device has _Z<length>NAME<SUFFIX> if a glob matches SUFFIX, and none after a '!' does
    p NAME... : SUFFIX...    the same for every name with such a prefix
    x GLOB...                functions with unmangled names, including LLVM intrinsics
    n OPCODE...              LLVM instructions that the device does not execute; 'half' stands for arithmetic on 16-bit floats
    s                        kernel names longer than 250 characters end the process, as they become file names
    i                        every function must be inlined into its kernels, as only kernels have work-item ids
    g                        all kernels share one instance of a program-scope variable
    v                        printf gets vectors of up to 32 bits as integers, as C passes them on the processor
    a                        addresses inside the initializers of program-scope variables, as elements or integers,
                             are null, or end the process
"""

import argparse
import collections
import re
import subprocess
import textwrap

# Functions that PoCL's passes replace; no library defines them.
PASSES = "printf __translate_sampler_initializer"

# LLVM intrinsics that LLVM's own code generators expand without a library.
EXPANDED = """llvm.memcpy.* llvm.memmove.* llvm.memset.* llvm.lifetime.* llvm.dbg.* llvm.ctlz.* llvm.cttz.*
    llvm.ctpop.* llvm.bswap.* llvm.bitreverse.* llvm.fshl.* llvm.fshr.* llvm.abs.* llvm.smax.* llvm.smin.* llvm.umax.*
    llvm.umin.* llvm.uadd.* llvm.usub.* llvm.umul.* llvm.sadd.* llvm.ssub.* llvm.smul.* llvm.fabs.* llvm.fmuladd.*
    llvm.copysign.* llvm.sqrt.f32 llvm.sqrt.f64 llvm.trap llvm.vector.reduce.*"""


def wrap(first, words):
    """Returns the lines of one entry; each line repeats the head."""
    return [f"{first} {line}" for line in textwrap.wrap(" ".join(words), 4000, break_on_hyphens=False)]


def defined(nm, path):
    out = subprocess.run([nm, "--defined-only", "--format=just-symbols", path], check=True, capture_output=True, text=True)
    return set(out.stdout.split())


def pocl(nm, paths):
    """Returns the table of the builtins in every variant of the library: the driver selects one by the host's features."""
    names = set.intersection(*(defined(nm, path) for path in paths))
    suffixes = collections.defaultdict(set)
    for name in names:
        match = re.match(r"_Z(\d+)(.*)", name)
        if not match:
            continue
        length = int(match.group(1))
        function, suffix = match.group(2)[:length], match.group(2)[length:]
        if not function.startswith("_") and not re.search(r"PU\d+CL|ocl_event$", suffix):
            suffixes[function].add(suffix)
    alike = collections.defaultdict(list)
    for function, types in suffixes.items():
        alike[tuple(sorted(types))].append(function)
    lines = ["# Builtins of PoCL 3.1's kernel libraries (x86_64); made by generate.py, which explains the form."]
    for types, functions in sorted(alike.items(), key=lambda item: sorted(item[1])):
        lines += wrap(f"f {' '.join(sorted(functions))} :", types)
    lines += wrap(f"x {PASSES}", EXPANDED.split())
    lines += ["s", "i", "v"]
    return lines


def oclgrind(path):
    """Returns the table without the types that Oclgrind executes wrongly: it looks names up without their types. Of a vector, its
    llvm.bswap swaps the bytes of the first component only."""
    text = open(path, encoding="utf-8").read()
    exact = re.findall(r'^\s*ADD_BUILTIN\(\s*"([^"]+)"', text, re.M)
    prefixed = re.findall(r'^\s*ADD_PREFIX_BUILTIN\(\s*"([^"]+)"', text, re.M)
    plain = [name for name in exact if name.startswith(("llvm.", "printf", "__"))]
    atomics = [name for name in exact if re.match(r"atom(ic)?_", name)]
    images = [name for name in exact if "image" in name]
    rest = [name for name in exact if name not in plain + atomics + images]
    halves = [name for name in prefixed if name.endswith("_half") and not name.startswith("convert")]
    others = [name for name in prefixed if name not in halves and not name.startswith(("llvm.", "convert_half"))]
    exchange = [name for name in atomics if name.endswith("_xchg")]
    integers = [f"PU3AS{space}V{t}*" for space in (1, 3) for t in "ijlm"]
    lines = ["# Builtins of Oclgrind 21.10; made by generate.py, which explains the form."]
    lines += wrap(f"f {' '.join(rest)} :", ["*", "!*Dh*"])
    lines += wrap(f"f {' '.join(atomics)} :", integers)
    lines += wrap(f"f {' '.join(exchange)} :", ["PU3AS1Vf*", "PU3AS3Vf*"])
    lines += wrap(f"f {' '.join(images)} :", ["*"])
    lines += wrap(f"p {' '.join(halves)} :", ["*"])
    lines += wrap(f"p {' '.join(others)} :", ["*", "!*Dh*"])
    lines += wrap("x", plain + [name + ("i*" if name == "llvm.bswap." else "*") for name in prefixed if name.startswith("llvm.")])
    lines += ["n addrspacecast atomicrmw cmpxchg fence va_arg half", "g", "a"]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("device", choices=["pocl", "oclgrind"])
    parser.add_argument("--nm", default="llvm-nm-15")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    lines = pocl(arguments.nm, arguments.files) if arguments.device == "pocl" else oclgrind(arguments.files[0])
    print("\n".join(lines))


main()
