# SPDX-License-Identifier: Apache-2.0
"""The memory of the simulated device: objects of bytes, each in one space, at an address on which the result must not depend.

A random program is a test only if its behavior is defined. Every access is checked here: bounds, alignment, lifetime, initialization, owner
of private or local memory, and data races. Undefined behavior raises Bad, and the program (or the statement) is discarded. Addresses come
from a random layout; programs whose results depend on them are detected by simulating them twice.
"""


class Bad(Exception):
    """The program has undefined behavior."""


class Object:
    __slots__ = ("base", "size", "space", "data", "owner", "alive", "writes", "reads", "read_only",
                 "by_value")

    def __init__(self, base, size, space, owner):
        self.base, self.size, self.space, self.owner = base, size, space, owner
        self.data = [None] * size
        self.alive = True
        self.read_only = self.by_value = False
        self.writes, self.reads = {}, {}


class Memory:
    """The state that the work-items of one launch share. Each object has a slot of 64 KiB, so that the slot identifies it."""

    bits = 64
    BASES = {64: {"global": 0x00007000_00000000, "local": 0x00001200_00000000, "private": 0x00000900_00000000,
                  "constant": 0x00000300_00000000},
             32: {"global": 0x70000000, "local": 0x40000000, "private": 0x10000000, "constant": 0xa0000000}}
    SLOTS_OF_32 = 0x3000  # for each space

    def __init__(self, rng):
        self.rng = rng
        self.slots = {}
        self.next = {s: rng.randrange(1, 4000) for s in self.BASES[self.bits]}

    def new(self, size, space, owner):
        self.next[space] += self.rng.randrange(1, 4)
        if self.bits == 32 and self.next[space] >= self.SLOTS_OF_32:
            raise Bad("too many objects")
        base = self.BASES[self.bits][space] + (self.next[space] << 16) + 32 * self.rng.randrange(1, 100)
        self.slots[base >> 16] = made = Object(base, size, space, owner)
        return made

    def find(self, address, size, item):
        found = self.slots.get(address >> 16)
        if found is None:
            raise Bad("null" if address == 0 else "wild pointer")
        offset = address - found.base
        if offset < 0 or offset + size > found.size:
            raise Bad("out of bounds")
        if not found.alive:
            raise Bad("dangling pointer")
        if found.space == "private" and found.owner is not item:
            raise Bad("another item's private memory")
        if found.space == "local" and found.owner != item.group:
            raise Bad("another group's local memory")
        return found, offset

    def read(self, address, size, item, atomic=False):
        found, offset = self.find(address, size, item)
        if found.space in ("global", "local"):
            for at in range(offset, offset + size):
                self.meet(found, at, item, False, atomic)
        return found.data[offset:offset + size]

    def write(self, address, data, item, atomic=False):
        found, offset = self.find(address, len(data), item)
        if found.read_only:
            raise Bad("write to a constant")
        if found.by_value:
            item.flags.add("by_value_written")
        if found.space in ("global", "local"):
            for at in range(offset, offset + len(data)):
                self.meet(found, at, item, True, atomic)
        found.data[offset:offset + len(data)] = data

    @staticmethod
    def meet(found, at, item, write, atomic):
        """Raises Bad if this access races with an earlier one: by another item, without a barrier in between."""
        for table, harmless in ((found.writes, False), (found.reads, not write)):
            if harmless:
                continue
            for other, phase, was_atomic in table.get(at, ()):
                if other is not item and (other.group != item.group or phase == item.phase) \
                        and not (atomic and was_atomic):
                    raise Bad("data race")
        table = found.writes if write else found.reads
        entry = (item, item.phase, atomic)
        seen = table.get(at)
        if seen is None:
            table[at] = [entry]
        elif entry not in seen:
            seen.append(entry)
