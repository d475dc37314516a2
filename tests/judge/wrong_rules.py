#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_rules.py - build the core with one rule made wrong at a time, and see that the judge notices.

    wrong_rules.py --build BUILD [--first N] [--work DIR]

A judge that never says "guilty" proves nothing. Each entry of RULES replaces one piece of the core's source text by one
that is unsound; the file is compiled and linked in front of BUILD's library, and what comes out specialises the programs
of the corpus until one comes out wrong. A rule counts as caught when a program that the right core gets right is
reported or differs; a refusal does not count. --first stops after N rules were caught.
Exit status: 0 when at least eighteen wrong rules were caught (N with --first) and none that was tried slipped
through or is gone from the source, 1 otherwise, 77 nothing could be compiled.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
import corpus  # noqa: E402
from corpus import corpus_truth  # noqa: E402

ENOUGH = 18

# Name, right text (of one place in the source), wrong text.
RULES = [
    ("a select is its first value",
     "    uint32_t condition = nf_opcode(m, m->def[m->words[at + 3]]);",
     "    uint32_t condition = OpConstantTrue;"),
    ("block copies carry no addresses",
     "    nf_copy_memory(m, nf_operand_value(c, at, target), nf_operand_value(c, at, source), size ? size : NF_TO_END);",
     "    (void)size;"),
    ("stores of integers carry no addresses",
     "    if (!address.node || !v.node) return;",
     "    if (!address.node || !v.node || type->kind == NF_KIND_INT) return;"),
    ("results of functions carry no addresses",
     "nf_flow_value(c->m, nf_type_of(c->m, id), nf_value_of(c, id), nf_of_node(c->f->analysis->return_node))", "(void)id"),
    ("only the first argument of a call is passed",
     "i < callee->parameter_count && first_word + i", "i < (callee->parameter_count ? 1u : 0u) && first_word + i"),
    ("an integer that becomes a pointer is global",
     "    struct nf_value pointer = nf_of_node(nf_node(m, small ? NF_FEW : NF_HOLE));\n    nf_flow(m, v, pointer);",
     "    struct nf_value pointer = nf_of_node(nf_node(m, NF_GLOBAL));\n    nf_unify(m, pointer, v);"),
    ("sets go one edge far",
     "            w->masks[to] |= more;\n            push(w, to);", "            w->masks[to] |= more;"),
    ("tests of the tag take local for private",
     "test = emit_tag_test(o, top, space);", "test = emit_tag_test(o, top, space == NF_LOCAL ? NF_PRIVATE : NF_LOCAL);"),
    ("the tag is not taken off",
     ": emit_flip(o, integer, space);", ": integer;"),
    ("private addresses have no tag", "space == NF_PRIVATE ? TAG_PRIVATE : 0", "0"),
    ("local addresses have the tag of private ones",
     "space == NF_LOCAL ? TAG_LOCAL", "space == NF_LOCAL ? TAG_PRIVATE"),
    ("null is tagged", "    if (non_null) return integer;", "    if (non_null || type) return integer;"),
    ("by-value arguments are written where they are",
     "return o->body.argument_of && is_by_value(o->m, at) &&", "return !o->body.argument_of && is_by_value(o->m, at) &&"),
    ("a merge takes the tag of its first value",
     "one = NF_EMIT_NEW(o, OpSelect, o->address_type, nf_has_tag(o, tuple, space), one, integer);", "one = integer;"),
    ("a phi has one operand",
     "for (uint32_t w = 3; w < nf_length(m, at); w += 2)\n            values",
     "for (uint32_t w = 3; w < 5; w += 2)\n            values"),
    ("the host's integers are private",
     "if (evidence & NF_WEAK) spaces |= NF_GLOBAL;", "if (evidence & NF_WEAK) spaces |= NF_PRIVATE;"),
    ("a function has one instance",
     "if (instance->open || instance->key != key) continue;", "(void)key;\n        if (!instance->open) return i;"),
    ("pieces of an address that meet in memory are none",
     "    if (node->marks & NF_MARK_WHOLE && set & pieces) set |= NF_WEAK;", "    (void)pieces;"),
    ("a pointer to a link points to nothing new", "        nf_view(m, to, v);", "        nf_place_of(m, to);"),
    ("what is written through a view stays there", "        if (stored) nf_edge(m, cell.node, twin, 0);", "        (void)stored;"),
    ("digits that are put together are no address", "    uint32_t digits = digits_at(c, at);", "    uint32_t digits = 0;"),
    ("short pieces are no address, however many they are",
     "    return digits || !is_heap(m, at) ? digits : 1u << 3 | 1u << 4 | ALL;", "    return digits;"),
    ("halves are one word's, whichever they are",
     "    return whole && !p.fails ? p.word : 0;", "    return whole ? p.word : p.word;"),
    ("a multiple of six is one of four",
     "nf_log2((uint64_t)value & -(uint64_t)value)", "nf_log2((uint64_t)value)"),
]


def link(options, name, *sources):
    """@return the command that is the core with `sources` in place of its own files of the same functions."""
    command = options.work / name
    flags = ["-std=c11", "-O1", "-w", *options.flags, f"-I{ROOT}/src", f"-I{ROOT}/include"]
    subprocess.run([options.cc, *flags, str(HERE / "command/specialize.c"), *map(str, sources), str(options.library),
                    "-o", str(command)], check=True)
    return str(command)


def link_wrong(options, rule, number):
    """@return the command built with `rule` made wrong, or None when its text is gone from the source."""
    _, right, wrong = rule
    for path in sorted((ROOT / "src").rglob("*.c")):
        text = path.read_text(encoding="utf-8")
        if right in text:
            source = options.work / f"wrong{number}.c"
            source.write_text(text.replace(right, wrong, 1), encoding="utf-8")
            return link(options, f"nonflat-wrong{number}", source)
    return None


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
    made, refused = corpus.specialize(options, module, "auto")
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
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder of Nonflat")
    parser.add_argument("--first", type=int, default=0, metavar="N")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--flags", default="", type=str.split, help="what the library was compiled with")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("judge-wrong-rules"))
    options = parser.parse_args()
    options.modules, options.left_out = None, []
    options.judge, options.library = str(options.build / "tests/judge/nonflat-judge"), options.build / "src/libnonflat_core.a"
    options.work.mkdir(parents=True, exist_ok=True)
    jobs = programs(options)
    if not jobs:
        print("SKIPPED: no module of the corpus can be made here")
        return 77
    right, caught, slipped, gone, enough = link(options, "nonflat-right"), 0, 0, 0, options.first or ENOUGH
    for number, rule in enumerate(RULES):
        if options.first and caught >= enough:
            break
        command = link_wrong(options, rule, number)
        if not command:
            gone += 1
            print(f"GONE    {rule[0]}: its text is no longer in the source")
            continue
        module, said = first_guilty(options, right, command, jobs)
        if module:
            caught += 1
            print(f"caught  {rule[0]}: {module.name}: {(said.partition('report: ')[2] or said)[:160]}")
        else:
            slipped += 1
            print(f"MISSED  {rule[0]}")
    print(f"{caught} wrong rules caught, {slipped} missed, {gone} gone; {enough} must be caught")
    return 0 if caught >= enough and not slipped and not gone else 1


if __name__ == "__main__":
    sys.exit(main())
