# SPDX-License-Identifier: Apache-2.0
"""Compiles programs, specializes them, runs them on drivers and in the judge, and compares with the known results.

Bench.try_all(packs, targets, modes, levels) -> Tally: failures, the number of compared runs, and the skipped programs with reasons.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../conformance"))
import passes  # noqa: E402
import systems  # noqa: E402
import toolchain  # noqa: E402
from grow import source  # noqa: E402
from memory import Memory  # noqa: E402
from spec_constants import loosen  # noqa: E402

# Drivers in other Debian systems: through the layer, without it, and through the layer over the layer that refuses Generic.
OTHERS_NATIVE = {t for t in systems.TARGETS if t.endswith("-pocl")}
OTHERS_STRICT = {t + "-strict" for t in OTHERS_NATIVE}
OTHERS_LAYER = set(systems.TARGETS) - OTHERS_NATIVE
OTHERS = OTHERS_NATIVE | OTHERS_STRICT | OTHERS_LAYER
NATIVE = {"native"} | OTHERS_NATIVE
STRICT = {"strict"} | OTHERS_STRICT
# The text of `nonflat specialize --to c`, which the driver compiles, or clang for the judge: each target, and the form of its addresses
# as integers.
SOURCE = {"source-oclgrind": "numbered", "source-pocl": "flat", "source-intel": "flat", "judge-source": "unknown"}
# Through the layer, over the test layer that hides all forms of input except OpenCL C, or makes the device report the properties of
# NVIDIA's.
SOURCE_ONLY = {f"{driver}-{like}" for driver in ("oclgrind", "pocl", "intel") for like in ("source", "nvidia")}
JUDGED = {"judge", "judge-original", "judge-source"}
OF_INTEL = {"source-intel", "intel-source", "intel-nvidia"}
THROUGH_LAYER = {"oclgrind", "pocl"} | SOURCE_ONLY | STRICT | OTHERS_LAYER

CLANG = [toolchain.tool("clang"), "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-w", "-fno-strict-aliasing",
         "-emit-llvm", "-c"]
# The text compiled without an optimizer, because optimizers assume properties of addresses that do not hold in the judge.
TEXT = [toolchain.tool("clang"), "-x", "cl", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown", "-w", "-O0", "-fno-strict-aliasing", "-emit-llvm",
        "-Xclang", "-finclude-default-header", "-c"]
# Another compiler: at the levels llvm-* LLVM's own SPIR-V writer, which generates other instructions.
NEWER_CLANG = "clang-22"
NEWER = [NEWER_CLANG, "-cl-std=CL2.0", "-target", "spirv64-unknown-unknown", "-w", "-fno-strict-aliasing", "-c"]
# Its translator at the levels untyped-*, which writes untyped pointers.
NEWER_TRANSLATOR = "llvm-spirv-22"
UNTYPED = [NEWER_CLANG, "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-w", "-fno-strict-aliasing", "-emit-llvm",
           "-Xclang", "-finclude-default-header", "-c"]


def of_width(word):
    """A compiler argument for 64-bit addresses, adapted to the selected width."""
    return word.replace("64-unknown-unknown", "-unknown-unknown" if word.startswith("spir64") else "32-unknown-unknown") \
        if Memory.bits == 32 and word.startswith("spir") and word.endswith("64-unknown-unknown") else word


class Missing(Exception):
    """A program or driver that the selected targets need is missing."""


class Run:
    """One module on one target: its description for reports, and the programs in it that can run there."""

    def __init__(self, target, mode, level, module, original=None):
        self.target, self.mode, self.level, self.module, self.grown = target, mode, level, module, []
        self.original = original or module  # as compiled


class Tally:
    """The results for some packs: failures (dicts), the number of compared runs, {reason: number of skipped programs}."""

    def __init__(self):
        self.failures, self.compared, self.skipped = [], 0, {}

    def blame(self, grown, level, target, mode, detail, what):
        self.failures += [dict(seed=p.seed, level=level, target=target, mode=mode, what=what, detail=detail)
                          for p, _ in grown]

    def skip(self, reason):
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


def windows():
    """Returns options of `nonflat specialize` with the windows of private and local memory; with 64-bit addresses none
    are needed."""
    return ["--addresses", "windows:0xe0000000,0xf0000000"] if Memory.bits == 32 else []


def first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("begin ")]
    return re.sub(r"\S*/(kcache|nonflat-differential)\S*/", "", lines[0])[:300] if lines else ""


def reports(text):
    """Returns Oclgrind's messages except those about an index beyond a static array: clang writes an address before or behind an array,
    in the same object, as such an index. Oclgrind checks the bounds of the object itself as well."""
    blocks = re.split(r"\n[ \t]*\n", re.sub(r"^begin .*$", "", text, flags=re.M))
    return "\n\n".join(b for b in blocks if b.strip() and not re.match(r"\s*Index \(-?\d+\) exceeds static array size", b))


def same_kind(a, b):
    """Returns True if a failure is still the same after shrinking. The numbers in its message may differ, and so may the values."""
    return kind_of(a) == kind_of(b)


def kind_of(failure):
    words = ""
    if failure["what"] in ("invalid", "refused", "build", "not interpreted", "report"):
        words = re.sub(r"[^ ]*\.spv|0x[0-9a-f]+|[0-9]+|'[^']*'", "", failure["detail"])[:80]
    return failure["what"], failure["target"], words


WIDTHS = {"char": 1, "uchar": 1, "bytes": 1, "hex": 1, "int": 4, "uint": 4, "long": 8, "ulong": 8}


def judged_buffer(line):
    """A line `arg N TYPE: V V...` of the judge -> (N, bytes); a value that is no number is replaced by bytes 0xee."""
    head, _, values = line.partition(":")
    words = head.split()
    if len(words) != 3 or words[0] != "arg":
        return None
    width, out = WIDTHS[words[2]], b""
    for value in values.split():
        try:
            out += (int(value, 0) & ((1 << 8 * width) - 1)).to_bytes(width, "little")
        except ValueError:
            out += b"\xee" * width
    return int(words[1]), out


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        build = options.nonflat or ""
        find = lambda *names: next((os.path.join(build, n) for n in names if os.path.exists(os.path.join(build, n))), None)  # noqa: E731
        self.clrun = options.clrun or find("tests/differential/clrun", "clrun")
        self.command = find("tools/nonflat", "bin/nonflat", "nonflat")
        self.layer = find("layer/libnonflat_layer.so", "libnonflat_layer.so")
        self.strict = find("tests/layer/libnonflat_strict.so", "libnonflat_strict.so")
        self.source_only = find("tests/layer/libnonflat_source_only.so", "libnonflat_source_only.so")
        self.spir = find("layer/spir/nonflat-spir", "bin/nonflat-spir", "nonflat-spir")
        self.judge = find("tests/judge/nonflat-judge", "bin/nonflat-judge", "nonflat-judge")
        self.count = 0

    def check(self, targets):
        """Raises Missing unless everything that `targets` and the levels need exists."""
        if any(level.startswith("llvm-") for level in self.options.levels) and not shutil.which(NEWER_CLANG):
            raise Missing(f"{NEWER_CLANG} is missing, and the levels llvm-* need it")
        for tool in (NEWER_CLANG, NEWER_TRANSLATOR):
            if any(level.startswith("untyped-") for level in self.options.levels) and not shutil.which(tool):
                raise Missing(f"{tool} is missing, and the levels untyped-* need it")
        known = {"intel"} | JUDGED | NATIVE | THROUGH_LAYER | set(SOURCE)
        for target in targets:
            if target not in known:
                raise Missing(f"no such target: {target}")
        if any(level.startswith("passes-") for level in self.options.levels) and not toolchain.tool("opt"):
            raise Missing("opt is missing, and the levels passes-* need it")
        for tool in toolchain.missing("clang", "llvm-spirv", "spirv-val"):
            raise Missing(f"{tool} is missing")
        for wanted, what, who in ((self.clrun, "clrun", known - JUDGED),
                                  (self.command, "the command `nonflat`", known - NATIVE - {"judge-original"}),
                                  (self.layer, "the layer", THROUGH_LAYER),
                                  (self.spir, "nonflat-spir", {"oclgrind", "pocl"}),
                                  (self.strict, "the strict layer", STRICT),
                                  (self.source_only, "the source-only layer", SOURCE_ONLY),
                                  (self.judge, "the judge", JUDGED),
                                  (self.options.intel, "--intel", {"native", "intel", "strict", *OF_INTEL})):
            if who & set(targets) and not wanted:
                raise Missing(f"{what} is missing, which is needed on {', '.join(sorted(who & set(targets)))}")
        for target in OTHERS & set(targets):
            reason = systems.lacking(systems.split(target)[0])
            if reason or not systems.library(target):
                raise Missing(f"{target}: {reason or 'no driver'}")

    # ---- Compiling ------------------------------------------------------------------------------------------------

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def compilers(stem, grown, level):
        """The commands that translate stem.cl to stem.spv."""
        return [[of_width(word) for word in command] for command in Bench.compilers_of_64(stem, grown, level)]

    @staticmethod
    def compilers_of_64(stem, grown, level):
        if level.startswith("llvm-"):
            return [NEWER + [level.removeprefix("llvm"), stem + ".cl", "-o", stem + ".spv"]]
        if level.startswith("untyped-"):
            return [UNTYPED + [level.removeprefix("untyped"), stem + ".cl", "-o", stem + ".bc"],
                    [NEWER_TRANSLATOR, "--spirv-ext=+SPV_KHR_untyped_pointers", stem + ".bc", "-o", stem + ".spv"]]
        if level.startswith("passes-"):
            # The optimizer leaves functions alone that clang marks with optnone, which it does at -O0.
            level = level.removeprefix("passes-")
            optimize = [toolchain.tool("opt"), "-passes=" + passes.pipeline(grown[0][0].seed), stem + ".bc", "-o", stem + ".bc"]
            return [CLANG + ["-" + level, "-Xclang", "-disable-O0-optnone", stem + ".cl", "-o", stem + ".bc"], optimize,
                    [toolchain.tool("llvm-spirv"), "--spirv-max-version=1.3", stem + ".bc", "-o", stem + ".spv"]]
        debug = ["-g"] * level.startswith("g-")
        # The debug instruction set that llvm-spirv supported first; each set has other instructions.
        form = ["--spirv-debug-info-version=legacy"] * level.startswith("g-")
        level = level.removeprefix("g-")
        extension = ["--spirv-ext=+SPV_INTEL_function_pointers"] * any("function pointers" in p.features for p, _ in grown)
        return [CLANG + [*debug, "-" + level, stem + ".cl", "-o", stem + ".bc"],
                # llvm-spirv's SPIR-V 1.4 modules with local variables do not validate, so -O2, which has most of these, uses 1.3.
                [toolchain.tool("llvm-spirv"), "--spirv-max-version=" + ("1.3" if level == "O2" else "1.4"), *extension, *form,
                 stem + ".bc", "-o", stem + ".spv"]]

    def compile(self, grown, level):
        """-> path of the SPIR-V module with all programs; raises RuntimeError with the compiler's message."""
        self.count += 1
        stem = self.path(f"m{self.count}")
        with open(stem + ".cl", "w") as out:
            out.write(source([program for program, _ in grown]))
        for command in self.compilers(stem, grown, level):
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if done.returncode:
                raise RuntimeError(f"{os.path.basename(command[0])}: {first_line(done.stderr)}")
        if grown[0][0].seed // 8 % 4 == 3:
            with open(stem + ".spv", "rb+") as module:
                words = loosen(module.read(), random.Random(grown[0][0].seed // 8))
                module.seek(0)
                module.write(words)
        return stem + ".spv"

    def specialize(self, module, mode, source=None):
        """-> (path or None, the command's message); `source`: a target that takes text"""
        out = f"{module[:-4]}.{mode}.{source}.cl" if source else f"{module[:-4]}.{mode}.spv"
        form = windows() or (["--addresses", SOURCE[source]] if source else [])
        form += ["--to", "c"] * bool(source)
        environment = dict(os.environ)
        if self.options.wrong_rule:
            environment["NF_WRONG_RULE"] = str(self.options.wrong_rule)
        try:
            done = subprocess.run([self.command, "specialize", module, "-o", out, "--mode", mode, *form],
                                  capture_output=True, text=True, timeout=5, env=environment)
        except subprocess.TimeoutExpired:
            return None, "specialize: no end within 5 s"
        if done.returncode:
            how = f"status {done.returncode}" if done.returncode > 0 else signal.Signals(-done.returncode).name
            return None, f"specialize: {how}: {first_line(done.stderr)}"
        if source:
            return out, ""
        checked = self.validate(out)
        if checked.returncode and self.validate(module).returncode == 0:
            return None, f"spirv-val: {first_line(checked.stderr)}"
        return out, ""

    @staticmethod
    def compile_text(text):
        """The module that clang and its translator make of a text, for addresses of the selected width. -> (path or None, the compiler's message)"""
        stem = text[:-3]
        commands = [[of_width(word) for word in TEXT], [toolchain.tool("llvm-spirv")]]
        commands = [[*commands[0], text, "-o", stem + ".bc"], [*commands[1], stem + ".bc", "-o", stem + ".text.spv"]]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if done.returncode:
                return None, f"{os.path.basename(command[0])}: {first_line(done.stderr)}"
        return stem + ".text.spv", ""

    @staticmethod
    def validate(module):
        return subprocess.run(["spirv-val", module], capture_output=True, text=True, timeout=60)

    # ---- Environments ----------------------------------------------------------------------------------------------

    def vendors(self, driver):
        folder = self.path("icd-" + os.path.basename(driver))
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "driver.icd"), "w") as out:
            out.write(driver + "\n")
        return folder

    def environment(self, target, mode):
        if target in OTHERS:
            env = systems.driver_environment(target, self.folder)
        else:
            env = {k: v for k, v in os.environ.items() if not k.startswith(("OPENCL_LAYERS", "NONFLAT_", "OCLGRIND_"))}
            driver = {"oclgrind": self.options.oclgrind, "pocl": self.options.pocl}.get(
                target.removeprefix("source-").partition("-")[0], os.path.join(self.options.intel or "", "libintelocl.so"))
            env["OCL_ICD_VENDORS"] = self.vendors(driver)
        if target in ("native", "intel", "strict", *OF_INTEL):
            env["LD_LIBRARY_PATH"] = self.options.intel
            env["CL_CONFIG_CPU_VECTORIZER_MODE"] = "1"  # its vectoriser crashes on some kernels, generic or not
        if "oclgrind" in target:
            env["OCLGRIND_DATA_RACES"] = "1"
            env["OCLGRIND_MAX_ERRORS"] = "5"
        if target in THROUGH_LAYER:
            below = [self.strict] * (target in STRICT) + [self.source_only] * (target in SOURCE_ONLY)
            env["OPENCL_LAYERS"] = ":".join(below + [self.layer])
            env.update(NONFLAT_MODE=mode, NONFLAT_SPIR=self.spir or "", NONFLAT_CACHE="off")
            env.update({"NONFLAT_SOURCE_ONLY_LIKE": "nvidia"} if target.endswith("-nvidia") else {})
        if self.options.wrong_rule:
            env["NF_WRONG_RULE"] = str(self.options.wrong_rule)
        return env

    # ---- Running ----------------------------------------------------------------------------------------------------

    def clrun_batch(self, jobs, env, options="", target=None):
        """jobs: (name, arguments); `options` are for the driver's compiler; `target` selects the system. -> {name: (status, {argument:
        bytes}, standard error)}; a crash ends one job only."""
        results, left = {}, list(jobs)
        words = systems.inside(target, self.options.nonflat, self.folder) if target in OTHERS else []
        while left:
            listing = self.path("batch.txt")
            with open(listing, "w") as out:
                out.writelines(f"{name} {' '.join(words)}\n" for name, words in left)
            how = "crash"
            try:
                done = subprocess.run([*words, self.clrun, "--options", options, "--batch", listing], stdout=open(self.path("out"), "w"),
                                      stderr=open(self.path("err"), "w"), timeout=30 + 4 * len(left), env=env)
                if done.returncode < 0:
                    how = signal.Signals(-done.returncode).name
            except subprocess.TimeoutExpired:
                how = "hang"
            self.read_results(results)
            begun = [name for name, _ in left if name in results]
            if not begun:
                results[left[0][0]] = (how, {}, open(self.path("err")).read())
                begun = [left[0][0]]
            last = begun[-1]
            if results[last][0] == "unfinished":
                results[last] = (how,) + results[last][1:]
            left = left[len(begun):]
        return results

    def read_results(self, results):
        errors, name = {}, None
        for line in open(self.path("err"), errors="replace"):
            if line.startswith("begin "):
                name = line.split()[1]
            elif name:
                errors[name] = errors.get(name, "") + line
        for line in open(self.path("out")):
            words = line.split()
            if words[0] == "begin":
                results[words[1]] = ("unfinished", {}, errors.get(words[1], ""))
            elif words[0] == "end" and words[1] in results:
                results[words[1]] = (words[2],) + results[words[1]][1:]
            elif words[0].startswith("arg") and len(words) == 2:
                list(results.values())[-1][1][int(words[0][3:])] = bytes.fromhex(words[1])

    def judge_one(self, module, program):
        command = [self.judge, "--dump", "--kernel", program.name, "--global", str(program.items), "--local",
                   str(program.group_size)]
        for spec in program.arguments():
            command += ["--arg", spec]
        try:
            done = subprocess.run(command + [module], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return "hang", {}, ""
        buffers = dict(filter(None, map(judged_buffer, done.stdout.splitlines())))
        words = {0: "ok", 1: "report", 3: "not interpreted"}
        return words.get(done.returncode, f"status {done.returncode}"), buffers, done.stderr or done.stdout

    # ---- What is run ------------------------------------------------------------------------------------------------

    def specialize_all(self, module, targets, modes):
        """-> {mode: (path or None, the command's message)}"""
        # For the layer's targets too, because the layer would only refuse the same modules again, slowly.
        return {mode: self.specialize(module, mode) for mode in modes} if set(targets) - NATIVE - {"judge-original"} else {}

    def runs_of(self, module, done, grown, level, targets, modes, tally):
        """The list of Run for one compiled module, given the result of each mode in `done`; refusals are added to the tally's failures."""
        runs = []
        for mode, (_, words) in done.items():
            if words:
                what = "invalid" if words.startswith("spirv-val") else "refused"
                tally.blame(grown, level, "command", mode, words, what)
        specialized = {mode: path for mode, (path, _) in done.items()}
        for target in targets:
            if target in NATIVE or target == "judge-original":
                runs.append(Run(target, "original", level, module))
            for mode in modes:
                if not specialized.get(mode):
                    continue
                if target in SOURCE:
                    text, words = self.specialize(module, mode, target)
                    if text and target == "judge-source":
                        text, words = self.compile_text(text)
                    if text:
                        runs.append(Run(target, mode, level, text, module))
                    else:
                        tally.blame(grown, level, target, mode, words, "refused")
                elif target in ("intel", "judge"):
                    runs.append(Run(target, mode, level, specialized[mode], module))
                elif target in THROUGH_LAYER:
                    runs.append(Run(target, mode, level, module))
        return runs

    @staticmethod
    def reason_to_skip(run, program, outcome):
        if run.target in NATIVE:
            if "private_atomic" in outcome.flags:
                return "native: atomics on private memory are wrong there"
            if "to_space" in outcome.flags:
                return "native: to_private of a global pointer is not null there"
            if "atomic_" in program.text():
                return "native: no atomics of generic pointers there"
            if "by_value_written" in outcome.flags:
                return "native: work-items share by-value arguments there"
        if "oclgrind" in run.target and "48-bit addresses" in program.features:
            return "oclgrind: the number of the object is in the upper 16 bits of an address there"
        if run.target.endswith("-nvidia") and "48-bit addresses" in program.features:
            return run.target + ": nothing is known of addresses there, so that one as an integer has all 64 bits"
        if not run.target.startswith("judge") and "recursion" in program.features:
            # The Intel CPU driver supports some recursion; an unsupported program would fail the build of its whole module.
            return run.target + ": no recursion there"
        if not run.target.startswith("judge") and "function pointers" in program.features:
            return "llvm-spirv writes function pointers in a form that no driver takes"
        return None

    def perform(self, runs):
        """`runs` share target and mode. -> [(run, program, outcome, (status, buffers, standard error))]"""
        target, mode = runs[0].target, runs[0].mode
        every = [(run, p, o) for run in runs for p, o in run.grown]
        if target.startswith("judge"):
            return [(run, p, o, self.judge_one(run.module, p)) for run, p, o in every]
        # All jobs at once, because the start of a driver costs as much as the build of a module.
        jobs = [(f"{run.level}.{p.name}", [run.module, p.name, str(p.items), str(p.group_size)] + p.arguments())
                for run, p, _ in every]
        # The driver's optimizer removes stores to private variables whose address was an integer; the layer avoids that.
        options = "-cl-opt-disable" if target in ("intel", "source-intel") else ""
        results = self.clrun_batch(jobs, self.environment(target, mode), options, target)
        return [(run, p, o, results[f"{run.level}.{p.name}"]) for run, p, o in every]

    def is_optimizer(self, run, program, outcome):
        """Returns True if the driver alone also computes wrong results for the original module, and correct ones when its optimizer is
        off."""
        if run.target not in ("native", "strict") or self.reason_to_skip(Run("native", "", "", ""), program, outcome):
            return False
        job = ("one", [run.module, program.name, str(program.items), str(program.group_size)] + program.arguments())
        wrong, right = (self.verdict(run, outcome, self.clrun_batch([job], self.environment("native", ""), options)["one"])
                        for options in ("", "-cl-opt-disable"))
        return bool(wrong) and not right

    def verdict(self, run, outcome, result):
        """-> the kind of error and a detail, or None."""
        status, buffers, errors = result
        if status != "ok":
            return status, first_line(errors)
        if "oclgrind" in run.target and reports(errors):
            return "report", first_line(reports(errors))
        for number, want in outcome.buffers.items():
            got = buffers.get(number)
            if got is None:
                return "no output", f"argument {number}"
            if got != want:
                at = next(i for i in range(0, len(want), 4) if got[i:i + 4] != want[i:i + 4])
                return "difference", (f"argument {number} byte {at}: got {got[at:at + 4].hex()}, "
                                      f"expected {want[at:at + 4].hex()}")
        return None

    def is_spoiled(self, run, program, outcome):
        """Returns True if the compiler's module is already wrong in the judge. Optimizers may remove stores that are reachable only through
        an address that was an integer; clang-22 gives a variable a wrong type, and counts the elements of a step as bytes, so that a loop
        does not end in its array."""
        if not self.judge or run.target == "judge-original":
            return False
        result = self.judge_one(run.original, program)
        known = ("ok", "report", "not interpreted") if run.level.startswith(("llvm-", "passes-")) else ("ok", "report")
        return result[0] in known and bool(self.verdict(Run("judge-original", "", run.level, run.original), outcome, result))

    def plan(self, grown, level, targets, modes, tally):
        """Compiles the programs of one pack as one module. -> its list of Run"""
        if level.startswith(("llvm-", "untyped-")):
            what = (f"{NEWER_TRANSLATOR} leaves out how large the elements of an asynchronous copy are" if level.startswith("untyped-")
                    else f"{NEWER_CLANG} writes the event of an asynchronous copy as an OpConstantNull with an operand")
            kept = [one for one in grown if "async_work_group" not in one[0].text()]
            for _ in range(len(grown) - len(kept)):
                tally.skip(f"-{level}: {what}")
            if not kept:
                return []
            grown = kept
        try:
            module = self.compile(grown, level)
        except RuntimeError as error:
            if len(grown) > 1:
                return [run for one in grown for run in self.plan([one], level, targets, modes, tally)]
            if str(error).split(":", 1)[0].startswith(("llvm-spirv", "opt", NEWER_CLANG)):
                tally.skip(f"-{level}: {str(error)[:60]}")
            else:
                tally.blame(grown, level, "compiler", "original", str(error), "not compiled")
            return []
        done = self.specialize_all(module, targets, modes)
        runs = self.runs_of(module, done, grown, level, targets, modes, tally)
        for run in runs:
            reasons = [self.reason_to_skip(run, program, outcome) for program, outcome in grown]
            run.grown = [one for one, reason in zip(grown, reasons) if not reason]
            for reason in filter(None, reasons):
                tally.skip(reason)
            if run.grown and not run.target.startswith("judge") and len(run.grown) < len(grown):
                # A program that is skipped there would fail the build of the whole module.
                run.module = run.original = self.compile(run.grown, level)
                if run.target == "intel" or run.target in SOURCE:
                    run.module = self.specialize(run.module, run.mode, run.target if run.target in SOURCE else None)[0]
        return [run for run in runs if run.grown]

    def try_all(self, packs, targets, modes, levels):
        """Each pack, a list of (program, outcome), becomes one module per level. -> Tally"""
        tally, together = Tally(), {}
        for grown in packs:
            for level in levels:
                for run in self.plan(grown, level, targets, modes, tally):
                    together.setdefault((run.target, run.mode), []).append(run)
        for runs in together.values():
            for run, program, outcome, result in self.perform(runs):
                tally.compared += 1
                wrong = self.verdict(run, outcome, result)
                if wrong and self.is_spoiled(run, program, outcome):
                    tally.skip(f"-{run.level}: the compiler's own module is wrong in the judge, before anybody has touched it")
                elif wrong and self.is_optimizer(run, program, outcome):
                    tally.skip(f"{run.target}: the driver's optimizer makes the original wrong (right with -cl-opt-disable)")
                elif wrong and Memory.bits == 32 and "32-bit addresses have no room" in wrong[1]:
                    tally.skip(run.target + ": refused, as 32-bit addresses have no windows there")
                elif wrong:
                    tally.blame([(program, outcome)], run.level, run.target, run.mode, wrong[1], wrong[0])
        self.clean()
        return tally

    def clean(self):
        for name in os.listdir(self.folder):
            if re.match(r"m[0-9]+\.", name):
                os.remove(self.path(name))

    # ---- Failures ---------------------------------------------------------------------------------------------------

    def fails_like(self, program, outcome, failure):
        """Returns True if this (smaller) program still fails on the same target in the same way."""
        targets = [failure["target"]] if failure["target"] not in ("command", "compiler") else ["judge" if self.judge else "intel"]
        modes = [failure["mode"]] if failure["mode"] != "original" else []
        found = self.try_all([[(program, outcome)]], targets, modes, [failure["level"]]).failures
        return any(same_kind(f, failure) for f in found)

    def write_down(self, folder, name, program, outcome, failure, all_of_them):
        with open(os.path.join(folder, name + ".cl"), "w") as out:
            out.write(source([program]))
        level = failure["level"] if failure["level"] != "?" else "O0"
        try:
            module = self.compile([(program, outcome)], level)
            shutil.move(module, os.path.join(folder, name + ".spv"))
            self.clean()
        except RuntimeError:
            pass
        with open(os.path.join(folder, "README"), "w") as out:
            for f in all_of_them:
                out.write("seed {seed} -{level} {target} {mode}: {what} {detail}\n".format(**f))
            out.write("k.*: shrunk; original.*: as generated. What follows is of the last one written.\n")
            out.write(f"compiled: {'; '.join(' '.join(words) for words in self.compilers(name, [(program, outcome)], level))}\n")
            out.write(f"run: clrun {name}.spv {program.name} {program.items} {program.group_size} "
                      f"{' '.join(program.arguments())}\n")
            for number, want in sorted(outcome.buffers.items()):
                out.write(f"expected arg{number} {want.hex()}\n")
