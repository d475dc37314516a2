#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the queries of the layer's record of a device with the queries that `nonflat cache describe` writes to a
description. If a description lacked a query of the record, the layer would make another profile from the description
than from the device, and `nonflat cache warm --profile` would make entries that the device does not use.
described_queries.py ROOT"""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
RECORD = ["device.c", "profile.c", "compiler.c", "addresses.c"]  # the files of layer/device that make a record
NAME = re.compile(r"\b(?:NF_)?CL_DEVICE_[A-Z0-9_]+\b")
# Values of other queries, and queries whose results are handles.
NO_ANSWERS = re.compile(r"CL_DEVICE_(TYPE_\w+|ATOMIC_\w+_ALL_DEVICES|SVM_FINE_GRAIN_SYSTEM|PLATFORM|PARENT_DEVICE)$")

made = {}
for name in RECORD:
    for query in NAME.findall((root / "layer/device" / name).read_text()):
        if not NO_ANSWERS.match(query):
            made.setdefault(query, name)
described = set(NAME.findall((root / "tools/cache/describe.c").read_text().partition("device_queries[] = {")[2].partition("};")[0]))
missing = sorted(set(made) - described)
for query in missing:
    print(f"FAIL: layer/device/{made[query]} uses {query}, which tools/cache/describe.c does not query")
print(f"{len(made)} queries of a record, {len(described)} of a description")
if len(made) < 20:
    sys.exit("FAIL: the queries of the layer were not found")
sys.exit(1 if missing else 0)
