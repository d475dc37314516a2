# SPDX-License-Identifier: Apache-2.0
"""extract_modules.py - finds the SPIR-V modules in shared objects, for instance of SYCL wheels.

A module begins at a magic number and ends after its last instruction: at the first word that cannot be an instruction
(zero padding), at the next magic number, or at the end of the ELF section. Hazard: the last module of a file is often
followed, without padding, by exception tables, which look like further instructions; the section's end separates them.
"""
import hashlib
import mmap
import os
import struct

MAGIC = 0x07230203
MAGIC_BYTES = struct.pack("<I", MAGIC)
HEADER = 20
SHT_NOBITS = 8


def spread(files, number):
    """Returns `number` of the files, taken evenly from all, or all if there are fewer."""
    count = min(number, len(files))
    return [files[i * len(files) // count] for i in range(count)]


def sections(data):
    """Returns the file ranges of the sections of a 64-bit little-endian ELF file; of any other file, the whole file."""
    if data[:6] != b"\x7fELF\x02\x01":
        return [(0, len(data))]
    table, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    ranges = []
    for i in range(count):
        kind, = struct.unpack_from("<I", data, table + i * size + 4)
        offset, length = struct.unpack_from("<QQ", data, table + i * size + 24)
        if kind != SHT_NOBITS and length:
            ranges.append((offset, min(offset + length, len(data))))
    return ranges or [(0, len(data))]


def module_end(data, start, limit):
    """Returns the offset after the last complete instruction of the module at `start`."""
    at = start + HEADER
    while at + 4 <= limit:
        word, = struct.unpack_from("<I", data, at)
        words = word >> 16
        if word == MAGIC or words == 0 or at + 4 * words > limit:
            break
        at += 4 * words
    return at


def plausible(data, start, limit):
    if start + HEADER + 4 > limit:
        return False
    version, _, bound, schema = struct.unpack_from("<IIII", data, start + 4)
    return version & 0xff0000ff == 0 and bound > 0 and schema == 0


def modules_of(data):
    """Yields (offset, size) of each module in the bytes of one file."""
    for begin, limit in sections(data):
        at = data.find(MAGIC_BYTES, begin, limit)
        while at >= 0:
            end = module_end(data, at, limit) if plausible(data, at, limit) else at + 4
            if end - at > HEADER:
                yield at, end - at
            at = data.find(MAGIC_BYTES, max(end, at + 4), limit)


def shared_objects(paths):
    for path in paths:
        found = [path] if path.is_file() else sorted(path.rglob("*.so*"))
        yield from (p for p in found if p.is_file() and not p.is_symlink())


def distinct_modules(paths):
    """Yields (path, offset, bytes) of each distinct module, in a fixed order."""
    seen = set()
    for path in shared_objects(paths):
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                continue
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                for offset, size in modules_of(data):
                    module = data[offset:offset + size]
                    digest = hashlib.sha256(module).digest()
                    if digest not in seen:
                        seen.add(digest)
                        yield path, offset, module


def write_modules(out, paths):
    """Writes OUT/NNNNN.spv in order of file and offset, and OUT/index.tsv (number, size, file, offset). Returns their
    number."""
    total = count = 0
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "index.tsv", "w", encoding="utf-8") as index:
        for path, offset, module in distinct_modules(paths):
            (out / f"{count:05d}.spv").write_bytes(module)
            print(count, len(module), path, offset, sep="\t", file=index)
            count, total = count + 1, total + len(module)
    print(f"{count} distinct modules, {total / 1e6:.1f} MB, in {out}")
    return count
