#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the shared library exports the functions of the public header and nothing else, each with a version, as in Debian's symbols
file.

    symbols.py NM LIBRARY HEADER SOVERSION DEBIAN-SYMBOLS
"""
import re
import subprocess
import sys

nm, library, header, soversion, debian = sys.argv[1:]
text = re.sub(r"/\*.*?\*/", "", open(header, encoding="utf-8").read(), flags=re.S)
declared = set(re.findall(r"\b(nf_\w+)\(", text))
listing = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
exported, unversioned, versioned = set(), [], set()
for line in listing.splitlines():
    kind, name = line.split()[-2:]
    versioned.add(name.replace("@@", "@") if "@" in name else f"{name}@{name}")
    if kind == "A":
        continue
    plain, _, version = name.partition("@")
    exported.add(plain)
    if "NONFLAT_" not in version:
        unversioned.append(name)
soname = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
faults = [f"declared, not exported (add it to cmake/nonflat.map): {name}" for name in sorted(declared - exported)]
faults += [f"exported, not declared: {name}" for name in sorted(exported - declared)]
faults += [f"exported without a version: {name}" for name in unversioned]
listed = set(re.findall(r"^ (\S+) ", open(debian, encoding="utf-8").read(), re.M))
faults += [f"not the same in the library and in {debian}: {name}" for name in sorted(listed ^ versioned)]
if f"[libnonflat.so.{soversion}]" not in soname:
    faults.append(f"the SONAME is not libnonflat.so.{soversion}")
if len(declared) < 5:
    faults.append("the header was not understood")
print("\n".join(faults) or f"{len(exported)} functions, libnonflat.so.{soversion}")
sys.exit(bool(faults))
