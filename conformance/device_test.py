#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""device_test.py - tests `device` itself, on PoCL in place of NVIDIA's driver: a few programs must count as right, and a wrong expectation,
a missing program and too short a time must count as errors.

    device_test.py BUILD

Exit status: 0 as expected, 1 not, 77 there is no PoCL.
"""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import environments

HERE = pathlib.Path(__file__).resolve().parent
HEADER_WORDS, WAIT_EVENTS = 5, 260


def waits_for_events(module):
    """Returns true if the module has an OpGroupWaitEvents. PoCL 6.0 does not link wait_group_events() in any program of OpenCL C 1.2."""
    words = struct.unpack(f"<{module.stat().st_size // 4}I", module.read_bytes())
    at = HEADER_WORDS
    while at < len(words):
        if words[at] & 0xffff == WAIT_EVENTS:
            return True
        at += words[at] >> 16
    return False


def check(folder, *words):
    done = subprocess.run([folder / "device", "check", "--stand-in", "pocl", *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def expect(what, got, status, *texts):
    lacking = [text for text in texts if text not in got[1]]
    if got[0] != status or lacking:
        raise SystemExit(f"FAILED: {what}: exit status {got[0]}, not there: {lacking}\n{got[1]}")


def main():
    if not environments.system_driver(environments.LIBRARY["pocl"]):
        print("SKIPPED: PoCL is not installed")
        return 77
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "packed"
        subprocess.run([HERE / "device", "pack", folder, "--build", sys.argv[1], "--programs", "4"], check=True)
        jobs = json.loads((folder / "jobs.json").read_text())
        few = [next(job for job in jobs if job["set"] == name and not waits_for_events(folder / "modules" / job["module"]))
               for name in ("barriers", "corpus", "random")]
        (folder / "jobs.json").write_text(json.dumps(few))
        expect("right programs", check(folder), 0, "barriers  1 of 1 right", "corpus    1 of 1 right", "random    1 of 1 right",
               "3 of 3 run, 0 wrong, in", "a stand-in: no driver of NVIDIA's", "SPIR-V_1.0", "dpnp      not run")
        expect("no time", check(folder, "--seconds", "0"), 2, "0 of 0 right, 1 not run in the time")
        number, data = next(iter(few[2]["expect"].items()))
        few[2]["expect"][number] = "ff" * (len(data) // 2)
        few[1]["module"] = "none.spv"
        (folder / "jobs.json").write_text(json.dumps(few))
        expect("wrong programs", check(folder), 1, f"WRONG {few[2]['name']}: argument {number}: differs", "corpus    0 of 1 right",
               "3 of 3 run, 2 wrong, in")
        shutil.rmtree(folder)
    print("passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
