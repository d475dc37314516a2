# SPDX-License-Identifier: Apache-2.0
"""adaptivecpp_programs.py - AdaptiveCpp, built once and kept, and the programs that it compiles: conformance/adaptivecpp runs them.

AdaptiveCpp is built in a clean Debian 12, with Debian 13's C++ headers of OpenCL. The translator to SPIR-V is Debian 13's, too, with its
libraries in the same folder (adaptivecpp_translator.py). The result runs in every system: libraries of Debian 12 that a system lacks are
found in a folder of links, and no file of the system is replaced.
"""
import os
import pathlib
import re
import shutil
import subprocess

import places
import systems

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = systems.FOLDER / "adaptivecpp"  # the same clean systems, with other packages above them
BUILT = FOLDER / "built"
PREFIX = BUILT / "prefix"
TRANSLATOR = PREFIX / "lib/hipSYCL/ext/llvm-spirv/bin"
LLVM, TRANSLATOR_LLVM = "15", "17"
SYSTEM, TRANSLATOR_SYSTEM = places.SYSTEM, "debian13"
PACKAGES = {
    SYSTEM: [f"clang-{LLVM}", "cmake", "g++", "libboost-context-dev", "libboost-fiber-dev", "libboost-test-dev", f"libclang-{LLVM}-dev",
             f"libomp-{LLVM}-dev", f"llvm-{LLVM}-dev", "ninja-build", "ocl-icd-opencl-dev", "opencl-headers", "patch",
             "python3", "zlib1g-dev"],
    TRANSLATOR_SYSTEM: [f"llvm-{TRANSLATOR_LLVM}", f"llvm-spirv-{TRANSLATOR_LLVM}", "opencl-c-headers", "opencl-clhpp-headers", "python3"],
}
# Copies programs with all their libraries and their loader to a folder.
COPY_PROGRAMS = """set -e
folder=$1
shift
mkdir -p "$folder/lib"
for program; do
    cp -L "$program" "$folder"
    ldd "$program" | sed -n 's/.*=> \\(\\/[^ ]*\\).*/\\1/p; s/^[[:space:]]*\\(\\/lib64[^ ]*\\).*/\\1/p' | xargs cp -Lut "$folder/lib"
done
"""
# Copies the libraries that the given files need, except those of libc and the OpenCL loader, to a folder.
COPY_LIBRARIES = """set -e
folder=$1
shift
mkdir -p "$folder"
for file; do ldd "$file"; done | sed -n 's/.*=> \\(\\/\\(usr\\/\\)\\?lib\\/[^ ]*\\).*/\\1/p' | sort -u |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|libOpenCL|libstdc\\+\\+|libgcc_s)\\.so' | xargs cp -Lut "$folder"
"""
# Links those libraries of a folder that the system lacks to another folder.
LINK_LACKING = """folder=$1 lacking=$2
shift 2
mkdir -p "$lacking"
for round in 1 2 3 4; do
    for file; do LD_LIBRARY_PATH=$lacking ldd "$file"; done | sed -n 's/^[[:space:]]*\\([^ ]*\\) => not found/\\1/p' | sort -u |
        while read -r name; do [ ! -e "$folder/$name" ] || ln -sfn "$folder/$name" "$lacking/$name"; done
done
"""
BUILD_FILE = """rule header
  command = {acpp} {flags} -x c++-header -c $in -o $out >$out.log 2>&1
rule object
  command = {acpp} {flags} $flags -c $in -o $out >$out.log 2>&1
rule program
  command = {acpp} {flags} $flags $in -o $out $libraries >$out.log 2>&1
"""
FLAGS = "-O2 -std=c++17 -w"
HEADER = BUILT / "header.cpp"  # precompiled: most of the time to compile a program is that of parsing it
ENTER = re.compile(r'Entering test case "(.*)"')
LEAVE = re.compile(r'Leaving test case "(.*?)"')
ERROR = re.compile(r'error: in "[^/"]*/(.*?)": (.*)')
PASSED = re.compile(r"\b(pass|passed|success|successful|successfully|succeeded|correct|ok)\b", re.I)
WRONG = re.compile(r"(?<!\b0 )(?<!\bno )\b(fail|failed|failure|error|errors|incorrect|mismatch|wrong)\b(?! *(= *|: *|is *|rate *[:=] *)?0)", re.I)


class Program:
    """A program of HeCBench: its name and its arguments."""

    def __init__(self, line):
        self.name, *self.options = line.split()
        self.path = BUILT / "hecbench" / self.name / "main"

    def sources(self, checkout):
        """Returns the folder of the program, its sources, and the macros and folders of headers that its Makefile gives the compiler."""
        folder = checkout / "src" / f"{self.name}-sycl"
        text = (folder / "Makefile").read_text(encoding="utf-8")
        made, flags = (re.search(rf"^{name}\s*:?=\s*((?:.*\\\n)*.*)$", text, re.M) for name in ("source", "CFLAGS"))
        words = flags.group(1).replace("\\\n", " ").split() if flags else []
        options = [f"-I{folder / word[2:]}" if word.startswith("-I") else word for word in words if re.fullmatch(r"-[ID][\w./=+-]+", word)]
        return folder, made.group(1).replace("\\\n", " ").split() if made else ["main.cpp"], [f"-I{folder}", *options]


def chosen(names):
    """Returns the programs of hecbench.txt, of which `names` selects some by commas."""
    lines = (HERE / "hecbench.txt").read_text(encoding="utf-8").splitlines()
    found = [Program(line) for line in lines if line and not line.startswith("#")]
    return [program for program in found if not names or program.name in names.split(",")]


def inside(system, *options):
    """Returns the words before a command in the system with the packages of this file."""
    return places.inside(FOLDER, system, *options)


def logged(name, command, seconds):
    """Runs a command whose output goes to BUILT/name.log. Returns true on success."""
    return places.logged(BUILT / f"{name}.log", command, seconds)


def lacking(source):
    """Makes the systems and builds AdaptiveCpp unless that was done. Returns None on success, else the reason."""
    for system, packages in PACKAGES.items():
        reason = systems.make_beside(FOLDER, system, packages)
        if reason:
            return reason
    (BUILT / "build/headers").mkdir(parents=True, exist_ok=True)
    if not (PREFIX / "built").exists():
        if not (source / "src/libkernel/sscp").is_dir():
            return f"{source} is no clone of AdaptiveCpp"
        copied = logged("headers", [*inside(TRANSLATOR_SYSTEM, "--bind", BUILT), "cp", "-rLT", "/usr/include/CL", BUILT / "build/headers/CL"], 60)
        command = [*inside(SYSTEM, "--read", source, "--read", HERE, "--bind", BUILT), HERE / "adaptivecpp_build.sh", source, PREFIX, LLVM]
        if not copied or not logged("build", command, 4 * 3600):
            return f"AdaptiveCpp could not be built: {BUILT / 'build.log'}"
        (PREFIX / "built").touch()
    return copy_translator()


def copy_translator():
    """Installs the translator where AdaptiveCpp expects its own. Returns None on success, else the reason."""
    TRANSLATOR.mkdir(parents=True, exist_ok=True)
    needed = [f"{name}-{TRANSLATOR_LLVM}" for name in ("llvm-as", "llvm-dis", "llvm-spirv")]
    if not all((TRANSLATOR / name).exists() for name in needed):
        command = [*inside(TRANSLATOR_SYSTEM, "--bind", BUILT), "sh", "-c", COPY_PROGRAMS, "sh", TRANSLATOR, *(f"/usr/bin/{name}" for name in needed)]
        if not logged("translator", command, 600):
            return f"the translator could not be copied: {BUILT / 'translator.log'}"
    shutil.copy2(HERE / "adaptivecpp_translator.py", TRANSLATOR / "llvm-spirv")
    return None


def suite_program(suite):
    return BUILT / "tests" / suite


def build_file(source, suites, checkout, wanted):
    """Returns the text of a build.ninja for the suites and the programs."""
    lines = [BUILD_FILE.format(acpp=PREFIX / "bin/acpp", flags=FLAGS)]
    tests = source / "tests"
    flags = f"  flags = -I{tests} -DACPP_ALLOW_INSTANT_SUBMISSION=1 -DHIPSYCL_DEBUG_LEVEL=2"
    for name in ["sycl_test_suite", *suites]:
        lines += [f"build {BUILT}/tests/{name}.o: object {tests}/sycl/{name}.cpp", flags]
    for suite in suites:
        lines += [f"build {suite_program(suite)}: program {BUILT}/tests/{suite}.o {BUILT}/tests/sycl_test_suite.o"]
    lines += [f"build {HEADER}.pch: header {HEADER}"]
    for program in wanted:
        folder, files, flags = program.sources(checkout)
        lines += [f"build {program.path}: program {' '.join(str(folder / name) for name in files)} || {HEADER}.pch",
                  f"  flags = -include-pch {HEADER}.pch {' '.join(flags)}"]
    return "\n".join(lines) + "\n"


def compile_all(source, suites, checkout, wanted):
    """Compiles the suites, and the programs that compile. Returns None on success, else the reason."""
    for folder in [BUILT / "tests", *(program.path.parent for program in wanted)]:
        folder.mkdir(parents=True, exist_ok=True)
    if not HEADER.exists():
        HEADER.write_text("#include <sycl/sycl.hpp>\n", encoding="utf-8")
    (BUILT / "build.ninja").write_text(build_file(source, suites, checkout, wanted), encoding="utf-8")
    readable = [word for path in (source, checkout) if path for word in ("--read", path)]
    logged("compile", [*inside(SYSTEM, *readable, "--bind", BUILT), "ninja", "-C", BUILT, "-k", "0", "-j", os.cpu_count() + 1], 4 * 3600)
    unmade = [suite for suite in suites if not suite_program(suite).exists()]
    if unmade:
        return f"{unmade[0]} was not compiled: {BUILT}/tests/{unmade[0]}.o.log"
    made = [suite_program(suite) for suite in suites] + [program.path for program in wanted if program.path.exists()]
    command = [*inside(SYSTEM, "--bind", BUILT), "sh", "-c", COPY_LIBRARIES, "sh", BUILT / "libraries", *plugins(), *made[:8]]
    return None if logged("libraries", command, 600) else f"its libraries could not be copied: {BUILT / 'libraries.log'}"


def plugins():
    return sorted(PREFIX.glob("lib/**/*.so"))


class Place(places.Place):
    """A driver on which the suites and the programs run, in a system that gets the libraries that it lacks."""

    def __init__(self, target, arguments, suites, wanted):
        super().__init__(target, arguments, "adaptivecpp", BUILT)
        self.suites, self.wanted = suites, wanted
        libraries = BUILT / f"libraries-{self.system}"
        made = sorted(path for path in (BUILT / "tests").iterdir() if not path.suffix)
        subprocess.run([*self.words, "sh", "-c", LINK_LACKING, "sh", str(BUILT / "libraries"), str(libraries), *map(str, plugins() + made)],
                       env=self.environment, stderr=subprocess.DEVNULL, check=False)
        self.environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [str(libraries), self.environment.get("LD_LIBRARY_PATH")]))

    def run_all(self):
        """Yields (name, None or the error) for each test of a suite and each program."""
        for suite in self.suites:
            for name, outcome in self.run_suite(suite).items():
                yield f"{suite}/{name}", outcome
        for program in self.wanted:
            yield f"hecbench/{program.name}", self.run_program(program)

    def run_suite(self, suite):
        """Returns {test: None or the error} for the tests of a suite. Tests after one that ends the process are run in another process."""
        outcomes = {}
        for attempt in range(8):
            ended = [f"--run_test=!*/{name}" for name, outcome in outcomes.items() if outcome and outcome.startswith("ended")]
            status, text = self.run([suite_program(suite), "--log_level=test_suite", "--catch_system_errors=no", *ended], f"{suite}-{attempt}")
            entered = ENTER.findall(text)
            outcomes.update({name: outcomes.get(name) for name in entered})
            outcomes.update({name: message for name, message in ERROR.findall(text)})
            unfinished = entered[-1:] if len(LEAVE.findall(text)) < len(entered) else []
            if not unfinished:
                return outcomes or {"all": f"did not start: {places.last_line(text, status)}"}
            outcomes[unfinished[0]] = f"ended: {places.last_line(text, status)}"
        return outcomes

    def run_program(self, program):
        """Returns None if the program reports that its own check passed, else the error."""
        status, text = self.run([program.path, *program.options], program.name)
        wrong = WRONG.search(text)
        if status == 0 and PASSED.search(text) and not wrong:
            return None
        if status != 0:
            return places.last_line(text, status)
        return text[text.rfind("\n", 0, wrong.start()) + 1:].splitlines()[0].strip() if wrong else "does not say that it passed"
