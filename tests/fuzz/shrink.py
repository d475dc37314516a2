#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reduces an input on which a fuzz target or its replay fails, as a module: removes whole instructions as long as the target fails in the
same way.

    shrink.py PROGRAM INPUT OUTPUT [--seconds 60]

PROGRAM is fuzz_NAME or replay_NAME. Two failures are the same if the messages of the property or the sanitizer are, without numbers.
Exit status: 0 done, 1 INPUT does not fail, 2 wrong usage.
"""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
import time


def instructions(data):
    """-> header, [bytes of each instruction]; a part that cannot be parsed remains in one piece."""
    count = len(data) // 4
    words = struct.unpack(f"<{count}I", data[:4 * count])
    at, out = 5, []
    while at < count:
        length = words[at] >> 16
        if not length or at + length > count:
            out.append(data[4 * at:])
            return data[:20], out
        out.append(data[4 * at:4 * (at + length)])
        at += length
    return data[:20], out


class Target:
    def __init__(self, program, end):
        self.program, self.end = program, end
        self.path = os.path.join(tempfile.mkdtemp(), "candidate.spv")

    def signature(self, data):
        with open(self.path, "wb") as out:
            out.write(data)
        try:
            done = subprocess.run([self.program, self.path], capture_output=True, text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired:
            return "no end"
        if done.returncode == 0:
            return None
        said = re.findall(r"property does not hold: .*|runtime error: .*|ERROR: (?:Address|Leak|Undef)\S*: \S+|^error: .*", done.stderr, re.M)
        frames = re.findall(r"#\d+ \S+ in (?:nf_)?(\S+) \S*/src/", done.stderr)[:1]
        return re.sub(r"0x[0-9a-f]+|%\S+|\d+", "", " ".join(said + frames)) or f"status {done.returncode}"


def shrink(header, parts, fails, end):
    """Delta debugging: sequences of instructions, halves first, from the end (uses before definitions)."""
    size = max(1, len(parts) // 2)
    while time.time() < end:
        smaller, at = False, len(parts)
        while at > 0 and time.time() < end:
            first = max(0, at - size)
            candidate = parts[:first] + parts[at:]
            if fails(header + b"".join(candidate)):
                parts, smaller = candidate, True
            at = first
        if size == 1 and not smaller:
            break
        size = max(1, size // 2)
    return parts


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("input")
    p.add_argument("output")
    p.add_argument("--seconds", type=float, default=60)
    o = p.parse_args()
    with open(o.input, "rb") as source:
        data = source.read()
    target = Target(o.program, time.time() + o.seconds)
    wanted = target.signature(data)
    if wanted is None:
        print(f"{o.input}: does not fail")
        return 1
    header, parts = instructions(data)
    parts = shrink(header, parts, lambda d: target.signature(d) == wanted, target.end)
    with open(o.output, "wb") as out:
        out.write(header + b"".join(parts))
    print(f"{len(data)} bytes to {20 + sum(map(len, parts))}: {wanted}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
