# SPDX-License-Identifier: Apache-2.0
"""Runs a program of lang.py on simulated work-items and returns the contents of its buffers.

simulate(program, layout) -> Outcome. The layout is a seed for the addresses and the order of the work-items: a program is usable only if
two layouts have the same results. Phases: the kernel's body is divided at its top-level barriers, and all work-items of the group finish
one phase before any begins the next.
"""
import random

from lang import Barrier, INT, Slot, run_block
from memory import Bad, Memory

MAX_STEPS = 4000


class Item:
    """One work-item: the state on which expressions and statements act."""

    def __init__(self, launch, gid, lid, group):
        self.launch, self.gid, self.lid, self.group = launch, gid, lid, group
        self.memory, self.flags = launch.memory, launch.flags
        self.phase, self.steps, self.depth = 0, 0, 0
        self.stack, self.here, self.frame = [], [], {}

    def tick(self):
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Bad("too long")

    def aligned(self, address, ty):
        if address % ty.align:
            raise Bad("misaligned")

    def load(self, address, ty, atomic=False):
        self.aligned(address, ty)
        return ty.unpack(self.memory.read(address, ty.size, self, atomic))

    def store(self, address, ty, v, atomic=False):
        self.aligned(address, ty)
        data = ty.pack(v)
        self.memory.write(address, data, self, atomic)

    def space(self, address):
        found = self.memory.slots.get(address >> 16)
        if found is None:
            raise Bad("no object")
        return found.space

    def same_object(self, a, b):
        if a >> 16 != b >> 16 or a >> 16 not in self.memory.slots:
            raise Bad("not one object")

    def move(self, address, by):
        """Pointer arithmetic stays within its object, or one past its end."""
        found = self.memory.slots.get(address >> 16)
        if found is None:
            if by == 0:
                return address
            raise Bad("arithmetic on null")
        if not 0 <= address + by - found.base <= found.size:
            raise Bad("pointer out of bounds")
        return address + by

    def private_object(self, size):
        made = self.memory.new(size, "private", self)
        self.stack.append(made)
        return made

    def local_object(self, name, ty):
        key = (self.group, name)
        if key not in self.launch.locals:
            self.launch.locals[key] = self.memory.new(ty.size, "local", self.group)
        return self.launch.locals[key]

    def pop_to(self, mark):
        for dead in self.stack[mark:]:
            dead.alive = False
        del self.stack[mark:]

    def call(self, function, values):
        self.tick()
        self.depth += 1
        if self.depth > 12:
            raise Bad("too deep")
        frame, mark = {}, len(self.stack)
        for (name, ty), v in zip(function.params, values):
            made = self.private_object(ty.size)
            self.store(made.base, ty, v)
            frame[name] = Slot(made, ty)
        signal = run_block(function.body, self, frame)
        self.pop_to(mark)
        self.depth -= 1
        return signal[1] if isinstance(signal, tuple) else None


class Launch:
    def __init__(self, program, layout):
        self.program = program
        self.rng = random.Random(layout)
        self.memory = Memory(self.rng)
        self.flags, self.locals, self.buffers = set(), {}, []
        self.published, self.functions = {}, {}
        self.make_buffers()

    def address_of(self, function):
        address = 0x00000100_00000000 + 16 * self.program.functions.index(function)
        self.functions[address] = function
        return address

    def make_buffers(self):
        for name, ty, spec in self.program.args:
            kind, _, rest = spec.partition(":")
            made = None
            if kind == "buffer":
                values = [int(x) for x in rest.split(":")[1].split(",")]
                made = self.memory.new(ty.to.size * len(values), "global", None)
                made.data = [b for v in values for b in ty.to.pack(v)]
            elif kind == "zero":
                made = self.memory.new(int(rest), "global", None)
                made.data = [0] * int(rest)
            elif kind == "same":
                made = self.buffers[int(rest)]
            self.buffers.append(made)

    def bind(self, item):
        """Sets the kernel's parameters in the item's frame."""
        for (name, ty, spec), made in zip(self.program.args, self.buffers):
            kind, _, rest = spec.partition(":")
            if made is not None:
                item.frame[name] = made.base
            elif kind == "local":
                key = (item.group, name)
                if key not in self.locals:
                    self.locals[key] = self.memory.new(int(rest), "local", item.group)
                item.frame[name] = self.locals[key].base
            elif kind == "bytes":
                slot = Slot(item.private_object(ty.size), ty)
                slot.object.data = list(bytes.fromhex(rest))
                slot.object.read_only = not self.program.writes_by_value
                slot.object.by_value = True
                item.frame[name] = slot
            else:
                item.frame[name] = int(rest)

    def run_group(self, group, outcome):
        """Runs a group; if its behavior is undefined, records the statements that were being executed."""
        program = self.program
        items = [Item(self, group * program.group_size + lid, lid, group) for lid in range(program.group_size)]
        for item in items:
            self.bind(item)
        order = list(items)
        for phase, part in enumerate(self.phases()):
            self.rng.shuffle(order)
            for item in order:
                item.phase = phase
                try:
                    if run_block(part, item, item.frame) is not None:
                        raise Bad("jump out of the kernel")
                except (Bad, TypeError, KeyError, AttributeError, OverflowError) as error:
                    outcome.where = list(item.here)
                    raise Bad(f"{type(error).__name__}: {error}") from None

    def phases(self):
        parts = [[]]
        for s in self.program.body:
            if isinstance(s, Barrier) and not s.off:
                parts.append([])
            else:
                parts[-1].append(s)
        return parts


class Outcome:
    """buffers: contents of each buffer argument by its number; flags: features that the run used; bad: the reason why it is undefined, and
    the place."""

    def __init__(self):
        self.buffers, self.flags, self.bad, self.where = {}, set(), None, []


def simulate(program, layout):
    outcome = Outcome()
    launch = Launch(program, layout)
    groups = list(range(program.items // program.group_size))
    launch.rng.shuffle(groups)
    try:
        for group in groups:
            launch.run_group(group, outcome)
    except Bad as bad:
        outcome.bad = str(bad)
    for i, made in enumerate(launch.buffers):
        if made is not None and not program.args[i][2].startswith("same") and program.args[i][0] not in program.scratch:
            outcome.buffers[i] = bytes(b or 0 for b in made.data)
    outcome.flags = launch.flags
    return outcome
