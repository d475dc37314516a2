#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_rules.py - build the core with one rule made wrong at a time, and see that the judge notices.

    wrong_rules.py --judge JUDGE --source SRC --library LIB --include DIR --objects A.o;B.o [--cc CC] [--work DIR]

A judge that never says "guilty" proves nothing. Each entry of RULES replaces one piece of the core's source text by one
that is unsound; the file is compiled and linked in front of the library into a `nonflat` command of its own, which then
specialises the programs of the corpus until one comes out wrong. A rule counts as caught when a program that the right core gets right is
reported, differs, or (never counted) is refused.
Exit status: 0 when at least ten wrong rules were caught and none that was tried
slipped through, 1 otherwise, 77 nothing could be compiled.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import corpus  # noqa: E402
from corpus import corpus_truth  # noqa: E402

ENOUGH = 10

# Name, file, right text, wrong text.
RULES = [
    ("a select is its first value", "constrain_addresses.c",
     "    uint32_t condition = nf_opcode(m, m->def[m->words[at + 3]]);",
     "    uint32_t condition = OpConstantTrue;"),
    ("block copies carry no addresses", "constrain_memory.c",
     "    nf_copy_memory(m, nf_operand_value(c, at, target), nf_operand_value(c, at, source), size ? size : NF_TO_END);",
     "    (void)size;"),
    ("stores of integers carry no addresses", "constrain_values.c",
     "    if (!address.node || !v.node) return;",
     "    if (!address.node || !v.node || type->kind == NF_KIND_INT) return;"),
    ("results of functions carry no addresses", "constrain_calls.c",
     "nf_flow_value(c->m, nf_type_of(c->m, id), nf_value_of(c, id), nf_of_node(c->f->return_node))", "(void)id"),
    ("only the first argument of a call is passed", "constrain_calls.c",
     "i < callee->parameter_count && first_word + i", "i < (callee->parameter_count ? 1u : 0u) && first_word + i"),
    ("an integer that becomes a pointer is global", "constrain_addresses.c",
     "    struct nf_value pointer = nf_of_node(nf_node(m, NF_HOLE));\n    nf_flow(m, v, pointer);",
     "    struct nf_value pointer = nf_of_node(nf_node(m, NF_GLOBAL));\n    nf_unify(m, pointer, v);"),
    ("sets go one edge far", "solve.c",
     "            if (!stacked[to]) stack[depth++] = to, stacked[to] = 1;", "            (void)stacked;"),
    ("tests of the tag take local for private", "convert.c",
     "space == NF_LOCAL ? 1 : 2;", "space == NF_LOCAL ? 2 : 1;"),
    ("the tag is not taken off", "convert.c",
     "NF_EMIT_NEW(o, OpISub, o->address_type, bits, nf_address_constant(o, tag))", "(bits)"),
    ("private addresses have no tag", "convert.c", "space == NF_PRIVATE ? tag_of_private : 0", "0"),
    ("local addresses have the tag of private ones", "convert.c",
     "space == NF_LOCAL ? tag_of_local", "space == NF_LOCAL ? tag_of_private"),
    ("null is tagged", "convert.c", "    if (non_null) return bits;", "    if (non_null || type) return bits;"),
    ("by-value arguments are written where they are", "rewrite_calls.c",
     "    return r->stored || r->host;", "    return r->stored && r->host && !o;"),
    ("a merge takes the tag of its first value", "convert.c",
     "uint32_t chosen = nf_has_tag(o, rep, space);\n            one = NF_EMIT_NEW(o, OpSelect, o->address_type, chosen, one, bits);",
     "one = bits;"),
    ("a phi has one operand", "constrain.c",
     "for (uint32_t w = 3; w < nf_length(m, at); w += 2)\n            values",
     "for (uint32_t w = 3; w < 5; w += 2)\n            values"),
    ("the host's integers are private", "instances.c",
     "if (evidence & NF_WEAK) spaces |= NF_GLOBAL;", "if (evidence & NF_WEAK) spaces |= NF_PRIVATE;"),
    ("a function has one instance", "instances.c",
     "if (!instance->open && instance->key == key && !memcmp(instance->masks, masks, node_count(f) * sizeof *masks))",
     "(void)masks, (void)key;\n        if (!instance->open)"),
]


def link_wrong(options, rule, number):
    """@return the command built with `rule` made wrong, or None when its text is gone from the source."""
    _, name, right, wrong = rule
    text = (options.source / name).read_text(encoding="utf-8")
    if right not in text:
        return None
    source, command = options.work / f"wrong{number}.c", options.work / f"nonflat-wrong{number}"
    source.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    flags = ["-std=c11", "-O1", "-w", *options.flags, f"-I{options.source}", f"-I{options.include}"]
    subprocess.run([options.cc, *flags, str(source), *options.objects, str(options.library), "-o", str(command)],
                   check=True)
    return command


def programs(options):
    """[(module, words)] of the programs of the corpus."""
    found = []
    for program, source in corpus.sources().items():
        truth = corpus_truth.truth_of(source)
        if "bench" in source.parts or truth.get("run"):
            continue
        for module in [m for m in corpus.modules_of(program, source, options) if "noinline" not in m.name]:
            found += [(module, words) for _, words, _ in corpus_truth.jobs(truth)]
    return found


def says(options, command, module, words):
    """What the judge says of one program, specialised by `command`; "" when it is right or refused."""
    options.nonflat = command
    made, refused = corpus.specialise(options, module, "auto")
    if refused:
        return ""
    status, _, said = corpus.judge(options, words, "--compare", module, made, "--local-base=0x10180", "--share-values")
    return said or f"status {status}" if status else ""


def first_guilty(options, right, wrong, jobs):
    """(module, what the judge says) of the first program that `right` gets right and `wrong` does not."""
    for module, words in jobs:
        said = says(options, wrong, module, words)
        if said and not says(options, right, module, words):
            return module, said
    return None, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", required=True)
    parser.add_argument("--nonflat", required=True, help="the command with the right rules")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--include", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--objects", default="", type=lambda text: [one for one in text.split(";") if one])
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--flags", default="", type=str.split, help="what the library was compiled with")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("judge-wrong-rules"))
    options = parser.parse_args()
    options.modules, options.left_out = None, []
    options.work.mkdir(parents=True, exist_ok=True)
    jobs = programs(options)
    if not jobs:
        print("SKIPPED: no module of the corpus can be made here")
        return 77
    right, caught, slipped = options.nonflat, 0, 0
    for number, rule in enumerate(RULES):
        command = link_wrong(options, rule, number)
        if not command:
            print(f"SKIPPED {rule[0]}: its text is no longer in {rule[1]}")
            continue
        module, said = first_guilty(options, right, command, jobs)
        if module:
            caught += 1
            print(f"caught  {rule[0]}: {module.name}: {(said.partition('report: ')[2] or said)[:160]}")
        else:
            slipped += 1
            print(f"MISSED  {rule[0]}")
    print(f"{caught} wrong rules caught, {slipped} missed; {ENOUGH} must be caught")
    return 0 if caught >= ENOUGH and not slipped else 1


if __name__ == "__main__":
    sys.exit(main())
