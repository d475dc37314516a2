# SPDX-License-Identifier: Apache-2.0
"""llvm_wheel.py - builds the add-on nonflat-llvm: nonflat-spir and nonflat-cl with only the parts of LLVM and clang that they use.

clang is linked into nonflat-cl from its archives. The translator, libLLVMSPIRVLib.so.15, is a shared library in Debian, and needs LLVM as a
shared library:

    nonflat-spir ──┬─> libLLVMSPIRVLib.so.15 ──> libLLVM-15.so.1        117 MB, with code generators for every processor
    nonflat-cl ────┘                                                    23 MB, when it is linked from Debian's archives again: only
                                                                        what these three use leaves it, and the linker drops the rest
Needs Debian 12's LLVM 15 with its archives. Makes the wheel; its programs need glibc 2.34, as the translator does.
"""
import pathlib
import subprocess
import sys

import wheel_build
import wheel_file
from wheel_build import ROOT

GLIBC = "2.34"
LLVM = pathlib.Path("/usr/lib/llvm-15/lib")
TRANSLATOR = pathlib.Path("/usr/lib/x86_64-linux-gnu/libLLVMSPIRVLib.so.15")
LIBRARY = "libLLVM-15.so.1"
PACKAGES = ["g++", "llvm-15-dev", "libclang-15-dev", "libllvmspirvlib-15-dev", "clang-15", "zlib1g-dev", "binutils"]
PLACE = "nonflat/libexec/nonflat"  # in the wheel, beside the programs of nonflat


def symbols(path, *options):
    """Returns the names of the dynamic symbols, without their versions."""
    out = subprocess.run(["nm", "-D", *options, path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines() if line.strip()}


def link_llvm(folder, users):
    """Returns the path of a libLLVM that contains only those symbols of Debian's that `users` refer to."""
    names = sorted(symbols(LLVM / LIBRARY, "--defined-only") & set().union(*map(symbols, users)))
    script, wanted, absent, made = folder / "llvm.map", folder / "llvm.names", folder / "absent.o", folder / LIBRARY
    script.write_text("LLVM_15 { global:\n" + "".join(f"{name};\n" for name in names) + "local: *; };\n")
    wanted.write_text("".join(f"-Wl,-u,{name}\n" for name in names))
    source = pathlib.Path(__file__).with_name("llvm_absent.c")
    subprocess.run(["cc", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror", "-c", source, "-o", absent], check=True)
    subprocess.run(["c++", "-shared", "-s", "-o", made, f"-Wl,-soname,{LIBRARY}", f"-Wl,--version-script={script}", "-Wl,--gc-sections",
                    "-Wl,--no-undefined", "-Wl,-z,now", f"@{wanted}", "-Wl,--start-group", *sorted(LLVM.glob("libLLVM*.a")),
                    "-Wl,--end-group", absent, "-l:libz.a"], check=True)
    return made


def build(folder):
    """Returns the folder of the installed programs."""
    archives = [path for path in sorted(LLVM.glob("libclang[A-Z]*.a")) if "StaticAnalyzer" not in path.name]
    clang = ";".join(["-Wl,--start-group", *map(str, archives), "-Wl,--end-group"])
    # RUNPATH is not used, because LD_LIBRARY_PATH would override it, and it may be set for another program.
    options = {"CMAKE_INSTALL_RPATH": "$ORIGIN/lib", "NONFLAT_LLVM": "ON", "NONFLAT_LAYER": "OFF", "NONFLAT_COMMAND": "OFF",
               "NONFLAT_CLANG_CPP:STRING": clang, "CMAKE_EXE_LINKER_FLAGS": "-Wl,--gc-sections -Wl,--disable-new-dtags"}
    return wheel_build.build(folder, "llvm", options, {"spir": "nonflat-spir", "cl": "nonflat-cl"}) / "libexec/nonflat"


def llvm_wheel(folder, version):
    """Returns the path of the wheel."""
    subprocess.run([ROOT / "tools/build.sh", "--install", *PACKAGES], check=True)
    if not TRANSLATOR.exists() or not (LLVM / "libLLVMCore.a").exists():
        sys.exit("wheel: nonflat-llvm needs Debian 12's LLVM 15")
    programs = build(folder)
    library = link_llvm(folder, [programs / "nonflat-spir", programs / "nonflat-cl", TRANSLATOR])
    wheel = wheel_file.Wheel("nonflat_llvm", version, f"manylinux_{GLIBC.replace('.', '_')}_x86_64")
    # pip removes a folder only if it contains a file of the wheel.
    wheel.add("nonflat/llvm.py", (ROOT / "packaging/python/nonflat-llvm/llvm.py").read_bytes())
    for name in ("nonflat-spir", "nonflat-cl"):
        wheel.add(f"{PLACE}/{name}", (programs / name).read_bytes(), executable=True)
    for path in (library, TRANSLATOR):
        wheel.add(f"{PLACE}/lib/{path.name}", path.read_bytes(), executable=True)
    licences = {"LICENSE": (ROOT / "LICENSE").read_bytes()}
    for name in ("llvm-15-dev", "libllvmspirvlib15", "zlib1g-dev"):
        licences[f"{name}.txt"] = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_bytes()
    about = ("The programs of Nonflat that need LLVM: nonflat-spir, for drivers that take SPIR 1.2 bitcode and no SPIR-V, such as PoCL 3.1, and "
             "nonflat-cl, for OpenCL C with generic pointers. Install it as `nonflat[llvm]`.\n")
    wheel.add_metadata(about, licences, requires=[f"nonflat (=={version})"])
    return wheel.write(folder)
