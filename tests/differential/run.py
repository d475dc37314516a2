#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels on many devices: each result is known before anything is compiled.

    run.py --seeds 0:1000 --targets judge,oclgrind,pocl,intel --nonflat BUILD [--intel ENV/lib] [--jobs 2]
    run.py --seeds 0:1000 --write DIR

For each seed: grow a kernel (gen/), compile it with clang at -O0 and -O2 (at the levels llvm-O0 and
llvm-O2 with clang-22 and LLVM's own SPIR-V writer; at untyped-O0 and untyped-O2 with llvm-spirv-22 and untyped pointers; at g-O0
with -g and llvm-spirv's legacy form of debug information; at passes-O0 and passes-O2 with a random sequence of LLVM's passes after
clang), and run it on each target:
    native    the original module, on the Intel CPU driver, which has a generic address space
    intel     `nonflat specialize` in each mode, on the Intel CPU driver
    strict    the original through the layer, over the Intel CPU driver behind the layer that refuses Generic
    oclgrind  the original through the layer; any report of the simulator is a failure, except about indices beyond a static array
    pocl      the original through the layer
    oclgrind-source, pocl-source, intel-source     the same; a test layer hides all inputs of the driver except OpenCL C
    oclgrind-nvidia, pocl-nvidia, intel-nvidia     the same; the driver's device answers like NVIDIA's
    debian13-rusticl, sid-rusticl    the same on Mesa's llvmpipe in another system (conformance/systems.py)
    debian13-pocl, sid-pocl          the original on their PoCL, which has a generic address space; -strict as above
    judge     the original and each specialised module, in the reference interpreter
    judge-source     the text of `nonflat specialize --to c`, which clang compiles, in the reference interpreter
Seeds are packed into modules (--pack), and a driver is started once for several of them (--batch) at both levels. A module
with a failure is taken apart; its failing kernels shrink to a few lines (--no-shrink: not) and are kept in --keep with
everything to reproduce them.

--write only compiles the modules, into DIR. `conformance/compare_builds OLD NEW --modules DIR --every 1` then shows whether two
builds make the same of them, so that what was measured with one holds for the other.

Exit status: 0 success, 1 a failure, 2 wrong usage or nothing compared, 77 a dependency is missing.
"""
import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "gen"))
import grow as growing  # noqa: E402
from grow import ALL_KINDS  # noqa: E402
from lang import set_address_bits  # noqa: E402
from devices import Bench, Missing, NEWER_CLANG, kind_of  # noqa: E402
from shrink import shrink  # noqa: E402


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", default="0:100", help="A:B, B not included; or one seed")
    p.add_argument("--targets", default="judge,oclgrind,pocl")
    p.add_argument("--modes", help="default: auto,dynamic, and hint where the judge is the only target")
    p.add_argument("--levels", help="of O0, O2, llvm-O0, llvm-O2, untyped-O0, untyped-O2, g-O0, passes-O0, passes-O2 (default: the first two, and the next two where the "
                                    "judge is the only target and clang-22 is there)")
    p.add_argument("--bits", type=int, choices=(32, 64), default=64, help="of an address; judge and judge-source take programs of 32")
    p.add_argument("--nonflat", help="build folder of Nonflat")
    p.add_argument("--clrun", help="clrun (default: in the build folder)")
    p.add_argument("--intel", help="folder that holds libintelocl.so")
    p.add_argument("--oclgrind", default="/usr/lib/oclgrind/liboclgrind-rt-icd.so")
    p.add_argument("--pocl", default="libpocl.so.2")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--pack", type=int, default=8, help="kernels in a module")
    p.add_argument("--batch", type=int, default=8, help="modules that a driver is started for")
    p.add_argument("--function-tables", action="store_true",
                   help="seeds that end in 7 call through tables of functions (only the judge takes such modules)")
    p.add_argument("--kinds", type=lambda text: text.split(","), help="only programs that compute with addresses, of these kinds: " + ", ".join(ALL_KINDS))
    p.add_argument("--keep", default="differential-failures", help="where failing programs are kept")
    p.add_argument("--max-failures", type=int, default=20, help="stop after so many failing seeds")
    p.add_argument("--keep-each", type=int, default=2, help="keep so many of each kind of failure, for each job")
    p.add_argument("--write", metavar="DIR", help="compile the modules of all packs into DIR, and run nothing")
    p.add_argument("--no-shrink", action="store_true")
    p.add_argument("--shrink-seconds", type=float, default=60)
    p.add_argument("--wrong-rule", type=int, default=0, help="switch on a deliberate error (test builds of the core only)")
    p.add_argument("--prove-rules", type=int, default=0, metavar="N",
                   help="for each wrong rule from 1 to N: is it caught? (test builds of the core only)")
    p.add_argument("--spoil", action="store_true", help="expect something wrong, to see that this program can fail")
    options = p.parse_args()
    first, _, last = options.seeds.partition(":")
    options.first, options.last = int(first), int(last or int(first) + 1)
    options.targets = options.targets.split(",")
    judged = options.targets == ["judge"]
    options.modes = (options.modes or ("auto,dynamic,hint" if judged else "auto,dynamic")).split(",")
    newer = ",llvm-O0,llvm-O2" if judged and shutil.which(NEWER_CLANG) else ""
    options.levels = (options.levels or "O0,O2" + newer).split(",")
    set_address_bits(options.bits)
    options.nonflat = options.nonflat and os.path.abspath(options.nonflat)  # a loader finds no layer by a relative path
    for kind in set(options.kinds or ()) - set(ALL_KINDS):
        p.error(f"no such kind: {kind}")
    return options


class Worker:
    """Tests one batch of seeds at a time; runs in a separate process."""

    def __init__(self, options):
        self.options, self.kept = options, {}
        self.bench = Bench(options, tempfile.mkdtemp(dir=options.folder))

    def batch(self, seeds):
        """-> (number of programs, number of compared runs, [failure dicts], {skip reason: count})"""
        grown = [growing.grow(seed, self.options.function_tables, self.options.kinds) for seed in seeds]
        if self.options.spoil:
            for _, outcome in grown:
                outcome.buffers[2] = b"\xff" + outcome.buffers[2][1:]
        packs = [grown[i:i + self.options.pack] for i in range(0, len(grown), self.options.pack)]
        tally = self.try_all(packs)
        failures = [f for pack in packs for f in self.one_by_one(pack, tally.failures)] if len(grown) > 1 else tally.failures
        for failure in first_of_each_seed(failures):
            self.keep(failure, dict((p.seed, (p, o)) for p, o in grown)[failure["seed"]],
                      [f for f in failures if f["seed"] == failure["seed"]])
        return len(grown), tally.compared, failures, tally.skipped

    def try_all(self, packs):
        return self.bench.try_all(packs, self.options.targets, self.options.modes, self.options.levels)

    def one_by_one(self, pack, failures):
        """The failures of a pack, each attributed to the program that fails alone, because one program fails the build of its whole
        pack."""
        seeds = {p.seed for p, _ in pack}
        together = [f for f in failures if f["seed"] in seeds]
        guilty = {f["seed"] for f in together}
        alone = [f for one in pack if one[0].seed in guilty for f in self.try_all([[one]]).failures]
        kinds = {tuple(f[k] for k in ("level", "target", "mode", "what")) for f in alone}
        company = f"only with seeds {pack[0][0].seed} to {pack[-1][0].seed} in one module"
        return alone + [dict(f, detail=f"{f['detail']} ({company})") for f in together
                        if tuple(f[k] for k in ("level", "target", "mode", "what")) not in kinds]

    def keep(self, failure, grown, all_of_them):
        self.kept[kind_of(failure)] = self.kept.get(kind_of(failure), 0) + 1
        if self.kept[kind_of(failure)] > self.options.keep_each:
            return
        program, outcome = grown
        folder = os.path.join(self.options.keep, f"seed-{failure['seed']}-{failure['target']}")
        os.makedirs(folder, exist_ok=True)
        self.bench.write_down(folder, "original", program, outcome, failure, all_of_them)
        if self.options.no_shrink or "in one module" in failure["detail"]:
            return
        small = shrink(program, lambda p, o: self.bench.fails_like(p, o, failure), self.options.shrink_seconds)
        self.bench.write_down(folder, "k", small, growing.settle(small), failure, all_of_them)


def first_of_each_seed(failures):
    seen = {}
    for failure in failures:
        seen.setdefault(failure["seed"], failure)
    return list(seen.values())


WORKER = None


def start_worker(options):
    global WORKER
    WORKER = Worker(options)


def do_batch(seeds):
    try:
        return WORKER.batch(seeds)
    except Exception as error:  # a broken tool must not look like a passed seed
        import traceback
        traceback.print_exc()
        return 0, 0, [dict(seed=seeds[0], level="?", target="runner", mode="?", what="runner error", detail=repr(error))], {}


def test_seeds(options):
    """-> number of programs, of compared runs, failures, skipped; prints failures as they occur."""
    seeds = list(range(options.first, options.last))
    # Every start of a driver runs at least a pack, and every job has work.
    size = options.pack * min(options.batch, max(1, len(seeds) // options.pack // options.jobs))
    batches = [seeds[i:i + size] for i in range(0, len(seeds), size)]
    programs, runs, failures, skipped = 0, 0, [], {}
    with multiprocessing.Pool(options.jobs, start_worker, (options,)) as pool:
        for tried, compared, found, left_out in pool.imap_unordered(do_batch, batches):
            programs, runs = programs + tried, runs + compared
            failures += found
            for reason, count in left_out.items():
                skipped[reason] = skipped.get(reason, 0) + count
            for f in found:
                print("FAIL seed {seed} -{level} {target} {mode}: {what} {detail}".format(**f), flush=True)
            if len({f["seed"] for f in failures}) >= options.max_failures:
                print(f"stopped after {options.max_failures} failing seeds")
                pool.terminate()
                break
    return programs, runs, failures, skipped


def write_modules(options):
    """Compiles the packs that test_seeds() makes, and moves the modules to the folder: random-FIRST_SEED-LEVEL.spv."""
    os.makedirs(options.write, exist_ok=True)
    bench = Bench(options, options.folder)
    for first in range(options.first, options.last, options.pack):
        seeds = range(first, min(first + options.pack, options.last))
        grown = [growing.grow(seed, options.function_tables, options.kinds) for seed in seeds]
        for level in options.levels:
            try:
                module = bench.compile(grown, level)
            except RuntimeError as error:
                print(f"SKIPPED seeds {first} to {seeds[-1]} -{level}: {error}")
                continue
            shutil.move(module, os.path.join(options.write, f"random-{first}-{level}.spv"))
        bench.clean()
    return 0


def test(options):
    begun = time.time()
    programs, runs, failures, skipped = test_seeds(options)
    for reason, count in sorted(skipped.items()):
        print(f"SKIPPED {count} runs: {reason}")
    bad = len({f["seed"] for f in failures})
    print(f"{programs} programs, {runs} runs compared, {bad} programs failed, {time.time() - begun:.0f} s")
    if runs == 0:
        print("nothing was compared")
        return 2
    return 1 if failures else 0


def prove_rules(options):
    """Each deliberately wrong rule must make at least one program fail."""
    missed, options.no_shrink, options.max_failures, options.keep_each = [], True, 1, 0
    for options.wrong_rule in range(1, options.prove_rules + 1):
        programs, _, failures, _, _ = test_seeds(options)
        if failures:
            print("rule {0}: caught by seed {seed} -{level} {target} {mode}: {what}".format(options.wrong_rule, **failures[0]))
        else:
            missed.append(options.wrong_rule)
            print(f"rule {options.wrong_rule}: NOT CAUGHT by {programs} programs")
    return 1 if missed else 0


def main():
    options = parse()
    options.folder = tempfile.mkdtemp(prefix="nonflat-differential-")
    try:
        if options.write:
            return write_modules(options)
        Bench(options, options.folder).check(options.targets)
        return prove_rules(options) if options.prove_rules else test(options)
    except Missing as missing:
        print(f"SKIPPED: {missing}")
        return 77
    finally:
        shutil.rmtree(options.folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
