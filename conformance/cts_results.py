# SPDX-License-Identifier: Apache-2.0
"""cts_results.py - runs one program of OpenCL-CTS and determines the outcome of each of its tests.

The programs write their results as JSON to the file that CL_CONFORMANCE_RESULTS_FILENAME names, but only at their end. A
program that crashes or hangs leaves only its output, so that is parsed as well: "NAME..." begins a test, "NAME passed" or
"NAME FAILED" ends it, and four messages mean that it was skipped. If a program crashes in a test, or a test takes too long, that is the
outcome of the test, and the program runs again with the names of the tests without an outcome.
"""
import json
import os
import re
import signal
import subprocess
import time

BEGIN = re.compile(r"(\w+)\.\.\.$")
SKIPPED = ("{0} test not supported", "{0} test currently not implemented", "{0} skipped (requires",
           "Subtest {0} tests is not supported in offline compiler")
WORDS = ("pass", "fail", "skip")
NO_TIME = "no time left"
POLL_SECONDS = 0.1


def find(cts, name):
    """Returns the newest program of that name."""
    found = [p for p in cts.rglob(f"test_{name}") if p.is_file() and os.access(p, os.X_OK)]
    return max(found, key=lambda p: p.stat().st_mtime, default=None)


def is_difference(native, ours):
    return native == "pass" and ours != "pass" or native == "skip" and ours not in ("pass", "skip")


def names_of(program, env):
    """Returns the names of a program's tests, which every version of CTS prints after its usage."""
    try:
        done = subprocess.run([program, "-h"], env=env, capture_output=True, text=True, errors="replace", timeout=60,
                              cwd=program.parent, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    _, _, after = done.stdout.partition("Test names:")
    return [line.strip() for line in after.splitlines() if re.fullmatch(r"\s+\w+", line)]


class Output:
    """Parses the growing output of a program."""

    def __init__(self):
        self.outcomes, self.seconds, self.running, self.ended, self.since = {}, {}, None, None, time.time()

    def stop(self, outcome):
        """Records the outcome of the running test, which has ended."""
        self.outcomes[self.running] = outcome
        self.running, self.ended = None, self.running

    def read(self, line):
        begun = BEGIN.match(line)
        if begun:
            now = time.time()
            if self.ended:
                self.seconds[self.ended] = now - self.since
            self.running, self.since = begun[1], now
        elif self.running and line.endswith(f"{self.running} passed"):
            self.stop("pass")
        elif self.running and line.endswith(f"{self.running} FAILED"):
            self.stop("fail")
        elif self.running and any(s.format(self.running) in line for s in SKIPPED):
            self.stop("skip")
        elif self.ended and line.startswith("clFinish failed"):
            self.outcomes[self.ended] = "fail"

    def read_more(self, stream):
        """Reads the lines that are complete so far."""
        while True:
            at, line = stream.tell(), stream.readline()
            if not line.endswith(b"\n"):
                stream.seek(at)
                return
            self.read(line.decode(errors="replace").rstrip())


def saved(path):
    """Returns {test: outcome} of the JSON file; empty if it is missing or incomplete."""
    try:
        results = json.loads(path.read_text(errors="replace"))["results"]
        return {name: word for name, word in results.items() if word in WORDS}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def kill(process):
    """Kills the program and the compilers that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run_once(command, env, log, allowed, until):
    """Runs a program once. Returns (Output, how it was killed, or "" if it ended by itself). `allowed` returns the time
    limit of a test in seconds."""
    results = log.with_suffix(".json")
    results.unlink(missing_ok=True)
    output, ending = Output(), ""
    with open(log, "ab") as writer, open(log.with_suffix(".err"), "ab") as errors, open(log, "rb") as reader:
        reader.seek(0, os.SEEK_END)
        process = subprocess.Popen(command, stdout=writer, stderr=errors, stdin=subprocess.DEVNULL, start_new_session=True,
                                   env=dict(env, CL_CONFORMANCE_RESULTS_FILENAME=str(results)), cwd=command[0].parent)
        while process.poll() is None and not ending:
            time.sleep(POLL_SECONDS)
            output.read_more(reader)
            if time.time() > until:
                ending = NO_TIME
            elif time.time() - output.since > allowed(output.running):
                ending = f"more than {allowed(output.running):.0f} s"
        if ending:
            kill(process)
        output.read_more(reader)
    if not ending and process.returncode < 0:
        ending = f"signal {-process.returncode}"
    if output.ended and not output.running:
        output.seconds[output.ended] = time.time() - output.since
    output.outcomes.update(saved(results))
    return output, ending


def run(command, env, log, allowed, until, names, chosen=()):
    """Runs a program, or the tests `chosen` of it, until every test of `names` has an outcome, or it crashes outside of
    any test, or the time is over. Returns ({test: "pass", "fail", "skip" or how it crashed}, {test: seconds}, how the last
    run was killed, or "" if it ended by itself)."""
    outcomes, seconds, left = {}, {}, list(chosen)
    while True:
        output, ending = run_once([*command, *left], env, log, allowed, until)
        outcomes.update(output.outcomes)
        seconds.update(output.seconds)
        if ending in ("", NO_TIME) or not output.running:
            return outcomes, seconds, ending
        outcomes[output.running] = ending
        left = [name for name in names if name not in outcomes]
        if not left:
            return outcomes, seconds, ""


def complaint(log):
    """Returns the last line of a program's standard error, else of its output."""
    for path in (log.with_suffix(".err"), log):
        lines = [line.strip() for line in path.read_text(errors="replace").splitlines() if line.strip()]
        if lines:
            return lines[-1]
    return "it wrote nothing"
