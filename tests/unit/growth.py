#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py - checks that the cost of a module is linear in its size, for many kinds of modules.

    growth.py NONFLAT SPIRV_AS VALGRIND WORK

Each shape is specialized at a size and at twice that size, and valgrind counts the instructions: a factor of two, and a little more for
sorting, is expected; a factor of four shows a quadratic algorithm. The sizes are those at which a quadratic part would dominate. Exit
status: 0 success, 1 a shape grows too fast, 77 valgrind is missing.
"""
import pathlib
import re
import subprocess
import sys

MOST = 2.6
HEAD = """OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "k"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%zero = OpConstant %uint 0
%global = OpTypePointer CrossWorkgroup %uint
%local = OpTypePointer Workgroup %uint
%private = OpTypePointer Function %uint
%generic = OpTypePointer Generic %uint
%slot = OpTypePointer Function %generic
%of_kernel = OpTypeFunction %void %global %local %uint
%of_one = OpTypeFunction %uint %generic
%of_two = OpTypeFunction %uint %generic %generic
"""
POINTERS = ("%g", "%l", "%p")


def module(body, variables="", functions="", constants=""):
    return f"""{HEAD}{constants}%kernel = OpFunction %void None %of_kernel
%a = OpFunctionParameter %global
%b = OpFunctionParameter %local
%i = OpFunctionParameter %uint
%entry = OpLabel
%v = OpVariable %private Function
{variables}%g = OpPtrCastToGeneric %generic %a
%l = OpPtrCastToGeneric %generic %b
%p = OpPtrCastToGeneric %generic %v
%c = OpIEqual %bool %i %zero
{body}OpReturn
OpFunctionEnd
{functions}"""


def ring(count):
    """Functions that call one another in a cycle: one component of the call graph."""
    functions = "".join(
        f"%f{k} = OpFunction %uint None %of_two\n%x{k} = OpFunctionParameter %generic\n%y{k} = OpFunctionParameter %generic\n"
        f"%e{k} = OpLabel\n%w{k} = OpLoad %uint %x{k}\n%r{k} = OpFunctionCall %uint %f{(k + 1) % count} %y{k} %x{k}\n"
        f"OpReturnValue %r{k}\nOpFunctionEnd\n" for k in range(count))
    return module("%one = OpFunctionCall %uint %f0 %g %l\n%two = OpFunctionCall %uint %f0 %p %g\n", functions=functions)


def chain(count):
    """Each function calls the next one."""
    functions = ""
    for k in range(count):
        value = f"OpFunctionCall %uint %f{k + 1} %x{k}" if k + 1 < count else f"OpLoad %uint %x{k}"
        functions += (f"%f{k} = OpFunction %uint None %of_one\n%x{k} = OpFunctionParameter %generic\n%e{k} = OpLabel\n"
                      f"%r{k} = {value}\nOpReturnValue %r{k}\nOpFunctionEnd\n")
    return module("".join(f"%r_{p[1]} = OpFunctionCall %uint %f0 {p}\n" for p in POINTERS), functions=functions)


def slots(count):
    """Each variable gets the pointer that the previous one has."""
    variables = "".join(f"%s{k} = OpVariable %slot Function\n" for k in range(count))
    copies = "".join(f"%x{k} = OpLoad %generic %s{k}\nOpStore %s{k + 1} %x{k}\n" for k in range(count - 1))
    return module(f"OpStore %s0 %g\n{copies}%y = OpLoad %generic %s{count - 1}\n%z = OpLoad %uint %y\n", variables)


def phis(count):
    """A loop in which many pointers are permuted."""
    rotated = "".join(f"%q{k} = OpPhi %generic {POINTERS[k % 3]} %entry %q{(k + 1) % count} %next\n" for k in range(count))
    return module(f"OpBranch %head\n%head = OpLabel\n{rotated}OpLoopMerge %done %next None\nOpBranchConditional %c %next %done\n"
                  "%next = OpLabel\n%x = OpLoad %uint %q0\nOpStore %q1 %x\nOpBranch %head\n%done = OpLabel\n")


def table(count):
    """A table of the addresses of many variables, to which the host may write, so that all targets become one region."""
    variables = "".join(f"%t{k} = OpVariable %global CrossWorkgroup %zero\n%d{k} = OpSpecConstantOp %generic PtrCastToGeneric %t{k}\n"
                        for k in range(count))
    constants = (f"%many = OpConstant %uint {count}\n%array = OpTypeArray %generic %many\n{variables}"
                 f"%all = OpConstantComposite %array {' '.join(f'%d{k}' for k in range(count))}\n"
                 "%place = OpTypePointer CrossWorkgroup %array\n%element = OpTypePointer CrossWorkgroup %generic\n"
                 "%table = OpVariable %place CrossWorkgroup %all\n")
    return module("%e = OpInBoundsPtrAccessChain %element %table %zero %i\n%x = OpLoad %generic %e\n%y = OpLoad %uint %x\n",
                  constants=constants)


SHAPES = {ring: 600, chain: 600, slots: 1000, phis: 600, table: 1500}


def instructions(nonflat, assembler, valgrind, path, text):
    path.with_suffix(".spvasm").write_text(text)
    subprocess.run([assembler, "--target-env", "opencl2.2", path.with_suffix(".spvasm"), "-o", path], check=True)
    command = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", nonflat, "specialize", path, "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    nonflat, assembler, valgrind, work = sys.argv[1:]
    if valgrind.endswith("NOTFOUND"):
        print("SKIPPED: no valgrind")
        return 77
    folder, bad = pathlib.Path(work), 0
    folder.mkdir(parents=True, exist_ok=True)
    for shape, size in SHAPES.items():
        small, large = (instructions(nonflat, assembler, valgrind, folder / f"{shape.__name__}.spv", shape(n))
                        for n in (size, 2 * size))
        bad += large > MOST * small
        print(f"{'FAILED ' if large > MOST * small else ''}{shape.__name__} {size}: {small}, {2 * size}: {large}, {large / small:.2f} times")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
