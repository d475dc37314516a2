# SPDX-License-Identifier: Apache-2.0
"""toolchain.py - the paths of clang, llvm-spirv and other LLVM programs, whose names contain a version on each system.

tools/toolchain.sh finds them. tool("clang") returns the program's path, or None; missing("clang", "spirv-val") returns the
names of those that are not installed.
"""
import functools
import pathlib
import shutil
import subprocess

FINDER = pathlib.Path(__file__).resolve().parent.parent / "tools/toolchain.sh"
VERSIONED = ("clang", "clang++", "llvm-spirv", "FileCheck", "llvm-dis", "llvm-nm", "opt", "clang-format", "version")


@functools.lru_cache(maxsize=None)
def tool(name):
    if name not in VERSIONED:
        return shutil.which(name)
    return subprocess.run([FINDER, name], capture_output=True, text=True, check=False).stdout.strip() or None


def missing(*names):
    return [name for name in names if not tool(name)]
