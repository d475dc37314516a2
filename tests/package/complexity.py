#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the complexity of all C functions: complexity.py CLANG-TIDY BUILD SOURCE

The limit is a cognitive complexity (clang-tidy) of 25. A function that is one long list of cases may have
`NOLINT(readability-function-cognitive-complexity)` with a reason in the line of its name. `--self-test CLANG-TIDY`: checks that a function
above the limit is found.
Files that passed are remembered in the build folder by their contents, so only changed files are checked again.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST, CHECK = 25, "readability-function-cognitive-complexity"


def complaints(tidy, arguments):
    config = "{CheckOptions: [{key: %s.Threshold, value: %d}]}" % (CHECK, MOST)
    done = subprocess.run([tidy, "--quiet", f"--checks=-*,{CHECK}", f"--config={config}", *map(str, arguments)],
                          capture_output=True, text=True)
    return set(re.findall(r"^(\S+:\d+):\d+: warning: (.*) \[%s\]$" % CHECK, done.stdout, re.M))


def self_test(tidy):
    body = "".join(f"if (a > {i}) {{ for (int j = 0; j < a; j++) {{ if (j == {i}) b++; }} }}\n" for i in range(5))
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "wrong.c"
        path.write_text(f"int f(int a);\nint f(int a) {{ int b = 0;\n{body}return b; }}\nint g(int a);\nint g(int a) {{ return a; }}\n")
        found = complaints(tidy, [path, "--"])
    return len(found) != 1 or "'f'" not in next(iter(found))[1]


def main():
    if sys.argv[1] == "--self-test":
        return self_test(sys.argv[2])
    tidy, build, source = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    listed = {pathlib.Path(entry["file"]) for entry in json.loads((build / "compile_commands.json").read_text())}
    files = sorted(path for path in listed if path.suffix == ".c" and path.is_file() and source in path.parents
                   and build.resolve() not in path.parents)
    remembered = build / "complexity.json"
    good = json.loads(remembered.read_text()) if remembered.is_file() else {}
    sums = {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    changed = [path for path in files if good.get(str(path)) != sums[str(path)]]
    chunks = [["-p", build, *changed[i::16]] for i in range(16) if changed[i::16]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sorted(set().union(*pool.map(lambda chunk: complaints(tidy, chunk), chunks)))
    wrong = {place.rpartition(":")[0] for place, _ in found}
    remembered.write_text(json.dumps({name: value for name, value in sums.items() if name not in wrong}))
    for place, what in found:
        print(f"{place}: {what}")
    print(f"{len(files)} files, {len(changed)} of them looked at")
    return bool(found) or len(files) < 50


if __name__ == "__main__":
    sys.exit(main())
