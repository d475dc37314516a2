#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that everything that the documents name exists: files, links, functions, environment variables, build options.

    documents.py SOURCE

The script reads README.md, docs/, and the READMEs of the folders. In these, between backticks or in indented blocks: a path that begins with a
folder of this tree must exist ('*' is a glob, and build/ is ignored); the target of a link to a file must exist; nf_... must occur in a C
file, NONFLAT_... in a C file, a script or a CMake file. Every C file of the core must be in docs/README.md, every one of the layer in
layer/README.md.
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = "src layer tools tests include conformance docs examples packaging cmake".split()
CODE = {".c", ".h", ".cpp", ".cl", ".inc", ".py", ".sh", ".cmake", ".txt", ".map", ""}


def fetched(path):
    return path.relative_to(source).parts[:2] == ("conformance", "work")


def documents():
    yield source / "README.md"
    yield from sorted((source / "docs").glob("*.md"))
    for folder in FOLDERS:
        yield from sorted(path for path in (source / folder).rglob("README.md") if not fetched(path))


def all_code():
    text = [(source / "CMakeLists.txt").read_text()]
    for folder in FOLDERS[:6] + FOLDERS[7:]:
        for path in (source / folder).rglob("*"):
            if path.is_file() and path.suffix in CODE and "modules" not in path.parts and not fetched(path):
                text.append(path.read_text(errors="replace"))
    return "\n".join(text)


def quoted(text):
    """Text between backticks and in code blocks, where names are literal."""
    for block in re.findall(r"^```.*?^```", text, re.S | re.M):
        yield from block.splitlines()
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    yield from re.findall(r"^    \S.*$", text, re.M)
    yield from re.findall(r"`([^`\n]+)`", text)


def faults_of(document, words):
    text = document.read_text()
    place = document.relative_to(source)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in link and not (document.parent / link).exists():
            yield f"{place}: a link to {link}, which does not exist"
    for line in quoted(text):
        for path in re.findall(r"(?<![\w/.$\"-])(?:%s)/[\w./*-]*\w" % "|".join(FOLDERS), line):
            if path.startswith(("conformance/work", "build")):  # made by commands
                continue
            if not any(source.glob(path)) and not any(document.parent.glob(path)):
                yield f"{place}: {path} does not exist"
        for name in re.findall(r"\b(?:nf_\w+|NF_[A-Z]\w+|NONFLAT_[A-Z]\w+)\b", line):
            if name not in words and not any(re.fullmatch(made, name) for made in words if ".+" in made):
                yield f"{place}: {name} is nowhere in the code"


def missing_files():
    """The overviews of the core and the layer list all of their files."""
    for folder, document in (("src", "docs/README.md"), ("layer", "layer/README.md")):
        words = set(re.findall(r"`(?:%s/)?([\w*/]+\.c)`" % folder, (source / document).read_text()))
        for path in sorted((source / folder).rglob("*.c")):
            if path.parent.name not in ("spir", "cl") and not any(path.relative_to(source / folder).match(word) for word in words):
                yield f"{document}: {path.relative_to(source)} is not in it"


def main():
    code = all_code()
    words = set(re.findall(r"\w+", code))
    words |= {re.sub(r"\{.*?\}", ".+", made) for made in re.findall(r"NONFLAT_\w*\{[^}\n]*\}\w*", code)} # f-strings
    found = list(documents())
    faults = [fault for document in found for fault in faults_of(document, words)] + [*missing_files()]
    print("\n".join(faults) or f"{len(found)} documents, every name in them exists")
    if len(found) < 5:
        sys.exit("too few documents were found")
    sys.exit(bool(faults))


main()
