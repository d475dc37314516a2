# SPDX-License-Identifier: Apache-2.0
"""adaptivecpp_test.py - tests how `adaptivecpp` changes modules and parses the output of programs; needs no AdaptiveCpp and no driver."""
import contextlib
import io
import pathlib
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import adaptivecpp_programs as programs
import adaptivecpp_translator as translator
import places

# Lines of a module and their translation: names and texts stay, and address spaces 0 and 4 are exchanged.
LINES = {
    'target datalayout = "e-i64:64-A4-n8:16:32:64"': 'target datalayout = "e-i64:64-n8:16:32:64"',
    "%ptr = alloca i32, align 4, addrspace(4)": "%ptr = alloca i32, align 4",
    "store ptr %ptr.ptr, ptr addrspace(4) %ptr": "store ptr addrspace(4) %ptr.ptr, ptr %ptr",
    "%i = ptrtoint ptr addrspace(1) @ptr to i64": "%i = ptrtoint ptr addrspace(1) @ptr to i64",
    '@s = addrspace(3) global [4 x i8] c"ptr\\00"': '@s = addrspace(3) global [4 x i8] c"ptr\\00"',
    "call void @llvm.memcpy.p0.p4.i64(ptr %a, ptr addrspace(4) %b, i64 4, i1 false)":
        "call void @llvm.memcpy.p4.p0.i64(ptr addrspace(4) %a, ptr %b, i64 4, i1 false)",
    "call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 4, i1 false)": "call void @llvm.memset.p4.i64(ptr addrspace(4) %a, i8 0, i64 4, i1 false)",
}
# The output of a program, its exit status, and whether it is right.
PRINTED = [("PASS\n", 0, True), ("max error = 0\nPASS\n", 0, True), ("FAIL\n", 0, False), ("done\n", 0, False), ("PASS\n", 1, False),
           ("a: PASS\nb: FAIL\n", 0, False), ("PASS\n", None, False), ("errors: 3\nPASSED\n", 0, False),
           ("found 0 errors (PASS)\n", 0, True), ("the error is 0\nPASS\n", 0, True), ("10 errors\nPASS\n", 0, False)]
ENTERED = 'x.cpp(1): Entering test case "{0}"\n'
LEFT = 'x.cpp(1): Leaving test case "{0}"; testing time: 1us\n'
ERROR = 'x.cpp(2): error: in "usm_tests/{0}": check failed\n'
# The output of each run of a suite: one test fails, the next ends the process, and the last one is in the second run.
RUNS = [ENTERED.format("good") + LEFT.format("good") + ENTERED.format("bad") + ERROR.format("bad") + LEFT.format("bad") + ENTERED.format("ends"),
        ENTERED.format("good") + LEFT.format("good") + ENTERED.format("last") + LEFT.format("last")]


def place(answers):
    """Returns a Place whose programs have these (status, output), in sequence."""
    made = object.__new__(programs.Place)
    made.run = lambda command, log: answers.pop(0)
    return made


def counts(results, target, name, outcome):
    """Returns the number of unexpected results after this one, and the line about it."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        results.add(target, name, outcome)
    return results.unexpected, printed.getvalue().split(" ")[0].strip()


def main():
    for before, after in LINES.items():
        assert translator.exchange(before) == after, translator.exchange(before)

    program = types.SimpleNamespace(path="p", options=[], name="p")
    for text, status, right in PRINTED:
        assert (place([(status, text)]).run_program(program) is None) == right, text
    outcomes = place([(-6, RUNS[0]), (0, RUNS[1])]).run_suite("usm")
    assert outcomes["good"] is None and outcomes["last"] is None and outcomes["bad"] == "check failed", outcomes
    assert outcomes["ends"].startswith("ended: exit status -6"), outcomes
    assert "did not start" in place([(1, "no device\n")]).run_suite("usm")["all"]
    results = places.Results({("pocl", "usm/slow"): "the driver"})
    assert counts(results, "native", "usm/both", "wrong") == (0, "native")
    assert counts(results, "pocl", "usm/both", "wrong") == (0, "")
    assert counts(results, "pocl", "usm/slow", "wrong") == (0, "known")
    assert counts(results, "pocl", "usm/good", None) == (0, "")
    assert counts(results, "pocl", "usm/bad", "wrong") == (1, "WRONG")


if __name__ == "__main__":
    main()
