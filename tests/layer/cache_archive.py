#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`nonflat cache export` and `import` over the stub driver: an application finds imported entries; and no archive, whatever its contents,
writes outside the folder, replaces an entry, or adds an incomplete one.

    cache_archive.py NONFLAT LAYER APPLICATION
"""
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

NONFLAT, LAYER, APPLICATION = sys.argv[1:4]
PREFIX = struct.Struct("<16sQ")
ROUNDS = 300


class Failure(Exception):
    pass


def expect(good, text):
    if not good:
        raise Failure(text)


def nonflat(*arguments, status=0, **variables):
    done = subprocess.run([NONFLAT, "cache", *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          errors="replace", env=dict(os.environ, NONFLAT_CONFIG="off", **variables))
    said = done.stdout + done.stderr
    expect(done.returncode == status, f"cache {arguments}: {done.returncode}, not {status}: {said}")
    return said


def build(cache, **variables):
    """Lets the application build a module. Returns the run statistics."""
    summary = cache.parent / "summary"
    summary.unlink(missing_ok=True)
    subprocess.run([APPLICATION, "build", "generic", "1"], check=True, timeout=60,
                   env=dict(os.environ, NONFLAT_CONFIG="off", OPENCL_LAYERS=LAYER, NONFLAT_CACHE=str(cache),
                            NONFLAT_SUMMARY=str(summary), **variables))
    return dict(field.split("=") for field in summary.read_text().split())


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def entries_of(archive):
    """Returns the prefixes and entries of an archive, without the last prefix."""
    at = 16
    while True:
        kind, size = PREFIX.unpack_from(archive, at)
        if not kind.strip(b"\0"):
            return
        yield kind, archive[at + PREFIX.size:at + PREFIX.size + size]
        at += PREFIX.size + size


def archive_of(magic, entries):
    body = b"".join(PREFIX.pack(kind, len(entry)) + entry for kind, entry in entries)
    return magic + body + PREFIX.pack(b"", len(entries))


def check_round_trip(here, archive):
    cache, other = here / "cache", here / "other"
    expect(build(cache)["misses"] == "1", "the first build was a hit")
    entries = [name for name in contents(cache) if name.endswith(".nonflat")]
    nonflat("export", archive, "--folder", cache)
    expect(f"{len(entries)} entries added" in nonflat("import", archive, "--folder", other), "not all were added")
    expect("0 entries added, %d were there" % len(entries) in nonflat("import", archive, "--folder", other), "twice")
    expect("are whole" in nonflat("verify", "--folder", other), "not whole")
    expect(contents(cache) == contents(other), "the copy differs")
    expect(build(other)["hits"] == "1", "the application does not find what was imported")
    expect(build(here / "empty", NONFLAT_CACHE_SYSTEM=str(other))["hits"] == "1", "nor in a read-only folder")
    nonflat("import", "-", "--folder", other, status=2)  # standard input is empty
    nonflat("import", here / "none", "--folder", other, status=2)
    nonflat("export", here / "none" / "archive", "--folder", other, status=2)


def check_hostile(here, archive):
    right, other = archive.read_bytes(), here / "hostile"
    magic, entries = right[:16], list(entries_of(right))
    kind, entry = entries[0]
    hostile = {
        "a place as its kind": archive_of(magic, [(b"../../escaped", entry)]),
        "an absolute place": archive_of(magic, [(b"/tmp/escaped", entry)]),
        "a kind without an end": archive_of(magic, [(b"module-module-mo", entry)]),
        "a mark of a build": archive_of(magic, [(b"attempt", entry)]),
    }
    for name, data in hostile.items():
        archive.write_bytes(data)
        expect("0 entries added" in nonflat("import", archive, "--folder", other), f"{name} was added")
    broken = {
        "another magic": b"x" + right[1:],
        "nothing": b"",
        "no end": right[:-PREFIX.size],
        "another number of entries": right[:-8] + struct.pack("<Q", 77),
        "a length above all": magic + PREFIX.pack(kind, 2**64 - 1) + entry,
        "a length of many gigabytes": magic + PREFIX.pack(kind, 2**36) + entry,
        "a length beyond the end": magic + PREFIX.pack(kind, len(entry) + 1) + entry,
        "lengths that wrap in the entry": archive_of(
            magic, [(kind, entry[:8] + struct.pack("<QQ", 2**64 - 8, len(entry) - 40 + 8) + entry[24:])]),
        "a damaged entry": archive_of(magic, [(kind, entry[:-1] + bytes([entry[-1] ^ 1]))]),
    }
    for name, data in broken.items():
        archive.write_bytes(data)
        said = nonflat("import", archive, "--folder", other, status=2)
        expect("cache import: " in said, f"{name}: {said}")
    archive.write_bytes(right)


def check_limit(here, archive):
    """A failed import removes no existing entry."""
    small = here / "small"
    big = archive_of(archive.read_bytes()[:16], [(kind, entry) for kind, entry in entries_of(archive.read_bytes())])
    nonflat("import", archive, "--folder", small)
    before = contents(small)
    filler = small / ("module-" + "0" * 32 + ".nonflat")
    filler.write_bytes(bytes(2**20 - 100))
    filler.chmod(0o600)
    for name in before:
        if name.endswith(".nonflat"):
            (small / name).unlink()
    archive.write_bytes(big)
    said = nonflat("import", archive, "--folder", small, status=2, NONFLAT_CACHE_SIZE="1")
    expect("larger than the setting" in said and filler.exists(), said)


def check_random(here, archive):
    """An archive is damaged at each position: afterwards all entries of the folder are complete, and the previous ones are unchanged."""
    right, other = archive.read_bytes(), here / "random"
    nonflat("import", archive, "--folder", other)
    before, outside = contents(other), sorted(os.listdir(here))
    rng = random.Random(1)
    for _ in range(ROUNDS):
        data = bytearray(right)
        for _ in range(rng.choice((1, 1, 2, 8))):
            at = rng.randrange(len(data)) if rng.random() < 0.5 else rng.randrange(min(len(data), 100))
            data[at] = rng.choice((data[at] ^ 1 << rng.randrange(8), 0, 255, rng.randrange(256)))
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)):]
        archive.write_bytes(data)
        cache = other if rng.random() < 0.5 else here / "fresh"
        done = subprocess.run([NONFLAT, "cache", "import", str(archive), "--folder", str(cache)], capture_output=True,
                              timeout=60, env=dict(os.environ, NONFLAT_CONFIG="off"), check=False)
        expect(done.returncode in (0, 2), f"import ended with {done.returncode}")
        after = contents(other)
        expect(all(after.get(name) == data for name, data in before.items()), "an entry was replaced or lost")
        if cache.exists():
            expect("are whole" in nonflat("verify", "--folder", cache), "an entry is not whole")
        if cache != other:
            shutil.rmtree(cache, ignore_errors=True)
        expect(sorted(os.listdir(here)) == outside, f"something was written outside: {os.listdir(here)}")
    archive.write_bytes(right)


def main():
    here = pathlib.Path(tempfile.mkdtemp())
    archive = here / "archive"
    failures = 0
    try:
        for check in (check_round_trip, check_hostile, check_limit, check_random):
            try:
                check(here, archive)
            except Failure as failure:
                print(f"FAIL: {check.__name__}: {failure}")
                failures += 1
    finally:
        shutil.rmtree(here)
    if not failures:
        print("what is exported is imported, and nothing else")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
