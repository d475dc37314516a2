# SPDX-License-Identifier: Apache-2.0
"""places.py - the drivers on which `adaptivecpp` and `chipstar` run programs of other projects, and the table of their results.

A target is native (Intel's CPU driver without Nonflat), or a driver below Nonflat's two layers: pocl (3.1), debian13-rusticl, sid-rusticl.
The file NAME.expected has the known failures: TARGET or all, the name of the test, and the cause.
"""
import collections
import pathlib
import shutil
import subprocess

import environments
import systems

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = ["native", "pocl", "debian13-rusticl", "sid-rusticl"]
SYSTEM = "debian12"  # that of native and pocl


class Results:
    """The results of tests and programs by target. `known` maps (target, name) to a cause."""

    def __init__(self, known):
        self.known, self.outcomes, self.unexpected = known, collections.defaultdict(dict), 0

    def cause(self, target, name):
        return self.known.get((target, name)) or self.known.get(("all", name))

    def add(self, target, name, outcome):
        """Records a result, None if it is right and else the error, and prints it if the native result differs."""
        self.outcomes[target][name] = outcome
        native = self.outcomes["native"].get(name)
        if outcome is None or target == "native":
            if outcome:
                print(f"native {name}: {outcome}", flush=True)
            return
        if native:
            return
        cause = self.cause(target, name)
        self.unexpected += cause is None
        print(f"{'known' if cause else 'WRONG'} {target} {name}: {outcome}{f' ({cause})' if cause else ''}", flush=True)

    def print_table(self, kinds):
        targets = list(self.outcomes)
        print(f"\n| what | {' | '.join(targets)} |\n|---{'|---' * len(targets)}|")
        for kind in kinds:
            cells = []
            for target in targets:
                mine = {name: outcome for name, outcome in self.outcomes[target].items() if name.split("/")[0] == kind}
                right = [name for name, outcome in mine.items() if outcome is None]
                natively = [name for name in mine if target != "native" and name in self.outcomes["native"] and self.outcomes["native"][name] is None]
                also = sum(name in natively for name in right)
                cells.append(f"{len(right)} of {len(mine)}" + (f"; {also} of the {len(natively)} that are right natively" if natively else ""))
            print(f"| {kind} | {' | '.join(cells)} |")


def read_known(name):
    """Returns the failures that NAME.expected lists."""
    known = {}
    for line in (HERE / f"{name}.expected").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            target, test, cause = line.split(maxsplit=2)
            known[target, test] = cause
    return known


def add_options(parser):
    """Adds the options of both commands."""
    parser.add_argument("--programs", default="")
    parser.add_argument("--build", type=pathlib.Path, default=environments.DEFAULT_BUILD)
    parser.add_argument("--folder", type=pathlib.Path, default=environments.DEFAULT_FOLDER)
    parser.add_argument("--limit", type=int, default=300, help="seconds for a program or a suite")
    parser.add_argument("targets", nargs="*", metavar="TARGET")


def parse(parser):
    """Returns the arguments, with whole paths of folders."""
    arguments = parser.parse_intermixed_args()
    arguments.build, arguments.folder = arguments.build.resolve(), arguments.folder.resolve()
    return arguments


def unbuilt(arguments):
    """Returns the reason why there is no layer, or None."""
    return environments.unbuilt(arguments.build / "layer/libnonflat_layer.so")


def run_targets(arguments, make, results, kinds):
    """Calls make(target) for the Place of each target, and adds the results that its run_all() yields, with their names. Prints the table,
    and returns the exit status."""
    ran = 0
    for target in arguments.targets or TARGETS:
        try:
            place = make(target)
        except LookupError as absent:
            print(f"SKIPPED {target}: {absent}", flush=True)
            continue
        ran += 1
        for name, outcome in place.run_all():
            results.add(target, name, outcome)
    results.print_table(kinds)
    return 2 if not ran else 1 if results.unexpected else 0


def inside(folder, system, *options):
    """Returns the words before a command in the system of this name in `folder`, which has packages of its own (systems.make_beside)."""
    return ["env", f"NONFLAT_SYSTEMS={folder}", f"PATH={systems.PATH}", str(systems.SYSTEM), "run", system, *map(str, options)]


def logged(path, command, seconds):
    """Runs a command whose output goes to the file `path`. Returns true on success."""
    with open(path, "w", encoding="utf-8") as log:
        return subprocess.run([str(word) for word in command], stdout=log, stderr=subprocess.STDOUT, timeout=seconds, check=False).returncode == 0


class Place:
    """A driver on which programs of the folder `built` run, and its system. `name` is that of the command: adaptivecpp
    or chipstar."""

    def __init__(self, target, arguments, name, built):
        self.limit = arguments.limit
        driver = {"native": "cpu", "pocl": f"{SYSTEM}-pocl"}.get(target, target)
        self.environment = environments.driver_environment(driver, arguments.folder, arguments.folder)
        if self.environment is None:
            raise LookupError(environments.why_not(driver))
        self.system = systems.split(driver)[0] if systems.split(driver) else SYSTEM
        reason = systems.lacking(self.system)
        if reason:
            raise LookupError(reason)
        self.work = arguments.folder / name / target
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "home").mkdir(parents=True)
        self.words = [str(systems.SYSTEM), "run", self.system, "--read", str(systems.TREE), "--bind", "/tmp", "--read", str(arguments.build),
                      "--bind", str(built), "--bind", str(arguments.folder)]
        if driver == "cpu":
            self.words += ["--read", str(pathlib.Path(self.environment["LD_LIBRARY_PATH"]).parent.resolve())]
        self.environment["HOME"] = str(self.work / "home")
        if target != "native":
            layers = [arguments.build / "layer" / f"libnonflat_{name}.so" for name in ("layer", "usm")]
            self.environment["OPENCL_LAYERS"] = ":".join(map(str, layers))

    def run(self, command, log, folder=None):
        """Returns (exit status, output) of a command in `folder`; the status is None if it takes too long. The output is also stored in a file."""
        words = [*self.words, "timeout", "--kill-after=5", str(self.limit), *map(str, command)]
        done = subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=folder or self.work, check=False)
        text = done.stdout.decode(errors="replace")
        (self.work / f"{log}.log").write_text(text, encoding="utf-8")
        return (None if done.returncode in (124, -9) else done.returncode), text


def last_line(text, status, ignored="AdaptiveCpp Warning"):
    """Returns the exit status and the last line of the output, without AdaptiveCpp's warning that it compiled a kernel."""
    lines = [line for line in text.splitlines() if line.strip() and ignored not in line]
    return f"{'no end' if status is None else f'exit status {status}'}: {lines[-1].strip() if lines else 'no message'}"
