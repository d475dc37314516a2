#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates from faults.txt the enumeration nf_fault in nonflat.h, the names in faults.inc, and the layer's rows.

    generate.py            writes the enumeration in include/nonflat/nonflat.h, src/workarounds/faults.inc and
                           layer/base/faults.inc, which are committed
    generate.py --check    says what is not as it would be written, what the table lacks, and files that are not there
"""
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
HEADER = TREE / "include/nonflat/nonflat.h"
NAMES = HERE / "faults.inc"
ROWS = TREE / "layer/base/faults.inc"
NEEDED = ("seen", "symptom", "avoided", "program", "upstream")
DRIVERS = ("rusticl", "unmeasured", "intel-cpu", "oclgrind")
NEWEST = "INT_MAX"


class TableError(Exception):
    """An error in the table."""


def read_table(text):
    """Returns [{number, name, on, seen, symptom, ...}] in the order of the table."""
    faults = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(None, 1)
        if not line.startswith(" "):
            if len(words) != 2 or int(words[0]) != len(faults) + 1 or not re.fullmatch("[a-z0-9_]+", words[1]):
                raise TableError(f"line {number}: a fault is the next number and a name: {line}")
            faults.append({"number": int(words[0]), "name": words[1]})
        elif len(words) != 2 or words[0] not in ("on", "gone", *NEEDED) or words[0] in faults[-1]:
            raise TableError(f"line {number}: no field, or twice: {line.strip()}")
        else:
            faults[-1][words[0]] = words[1].strip()
    for fault in faults:
        lacking = [field for field in NEEDED if field not in fault] if "gone" not in fault else []
        if lacking or ("on" in fault) == ("gone" in fault):
            raise TableError(f"{fault['name']}: lacks {', '.join(lacking) or 'on or gone'}")
    return faults


def rows_of(fault):
    """Returns the layer's rows for a fault: (driver, the beginning of the device's name, first and last release)."""
    return [row_of(fault, clause) for clause in fault["on"].split(";")]


def row_of(fault, clause):
    words = clause.split()
    driver, device, first, last = words.pop(0), "", "0", NEWEST
    if words and ".." not in words[0]:
        device = words.pop(0)
    if words:
        low, _, high = words.pop(0).partition("..")
        first, last = low or first, high or last
    if words or driver not in DRIVERS or not (first + last.replace(NEWEST, "")).isdigit():
        raise TableError(f"{fault['name']}: what is this on: {fault['on']}")
    return f"DRIVER_{driver.upper().replace('-', '_')}", device, first, last


def comment(text):
    lines = textwrap.wrap(text, 120 - len("    /* "), break_on_hyphens=False)
    if len(lines[-1]) > 120 - len("    /*  */"):
        lines = textwrap.wrap(text, 120 - len("    /*  */"), break_on_hyphens=False)
    return "    /* " + "\n     * ".join(lines) + " */"


def constant_of(fault):
    return f"NF_FAULT_{fault['name'].upper()}"


def enumeration(faults):
    parts = [f"{comment(fault['symptom'])}\n    {constant_of(fault)} = {fault['number']}" for fault in faults if "on" in fault]
    return "typedef enum nf_fault {\n" + ",\n".join(parts) + "\n} nf_fault;"


def header_with(faults):
    text = HEADER.read_text()
    found = re.search(r"typedef enum nf_fault \{.*?\n\} nf_fault;", text, re.S)
    if not found:
        raise TableError(f"{HEADER.name} has no enumeration nf_fault")
    return text[:found.start()] + enumeration(faults) + text[found.end():]


HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n/* Written by src/workarounds/generate.py from faults.txt; do not edit. */\n"


def names(faults):
    return HEAD + "".join(f'[{fault["number"]}] = "{fault["name"]}",\n' for fault in faults if "on" in fault)


def rows(faults):
    lines = []
    for fault in faults:
        for driver, device, first, last in rows_of(fault) if "on" in fault else []:
            lines.append(f'{{{constant_of(fault)}, {driver}, "{device}", {first}, {last}}},\n')
    return HEAD + "".join(lines)


# Files of docs/upstream that belong to no fault in the table: its guide, and the report of a fault that the layer avoids without the core.
OTHER_REPORTS = {"README.md", "pocl_remote_requests.md"}


def outputs(faults):
    return {HEADER: header_with(faults), NAMES: names(faults), ROWS: rows(faults)}


def wrong_files(faults):
    """Returns files that a fault names and that do not exist, and files of this folder that no fault names."""
    for fault in faults:
        if "gone" in fault:
            continue
        named = [fault["avoided"]] + [fault["program"]] * (not fault["program"].startswith("none, "))
        named += [f"docs/upstream/{fault['name']}.md"] * (fault["upstream"] == "not reported")
        yield from (f"{fault['name']}: there is no {path}" for path in named if not (TREE / path).is_file())
    reports = {f"{fault['name']}.md" for fault in faults if fault.get("upstream") == "not reported"} | OTHER_REPORTS
    yield from (f"docs/upstream/{path.name}: no fault of the table is to be reported so"
                for path in sorted((TREE / "docs/upstream").glob("*.md")) if path.name not in reports)
    avoiding = {fault["avoided"] for fault in faults if "on" in fault}
    for path in sorted(HERE.glob("*.c")):
        inside = path.relative_to(TREE).as_posix()
        if path.name != "workarounds.c" and inside not in avoiding and not is_helper(path):
            yield f"{inside}: no fault of the table is avoided by it"


def is_helper(path):
    """Returns True if the file is a part of another one, without a step of its own."""
    return f"nf_workaround_{path.stem}(" not in path.read_text()


def main():
    check = sys.argv[1:] == ["--check"]
    try:
        faults = read_table((HERE / "faults.txt").read_text())
        made = outputs(faults)
    except TableError as error:
        sys.exit(f"faults.txt: {error}")
    if not check:
        for path, text in made.items():
            path.write_text(text)
        return 0
    wrong = [f"{path.relative_to(TREE)} is not what generate.py writes" for path, text in made.items()
             if not path.is_file() or path.read_text() != text]
    wrong += wrong_files(faults)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(faults)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
