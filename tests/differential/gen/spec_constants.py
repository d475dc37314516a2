# SPDX-License-Identifier: Apache-2.0
"""Turns some of a module's integers into specialization constants with the same values, which are unknown until the module is built. OpenCL
C has no syntax for them, so the module's words are changed.
"""
import struct

CONSTANT, SPEC_CONSTANT, TYPE_INT, DECORATE, SPEC_ID, FUNCTION = 43, 50, 21, 71, 1, 54
# Instructions that use an integer as a plain number: arithmetic, shifts, bitwise operations,
# comparisons, select, store, call, phi, return.
HARMLESS = set(range(126, 142)) | set(range(194, 200)) | set(range(169, 180)) | {62, 57, 245, 254}


def instructions(words):
    at = 5
    while at < len(words):
        yield at, words[at] & 0xffff, words[at + 1:at + (words[at] >> 16)]
        at += words[at] >> 16


def candidates(words):
    """Ids of 32-bit constants that are used as plain numbers only."""
    found, types = set(), set()
    for _, op, rest in instructions(words):
        if op == TYPE_INT and rest[1] == 32:
            types.add(rest[0])
        elif op == CONSTANT and rest[0] in types:
            found.add(rest[1])
        elif op not in HARMLESS:
            found -= set(rest)  # a literal may look like an id: one candidate less
    return sorted(found)


def is_declaration(op):
    return 19 <= op <= 39 or 41 <= op <= 59


def loosen(data, rng, most=6):
    """-> the module with up to `most` specialization constants"""
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    chosen = candidates(words)
    chosen = rng.sample(chosen, min(most, len(chosen)))
    first = next((at for at, op, _ in instructions(words) if is_declaration(op)), len(words))
    for at, op, rest in instructions(words):
        if op == CONSTANT and rest[1] in chosen:
            words[at] = words[at] & 0xffff0000 | SPEC_CONSTANT
    words[first:first] = [w for number, id_ in enumerate(chosen) for w in (4 << 16 | DECORATE, id_, SPEC_ID, number)]
    return struct.pack(f"<{len(words)}I", *words)
