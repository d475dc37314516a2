# SPDX-License-Identifier: Apache-2.0
"""suites_only.py - a pytest plugin that reports the collected tests and each outcome immediately, and runs selected tests.

NONFLAT_RESULTS names the file to which the plugin appends one JSON list per line: ["collected", NAMES] first, then ["started", NAME]
and ["done", NAME, OUTCOME] of each test, so that the results so far are known if the process crashes or hangs. NONFLAT_ONLY, if
set, names a JSON file with the names of the tests to run. Names are those of pytest's XML reports.
"""
import json
import os
import pathlib

import pytest
from _pytest.junitxml import mangle_test_address

OUTCOMES = {}


def name_of(nodeid):
    names = mangle_test_address(nodeid)
    return f"{'.'.join(names[:-1])}::{names[-1]}"


def tell(*what):
    with open(os.environ["NONFLAT_RESULTS"], "a", encoding="utf-8") as results:
        print(json.dumps(what), file=results)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    tell("collected", [name_of(i.nodeid) for i in items])
    wanted = os.environ.get("NONFLAT_ONLY")
    if wanted:
        only = set(json.loads(pathlib.Path(wanted).read_text(encoding="utf-8")))
        items[:] = [i for i in items if name_of(i.nodeid) in only]


def pytest_runtest_logstart(nodeid, location):
    tell("started", name_of(nodeid))
    OUTCOMES[nodeid] = "passed"


def pytest_runtest_logreport(report):
    if report.outcome == "failed":
        OUTCOMES[report.nodeid] = "failed: " + str(report.longreprtext)[-300:]
    elif report.outcome == "skipped" and OUTCOMES[report.nodeid] == "passed":
        OUTCOMES[report.nodeid] = "skipped"


def pytest_runtest_logfinish(nodeid, location):
    tell("done", name_of(nodeid), OUTCOMES.pop(nodeid))
