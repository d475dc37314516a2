# SPDX-License-Identifier: Apache-2.0
"""modules_table.py - runs nonflat-table over many modules, in parallel processes, and parses its results."""
import concurrent.futures
import json
import pathlib
import signal
import subprocess
import tempfile


def run_share(program, files, mode, device):
    """Returns one JSON object per file, in order. The object of a module that crashes nonflat-table has the signal; the objects of the next
    modules follow."""
    results, left = [], list(files)
    while left:
        with tempfile.TemporaryDirectory() as work:
            listing, output = pathlib.Path(work) / "list", pathlib.Path(work) / "out"
            listing.write_text("".join(f"{f}\n" for f in left))
            with open(output, "wb") as out:
                fit = ["--device", device] if device else []
                code = subprocess.run([program, "--mode", mode, *fit, listing], stdout=out).returncode
            done = read_objects(output)
        results += done
        left = left[len(done):]
        if left:
            why = "more than 60 s" if code == -signal.SIGALRM else f"nonflat-table ended with {code}"
            results.append({"file": str(left[0]), "ok": False, "status": why, "bytes": 0})
            left = left[1:]
    return results


def read_objects(path):
    """Returns the objects in the complete lines of a file that may be truncated."""
    objects = []
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                objects.append(json.loads(line))
            except json.JSONDecodeError:
                break
    return objects


def run_table(program, files, mode, jobs, device=None):
    """Yields the object of each file, from `jobs` parallel processes."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for results in pool.map(lambda i: run_share(program, files[i::jobs], mode, device), range(jobs)):
            yield from results
