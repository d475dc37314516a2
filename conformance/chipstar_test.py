# SPDX-License-Identifier: Apache-2.0
"""chipstar_test.py - tests how `chipstar` reads chipStar's own tests and judges their output; needs no chipStar and no driver."""
import importlib.machinery
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

REGISTERED = '''add_test([=[scan]=] "{0}/samples/scan" "-x" "2048")
set_tests_properties([=[scan]=] PROPERTIES  LABELS "internal" PASS_REGULAR_EXPRESSION "scan.*0 errors\\\\.
" SKIP_REGULAR_EXPRESSION "SKIP")
add_test([=[abort]=] "/usr/bin/cmake" "-P" "run-abort.cmake")
set_tests_properties([=[abort]=] PROPERTIES  PASS_REGULAR_EXPRESSION "PASSED")
add_test([=[silent]=] "{0}/samples/silent")
set_tests_properties([=[silent]=] PROPERTIES  _BACKTRACE_TRIPLES "CMakeLists.txt;55")
'''
# The output of `scan`, its exit status, and whether it is right.
PRINTED = [("scan\n0 errors.\n", 0, True), ("scan\n0 errorsX\n", 0, False), ("scan\n3 errors.\n", 0, False), ("scan\n0 errors.\n", 1, False),
           ("scan\n0 errors.\n", None, False)]


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, str(HERE / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def main():
    chipstar = load("chipstar")
    scan, silent = chipstar.registered(REGISTERED.format(chipstar.BUILT))
    assert scan.name == "scan" and scan.command == [f"{chipstar.BUILT}/samples/scan", "-x", "2048"], scan.command
    assert not scan.is_built()
    for text, status, right in PRINTED:
        assert (chipstar.judge(scan, status, text) is None) == right, (text, status)
    assert chipstar.judge(silent, 0, "") is None and chipstar.judge(silent, 1, "")


if __name__ == "__main__":
    main()
