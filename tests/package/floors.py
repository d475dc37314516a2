#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which folder uses which, by the symbols of the built objects and by what is included: no arrow points up.

    floors.py NM BUILD SOURCE             checks src/, layer/ and tools/ by tests/package/floors, which says what may be
    floors.py --self-test NM CC           that each kind of fault is found

A part of the tree of which no folder is in the list is left alone. Faults are: a folder uses one that stands above it, or one that it does not name; it names one that it does not use, or itself
is not named; files of a folder use each other in a circle, but for one circle in a folder with a star; layer/ and tools/ use
a function of the core that is not in its public header; a file includes another folder's parts.h or internal.h, which is for that folder;
the header of a folder says "May use: ..." of other folders than the list.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

PUBLIC = "public"
HERE = pathlib.Path(__file__).resolve().parent


def read_floors(text):
    """({folder: the folders that it may use}, [folder] from above, {folders with a circle})"""
    allowed, circles = {}, set()
    for line in text.splitlines():
        folder, _, names = line.partition("#")[0].partition(":")
        if folder.strip():
            names = names.split()
            allowed[folder.strip()] = [name for name in names if name != "*"]
            if "*" in names:
                circles.add(folder.strip())
    return allowed, circles


class Object:
    """A built object: its source, and its symbols."""

    def __init__(self, path, target, source, name):
        self.path, self.target, self.source, self.folder = str(path), target, source, str(pathlib.PurePath(name).parent)
        self.name, self.defined, self.used = name, set(), set()


def read_symbols(nm, objects):
    """One run for all: a name with a colon begins each object's."""
    by_path = {one.path: one for one in objects}
    done = subprocess.run([nm, "--format=posix", "--print-file-name", *by_path], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        path, _, rest = line.partition(": ")
        symbol, kind = rest.split()[:2]
        if kind in "Uwv":
            by_path[path].used.add(symbol)
        elif kind.isupper():
            by_path[path].defined.add(symbol)


def targets_of(build):
    """The folders of the targets that there are; None when CMake does not say. Those of older ones stay where they were."""
    listed = build / "CMakeFiles/TargetDirectories.txt"
    return {pathlib.Path(line).resolve() for line in listed.read_text().splitlines()} if listed.exists() else None


def objects_of(build, source, parts):
    """Every object of these parts whose target and whose source are there still."""
    targets = targets_of(build)
    for part in parts:
        for path in sorted((build / part).rglob("*.o")):
            inside = path.relative_to(build).parts
            if "CMakeFiles" not in inside:
                continue
            at = inside.index("CMakeFiles")
            if targets is not None and build.joinpath(*inside[:at + 2]).resolve() not in targets:
                continue
            target, name = inside[at + 1], pathlib.PurePath(*inside[:at], *inside[at + 2:]).as_posix()[:-len(".o")]
            if (source / name).is_file():
                yield Object(path, target, source / name, name)


def is_public(name, text):
    """Is `name` a function of the public header? What begins with nf_result_ is a family of them."""
    return re.search(r"\b%s\(" % re.escape(name), text) is not None


def symbol_arrows(objects, public):
    """Yield (object, the object that defines what it uses, the symbol)."""
    by_target, core = collections.defaultdict(dict), {}
    for one in objects:
        for symbol in one.defined:
            by_target[one.target][symbol] = one
            if one.name.startswith("src/"):
                core[symbol] = one
    for one in objects:
        for symbol in sorted(one.used):
            other = by_target[one.target].get(symbol) or core.get(symbol)
            if not other or other is one:
                continue
            outside = other.name.startswith("src/") and not one.name.startswith("src/")
            yield one.name, PUBLIC if outside and is_public(symbol, public) else other.name, symbol


def include_arrows(objects, source):
    """Yield (file, the header of the tree that it includes, "#include")."""
    headers = {path for part in ("src", "layer", "tools") for path in (source / part).rglob("*.h")}
    files = {one.source for one in objects}
    files |= {path for path in headers if path.parent in {one.source.parent for one in objects}}
    for path in sorted(files):
        name = path.relative_to(source).as_posix()
        for header in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', path.read_text(errors="replace"), re.M):
            if header == "nonflat/nonflat.h":
                yield name, PUBLIC, "#include"
            for folder in (source, source / "src", path.parent):
                if folder / header in headers and (folder / header).resolve() in headers:
                    yield name, (folder / header).relative_to(source).as_posix(), "#include"
                    break


def folder_of(name):
    return name if name == PUBLIC else str(pathlib.PurePath(name).parent)


def circles_of(arrows):
    """The circles of a graph {node: {nodes}}: lists of nodes of which each reaches each other."""
    def reached(start):
        seen, waiting = set(), [start]
        while waiting:
            for other in arrows.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen
    reach = {node: reached(node) for node in arrows}
    return sorted({tuple(sorted(n for n in reach[node] if node in reach.get(n, ()))) for node in arrows if node in reach[node]})


def faults_of(allowed, circles, arrows, folders):
    order = {folder: i for i, folder in enumerate([PUBLIC, *allowed])}
    used, inside = collections.defaultdict(dict), collections.defaultdict(lambda: collections.defaultdict(set))
    for name, other, symbol in arrows:
        if folder_of(name) != folder_of(other):
            used[folder_of(name)].setdefault(folder_of(other), f"{name} uses {symbol} of {other}")
            if other.endswith(("/parts.h", "/internal.h")):
                yield f"{name} includes {other}, which is for that folder alone"
        elif not other.endswith(".h"):
            inside[folder_of(name)][name].add(other)
    for folder, names in allowed.items():
        for other in names:
            if order.get(other, len(order)) >= order[folder]:
                yield f"{folder} may use {other}, which does not stand above it in the list"
            elif other not in used[folder] and folder in folders: # a build may be without that part
                yield f"{folder} may use {other}, and does not"
    for folder in sorted(folders - set(allowed)):
        yield f"{folder} is not in the list"
    for folder, others in sorted(used.items()):
        for other, how in sorted(others.items()):
            if folder in allowed and other not in allowed[folder] and not (other == PUBLIC and folder.startswith("src")):
                yield f"{folder} may not use {other}: {how}"
    for folder, files in sorted(inside.items()):
        found = circles_of(files)
        for circle in found[folder in circles:]:
            yield f"a circle in {folder}: {', '.join(circle)}"
    for folder in sorted(circles):
        if folder in folders and not circles_of(inside[folder]):
            yield f"{folder} has a star, and no circle"


def header_faults(allowed, source):
    """What a folder's own header says. Names are those of the list, or without the part of the tree that the folder is in."""
    for folder, names in allowed.items():
        part, _, name = folder.rpartition("/")
        header = source / folder / f"{name}.h"
        if not part:
            continue
        text = re.sub(r"\n \*", "", header.read_text()) if header.is_file() else ""
        said = re.search(r"May use: ([^.]*)\.", text)
        if not said:
            yield f"{folder}/{name}.h does not say what {folder} may use"
            continue
        heard = {word if word == PUBLIC or "/" in word else f"{part}/{word}" for word in said[1].split(", ") if word != "nothing"}
        if heard != set(names):
            yield f"{folder}/{name}.h says that it may use {', '.join(sorted(heard)) or 'nothing'}; the list has {', '.join(names) or 'nothing'}"


def check(nm, build, source, floors):
    public = (source / "include/nonflat/nonflat.h").read_text()
    allowed, circles = read_floors(floors)
    objects = list(objects_of(build, source, {pathlib.PurePath(folder).parts[0] for folder in allowed}))
    read_symbols(nm, objects)
    arrows = [*symbol_arrows(objects, public), *include_arrows(objects, source)]
    folders = {one.folder for one in objects}
    faults = [*faults_of(allowed, circles, arrows, folders), *header_faults(allowed, source)]
    return [*dict.fromkeys(faults)], len(objects), len(allowed)


# ---- The test of the test ----

SOUND = {"src/low/low.h": "/* May use: nothing. */\nvoid low(void);", "src/low/low.c": '#include "low/low.h"\nvoid low(void) {}',
         "src/high/high.h": "/* May use:\n * low. */\nvoid high(void);", "tools/one/one.h": "/* May use: public. */", "src/high/parts.h": "void part(void);",
         "src/high/high.c": '#include "high/parts.h"\n#include "low/low.h"\nvoid high(void) { part(); low(); }',
         "src/high/part.c": "void part(void) {}", "include/nonflat/nonflat.h": "int nf_public(void);",
         "tools/one/one.c": "int nf_public(void);\nint one(void) { return nf_public(); }",
         "src/top.c": "void high(void);\nint nf_public(void);\nint nf_public(void) { high(); return 0; }"}
FLOORS = "src/low:\nsrc/high: src/low\nsrc: src/high\ntools/one: public\n"
WRONG = [  # a change of a file or of the list, and what is said
    ("src/low/low.c", "void high(void);\nvoid low(void) { high(); }", "src/low may not use src/high: src/low/low.c uses high"),
    ("src/low/low.c", '#include "high/high.h"\nvoid low(void) {}', "src/low may not use src/high: src/low/low.c uses #include"),
    ("src/top.c", '#include "high/parts.h"\nvoid high(void);\nint nf_public(void) { high(); return 0; }', "is for that folder alone"),
    ("src/high/part.c", "void high(void);\nvoid part(void) { high(); }", "a circle in src/high: src/high/high.c, src/high/part.c"),
    ("tools/one/one.c", "void low(void);\nint nf_public(void);\nint one(void) { low(); return nf_public(); }",
     "tools/one may not use src/low"),
    ("src/new/new.c", "void new(void) {}", "src/new is not in the list"),
    ("src/high/high.h", "/* May use: nothing. */\nvoid high(void);", "src/high/high.h says that it may use nothing"),
    ("src/high/high.h", "void high(void);", "src/high/high.h does not say"),
    (None, FLOORS.replace("src/high: src/low", "src/high:"), "src/high may not use src/low"),
    (None, FLOORS.replace("src/low:", "src/low: src/high"), "does not stand above it"),
    (None, FLOORS.replace("src: src/high", "src: src/high src/low"), "src may use src/low, and does not"),
    (None, FLOORS.replace("src/low\n", "src/low *\n"), "src/high has a star, and no circle"),
]


def faults_with(nm, cc, change, text, compiled):
    """The faults of the sound tree with one file or the list changed. `compiled`: objects of texts that were met before."""
    with tempfile.TemporaryDirectory() as work:
        source, build = pathlib.Path(work) / "source", pathlib.Path(work) / "build"
        files = {**SOUND, **({change: text} if change else {})}
        for name, content in files.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(content)
        def compile_into(target, rest, path):
            made = target / f"{rest}.o"
            made.parent.mkdir(parents=True, exist_ok=True)
            if path.read_text() not in compiled:
                subprocess.run([cc, f"-I{source}/src", "-w", "-c", path, "-o", made], check=True)
                compiled[path.read_text()] = made.read_bytes()
            made.write_bytes(compiled[path.read_text()])

        targets = set()
        for name in files:
            part, _, rest = name.partition("/")
            if name.endswith(".c"):
                targets.add(build / part / "CMakeFiles" / f"{part}.dir")
                compile_into(build / part / "CMakeFiles" / f"{part}.dir", rest, source / name)
        (build / "CMakeFiles").mkdir()
        (build / "CMakeFiles/TargetDirectories.txt").write_text("\n".join(map(str, targets)))
        stale = pathlib.Path(work) / "stale.c"  # of a target that is gone, and wrong
        stale.write_text("void high(void);\nvoid low(void) { high(); }")
        compile_into(build / "src/CMakeFiles/gone.dir", "low/low.c", stale)
        return check(nm, build, source, FLOORS if change else text)[0]


def self_test(nm, cc):
    compiled = {}
    sound = faults_with(nm, cc, None, FLOORS, compiled)
    missed = [("the sound tree", sound)] if sound else []
    for change, text, said in WRONG:
        found = faults_with(nm, cc, change, text, compiled)
        if not any(said in fault for fault in found):
            missed.append((said, found))
    for what, found in missed:
        print(f"FAIL {what}: {found}")
    return bool(missed)


def main():
    if sys.argv[1] == "--self-test":
        return self_test(*sys.argv[2:4])
    faults, objects, folders = check(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve(),
                                     (HERE / "floors").read_text())
    print("\n".join(faults) or f"{objects} objects in {folders} folders: no arrow points up")
    return bool(faults) or objects < 50


if __name__ == "__main__":
    sys.exit(main())
