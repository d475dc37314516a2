# SPDX-License-Identifier: Apache-2.0
"""wheel.py - measures how long `nonflat scan` takes for installed Python packages, and checks that its figures are those of `nonflat
specialize --report` for each module. Not part of ctest, because it needs packages of real SYCL libraries.

    wheel.py NONFLAT [--every N] FOLDER...        N: compare each N-th module (default 50; 1 is all)
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 30

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("nonflat")
parser.add_argument("folders", nargs="+")
parser.add_argument("--every", type=int, default=50)
options = parser.parse_args()


def scan(*arguments):
    done = subprocess.run([options.nonflat, "scan", "--json", *arguments, *options.folders], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"scan ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


begin = time.monotonic()
total = scan()["total"]
seconds = time.monotonic() - begin
print(f"{total['modules']} distinct modules, {total['bytes'] / 1e6:.1f} MB, in {seconds:.1f} s")
print(f"kernels {total['kernels']}, accesses {total['accesses']}")

wrong = compared = 0
with tempfile.TemporaryDirectory() as folder:
    by_index = {m["index"]: m for file in scan("--modules", "--extract", folder)["files"] for m in file["list"]}
    for path in sorted(pathlib.Path(folder).glob("*.spv"))[::options.every]:
        done = subprocess.run([options.nonflat, "specialize", path, "--report", "-"], capture_output=True, text=True,
                              check=False)
        expected = json.loads(done.stdout)["accesses"] if done.returncode in (0, 1) else None
        compared += 1
        if by_index[int(path.stem)]["accesses"] != expected:
            wrong += 1
            print(f"{path.name}: {by_index[int(path.stem)]['accesses']} is not {expected}")
print(f"{compared} modules compared, {wrong} differ")
sys.exit(1 if wrong or not compared or seconds > LIMIT_SECONDS else 0)
