#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes opcodes.inc: the SPIRV-Headers grammar joined with roles.txt, and the names of the capabilities.

    generate.py GRAMMAR_DIR > opcodes.inc

GRAMMAR_DIR holds spirv.core.grammar.json, extinst.opencl.std.100.grammar.json and
extinst.opencl.debuginfo.100.grammar.json (SPIRV-Headers, folder include/spirv/unified1). The result is committed, so that
a build needs neither Python nor the newest headers; run this again when the headers have new instructions.

Each operand is described by one letter, so that one small loop can iterate over the operands of any instruction:
    i  one id            I  all remaining operands are ids
    l  one literal word  L  all remaining operands are literal words
    s  a string          m  memory-access mask with its parameters
    w  switch targets: (literal of the selector's width, label id) pairs
    p  (id, id) pairs    q  (id, literal) pairs    Q  (literal, id) pairs
    o  opcode of a specialization-constant operation and that opcode's operands
    e  extended-instruction number and its operands
"""
import json
import pathlib
import sys

SILENT_CLASSES = {"Type-Declaration", "Debug", "Annotation", "Extension", "Mode-Setting", "Control-Flow", "Barrier",
                  "Relational_and_Logical", "Image", "Constant-Creation", "Function", "Derivative"}
SILENT_OPS = {"OpNop", "OpAliasDomainDeclINTEL", "OpAliasScopeDeclINTEL", "OpAliasScopeListDeclINTEL", "OpMemoryBarrier",
              "OpControlBarrier", "OpControlBarrierArriveINTEL", "OpControlBarrierWaitINTEL", "OpConditionalExtensionINTEL",
              "OpTypeStructContinuedINTEL", "OpSizeOf", "OpLoopControlINTEL", "OpTypeAccelerationStructureKHR"}
# Instructions that all compilers emit in another form than the grammar specifies: (operands, result). These have the operands (pipe,
# packet pointer, size, alignment) and no result in all of Intel's compilers and drivers.
AS_WRITTEN = {"OpReadPipeBlockingALTERA": ("iiii", 0), "OpWritePipeBlockingALTERA": ("iiii", 0)}
IDS = {"IdRef", "IdScope", "IdMemorySemantics"}
# Masks whose parameters are all ids, whatever bits are set.
ID_TAIL = {"ImageOperands", "TensorOperands", "TensorAddressingOperands"}


def letters(instruction):
    out = ""
    for operand in instruction.get("operands", []):
        kind, many = operand["kind"], operand.get("quantifier") == "*"
        if kind in ("IdResultType", "IdResult"):
            continue
        if kind in IDS:
            out += "I" if many else "i"
        elif kind == "PairIdRefIdRef":
            out += "p"
        elif kind == "PairIdRefLiteralInteger":
            out += "q"
        elif kind == "PairLiteralIntegerIdRef":
            out += "w" if instruction["opname"] == "OpSwitch" else "Q"
        elif kind == "LiteralString":
            out += "s"
        elif kind == "MemoryAccess":
            out += "m"
        elif kind in ID_TAIL:
            out += "lI"
        elif kind == "LiteralSpecConstantOpInteger":
            return out + "o"
        elif kind == "LiteralExtInstInteger" and instruction["opname"] == "OpExtInst" or \
                instruction["opname"] == "OpExtInstWithForwardRefsKHR" and kind == "LiteralExtInstInteger":
            return out + "e"
        elif kind in ("LiteralContextDependentNumber", "LoopControl"):
            out += "L"
        elif kind in ("Decoration", "ExecutionMode"):
            out += "lI" if instruction["opname"].endswith("Id") else "lL"
        else:
            out += "L" if many else "l"
    return out


def leading_ids(operands):
    """Returns the number of leading operands that are ids, as the table has it."""
    if operands == "i" * (len(operands) - 1) + "I":
        return "NF_ALL_IDS"
    return len(operands) - len(operands.lstrip("i"))


def more_ids(operands):
    """Returns the value of enum nf_more_ids: whether ids may follow the leading ones."""
    rest = operands.lstrip("i")
    if rest == "p":
        return "NF_PAIRS"
    if leading_ids(operands) == "NF_ALL_IDS" or not any(letter in "iIpqQwmoe" for letter in rest):
        return "NF_NO_MORE"
    return "NF_MORE_IN_MEMORY" if rest == "m" else "NF_MORE"


def ids_of(operands, result):
    return f"{leading_ids(operands)}, {more_ids(operands)}, {1 + (result & 1) + (result >> 1)}"


def required_words(instruction):
    return 1 + sum(1 for operand in instruction.get("operands", []) if "quantifier" not in operand)


def read_roles(path):
    roles, std = {}, {}
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            name = words[0]
            (std if name.startswith("std:") else roles)[name.removeprefix("std:")] = words[1]
    return roles, std


def print_capabilities(core):
    """Prints the capabilities by number; if a number has several names, messages use the first."""
    kind = next(kind for kind in core["operand_kinds"] if kind["kind"] == "Capability")
    print("#ifdef NF_WANT_CAPABILITIES\nstatic const struct nf_capability_row capability_rows[] = {")
    for capability in sorted(kind["enumerants"], key=lambda c: c["value"]):
        for name in [capability["enumerant"], *capability.get("aliases", [])]:
            print(f'    {{"{name}", {capability["value"]}}},')
    print("};\n#endif")


def main():
    here, grammar = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1])
    roles, std_roles = read_roles(here / "roles.txt")
    core = json.loads((grammar / "spirv.core.grammar.json").read_text())
    std = json.loads((grammar / "extinst.opencl.std.100.grammar.json").read_text())
    debug = json.loads((grammar / "extinst.opencl.debuginfo.100.grammar.json").read_text())
    rows, seen = [], set()
    for instruction in sorted(core["instructions"], key=lambda i: i["opcode"]):
        if instruction["opcode"] in seen:
            continue
        seen.add(instruction["opcode"])
        name, group = instruction["opname"], instruction.get("class")
        silent = group in SILENT_CLASSES or name in SILENT_OPS
        kinds = [operand["kind"] for operand in instruction.get("operands", [])]
        result = ("IdResultType" in kinds) | ("IdResult" in kinds) << 1
        words, operands = required_words(instruction), letters(instruction)
        if name in AS_WRITTEN:
            operands, result = AS_WRITTEN[name]
            words = 1 + len(operands)
        rows.append((instruction["opcode"], name, result, words, operands,
                     roles.pop(name, "nothing" if silent else "unknown")))
    known = [name for name in roles if name not in {i["opname"] for i in core["instructions"]}]
    if known:
        sys.exit(f"roles.txt names instructions that the grammar lacks: {known}")
    lookup = [0] * (max(seen) + 1)
    print("/* SPDX-License-Identifier: Apache-2.0 */")
    print("/* Written by src/spirv/generate.py from the SPIRV-Headers grammar and roles.txt. Do not edit. */")
    print("#ifdef NF_WANT_OPCODES\nconst struct nf_op nf_op_rows[] = {")
    print('    {"unknown", "", 0xffff, 0, 1, NF_ROLE_unknown, 0, NF_NO_MORE, 1},')
    for index, (opcode, name, result, words, operands, role) in enumerate(rows):
        lookup[opcode] = index + 1
        print(f'    {{"{name}", "{operands}", {opcode}, {result}, {words}, NF_ROLE_{role}, {ids_of(operands, result)}}},')
    print(f"}};\n_Static_assert(NF_OPCODES_KNOWN == {len(lookup)}, \"spirv.h says how many opcodes the table knows\");")
    print("const uint16_t nf_op_lookup[NF_OPCODES_KNOWN] = {")
    for start in range(0, len(lookup), 24):
        print("    " + ", ".join(map(str, lookup[start:start + 24])) + ",")
    print("};\n#endif\n#ifdef NF_WANT_OPENCL_STD\nstatic const struct nf_op std_rows[] = {")
    for instruction in sorted(std["instructions"], key=lambda i: i["opcode"]):
        name = instruction["opname"]
        words, operands = 4 + required_words(instruction), letters(instruction)  # words of OpExtInst itself
        print(f'    {{"{name}", "{operands}", {instruction["opcode"]}, 3, {words}, '
              f'NF_ROLE_{std_roles.pop(name, "number")}, {ids_of(operands, 3)}}},')
    if std_roles:
        sys.exit(f"roles.txt names extended instructions that the grammar lacks: {list(std_roles)}")
    print("};\n#endif\n#ifdef NF_WANT_DEBUG_INFO\nstatic const struct nf_op debug_rows[] = {")
    for instruction in sorted(debug["instructions"], key=lambda i: i["opcode"]):
        operands = letters(instruction)
        print(f'    {{"{instruction["opname"]}", "{operands}", {instruction["opcode"]}, 3, 5, NF_ROLE_nothing, '
              f'{ids_of(operands, 3)}}},')
    print("};\n#endif")
    print_capabilities(core)


if __name__ == "__main__":
    main()
