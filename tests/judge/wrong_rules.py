#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_rules.py - build the core with one rule made wrong at a time, and see that the judge notices.

    wrong_rules.py --build BUILD [--first N] [--work DIR]

A judge that never says "guilty" proves nothing. Each entry of RULES replaces one piece of the core's source text by one
that is unsound; the file, or what includes it, is compiled and linked
in front of BUILD's library, and what comes out specializes the programs of the corpus until one comes out wrong. A rule counts as caught when a program that the right core gets right is
reported or differs; a refusal does not count. --first stops after N rules were caught.
Exit status: 0 when at least sixty-three wrong rules were caught (N with --first) and none that was tried slipped
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

ENOUGH = 63

# Where memory begins, by the form of addresses; numbered ones have the number of a buffer in bits 48 to 63.
BASES = {"": ["--local-base=0x10180"], "windows": ["--local-base=0x10180"],
         "numbered": ["--global-base=0x0003000000010000", "--local-base=0x0002000000010180"]}

# Name, right text (of one place in the source), wrong text; and the form of addresses, where the rule is only for one.
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
    ("sets go one edge far", "            masks[to] |= set;\n            push(w, to);", "            masks[to] |= set;"),
    ("a phi has one operand",
     "w < nf_length(m, at); w += 2)\n        values[count++]", "w < 5; w += 2)\n        values[count++]"),
    ("a function has one instance",
     "if (instance->open || instance->key != key) continue;", "(void)key;\n        if (!instance->open) return i;"),
    ("a pointer to a link points to nothing new", "        nf_view(m, to, v);", "        nf_place_of(m, to);"),
    ("what is written through a view stays there", "        if (stored) nf_edge(m, cell.node, twin);", "        (void)stored;"),
    ("a multiple of six is one of four",
     "nf_log2((uint64_t)value & -(uint64_t)value)", "nf_log2((uint64_t)value)"),

    # Exposed addresses, and numbers.
    ("what computes a number exposes nothing", "    nf_expose_operands(c, at);\n    bool whole", "    bool whole"),
    ("a short part of an address exposes nothing", "? ((uint64_t)1 << width) - 1 : all", "? 0 : all"),
    ("a short pointer exposes nothing",
     "    if (!nf_carries(m, type)) {\n        nf_expose(m, v);\n        return nf_nothing;\n    }\n    if (!is_bare",
     "    if (!nf_carries(m, type)) return nf_nothing;\n    if (!is_bare"),
    ("numbers are the host's", "{nf_node(m, NF_NUMBER), 0}", "{nf_node(m, NF_FROM_HOST), 0}"),
    ("numbers are no addresses of the host's", "evidence & (NF_FROM_HOST | NF_NUMBER)", "evidence & NF_FROM_HOST"),
    ("a number is none of the exposed addresses",
     "return set & NF_NUMBER ? set | (instance->masks[instance->exposed - instance->first_node] & NF_SPACES) : set;",
     "return set;"),
    ("an integer of which nothing is known is global", "spaces = NF_TAGGED;", "spaces = NF_GLOBAL;"),
    ("the host's integers are private",
     "NF_NUMBER)) spaces |= NF_GLOBAL;", "NF_NUMBER)) spaces |= NF_PRIVATE;"),
    ("what was shifted to the left is as short as before", "smaller(width, a.length + count)", "a.length"),
    ("numbers of 48 bits are counts", "COUNT_BITS = 40", "COUNT_BITS = 48"),
    ("numbers point nowhere", "return evidence & (NF_NUMBER | NF_PATCHED) && !hosts;", "return false;"),
    ("what a callee exposes stays there",
     "{g->host_store, g->host_wide, g->exposed}", "{g->host_store, g->host_wide, 0}"),
    ("gates are not in summaries",
     "        if (g->nodes[node].kind != NF_NODE_PLAIN) take_node(k, node);\n", ""),
    ("gates that lead to exposed addresses are not in summaries",
     "return k->f->analysis->call_sites || nf_has_writable_variables(k->m);", "return false;"),
    ("what leads to a gate comes back from it at once",
     "            if (leads_back[sources.from[s]]) continue;", "            if (k->m) continue;"),
    ("gates are plain in callers", "shared ? NF_NODE_PLAIN : t->nodes[i].kind", "NF_NODE_PLAIN"),

    # Addresses that meet.
    ("an address under a mask stays one", "if (((uint64_t)value & middle) != middle) return", "if (middle == value) return"),
    ("two addresses are together in a window",
     "struct nf_value result = nf_of_node(nf_node(m, NF_LOOSE));\n    nf_edge(m, a.node, both);",
     "struct nf_value result = nf_of_node(nf_node(m, 0));\n    nf_edge(m, a.node, both);"),
    ("a long count leads out of no window", "return nf_is_near(c->m, bits) ? v : loosened(c->m, v);", "return v;", "windows"),
    ("bits above an address lead out of no window", "if (is_above(c->m, bits)) return loosened(c->m, v);",
     "if (is_above(c->m, bits)) return v;", "windows"),
    ("bits that are flipped up to the sign lead out of no window", "return bits.sign ? loosened(m, v) : v;", "return v;", "windows"),
    ("what a mask leaves of a window is in it", "return ((uint64_t)value & window) == window ? v : loosened(m, v);", "return v;",
     "windows"),
    ("what is left by a mask that is not known is in a window", "return keeps_window(c, other) ? v : loosened(m, v);", "return v;",
     "windows"),
    ("a word whose last bytes are written is in its window", "NF_PATCHED | NF_LOOSE : NF_PATCHED", "NF_PATCHED : NF_PATCHED", "windows"),
    ("an atomic addition leads out of no window", "if (!near) m->graph->nodes[cell.node].base |= NF_LOOSE;", "(void)near;", "windows"),
    ("a pointer made of a count is in a window", "v.node ? NF_HOLE : NF_HOLE | NF_LOOSE", "NF_HOLE", "windows"),
    ("what left its window has no global part", "evidence & NF_LOOSE && nf_has_windows(m) ? set | NF_GLOBAL : set", "set"),
    ("of two addresses the first counts", "    nf_edge(m, b.node, both);\n    nf_edge(m, both, result.node);",
     "    nf_edge(m, both, result.node);"),
    ("a distance is a count", "return (is_several(set) ? set : 0) | number_of_host(set);", "return number_of_host(set);"),
    ("a distance from what the host wrote is a count",
     "    if (set & NF_FROM_HOST) spaces |= NF_GLOBAL;\n    return", "    return"),
    ("a distance from a number is a count", "return set & (NF_NUMBER | NF_HOLE) || (spaces", "return set & NF_HOLE || (spaces"),
    ("two words of the host's are one", "return set & NF_FROM_HOST ? NF_NUMBER : 0;", "return 0;"),

    # Comparisons.
    ("to equal a number says nothing", "return set & NF_NUMBER ? set : 0;", "return 0;"),
    ("to be below what the host wrote says nothing", "(NF_NUMBER | NF_LOOSE | NF_FROM_HOST) ? set", "(NF_NUMBER | NF_LOOSE) ? set"),
    ("to be below what left its window says nothing",
     "(NF_NUMBER | NF_LOOSE | NF_FROM_HOST) ? set", "(NF_NUMBER | NF_FROM_HOST) ? set"),
    ("to be below a number says nothing", "(NF_NUMBER | NF_LOOSE | NF_FROM_HOST) ? set", "(NF_LOOSE | NF_FROM_HOST) ? set"),

    # Parts of words in memory.
    ("who reads a part of a word knows nothing of it",
     "    if (!address.node || !size) return;\n    if (nf_is_host(m, address)) {",
     "    if (address.node || !size) return;\n    if (nf_is_host(m, address)) {"),
    ("a word that is written in part is no number", "    g->nodes[cell].base |= NF_NUMBER;\n", ""),
    ("the upper half of a word says nothing", "above = 2;", "above = 4;"),
    ("a part that may be any says nothing", "m->graph->aligned % word == 0 ? 0 : word", "m->graph->aligned % word == 0 ? 0 : 0"),
    ("a word whose lower half is written leads where it led", "        g->nodes[cell].base |= is_above(m, in_word) ? NF_PATCHED | NF_LOOSE : NF_PATCHED;\n", ""),
    ("an atomic makes no number", "    nf_flow(m, nf_make_number(m), cell);\n", ""),
    ("a part of a vector exposes nothing",
     "        if (nf_carries(m, type)) return nf_typed(m, type, v);\n        nf_expose(m, v);\n",
     "        if (nf_carries(m, type)) return nf_typed(m, type, v);\n"),
    ("an unknown part of a vector exposes nothing",
     "    if (nf_carries(c->m, type)) return nf_typed(c->m, type, v);\n    nf_expose(c->m, v);\n",
     "    if (nf_carries(c->m, type)) return nf_typed(c->m, type, v);\n"),

    # What comes out.
    ("by-value arguments are written where they are",
     "return o->body.argument_of && is_by_value(o->m, at) &&", "return !o->body.argument_of && is_by_value(o->m, at) &&"),
    ("a merge takes the tag of its first value",
     "one = NF_EMIT_NEW(o, OpSelect, o->address_type, nf_has_tag(o, tuple, space), one, integer);", "one = integer;"),
    ("private and local addresses are in one window",
     "base ? base + ((uint64_t)1 << bits) : profile->local_window", "base ? base : profile->local_window"),
    ("who leaves a window keeps its base",
     "near = emit_binary(o, OpISub, integer, windows->at[0].base)", "near = integer"),
    ("null is put into a window", "if (non_null || maps_null(o, space)) return integer;", "return integer;"),
    ("null is taken out of a window", "if (maps_null(o, space)) return pointer;", "return pointer;"),
    ("what lies in a window is private", "uint32_t is = emit_is_in(o, integer, &windows->at[0]);",
     "uint32_t is = emit_is_in(o, integer, &o->windows[0].at[0]);"),
    ("a number goes up somewhere else than it came from",
     "emit_binary(o, OpShiftLeftLogical, high, NUMBER_BIT)", "emit_binary(o, OpShiftLeftLogical, high, NUMBER_BIT - 1)", "numbered"),
    ("numbered private and local addresses are one space",
     "space == NF_PRIVATE ? 1 : space == NF_LOCAL ? 2 : 0", "space == NF_PRIVATE ? 1 : space == NF_LOCAL ? 1 : 0", "numbered"),
]


def link(options, name, *sources, headers=None):
    """@return the command that is the core with `sources` in place of its own files of the same functions, and the headers of the
    folder `headers` in place of its own."""
    command = options.work / name
    folders = [*filter(None, [headers]), ROOT / "src", ROOT / "include"]
    flags = ["-std=c11", "-O1", "-w", *options.flags, *(f"-I{folder}" for folder in folders)]
    subprocess.run([options.cc, *flags, str(HERE / "command/specialize.c"), *map(str, sources), str(options.library),
                    "-o", str(command)], check=True)
    return str(command)


def includers(header):
    """The sources of every folder of which a file includes the header."""
    files = list((ROOT / "src").rglob("*.[ch]"))
    folders = {path.parent for path in files if f'#include "{header}"' in path.read_text(encoding="utf-8")}
    return [path for path in files if path.suffix == ".c" and path.parent in folders]


def link_wrong(options, rule, number):
    """@return the command built with `rule` made wrong, or None when its text is gone from the source."""
    _, right, wrong, *_ = rule
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        if right not in text:
            continue
        header, headers = path.relative_to(ROOT / "src"), options.work / f"wrong{number}"
        made = headers / header if path.suffix == ".h" else options.work / f"wrong{number}.c"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(text.replace(right, wrong, 1), encoding="utf-8")
        if path.suffix == ".h":
            return link(options, f"nonflat-wrong{number}", *includers(header), headers=headers)
        return link(options, f"nonflat-wrong{number}", made)
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


def says(options, command, form, module, words):
    """What the judge says of one program, specialised by `command`; "" when it is right or refused."""
    made = options.work / f"{module.stem}.made.spv"
    done = subprocess.run([command, module, made, *filter(None, [form])], capture_output=True, check=False)
    if done.returncode:
        return ""
    status, _, said = corpus.judge(options, words, "--compare", module, made, *BASES[form], "--share-values")
    return said or f"status {status}" if status else ""


def first_guilty(options, right, wrong, form, jobs):
    """(module, what the judge says) of the first program that `right` gets right and `wrong` does not."""
    for module, words in jobs:
        said = says(options, wrong, form, module, words)
        if said and not says(options, right, form, module, words):
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
        module, said = first_guilty(options, right, command, "".join(rule[3:]), jobs)
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
