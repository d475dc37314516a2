#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py - compiles library.cl to words.inc: SPIR-V without names, as C integers.

    generate.py [--check]     writes words.inc next to this file, or checks that it is up to date (exit status 0 or 1)

Requires clang-15 and llvm-spirv-15, which the build does not; the exit status is 77 if they are not installed. Memory accesses
are volatile in library.cl, so that clang turns no loop into a call of memcpy; the mask is removed from the words.
"""
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CLANG = ["clang-15", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown", "-O2", "-fno-builtin", "-fno-vectorize",
         "-fno-slp-vectorize", "-fno-jump-tables", "-Xclang", "-finclude-default-header", "-emit-llvm", "-c"]
# Names, debug information, and loop hints, which differ between releases of the translator.
NAME, SOURCE, MEMBER_NAME, STRING, LINE, LOOP_MERGE, DECORATE, NO_LINE = 5, 3, 6, 7, 8, 246, 71, 317
LINKAGE = 41


def compiled():
    with tempfile.TemporaryDirectory() as folder:
        bitcode, module = f"{folder}/library.bc", f"{folder}/library.spv"
        subprocess.run([*CLANG, HERE / "library.cl", "-o", bitcode], check=True)
        subprocess.run(["llvm-spirv-15", bitcode, "-o", module], check=True)
        data = pathlib.Path(module).read_bytes()
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def stripped(words):
    """Returns the words without the instructions that a copy of a function does not need."""
    kept, at = words[:5], 5
    kept[2] = 0  # the generator's version
    while at < len(words):
        opcode, length = words[at] & 0xFFFF, words[at] >> 16
        instruction = words[at:at + length]
        dropped = opcode in (NAME, SOURCE, MEMBER_NAME, STRING, LINE, LOOP_MERGE, NO_LINE) or (
            opcode == DECORATE and instruction[2] != LINKAGE)
        if not dropped:
            kept += plain(instruction, opcode)
        at += length
    return kept


def plain(instruction, opcode):
    """Removes Volatile from the memory operands."""
    at = {61: 4, 62: 3}.get(opcode)  # OpLoad, OpStore: the word of the mask
    if at and len(instruction) > at:
        instruction[at] &= ~1
    return instruction


def text(words):
    lines = [", ".join(f"0x{w:x}" for w in words[i:i + 12]) for i in range(0, len(words), 12)]
    return "/* SPDX-License-Identifier: Apache-2.0 */\n/* The words of a SPIR-V module, which src/supply/library.c includes. Written by generate.py from library.cl. Do not edit. */\n" + ",\n".join(lines) + "\n"


def main():
    if not shutil.which("clang-15") or not shutil.which("llvm-spirv-15"):
        print("SKIPPED: clang-15 or llvm-spirv-15 is not installed")
        return 77
    made, target = text(stripped(compiled())), HERE / "words.inc"
    if sys.argv[1:] != ["--check"]:
        target.write_text(made)
        return 0
    if target.read_text() == made:
        return 0
    print("words.inc is not what library.cl gives: run src/supply/library/generate.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
