# SPDX-License-Identifier: Apache-2.0
"""public_modules.py - generates SPIR-V modules from a compiler's tests, and specializes them; `public` runs it inside a system.

    public_modules.py collect SOURCE OUT VERSION      every module that the tests in the folder SOURCE make with the newest LLVM and
                                                      the llvm-spirv of VERSION that are installed, as OUT/NAME.VERSION.N.spv
    public_modules.py check NONFLAT OUT [TEXT]        specializes the modules in OUT that spirv-val accepts and whose name has TEXT, in
                                                      each mode, and writes OUT/results.json: {module: {mode: [outcome, message]}}

The tests are lit tests: a shell runs their RUN lines, in which FileCheck and all programs that only read or print are replaced by programs
that do nothing, and the input of spirv-val is stored. In addition each bitcode file is translated with every extension, by llvm-spirv and
by llc. Tests that use other targets' address spaces are compiled with those of SPIR-V.
The script writes only to OUT, and reads no other file of this tree, because it runs in a clean system.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MAGIC, BITCODE, CAPABILITY, KERNEL = 0x07230203, b"BC\xc0\xde", 17, 6
MODES = ("auto", "dynamic", "hint", "static")
SUFFIXES = (".ll", ".cl", ".spt", ".spvasm", ".spvasm32", ".spvasm64", ".spv", ".cpp")
LITERAL = re.compile(r'R"\w*\((.*?)\)\w*"', re.S)  # of C++, in which SPIRV-Tools' tests have modules
SECONDS, MEMORY = 20, 3_000_000  # of one command; the memory in kB, as some readers of malformed modules never end
IDLE = "FileCheck llvm-dis llvm-dwarfdump llvm-readobj llvm-readelf llvm-objdump llvm-bcanalyzer spirv-dis spirv-link count diff igc_opt"
# Address spaces of other targets, and the same memories in SPIR-V: flat, global, local, constant, private.
TARGETS = {"AMDGPU": {"0": "4", "1": "1", "3": "3", "4": "2", "5": "0", "7": "1"},
           "NVPTX": {"0": "4", "1": "1", "3": "3", "4": "2", "5": "0", "101": "0"}}


# ---- Modules of one test ----

def newest(name, version=""):
    """Returns the installed program NAME-VERSION, or the one of the largest version, or None."""
    found = [path for folder in os.environ["PATH"].split(":") for path in pathlib.Path(folder).glob(f"{name}-*")
             if re.fullmatch(re.escape(name) + r"-[0-9]+", path.name)]
    exact = [path for path in found if path.name == f"{name}-{version}"]
    return str((exact or sorted(found, key=lambda path: int(path.name.rsplit("-", 1)[1])))[-1]) if found else None


def make_programs(folder, version):
    """Writes the replacement programs for the RUN lines. llvm-spirv only writes SPIR-V, llc only compiles for SPIR-V."""
    folder.mkdir(parents=True, exist_ok=True)
    drain = "#!/bin/sh\nexec cat >/dev/null\n"
    programs = {name: drain for name in IDLE.split()}
    programs["spirv-val"] = '#!/bin/sh\nfor last; do :; done\n[ "$last" = - ] && exec cat >"$(mktemp "$KEPT/XXXXXX.spv")"\nexit 0\n'
    programs["not"] = "#!/bin/sh\nexit 0\n"
    for name, other in (("llvm-spirv", "*' -r '*|*' -to-text'*|*' --to-text'*|*' -spirv-text'*' -r'*"), ("llc", "*' '[!s]*triple=x86*|*' '[!s]*triple=%triple*")):
        tool = newest(name, version)
        programs[name] = f'#!/bin/sh\ncase " $* " in {other}) exec cat >/dev/null;; esac\nexec {tool} "$@"\n' if tool else drain
    for name in ("llvm-as", "opt", "clang", "llvm-link", "split-file"):
        tool = newest(name, "" if name == "split-file" else version) or shutil.which(name)
        programs[name] = f'#!/bin/sh\nexec {tool} "$@"\n' if tool else drain
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)


def unconditional(line):
    """Replaces lit's conditions, %if NAME %{ commands %} %else %{ commands %}, by the commands in them."""
    return re.sub(r"%(if [^%]*|else *)%\{|%\}", " ", line)


def commands_of(text):
    lines = re.findall(r"RUN:[ \t]*(.*)", text)
    joined, command = [], ""
    for line in lines:
        command += line.rstrip()
        if command.endswith("\\"):
            command = command[:-1] + " "
            continue
        joined.append(unconditional(command))
        command = ""
    return joined


def substitute(command, test, folder):
    stem = folder / f"{test.name}.tmp"  # some tests make a folder of that name
    for name, value in (("%clang_cc1", "clang -cc1"), ("%clang", "clang"), ("%{s:basename}", test.name), ("%s", test), ("%S", test.parent),
                        ("%p", test.parent), ("%t", stem), ("%T", folder)):
        command = re.sub(re.escape(name) + r"(?![a-zA-Z_]{2})", str(value).replace("\\", "\\\\"), command)
    return command


def shell(command, folder, programs, kept):
    env = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", KEPT=str(kept), LC_ALL="C.UTF-8")
    try:
        subprocess.run(["/bin/sh", "-c", f"ulimit -v {MEMORY}; {command}"], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        pass


def with_spaces_of_spirv(text, target):
    """Converts LLVM IR of another target to that of a SPIR-V target: its pointers get the address spaces of the same memories."""
    spaces = TARGETS[target]
    text = re.sub(r"^target (datalayout|triple).*$", "", text, flags=re.M)
    text = re.sub(r", *addrspace\(5\)(?=\s*(;|$|,))", "", text, flags=re.M)
    text = re.sub(r"\bptr\b(?! addrspace)", "ptr addrspace(0)", text)
    text = re.sub(r"addrspace\((\d+)\)", lambda m: f"addrspace({spaces.get(m.group(1), '1')})", text)
    text = re.sub(r"\.p(\d+)(?=[.(])", lambda m: f".p{spaces.get(m.group(1), '1')}", text)
    return re.sub(r"\b(amdgpu|ptx)_kernel\b", "spir_kernel", text)


def with_triple(text):
    """Returns LLVM IR with a target triple that llvm-spirv accepts; a triple that the IR names is kept."""
    return text if re.search(r"^target triple", text, flags=re.M) else f'target triple = "spir64-unknown-unknown"\n{text}'


def assemble(test, out):
    """Assembles to the file `out` with the lowest version of SPIR-V for which the module is valid, because assembly text states its
    version in no uniform way."""
    asked = re.findall(r"--target-env[ =](spv1\.[0-6])", test.read_text(errors="replace"))
    for version in asked + [f"spv1.{n}" for n in range(7)]:
        done = subprocess.run(["spirv-as", "--preserve-numeric-ids", "--target-env", version, test, "-o", out], capture_output=True, check=False)
        if not done.returncode and not subprocess.run(["spirv-val", out], capture_output=True, check=False).returncode:
            return


def assemble_literals(text, folder):
    """Assembles each string literal of a C++ program that has a whole module of OpenCL."""
    for number, literal in enumerate(LITERAL.findall(text)):
        if "OpMemoryModel" in literal and re.search(r"OpCapability +Kernel", literal):
            (folder / f"{number}.spvasm").write_text(literal)
            assemble(folder / f"{number}.spvasm", folder / f"{number}.spv")


def translate(bitcode, programs):
    """Translates with every extension, and with typed pointers if the translator supports both kinds."""
    for name in ("+all", "+all,-SPV_KHR_untyped_pointers"):
        suffix = "all" if name == "+all" else "typed"
        shell(f"llvm-spirv --spirv-ext={name} {bitcode} -o {bitcode}.{suffix}.spv", bitcode.parent, programs, bitcode.parent)
    for options in ("", "--spirv-ext=all"):
        shell(f"llc -O0 -mtriple=spirv64-unknown-unknown {options} -filetype=obj {bitcode} -o {bitcode}.llc{len(options)}.spv",
              bitcode.parent, programs, bitcode.parent)


def is_kernel_module(data):
    """Returns true if the bytes are a little-endian SPIR-V module with the capability Kernel."""
    if len(data) < 28 or int.from_bytes(data[:4], "little") != MAGIC:
        return False
    at = 20
    while at + 8 <= len(data):
        word = int.from_bytes(data[at:at + 4], "little")
        if word & 0xFFFF != CAPABILITY:
            return False
        if int.from_bytes(data[at + 4:at + 8], "little") == KERNEL:
            return True
        at += 4 * (word >> 16)
    return False


def modules_of(test, programs):
    """Returns the distinct modules that the test generates."""
    text = test.read_text(errors="replace") if test.suffix != ".spv" else ""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        target = next((one for one in TARGETS if one in test.parts), None)
        if target:
            text = with_spaces_of_spirv(text, target)
        elif test.suffix == ".spv":
            shutil.copyfile(test, folder / test.name)
        elif test.suffix.startswith(".spvasm"):
            assemble(test, folder / "assembled.spv")
        elif test.suffix == ".cpp":
            assemble_literals(text, folder)
        else:
            for command in commands_of(text):
                shell(substitute(command, test, folder), folder, programs, folder)
        if test.suffix == ".ll":
            (folder / test.name).write_text(with_triple(text))
            shell(f"llvm-as {folder / test.name} -o {folder}/t.bc", folder, programs, folder)
        elif test.suffix == ".spt":
            shell(f"llvm-spirv {test} -to-binary -o {folder}/t.spv", folder, programs, folder)
        for file in [file for file in folder.rglob("*") if file.is_file() and file.read_bytes()[:4] == BITCODE]:
            translate(file, programs)
        found = [file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()]
    return list(dict.fromkeys(data for data in found if is_kernel_module(data)))


def collect(source, out, version):
    out.mkdir(parents=True, exist_ok=True)
    tests = sorted(path for path in source.rglob("*") if path.suffix in SUFFIXES and "Inputs" not in path.parts)
    seen = {hashlib.sha256(path.read_bytes()).digest() for path in out.glob("*.spv")}
    with tempfile.TemporaryDirectory() as programs, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        make_programs(pathlib.Path(programs), version)
        for test, found in zip(tests, pool.map(lambda test: modules_of(test, programs), tests)):
            for number, data in enumerate(found):
                digest = hashlib.sha256(data).digest()
                if digest not in seen:
                    seen.add(digest)
                    name = str(test.relative_to(source)).replace("/", "-")
                    (out / f"{name}.{version}.{number}.spv").write_bytes(data)
    print(f"{len(tests)} tests, {len(seen)} modules")


# ---- Outcomes ----

def run(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"no end within {SECONDS} seconds")


def is_valid(module):
    return run("spirv-val", str(module))


def outcome(nonflat, module, mode, folder):
    """Returns (outcome, message): valid, refused, INVALID, or crash; the last two are errors for a valid input."""
    out = folder / f"{module.name}.{mode}"
    done = run(nonflat, "specialize", str(module), "-o", str(out), "--mode", mode)
    message = (done.stderr.strip().splitlines() or [""])[0]
    if done.returncode == 1:
        return "refused", message
    if done.returncode:
        return "crash", f"exit status {done.returncode}: {message}"
    checked = is_valid(out)
    out.unlink()
    return ("INVALID", (checked.stderr + checked.stdout).strip().splitlines()[0]) if checked.returncode else ("valid", "")


def check_one(nonflat, module, folder):
    if is_valid(module).returncode:
        return module.name, None
    return module.name, {mode: outcome(nonflat, module, mode, folder) for mode in MODES}


def check(nonflat, out, text):
    modules = sorted(module for module in out.glob("*.spv") if text in module.name)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(pool.map(lambda module: check_one(nonflat, module, pathlib.Path(folder)), modules))
    (out / "results.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    if sys.argv[1] == "collect":
        collect(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4])
    else:
        check(sys.argv[2], pathlib.Path(sys.argv[3]), "".join(sys.argv[4:5]))
