#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks rules of style: style.py SOURCE

Every source file names its licence in its first lines; C files are formatted by clang-format 14, and no comment ends in a line of its own;
no file of the core, the layer or the command is too long; the core does not depend on LLVM, OpenCL or the operating system.
"""
import pathlib
import re
import shutil
import subprocess
import sys

LONG, LONGEST = 600, 750  # lines: said, and not allowed
source = pathlib.Path(sys.argv[1]).resolve()
SUFFIXES = {".c", ".h", ".cpp", ".cl", ".py", ".sh", ".cmake", ".map", ".inc"}
FOLDERS = "src include layer tools tests conformance examples packaging cmake".split()


def files():
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            parts = path.relative_to(source).parts
            if not path.is_file() or "modules" in parts or "work" in parts or "__pycache__" in parts:
                continue
            with path.open("rb") as file:
                script = file.read(2) == b"#!"
            if path.suffix in SUFFIXES or path.name == "CMakeLists.txt" or script:
                yield path


def license_faults(paths):
    for path in paths:
        first = path.read_text(errors="replace").split("\n", 3)[:3]
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in first):
            yield f"{path.relative_to(source)}: no SPDX line at its top"


def length_faults(paths):
    for path in paths:
        inside = path.relative_to(source)
        lines = len(path.read_text(errors="replace").splitlines())
        if inside.parts[0] not in ("src", "layer", "tools") or path.suffix not in (".c", ".h", ".cpp"):
            continue
        if lines > LONGEST:
            yield f"{inside}: {lines} lines, more than {LONGEST}"
        elif lines > LONG:
            print(f"long: {inside} has {lines} lines")


def dependency_faults(paths):
    for path in paths:
        inside = path.relative_to(source)
        if inside.parts[0] not in ("src", "include") or path.suffix not in (".c", ".h"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"#\s*include\s*[<\"](CL/|llvm|unistd|pthread|sys/|fcntl)", line) or re.search(r"\bLLVM[A-Z]", line):
                yield f"{inside}:{number}: the core depends on bytes only: {line.strip()}"


def comment_faults(paths):
    """A tool that reflows comments may leave the end of a short comment alone in a line."""
    for path in paths:
        if path.suffix in (".c", ".h", ".cpp"):
            text = path.read_text(errors="replace")
            for torn in re.finditer(r"^[ \t]*/\* ?\S[^\n]*\n[ \t]*\*/$", text, re.M):
                yield f"{path.relative_to(source)}:{text.count(chr(10), 0, torn.start()) + 2}: the end of a comment, alone"


def heading_faults(paths):
    """A prototype must be under the heading, /* ---- FILE.c ---- */, of the file in its folder that defines it."""
    definition = re.compile(r"^(?!static)[A-Za-z_][\w *]*?\b(\w+)\((?:[^(){};]|\([^()]*\))*\)\s*\{", re.M)
    prototype = re.compile(r"^(?!static|typedef|extern|return)[A-Za-z_][\w *]*?\b(nf_\w+)\([^;{]*;", re.M)
    for header in paths:
        inside = header.relative_to(source)
        files = {path.name: path.read_text() for path in header.parent.glob("*.c*") if path.suffix in (".c", ".cpp")}
        if header.suffix != ".h" or inside.parts[0] not in ("src", "layer", "tools") or len(files) < 2:
            continue
        home = {name: file for file, text in files.items() for name in definition.findall(text)}
        text = header.read_text()
        headings = [(found.start(), found[1]) for found in re.finditer(r"^/\* ---- (.*)$", text, re.M)]
        for found in prototype.finditer(text):
            above = [named for start, named in headings if start < found.start()]
            if found[1] in home and (not above or home[found[1]] not in above[-1]):
                yield f"{inside}: {found[1]} does not stand under {home[found[1]]}, which defines it"


def format_faults(paths):
    name = shutil.which("clang-format-14")
    if not name:
        print("SKIPPED: clang-format-14 is not installed, so how C files are laid out was not checked")
        return
    chosen = [path for path in paths if path.suffix in (".c", ".h", ".cpp") and "library" not in path.parts
              and "corpus" not in path.parts and path != source / "include/nonflat/nonflat.h"]
    done = subprocess.run([name, "--dry-run", "-Werror", "--ferror-limit=1", *map(str, chosen)], capture_output=True, text=True)
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", done.stderr, re.M)))
    yield from (f"{pathlib.Path(path).relative_to(source)}: {name} would change it" for path in wrong)
    if done.returncode and not wrong:
        yield done.stderr


def main():
    paths = list(files())
    faults = [*license_faults(paths), *length_faults(paths), *dependency_faults(paths), *comment_faults(paths),
              *heading_faults(paths), *format_faults(paths)]
    print("\n".join(faults) or f"{len(paths)} files")
    sys.exit(bool(faults) or len(paths) < 100)


main()
