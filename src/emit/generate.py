#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes forms.inc: forms.txt joined with the numbers of the instructions in src/spirv/opcodes.inc.

    generate.py > forms.inc

Both inputs and the result lie in the tree, so that neither a build nor a change of forms.txt needs the SPIR-V headers. Run
it again when forms.txt or opcodes.inc changed; the test emit/forms checks that forms.inc is what this program writes.
"""
import pathlib
import re
import sys


def read_forms(path):
    """Returns the forms by instruction: (form, text); those of OpenCL.std have the prefix std:."""
    forms = {}
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            forms[words[0]] = (words[1], words[2] if len(words) > 2 else "")
    return forms


def read_section(text, name):
    """Returns the instructions (name, number) of one array of opcodes.inc."""
    body = text.split(f"#ifdef {name}")[1].split("#endif")[0]
    return [(row, int(number)) for row, number in re.findall(r'\{"(\w+)", "\w*", (\d+), \d+, \d+, NF_ROLE_', body)]


def print_table(name, size, rows, forms):
    """Prints the distinct forms, and for each number the index of its form."""
    distinct, index = [("refused", "")], [0] * size
    for row, number in rows:
        form = forms.pop(row, None)
        if form is None:
            continue
        if form not in distinct:
            distinct.append(form)
        index[number] = distinct.index(form)
    print(f"static const struct nf_form {name}_forms[] = {{")
    for form, text in distinct:
        print(f'    {{NF_FORM_{form}, "{text}"}},')
    print(f"}};\nstatic const uint8_t {name}_lookup[] = {{")
    for start in range(0, size, 24):
        print("    " + ", ".join(map(str, index[start:start + 24])) + ",")
    print("};")


def default_std(name):
    return ("function", name.removeprefix("u_"))


def main():
    here = pathlib.Path(__file__).parent
    forms, text = read_forms(here / "forms.txt"), (here.parent / "spirv" / "opcodes.inc").read_text()
    core = read_section(text, "NF_WANT_OPCODES")
    std = [("std:" + name, number) for name, number in read_section(text, "NF_WANT_OPENCL_STD")]
    for name, _ in std:
        forms.setdefault(name, default_std(name.removeprefix("std:")))
        if forms[name][1] == "" and forms[name][0] in NAMED:
            forms[name] = (forms[name][0], name.removeprefix("std:"))
    print("/* SPDX-License-Identifier: Apache-2.0 */")
    print("/* Written by src/emit/generate.py from forms.txt and src/spirv/opcodes.inc. Do not edit. */")
    known = {number for _, number in core if number < 0xffff}
    print_table("core", max(known) + 1, [row for row in core if row[1] < 0xffff], forms)
    print_table("std", max(number for _, number in std) + 1, std, forms)
    if forms:
        sys.exit(f"forms.txt names instructions that opcodes.inc lacks: {list(forms)}")


# Forms of OpenCL.std instructions: the function has the instruction's name unless forms.txt gives another.
NAMED = {"signed_last", "signed_result", "bit_function", "quiet_nan", "next_after"}

if __name__ == "__main__":
    main()
