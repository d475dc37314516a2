# SPDX-License-Identifier: Apache-2.0
"""shapes.py - modules of five shapes and any size, to measure how the cost of specialization grows.

Written word by word, because an assembler would take longer than the measured program. Each shape is a function of its size.
"""
import struct


class Module:
    """Builds the words of a module with one kernel that has a global pointer; ids are allocated in order."""

    def __init__(self):
        self.words, self.bound = [], 1
        for capability in (4, 6, 11, 38):  # Addresses, Kernel, Int64, GenericPointer
            self.put(17, capability)
        self.put(14, 2, 2)
        self.kernel = self.id()
        self.put(15, 6, self.kernel, 0x6b)  # "k"
        self.uint, self.ulong, self.void, self.far, self.near, self.generic, self.bool = (self.id() for _ in range(7))
        self.put(21, self.uint, 32, 0)
        self.put(21, self.ulong, 64, 0)
        self.put(19, self.void)
        self.put(20, self.bool)
        self.put(32, self.far, 5, self.uint)
        self.put(32, self.near, 7, self.uint)
        self.put(32, self.generic, 8, self.uint)
        self.one = self.op(43, self.uint, 1)
        self.kernel_type, self.callee_type = self.id(), self.id()
        self.put(33, self.kernel_type, self.void, self.far)
        self.put(33, self.callee_type, self.uint, self.generic)

    def id(self):
        self.bound += 1
        return self.bound - 1

    def put(self, opcode, *operands):
        self.words.append((len(operands) + 1) << 16 | opcode)
        self.words += operands

    def op(self, opcode, kind, *operands):
        result = self.id()
        self.put(opcode, kind, result, *operands)
        return result

    def begin_kernel(self):
        self.put(54, self.void, self.kernel, 0, self.kernel_type)
        parameter = self.op(55, self.far)
        self.put(248, self.id())
        return parameter

    def end(self):
        self.put(253)
        self.put(56)

    def bytes(self):
        words = [0x07230203, 0x10000, 0, self.bound, 0] + self.words
        return struct.pack(f"<{len(words)}I", *words)


def callees(module, size, calls_next):
    """Adds `size` functions that load and store through a generic parameter; each calls the next one if `calls_next` is
    true. Returns their ids."""
    ids = [module.id() for _ in range(size)]
    for i, function in enumerate(ids):
        module.put(54, module.uint, function, 0, module.callee_type)
        parameter = module.op(55, module.generic)
        module.put(248, module.id())
        value = module.op(61, module.uint, parameter)
        if calls_next and i + 1 < size:
            value = module.op(57, module.uint, ids[i + 1], parameter)
        module.put(62, parameter, module.op(128, module.uint, value, module.one))
        module.put(254, value)
        module.put(56)
    return ids


def functions(size):
    module = Module()
    ids = callees(module, size, False)
    pointer = module.op(121, module.generic, module.begin_kernel())
    for function in ids:
        module.op(57, module.uint, function, pointer)
    module.end()
    return module.bytes()


def calls(size):
    module = Module()
    first = callees(module, size, True)[0]
    module.op(57, module.uint, first, module.op(121, module.generic, module.begin_kernel()))
    module.end()
    return module.bytes()


def clones(size):
    """Returns a module of functions that call each other in a chain, with a global and with a private pointer, so that
    each has two instances."""
    module = Module()
    first = callees(module, size, True)[0]
    parameter = module.begin_kernel()
    variable = module.op(59, module.near, 7)
    module.op(57, module.uint, first, module.op(121, module.generic, parameter))
    module.op(57, module.uint, first, module.op(121, module.generic, variable))
    module.end()
    return module.bytes()


def instructions(size):
    """One function: dependent loads, additions and stores through a generic pointer."""
    module = Module()
    pointer = module.op(121, module.generic, module.begin_kernel())
    for _ in range(size // 4):
        value = module.op(61, module.uint, pointer)
        module.put(62, pointer, module.op(128, module.uint, value, module.one))
        pointer = module.op(70, module.generic, pointer, module.one)
    module.end()
    return module.bytes()


def phis(size):
    """A web: each block has two phis of the two pointers of the previous block."""
    module = Module()
    parameter = module.begin_kernel()
    left = module.op(121, module.generic, parameter)
    right = module.op(70, module.generic, left, module.one)
    condition = module.op(170, module.bool, module.one, module.one)
    labels = [module.id() for _ in range(3)]
    module.put(250, condition, labels[0], labels[1])
    for _ in range(size // 2):
        for label in labels[:2]:
            module.put(248, label)
            module.put(249, labels[2])
        module.put(248, labels[2])
        new_left = module.op(245, module.generic, left, labels[0], right, labels[1])
        new_right = module.op(245, module.generic, right, labels[0], left, labels[1])
        left, right = new_left, new_right
        labels = [module.id() for _ in range(3)]
        module.put(250, condition, labels[0], labels[1])
    for label in labels[:2]:
        module.put(248, label)
        module.put(249, labels[2])
    module.put(248, labels[2])
    module.op(61, module.uint, left)
    module.op(61, module.uint, right)
    module.end()
    return module.bytes()


SHAPES = {
    "functions": (functions, 20000),
    "instructions in one function": (instructions, 1000000),
    "chain of calls": (calls, 5000),
    "phi web": (phis, 100000),
    "chain of calls, two clones of each": (clones, 5000),
}
