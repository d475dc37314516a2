#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""corpus.py - runs every program of tests/corpus and of programs/ in the judge, as compiled and as specialized in each mode.

    corpus.py --judge JUDGE [--nonflat COMMAND] [--modes auto,dynamic] [--modules DIR] [--work DIR] [--only GLOB]

The original must give the results written beside the program and no report; each specialized module the same buffers and
no report, with buffers at low and at sign-extended addresses, with private memory that begins at address 0, and with
by-value arguments that all items of a group share.
Mode process is auto for a device whose memories share the addresses of a process: a module that queries the space of an ambiguous pointer
relies there on different addresses of private and local memory, so the judge runs it with such addresses; other modules are left out,
because they access all memories through global pointers.
Mode windows is auto for a device whose addresses have 32 bits, so that no address is free for an integer outside of its window.
The modes include hint, and merges, which is hint with tags for the pointers that selects and phis choose. The judge does not model flat
addresses that a module assembles as integers and converts to pointers: the same fifty checks fail for that reason in hint and in merges.
Modules come from DIR; by default, those committed under tests/corpus/modules, and for a program that has none there, the output of clang
and llvm-spirv at -O0 and -O2, and of clang-22 where it is installed.
Exit status: 0 success, 1 a check failed, 77 nothing could be run.
"""
import argparse
import fnmatch
import gzip
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "conformance"))
import corpus_truth  # noqa: E402
import toolchain  # noqa: E402

VARIANTS = [[], ["--global-base=0xff00000000010000"], ["--zero-private"], ["--share-values"], ["--private-base=0x80", "--local-base=0x180", "--subgroup=4"]]

# Where a process on x86-64 has its stacks and its mappings, and where the heap of a program that is not position-independent is.
PROCESS_VARIANTS = [["--private-base=0x7ffe12340000", "--local-base=0x7f0012340000", "--global-base=0x555500000000"],
                    ["--private-base=0x7f0012340000", "--local-base=0x12340000", "--global-base=0x7f4000000000"],
                    ["--private-base=0x12340000", "--local-base=0x7f0012340000", "--global-base=0x15550000"]]
PROCESS_WINDOWS = ["--addresses", "flat:300000000000,400000000000"]
WORDS = {"merges": ["--mode", "hint", "--merges"], "process": ["--mode", "auto", *PROCESS_WINDOWS],
         "windows": ["--mode", "auto", "--addresses", "windows:200000000000,220000000000"]}

# Programs that no specialized module can execute correctly, and the reasons.
NULL_AFTER_ALL = "a private address 0 whose tag was masked away is a null pointer"
LOST = "the program itself drops the high bits of such an address"
EXCUSED = {("mask48", "--zero-private"): NULL_AFTER_ALL, ("tags_lost", "--zero-private"): NULL_AFTER_ALL,
           ("query_and_shift", "--global-base=0xff00000000010000"): LOST,
           ("sign_extended", "--global-base=0xff00000000010000"): LOST}
# (module, kernel, mode): a limitation that docs/limits.md documents.
FAR_CHAIN = "clang-22 makes an access chain of a sum that leaves the object by more than 2^32 bytes, and returns"
LIMITS = {("found_again.llvm-O2.spv", "out_of_window", "dynamic"): FAR_CHAIN,
          ("found_again.llvm-O2.spv", "out_of_window", "windows"): FAR_CHAIN,
          ("constants_in_words.llvm-O2.spv", "two_gigabytes_further", "dynamic"): FAR_CHAIN,
          ("constants_in_words.llvm-O2.spv", "two_gigabytes_further", "windows"): FAR_CHAIN,
          **{(f"copy_of_constant.{level}.spv", "k", "dynamic"): "mode dynamic takes the integer of a constant address for a global one"
             for level in ("O0", "O2", "llvm-O0", "llvm-O2")}}


def compile_by_llvm(source, level, target):
    """@return True if clang-22, with its own SPIR-V writer, compiled the module."""
    clang = shutil.which("clang-22")
    if not clang or source.suffix == ".cpp" or "// NO_LLVM:" in source.read_text():
        return False
    cxx = source.suffix == ".clcpp"
    command = [clang, "-x", "clcpp" if cxx else "cl", "-cl-std=" + ("clc++2021" if cxx else "CL2.0"), "-target",
               "spirv64-unknown-unknown", "-" + level.removeprefix("llvm-"), "-w", "-fno-strict-aliasing", "-c", str(source), "-o", str(target)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return False
    # A module-scope constant that refers to a value in a function is invalid, so every result is accidental.
    said = subprocess.run(["spirv-val", target], capture_output=True, text=True, check=False).stderr
    return "has not been defined" not in said


def has_compiler(source):
    """@return True if clang and llvm-spirv, which compile such a program, are installed."""
    return bool(toolchain.tool("clang") and toolchain.tool("llvm-spirv") and source.suffix != ".cpp")


def compile_program(source, level, target):
    """@return True if clang and llvm-spirv compiled the module."""
    if level.startswith("llvm-"):
        return compile_by_llvm(source, level, target)
    if not has_compiler(source):
        return False
    clang, translate = toolchain.tool("clang"), toolchain.tool("llvm-spirv")
    cxx = source.suffix == ".clcpp"
    command = [clang, "-x", "clcpp" if cxx else "cl", "-cl-std=" + ("clc++2021" if cxx else "CL2.0"), "-target",
               "spir64-unknown-unknown", "-" + level, "-w", "-fno-strict-aliasing", "-emit-llvm", "-c", "-Xclang",
               "-finclude-default-header", str(source), "-o", str(target) + ".bc"]
    steps = [command, [translate, str(target) + ".bc", "-o", str(target)]]
    return all(subprocess.run(step, capture_output=True, check=False).returncode == 0 for step in steps)


def sources():
    """{program: path} of the corpus and of the judge's own."""
    return {**corpus_truth.sources(), **{path.stem: path for path in sorted(HERE.glob("programs/*.cl*"))}}


def modules_of(program, source, options):
    """Yield the modules of one program."""
    if options.modules:
        yield from sorted(options.modules.glob(f"{program}.*.spv"))
        return
    packed = sorted((corpus_truth.CORPUS / "modules").glob(f"{program}.*.spv.gz"))
    for one in packed:
        plain = options.work / one.stem
        plain.write_bytes(gzip.decompress(one.read_bytes()))
        yield plain
    for level in () if packed else ("O0", "O2", "llvm-O0", "llvm-O2"):
        made = options.work / f"{program}.{level}.spv"
        if compile_program(source, level, made):
            yield made
        else:
            options.left_out.append(f"{program} at -{level}: no module, and it cannot be compiled here")


def judge(options, words, *how):
    """@return (exit status, {argument: bytes}, the judge's output)."""
    name, size, group, *specs = words
    command = [options.judge, *how, "--hex", "--kernel", name, "--global", size, "--local", group]
    for spec in specs:
        command += ["--arg", spec]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return -1, {}, "time-out"
    buffers = {}
    for line in done.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word.startswith("arg"):
            buffers[int(word[3:])] = bytes.fromhex(rest)
    return done.returncode, buffers, " ".join(done.stderr.split())[:300]


def check_results(options, module, words, expect):
    """@return the error of the module, as compiled or specialized, or None."""
    status, buffers, said = judge(options, words, module)
    if status:
        return f"status {status}: {said}"
    for argument, expected in expect.items():
        wrong = corpus_truth.difference(expected, buffers.get(argument, b""))
        if wrong:
            return f"argument {argument}: {wrong}"
    return None


def specialize(options, module, mode):
    """-> (path, None), or (None, the reason)."""
    out = options.work / f"{module.stem}.{mode}.spv"
    words = WORDS.get(mode, ["--mode", mode])
    done = subprocess.run([options.nonflat, "specialize", module, "-o", out, *words], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        return None, f"specialize: status {done.returncode}: {' '.join(done.stderr.split())[:300]}"
    return out, None


def queries_space(options, module):
    """@return True if the output for a device with one address space for all memories depends on windows."""
    outputs = []
    for words in (PROCESS_WINDOWS, ["--addresses", "flat"]):
        command = [options.nonflat, "specialize", module, "-o", "-", *words]
        outputs.append(subprocess.run(command, capture_output=True, check=False).stdout)
    return outputs[0] != outputs[1]


def check_specialized(options, module, words, expect, mode):
    """Yields the errors in one mode. The comparison with the original ignores the bits of addresses, and of numbers that are computed
    from addresses, so the results are compared with the expected ones as well."""
    if mode == "process" and not queries_space(options, module):
        return
    made, wrong = specialize(options, module, mode)
    if wrong:
        yield wrong
        return
    for variant in PROCESS_VARIANTS if mode == "process" else VARIANTS:
        shared_by_driver = mode in ("hint", "merges") and variant == ["--share-values"]  # by-value arguments stay the driver's in hint
        if shared_by_driver or (module.name.split(".")[0], " ".join(variant)) in EXCUSED:
            continue
        status, _, said = judge(options, words, "--compare", module, made, *variant)
        if status:
            yield f"{' '.join(variant)} status {status}: {said}"
            return
    if mode != "process" and (wrong := check_results(options, made, words, expect)):
        yield wrong


def program_is_ours(module):
    """@return True if the corpus has no committed module of the program."""
    return not (corpus_truth.CORPUS / "modules" / f"{module.name}.gz").exists()


def check_module(options, module, truth):
    """Checks one module; @return the number of checks, and of failures."""
    checks = failures = 0
    for _, words, expect in corpus_truth.jobs(truth):
        wrong = check_results(options, module, words, expect)
        if wrong and ".llvm-" in module.name and program_is_ours(module):
            options.left_out.append(f"{module.name} {words[0]}: clang-22 makes it wrong: {wrong[:100]}")
            continue
        found = [("original", wrong)]
        for mode in options.modes if options.nonflat else ():
            if (limit := LIMITS.get((module.name, words[0], mode))):
                options.left_out.append(f"{module.name} {words[0]} {mode}: {limit}")
                continue
            found += [(mode, wrong) for wrong in check_specialized(options, module, words, expect, mode)] or [(mode, None)]
        for mode, wrong in found:
            checks += 1
            if wrong:
                failures += 1
                print(f"FAIL {module.name} {words[0]} {mode}: {wrong}")
    return checks, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", required=True)
    parser.add_argument("--nonflat")
    parser.add_argument("--modes", default="auto,dynamic", type=lambda text: text.split(","))
    parser.add_argument("--modules", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("judge-corpus"))
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    options.left_out = []
    options.work.mkdir(parents=True, exist_ok=True)
    checks = failures = 0
    for program, source in sources().items():
        if not fnmatch.fnmatch(program, options.only):
            continue
        truth = corpus_truth.truth_of(source)
        # A host cannot pass the address of a buffer inside a structure; the judge can.
        if truth.get("run") and not any("@" in spec for kernel in truth["kernels"] for spec in kernel["args"]):
            options.left_out.append(f"{program}: {truth['run']}")
            continue
        modules = list(modules_of(program, source, options))
        if not modules and has_compiler(source):
            failures += 1
            print(f"FAIL {program}: it compiles at no level")
        for module in modules:
            done, wrong = check_module(options, module, truth)
            checks, failures = checks + done, failures + wrong
    options.left_out += [f"{program} {variant}: {why}" for (program, variant), why in EXCUSED.items()]
    for line in options.left_out:
        print("SKIPPED", line)
    print(f"{checks} checks, {failures} failed, {len(options.left_out)} left out")
    return 1 if failures else 0 if checks else 77


if __name__ == "__main__":
    sys.exit(main())
