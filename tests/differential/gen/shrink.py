# SPDX-License-Identifier: Apache-2.0
"""Reduces a failing program: removes statements while it stays defined and still fails.

Delta debugging on the syntax tree: sequences of statements are switched off, halves first, then single ones; compound statements are
replaced by their bodies. Every candidate is simulated, so its result is known.
"""
import copy
import re
import time

from grow import all_blocks, tidy
from lang import If, Return
from machine import simulate


def live(program):
    """The statements that can be removed."""
    return [s for block in all_blocks(program) for s in block if not s.off and not isinstance(s, Return)]


def defined(program):
    """-> Outcome if the current program is defined and has the same result on two layouts; else None."""
    tidy(program)
    first = simulate(program, 1)
    if first.bad is not None:
        return None
    second = simulate(program, 2)
    return first if second.bad is None and second.buffers == first.buffers else None


class Shrinker:
    def __init__(self, program, fails, seconds):
        self.best, self.fails = copy.deepcopy(program), fails
        self.end = time.time() + seconds

    def late(self):
        return time.time() > self.end

    def attempt(self, change):
        """Applies `change` to a copy, which becomes the best program if it is defined and still fails."""
        candidate = copy.deepcopy(self.best)
        change(candidate)
        outcome = defined(candidate)
        if outcome is None or len(live(candidate)) >= len(live(self.best)) + 1 or not self.fails(candidate, outcome):
            return False
        self.best = candidate
        return True

    def take_out(self, begin, end):
        def change(candidate):
            for s in live(candidate)[begin:end]:
                s.off = True
        return self.attempt(change)

    def pass_over(self, size):
        changed, at = False, max(0, len(live(self.best)) - size)
        while at >= 0 and not self.late():
            changed = self.take_out(at, at + size) or changed
            if at == 0:
                break
            at = max(0, min(at, len(live(self.best))) - size)
        return changed

    def flatten(self):
        for i, s in enumerate(live(self.best)):
            if self.late():
                return
            if isinstance(s, If) and not s.flat:
                def change(candidate, i=i):
                    found = live(candidate)
                    if i < len(found):
                        found[i].flat = True
                self.attempt(change)

    def drop_functions(self):
        """Removes functions without calls, from the last to the first, because each calls only earlier ones."""
        for i in reversed(range(len(self.best.functions))):
            def change(candidate, i=i):
                del candidate.functions[i]
            if not uses_function(self.best, self.best.functions[i]):
                self.attempt(change)

    def run(self):
        self.drop_functions()
        size = max(1, len(live(self.best)) // 2)
        while not self.late():
            changed = self.pass_over(size)
            if size == 1 and not changed:
                break
            if not changed or size > 1:
                size = max(1, size // 2)
        self.flatten()
        if not self.late():
            self.pass_over(1)
        self.drop_functions()
        return self.best


def uses_function(program, function):
    """Returns True if the text of the program contains a call."""
    return len(re.findall(rf"\b{function.name}\b", program.text())) > 1


def shrink(program, fails, seconds):
    return Shrinker(program, fails, seconds).run()
