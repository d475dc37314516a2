#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shapes.py - checks data structures and allocators that store addresses in integers, as ordinary programs do.

    shapes.py --judge JUDGE --nonflat COMMAND [--options="--some-option VALUE"] [--against COMMAND] [--table] [--only TEXT]
              [--storages local,private+global,turn] [--levels O0,O2] [--modes auto,dynamic] [--work DIR]

Each program of shapes/ has its data in private, local or global memory; in two or three of them, where the memory of each node is known
only at run time; and in each memory in turn (shapes/storage.h). The module as compiled must have the results that the same file has as a C
program, without a report of the judge; specialized, with `nonflat specialize` and the options given by --options, the results of the
original. Each failed case is printed on a line that begins with FAIL; no case may be refused.
Then statistics on the accesses through generic pointers in mode auto are printed: by level and number of memories, and with --table by
shape. All accesses of a refused module count as refused. --against takes another build's command, and lists the cases that have more static
accesses there, or fewer. Modules that are newer than their sources are not compiled again.
Exit status: 0 success, 1 a check failed, 77 nothing could be run.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "conformance"))
import toolchain  # noqa: E402

FOLDER = HERE / "shapes"
STORAGES = ("private", "local", "global", "private+local", "private+global", "local+global", "private+local+global",
            "turn")
LEVELS = ("O0", "O2")
KINDS = ("static", "predicated", "dispatched", "dead", "unknown", "refused")
VARIANTS = [[], ["--zero-private"]]
TIME_LIMIT = 60  # seconds for each program that is started
NUMBERS = {"IN": [i * 2654435761 % 2**32 for i in range(1, 65)],
           "WIDE": [i * 0x9e3779b97f4a7c15 % 2**64 for i in range(1, 33)],
           "PLACE": [i * i * 7 // 3 % 97 for i in range(64)]}
ARGUMENTS = ["zero:256:uint", "buffer:uint:" + ",".join(map(str, NUMBERS["IN"])),
             "buffer:ulong:" + ",".join(map(str, NUMBERS["WIDE"])), "buffer:uchar:" + ",".join(map(str, NUMBERS["PLACE"])),
             "zero:16384"]
LAUNCH = [word for argument in ARGUMENTS for word in ("--arg", argument)]

Job = collections.namedtuple("Job", "shape storage level")
Outcome = collections.namedtuple("Outcome", "job mode what said accesses")  # accesses: {kind: number}, in mode auto


def run(*command):
    """-> (exit status, output); a program that does not end has the status -1."""
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT,
                              check=False)
    except subprocess.TimeoutExpired:
        return -1, f"not done after {TIME_LIMIT} seconds"
    said = " ".join((done.stdout + done.stderr).split())
    return done.returncode, re.sub(r"^nonflat: \S+: error: ", "", said)


def is_newer(made, *sources):
    return made.exists() and all(made.stat().st_mtime > source.stat().st_mtime for source in sources)


def compile_shape(job, options):
    """-> (module or None, the compiler's output). An existing module is used unless its sources are newer."""
    source, stem = FOLDER / f"{job.shape}.cl", options.work / f"{job.shape}.{job.storage}.{job.level}"
    bitcode, module = stem.with_name(stem.name + ".bc"), stem.with_name(stem.name + ".spv")
    if is_newer(module, source, FOLDER / "storage.h", pathlib.Path(__file__)):
        return module, ""
    memories = [f"-DIN_{memory.upper()}" for memory in job.storage.split("+")]
    steps = [[toolchain.tool("clang"), "-w", "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-fno-strict-aliasing",
              "-" + job.level, *memories, "-x", "cl", "-emit-llvm", "-c", source, "-o", bitcode],
             [toolchain.tool("llvm-spirv"), bitcode, "-o", module]]
    for step in steps:
        status, said = run(*step)
        if status:
            return None, said
    return module, ""


def host_results(shape, work):
    """-> the results of the shape as a C program on this machine."""
    program = work / f"{shape}.host"
    if not is_newer(program, FOLDER / f"{shape}.cl", FOLDER / "storage.h", pathlib.Path(__file__)):
        numbers = [f"-D{name}=" + ",".join(f"{n}u{'l' * (n >= 2**32)}" for n in values) for name, values in NUMBERS.items()]
        status, said = run(toolchain.tool("clang"), "-w", "-O1", "-std=gnu11", "-fno-strict-aliasing", *numbers, "-x", "c",
                           FOLDER / f"{shape}.cl", "-o", program)
        if status:
            return said
    return run(program)[1]


def fault_of_original(module, job, options):
    """-> the error of the module as compiled, or None."""
    status, said = run(options.judge, "--strict", "--dump", *LAUNCH, module)
    if status:
        return said
    found = re.match(r"arg 0 uint:((?: \S+)*?) arg 1", said)
    wanted = options.expected[job.shape]
    if not found or found[1].split() != wanted.split():
        return f"the results are {found and found[1]}, and those of the C program {wanted}"
    return None


def specialize(nonflat, module, out, *how):
    """-> (status, output, {kind: number of accesses})."""
    report = out.with_suffix(".json")
    report.unlink(missing_ok=True)
    status, said = run(nonflat, "specialize", module, "-o", out, "--report", report, *how)
    accesses = json.loads(report.read_text())["accesses"] if report.exists() else {}
    if status:
        accesses = {"generic": accesses.get("generic", 0), "refused": accesses.get("generic", 0)}
    return status, said, accesses


def check_mode(job, module, mode, options):
    out = module.with_suffix(f".{mode}.spv")
    status, said, accesses = specialize(options.nonflat, module, out, "--mode", mode, *options.options)
    if status:
        return Outcome(job, mode, "refused" if status == 1 else "wrong", said, accesses)
    for variant in VARIANTS:
        status, said = run(options.judge, "--compare", *LAUNCH, *variant, module, out)
        if status:
            return Outcome(job, mode, "wrong", " ".join([*variant, said]), accesses)
    return Outcome(job, mode, "right", "", accesses)


def check(job, options):
    """-> [Outcome] for each mode; for mode `against`, the outcome of the other build."""
    module, said = compile_shape(job, options)
    if not module:
        return [Outcome(job, "", "not compiled", said, {})]
    fault = fault_of_original(module, job, options)
    if fault:
        return [Outcome(job, "", "not valid", fault, {})]
    outcomes = [check_mode(job, module, mode, options) for mode in options.modes]
    if options.against:
        status, said, accesses = specialize(options.against, module, module.with_suffix(".against.spv"), "--mode", "auto")
        outcomes.append(Outcome(job, "against", "refused" if status else "right", said, accesses))
    return outcomes


def tell(outcome):
    print("FAIL", " ".join(filter(None, [*outcome.job, outcome.mode])), f"{outcome.what}: {outcome.said[:300]}", flush=True)


def row(name, accesses):
    total = accesses["generic"]
    share = f"{100 * accesses['static'] / total:.1f} %" if total else "-"
    return f"{name:28}{total:9}{share:>10}" + "".join(f"{accesses[kind]:11}" for kind in KINDS)


def print_precision(outcomes, key):
    """Returns a line for each value of key(outcome): the number of accesses of each kind in all its modules."""
    sums = collections.defaultdict(collections.Counter)
    for outcome in outcomes:
        if outcome.mode == "auto":
            sums[key(outcome)].update(outcome.accesses)
    print("\n" + f"{'memories':28}{'accesses':>9}{'static':>10}" + "".join(f"{kind:>11}" for kind in KINDS))
    for name in sorted(sums):
        print(row(name, sums[name]))


def memories(outcome):
    storage = outcome.job.storage
    return f"{outcome.job.level} {'several' if '+' in storage else 'in turn' if storage == 'turn' else 'one'}"


def print_differences(outcomes):
    """Lists the cases in which the two builds differ in the number of static accesses, or one of the builds refuses the module."""
    found = {(outcome.job, outcome.mode): outcome for outcome in outcomes}
    print("\nstatic accesses: the other build's, this one's")
    for (job, mode), other in found.items():
        this = found.get((job, "auto"))
        if mode != "against" or not this:
            continue
        before, now = ((o.what != "refused", o.accesses.get("static", 0)) for o in (other, this))
        if before != now:
            print(f"{' '.join(job):44}{before[1]:6}{now[1]:6}  {'better' if now > before else 'worse'}  {other.what}, {this.what}")


def counts_of(outcomes):
    counts = collections.Counter(outcome.what for outcome in outcomes if outcome.mode != "against")
    return ", ".join(f"{counts[what]} {what}" for what in ("right", "refused", "wrong", "not valid", "not compiled"))


def parse():
    def words(text):
        return text.split(",")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", required=True)
    parser.add_argument("--nonflat", required=True)
    parser.add_argument("--options", type=shlex.split, default=[])
    parser.add_argument("--against")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--storages", type=words, default=STORAGES)
    parser.add_argument("--levels", type=words, default=LEVELS)
    parser.add_argument("--modes", type=words, default=["auto", "dynamic"])
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("shapes"))
    return parser.parse_args()


def main():
    options = parse()
    missing = toolchain.missing("clang", "llvm-spirv")
    if missing:
        print(f"SKIPPED: {', '.join(missing)} missing")
        return 77
    options.work.mkdir(parents=True, exist_ok=True)
    shapes = sorted(path.stem for path in FOLDER.glob("*.cl") if options.only in path.stem)
    jobs = [Job(*job) for job in ((shape, storage, level) for shape in shapes for storage in options.storages
                                  for level in options.levels)]
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        options.expected = dict(zip(shapes, pool.map(lambda shape: host_results(shape, options.work), shapes)))
        for found in pool.map(lambda job: check(job, options), jobs):
            outcomes += found
            for outcome in found:
                if outcome.what != "right" and outcome.mode != "against":
                    tell(outcome)
    print(f"{len(shapes)} shapes: {counts_of(outcomes)}")
    print_precision(outcomes, memories)
    if options.table:
        print_precision(outcomes, lambda outcome: f"{outcome.job.shape} {memories(outcome)}")
    if options.against:
        print_differences(outcomes)
    ours = [outcome for outcome in outcomes if outcome.mode != "against"]
    return 1 if any(outcome.what != "right" for outcome in ours) or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
