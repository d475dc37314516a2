# SPDX-License-Identifier: Apache-2.0
"""gpu_pairs.py - compiles the kernels of gpu/pairs.cl, each with generic pointers and with explicit address spaces."""
import concurrent.futures
import hashlib
import pathlib
import subprocess

import toolchain

SOURCE = pathlib.Path(__file__).resolve().parent / "gpu/pairs.cl"
KERNELS = SOURCE.read_text(encoding="utf-8").count("\n#elif KERNEL") + 1
FIRST_OF_SEVERAL = 22  # the first kernel whose pointers may be in several memories
MOST_IN_SEVERAL = 1.15  # the limit of the instructions of such a kernel, relative to the one with explicit spaces
TYPES = ["int", "float", "ulong", "short", "uchar", "uint"]
# The vectorizers are disabled because they depend on the address space: both forms of a kernel must be the same program.
FLAGS = ["-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-O2", "-fno-vectorize", "-fno-slp-vectorize", "-emit-llvm", "-c", "-w",
         "-Xclang", "-finclude-default-header"]
FORMS = {"generic": [], "explicit": ["-DEXPLICIT"]}


def compile_one(kernel, element, form, work):
    """Returns the path of the module, which is compiled unless it exists; None if llvm-spirv cannot translate clang's output for the kernel."""
    key = hashlib.sha256(f"{SOURCE.read_text(encoding='utf-8')} {toolchain.tool('clang')} {FLAGS}".encode()).hexdigest()[:12]
    made = work / f"{kernel:02}-{element}-{form}-{key}.spv"
    if not made.exists():
        bitcode = made.with_suffix(".bc")
        subprocess.run([toolchain.tool("clang"), *FLAGS, f"-DKERNEL={kernel}", f"-DT={element}", *FORMS[form], SOURCE, "-o", bitcode],
                       check=True)
        done = subprocess.run([toolchain.tool("llvm-spirv"), bitcode, "-o", made], capture_output=True, check=False)
        bitcode.unlink()
        if done.returncode:
            made.unlink(missing_ok=True)
    return made if made.exists() else None


def pairs(work, types):
    """Returns [(name, {form: module})] of the kernels that are compiled in each form."""
    work.mkdir(parents=True, exist_ok=True)
    names = [(kernel, element) for kernel in range(KERNELS) for element in types]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = pool.map(lambda name: {form: compile_one(*name, form, work) for form in FORMS}, names)
        return [(f"{kernel} {element}", modules) for (kernel, element), modules in zip(names, made) if all(modules.values())]


def is_of_several(name):
    """Returns true if the pair's kernel has pointers that may be in several memories."""
    return int(name.split()[0]) >= FIRST_OF_SEVERAL
