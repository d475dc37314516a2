#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_rules.py - builds mutants of the core, in each of which one rule is made wrong, and checks that the judge detects them.

    wrong_rules.py --build BUILD [--first N] [--work DIR]

This tests the judge: a test that never fails proves nothing. Each entry of RULES replaces one piece of the core's source text by one
that is unsound. The file, or every file that includes it, is compiled and linked before BUILD's library, and the mutant specializes the
programs of the corpus until one of them is wrong. A mutant counts as caught if a program that the original core specializes correctly is
reported or differs; a refusal does not count. --first stops after N mutants were caught.
Exit status: 0 if at least ninety-eight mutants were caught (N with --first), and none was missed or has source text
that is no longer found; 1 otherwise; 77 if nothing could be compiled.
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

ENOUGH = 98

# The base addresses of the memories, by address form; numbered addresses have the number of a buffer in bits 48 to 63. "null" is the form
# that a device may have by default, with a null that is not 0.
BASES = {"": ["--local-base=0x10180"], "windows": ["--private-base=0x80", "--local-base=0x180"],
         "numbered": ["--global-base=0x0003000000010000", "--local-base=0x0002000000010180"],
         "process": corpus.PROCESS_VARIANTS[0], "null": ["--zero-private"]}

# Name (file, function or constant: what is wrong), original text (once in the source), wrong text; and the address form,
# if the rule applies to one form only.
RULES = [
    ("addresses.c, nf_selected: a select has the value of its first operand only",
     "    uint32_t condition = nf_opcode(m, m->def[nf_select_condition(m, at)]);",
     "    uint32_t condition = OpConstantTrue;"),
    ("memory.c, nf_copy_between: copies of bytes carry no addresses",
     "    nf_copy_memory(m, to, from, size ? size : NF_TO_END);",
     "    (void)size;"),
    ("values.c, nf_store_to: stores of integers carry no addresses",
     "    if (!address.node || !v.node) return;",
     "    if (!address.node || !v.node || type->kind == NF_KIND_INT) return;"),
    ("calls.c, nf_constrain_return: return values carry no addresses",
     "nf_flow_value(c->m, nf_type_of(c->m, id), nf_value_or_count(c, id), nf_of_node(c->f->analysis->return_node))", "(void)id"),
    ("calls.c, bind_call: only the first argument is passed",
     "i < callee->parameter_count && i <", "i < (callee->parameter_count ? 1u : 0u) && i <"),
    ("solve.c, run_work_list: sets propagate along one edge only",
     "            masks[to] |= set;\n            push(w, to);", "            masks[to] |= set;"),
    ("constrain.c, connect_phi: only the first operand of a phi is used",
     "    for (uint32_t i = 0; i < count; i++)\n        values[i] = nf_value_or_count", "    for (uint32_t i = 0; i < (count = 1); i++)\n        values[i] = nf_value_or_count"),
    ("instances.c, find_instance: a function has one instance for all calls",
     "if (instance->open || instance->key != key) continue;", "(void)key;\n        if (!instance->open) return i;"),
    ("values.c, nf_unify_or_view: a pointer to a pointer gets no view of what it points to",
     "        nf_view(m, to, v);", "        nf_place_of(m, to);"),
    ("copies.c, find_parts: a range in a later element of an outer array has no elements of the inner array",
     "(range.low - moved - z->low) / z->stride;", "(range.low - z->low) / z->stride;"),
    ("copies.c, share_zones: an array inside of a later element of another array is not found",
     "parts_in_range(&m->graph->regions[from], i,", "parts_in_range(&m->graph->regions[from], 0 * i,"),
    ("chains.c, nf_chain: an index of a chain that is not in bounds stays in its array",
     "bool in_bounds = opcode != OpAccessChain && opcode != OpPtrAccessChain;", "bool in_bounds = true;"),
    ("element_stride.c, note_chain: constant indices behind a variable one stay in the element",
     "*reach = (struct nf_reach){0}, extend_reach(reach, &whole, distance[1]);", "*reach = whole;"),
    ("cells.c, insert_zone: zones that are merged leave the others in any order",
     "memmove(z, z + 1, (--r->zone_count - i) * sizeof *z);", "*z = r->zones[--r->zone_count];"),
    ("graph.c, merge_regions: an array keeps its bounds where it becomes a part of raw storage", "    nf_open_arrays(m, root, child, delta);\n", ""),
    ("graph.c, merge_regions: an array keeps its bounds where raw storage becomes a part of it", "    nf_open_arrays(m, child, root, -(int64_t)delta);\n", ""),
    ("copies.c, apply_view: an array that is a view of raw storage keeps its bounds", "    nf_open_arrays(m, view.region, of.region, -shift);\n", ""),
    ("constrain.c, open_function: a buffer contains no other arrays than the objects that a pointer to it may point to",
     "nf_note_use_at(m, nf_of_node(f->analysis->parameter_nodes[i]), NF_RAW);", "(void)m;"),
    ("module_scope.c, note_storage: an array of vectors holds nothing but vectors",
     "    if (numbers && array->size >", "    if (numbers && scalar->id == array->element && array->size >"),
    ("module_scope.c, note_storage: an array of numbers holds nothing but numbers",
     "    if (numbers && array->size > nf_word_size(m)) nf_note_use_at(m, at, NF_RAW);\n", ""),
    ("copies.c, share_zones: a copied part of an array is a whole array in the target", "z.bare = false, z.element = 0; /* `to`", "z.bare = false; /* `to`"),
    ("summary.c, copy_regions: a caller does not know that a by-value argument in the host's region is written",
     "            g->regions[nf_find(m, g->host, 0).region].uses |= from->uses & NF_WRITTEN;\n", ""),
    ("copies.c, apply_view: a view that is copied as bytes lacks the other cells of its sources",
     "NF_TO_END, -shift, VIEWED, since);", "0, -shift, VIEWED, since);"),
    ("copies.c, apply_view: a store through a view does not reach the regions behind it",
     "        if (stored) nf_edge(m, cell.node, twin);", "        (void)stored;"),
    ("known_bits.c, bits_of_constant: a multiple of six is taken for a multiple of four",
     "(uint32_t)__builtin_ctzll((uint64_t)value)", "(63 - (uint32_t)__builtin_clzll((uint64_t)value))"),

    # Exposed addresses, and integers.
    ("arithmetic.c, nf_numeric_result: instructions that make numbers do not expose their operands",
     "    nf_expose_operands(c, at, apart);\n", ""),
    ("constrain.c, to_integer: a conversion of a pointer to a short integer does not expose it",
     "    if (!nf_is_tracked_type(m, type)) {\n        nf_expose(m, v);\n        return nf_nothing;\n    }\n    if (!is_hint_private_or_local",
     "    if (!nf_is_tracked_type(m, type)) return nf_nothing;\n    if (!is_hint_private_or_local"),
    ("exposure.c, nf_make_number: a number can only be a host address",
     "{nf_node(m, NF_NUMBER), 0}", "{nf_node(m, NF_FROM_HOST), 0}"),
    ("evidence.c, nf_spaces_of: a number cannot be a host address",
     "evidence & (NF_FROM_HOST | NF_NUMBER)", "evidence & NF_FROM_HOST"),
    ("infer.h, nf_evidence: a number cannot be an exposed address",
     "return set & NF_NUMBER ? set | (instance->masks[instance->exposed - instance->first_node] & NF_SPACES) : set;",
     "return set;"),
    ("evidence.c, nf_spaces_of: a pointer without evidence is global instead of in any space",
     "spaces = NF_TAGGED;", "spaces = NF_GLOBAL;"),
    ("evidence.c, nf_spaces_of: integers from the host are private addresses",
     "NF_NUMBER)) spaces |= NF_GLOBAL;", "NF_NUMBER)) spaces |= NF_PRIVATE;"),
    ("known_bits.c, shifted: a shift to the left does not increase the number of significant bits",
     "smaller(width, a.length + count)", "a.length"),
    ("known_bits.c, COUNT_BITS: integers of up to 48 bits are counts", "COUNT_BITS = 40", "COUNT_BITS = 48"),
    ("numbers.c, leaves_place: no pointer is ever found to be made of a number",
     "return evidence & NF_NUMBER && !hosts;", "return false;"),
    ("summary.c, share_host_nodes: addresses that a callee exposes are not exposed in its callers",
     "{g->host_store, g->host_wide, g->exposed}", "{g->host_store, g->host_wide, 0}"),
    ("summary.c, take_gates: gates are missing in summaries",
     "        if (g->nodes[node].kind != NF_NODE_PLAIN) take_node(k, node);\n", ""),
    ("summary.c, shares_exposed: gates on paths to X are missing in summaries",
     "shares_exposed = k->f->analysis->call_sites || k->m->analysis->shares_host;", "shares_exposed = false;"),
    ("summary.c, find_leading_back: every path to a gate is taken to return from it",
     "            if (leads_back[sources.from[s]]) continue;", "            if (k->m) continue;"),
    ("summary.c, nf_apply_summary: gates become plain nodes in callers",
     "shared ? NF_NODE_PLAIN : t->nodes[i].kind", "NF_NODE_PLAIN"),

    # Results of two addresses.
    ("arithmetic.c, masked: every mask preserves an address",
     "if (((uint64_t)value & middle) != middle) return", "if (middle == value) return"),
    ("arithmetic.c, nf_subtracted: the difference of two words is a count",
     "return pointers && is_word(c->m, at) ? distance(c->m, a, b) : nf_carried(c, at);", "return nf_nothing;"),
    ("arithmetic.c, nf_subtracted: every minus of two words of one space is a count",
     "return pointers && is_word(c->m, at) ? distance(c->m, a, b) : nf_carried(c, at);", "return distance(c->m, a, b);"),
    ("solve.c, nf_transfer: the difference of a pointer and null is a count",
     "(NF_NUMBER | NF_UNKNOWN | NF_COUNT | NF_NULL)) &&", "(NF_NUMBER | NF_UNKNOWN | NF_COUNT)) &&"),
    ("arithmetic.c, flags_of: a flag of 8 does not move an address", "return nf_word_size(m) - 1;", "return 2 * nf_word_size(m) - 1;"),
    ("graph.c, nf_add_flags: flags at two offsets in a word do not move an address to another word",
     "    if (moves) nf_collapse(m, region, word);\n", ""),
    ("arithmetic.c, displaced: a constant that is no count makes no number of a count",
     "    if (nf_is_far(c, other)) return or_number(c->m, v);\n", ""),
    ("arithmetic.c, nf_carried: twice a count is never a number",
     "return or_number(m, united(c, a, b));", "return united(c, a, b);"),
    ("module_scope.c, evidence_of_constant: a constant that is no count carries nothing where it merges",
     "return nf_is_far(c, id) ||", "return (nf_is_far(c, id) && c->m->def[id] >= c->m->body_at) ||"),
    ("module_scope.c, evidence_of_constant: a vector of parts of an address is a count",
     "nf_is_far(c, id) || nf_is_joined_vector(c->m, type)", "nf_is_far(c, id)"),
    ("addresses.c, nf_selected: a select of components chooses one of two addresses",
     "kind == NF_KIND_VECTOR && !type->aggregate)\n        return nf_numeric_result(c, at); /* parts", "kind == NF_KIND_VECTOR && !c)\n        return nf_numeric_result(c, at); /* parts"),
    ("memory.c, nf_copied_size: a copy of unknown size ends at the end of a word", "% nf_word_size(c->m) ? NF_ANY_BYTES : NF_TO_END;", "% nf_word_size(c->m) ? NF_TO_END : NF_TO_END;"),
    ("addresses.c, nf_to_pointer: a concrete pointer of a short integer points to no memory", "        v = nf_make_number(m);\n        nf_note_cell", "        nf_note_cell"),
    ("chains.c, without_conversions: a truncated index has the multiple of the whole", "->size > nf_type_of(m, nf_value_id(m, at))->size) break;", "->size > 64) break;"),
    ("arithmetic.c, nf_compared: an ordered comparison with a count exposes nothing",
     "bool ordered = !equality && !v[1 - i].node && !nf_is_zero(m, other);", "bool ordered = !equality && !v[1 - i].node && !nf_is_count(m, nf_bits_of(c, other));"),
    ("arithmetic.c, united: the result of two addresses is not loose",
     "struct nf_value result = nf_of_node(nf_node(m, NF_LOOSE));\n    nf_edge(m, a.node, both);",
     "struct nf_value result = nf_of_node(nf_node(m, 0));\n    nf_edge(m, a.node, both);"),
    ("arithmetic.c, displaced: the sum of an address and a long count is not loose",
     "return is_near(c->m, bits) ? changed(c->m, v) : nf_with_evidence(c->m, v, NF_LOOSE);", "return v;", "windows"),
    ("arithmetic.c, displaced: an address with bits above bit 47 is not loose",
     "if (nf_is_above(c->m, bits)) return nf_with_evidence(c->m, v, NF_COUNT);",
     "if (nf_is_above(c->m, bits)) return v;", "windows"),
    ("arithmetic.c, combined: an address whose high bits a negative number flips is not loose",
     "return bits.sign ? nf_with_evidence(c->m, v, NF_LOOSE) : v;", "return v;", "windows"),
    ("arithmetic.c, combined: bits above all others are taken for flags",
     "!bits.sign && bits.length <= flag_bits", "!bits.sign && bits.length % 64 <= flag_bits", "windows"),
    ("arithmetic.c, masked: an address of which a constant mask drops bits of the window is not loose",
     "return !aligns && ((uint64_t)value & window) == window ? v : nf_with_evidence(m, v, NF_LOOSE);", "return aligns ? nf_with_evidence(m, v, NF_LOOSE) : v;",
     "windows"),
    ("arithmetic.c, masked: an address that a mask aligns is not loose",
     "return !aligns && ((uint64_t)value & window) == window ? v", "return ((uint64_t)value & window) == window ? v",
     "windows"),
    ("arithmetic.c, masked: an address under an unknown mask is not loose",
     "        return nf_with_evidence(m, v, NF_LOOSE);\n    }\n    uint64_t middle", "        return v;\n    }\n    uint64_t middle", "windows"),
    ("flat.c, emit_is_address: the integer of device address 0 is an address although that is null",
     "    if (evidence & NF_ANY_VALUE) {", "    if (evidence & NF_CODE) {", "windows"),
    ("chains.c, leaves_window: no index leads out of a window", "return bits.zeros >= end;", "return false;", "windows"),
    ("chains.c, leaves_window: no constant index leads out of a window",
     "return bits.length > end || value * stride >> end != value * stride >> 63;", "return false;", "windows"),
    ("pointers.c, may_leave_memory: a far chain stays in its memory",
     "if (m->analysis->far[id] || !nf_sp", "if (!nf_sp", "windows"),
    ("solve.c, nf_transfer: null to which a count is added is no count",
     "case NF_NODE_CHANGED: return set & NF_NULL ? (set & (nf_set)~NF_NULL) | NF_COUNT : set;", "case NF_NODE_CHANGED: return set;", "windows"),
    ("module_scope.c, evidence_of_constant: the integer 0 is no null", "if (nf_is_zero(c->m, id)) return NF_NULL;", "if (nf_is_zero(c->m, id)) return 0;", "windows"),
    ("module_scope.c, evidence_of_constant: a number without an address is no count",
     "type) ? NF_NUMBER : NF_COUNT;", "type) ? NF_NUMBER : 0;", "windows"),
    ("constrain.c, store: counts that fill an array are in its first word only",
     "? NF_ZEROED : words ? NF_COUNTED : 0;", "? NF_ZEROED : 0;", "windows"),
    ("constrain.c, store: zeros that fill an array do not span words", "words ? fill : fill | NF_CUT", "whole ? fill : fill | NF_CUT", "windows"),
    ("module_scope.c, nf_new_variable: a constant array of bytes holds no words", "            nf_note_use_at(m, v, NF_CUT);", "            (void)m;",
     "windows"),
    ("values.c, nf_as_typed: a pointer in memory is not null", "space | (same ? 0 : NF_NULL)", "space", "windows"),
    ("calls.c, host_argument: no argument of a kernel is null", "        g->nodes[parameter.node].base |= NF_NULL;\n", "", "windows"),
    ("calls.c, bind_call: a count that is an argument does not meet an address",
     "        struct nf_value v = nf_value_or_count(c, nf_argument(m, at, i));\n        if (!v.node || !parameter)",
     "        struct nf_value v = nf_value_of(c, nf_argument(m, at, i));\n        if (!v.node || !parameter)", "windows"),
    ("constrain.c, connect_phi: a count does not meet an address", "values[i] = nf_value_or_count(c, nf_phi_value(m, at, i));",
     "values[i] = nf_value_of(c, nf_phi_value(m, at, i));", "windows"),
    ("module_scope.c, nf_store_value: a count in memory does not meet an address",
     "        m->graph->nodes[cell].base |= evidence;", "        (void)m;", "windows"),
    ("mode_policy.c, value_set: a pointer that may be a count gets no global part",
     "evidence & (NF_LOOSE | NF_COUNT) && nf_has_windows(m)", "evidence & NF_LOOSE && nf_has_windows(m)", "windows"),
    ("addresses.c, nf_to_pointer: a pointer made of a count is not loose", "    if (!v.node) return nf_is_zero(m, id)",
     "    if (!v.node && m->def[id] < m->body_at) return nf_is_zero(m, id)", "windows"),
    ("mode_policy.c, value_set: a loose pointer gets no global part",
     "evidence & (NF_LOOSE | NF_COUNT) && nf_has_windows(m) ? set | NF_GLOBAL : set", "evidence & NF_COUNT ? set | NF_GLOBAL : set"),
    ("arithmetic.c, united: the result of two addresses carries only the first",
     "    nf_edge(m, b.node, both);\n    nf_edge(m, both, result.node);",
     "    nf_edge(m, both, result.node);"),
    ("solve.c, nf_transfer: the combination of two words from the host is not a number",
     "return set & NF_FROM_HOST ? set | NF_NUMBER : set;", "return set;"),

    # Comparisons.
    ("arithmetic.c, nf_compared: a comparison of vectors exposes nothing",
     "v[2] = {nf_scalar_value(c, nf_operand(m, at, 0)), nf_scalar_value(c, nf_operand(m, at, 1))};",
     "v[2] = {nf_operand_value(c, at, 0), nf_operand_value(c, at, 1)};"),
    ("arithmetic.c, nf_compared: a comparison of floating-point numbers with a count exposes nothing",
     "if (parts || ordered) nf_expose(", "if (parts || (ordered && nf_operand_type(c, at, 0)->kind != NF_KIND_FLOAT)) nf_expose("),
    ("arithmetic.c, nf_compared: equality does not expose an address",
     "    nf_expose_if_number(m, v[0].node, v[1].node);", "    if (!equality) nf_expose_if_number(m, v[0].node, v[1].node);"),
    ("constrain.c, instruction: a comparison of pointers exposes nothing",
     "    case NF_ROLE_compare:\n    case NF_ROLE_compare_bits: nf_compared", "    case NF_ROLE_compare_bits: nf_compared"),
    ("solve.c, nf_transfer: a comparison with a word from the host does not expose an address",
     "(NF_NUMBER | NF_LOOSE | NF_FROM_HOST) ? set", "(NF_NUMBER | NF_LOOSE) ? set"),
    ("solve.c, nf_transfer: a comparison with a loose address does not expose an address",
     "(NF_NUMBER | NF_LOOSE | NF_FROM_HOST) ? set", "(NF_NUMBER | NF_FROM_HOST) ? set"),
    ("solve.c, nf_transfer: a comparison with a number does not expose an address",
     "(NF_NUMBER | NF_LOOSE | NF_FROM_HOST) ? set", "(NF_LOOSE | NF_FROM_HOST) ? set"),

    ("arithmetic.c, nf_compared: a comparison of parts of an address is one of addresses",
     "bool parts = nf_scalar_of(m, nf_operand_type(c, at, 0))->size != nf_word_size(m);", "bool parts = false;"),
    ("arithmetic.c, nf_expose_operands: bits above an address depend on no carry",
     "            nf_expose_if_number(m, v.node, 0);", "            continue;"),
    ("arithmetic.c, nf_chosen: a minimum is not a comparison",
     "    if (nf_role_at(m, at) == NF_ROLE_order) nf_expose_if_number(m, result.node, 0);\n", ""),
    ("memory.c, compute_in_cell: an atomic minimum or exchange is not a comparison",
     "    else\n        nf_expose_if_number(m, cell.node, 0);\n", ""),
    ("memory.c, nf_constrain_atomic: an increment stores no part of a word",
     "        nf_write_part(m, address, nf_size_of(word), true);", "        (void)word;", "windows"),

    # Elements of arrays.
    ("graph.c, nf_unify_places: two elements of one array are the same place although steps may leave it",
     "if (x == y && g->steps_out)", "if (false && g->steps_out)"),
    ("element_stride.c, note_chain: a constant step over elements stays in the array",
     "nf_constant(m, nf_chain_index(m, at, 0), &first) && first != 0;", "nf_constant(m, nf_chain_index(m, at, 0), &first) && first < 0;"),
    ("numbers.c, moves_by_constant: constants that move integers are no steps", "    return known && nf_evidence(instance", "    return !known && nf_evidence(instance"),
    ("chains.c, step_into: an index into bytes stays in their array",
     "(alone || !*around) && nf_type(m, of->element)->size != 1", "(alone || !*around)"),
    ("chains.c, step_into: an index into the first member stays in it", "        if (!member) *around = of;\n", ""),
    ("module_scope.c, declare_arrays: a structure of numbers is no storage", "        if (numbers) nf_note_use_at(m, at, NF_RAW);\n", ""),
    ("cells.c, fold_access: an access beyond the end of an array ends in it",
     "*size = end > z->high ? end - z->low : 1;", "end = z->low, *size = 1;"),
    ("cells.c, fold_access: an access from before an array covers its first element only",
     "*size = (end > z->high ? end : z->high) - *offset;", ""),
    ("cells.c, fold_zone: an array that reaches beyond an element of another one moves to its first element",
     "if (zone->high - moved > z->low + z->stride) return;", ""),
    ("cells.c, nf_add_zone: an array without end begins at its first element",
     "    if (zone.high == NF_TO_END) zone.low = 0; /* an array", "    if (false) zone.low = 0; /* an array"),
    ("pointers.c, emit_as_integers: a pointer between two chains that has the device address of null is null",
     "at >= m->body_at && !nf_tuple_of(o, base)->integer;", "base == id;", "null"),

    ("pointers_through_pointers.c, passes_on: a select of pointers of other memories has no integer",
     "return opcode == OpPhi || opcode == OpSelect ||", "return opcode == OpPhi ||"),
    ("pointers_through_pointers.c, passes_on: a phi of pointers of other memories has no integer",
     "return opcode == OpPhi || opcode == OpSelect ||", "return opcode == OpSelect ||"),
    ("pointers_through_pointers.c, used_pointer: a pointer of another memory is stored as a pointer",
     "if (opcode == OpStore) id = nf_store_object(m, at);", "(void)0;"),

    # Words that are not where the address is.
    ("constrain.c, note_alignment: a word that begins between the bytes of another one is not loose",
     "    if (may_span_words(m, at, operands, size) && v.node", "    if (!size && v.node"),
    ("copies.c, mirror_cells: a word to which a copy moves a part is not loose", "if (!whole && flow != VIEWED)", "if (!m)"),
    ("copies.c, apply_copy: a copy inside one region moves whole words", "if (!whole) mirror_cells(m, t.region", "if (!s.region) mirror_cells(m, t.region"),
    ("copies.c, apply_copy: a copy inside one region merges nothing", "if (shift) nf_merge_ranges(", "if (!s.region) nf_merge_ranges("),
    ("cells.c, nf_merge_ranges: an array is merged although a range ends behind it",
     "(uint64_t)low + distance + size > z->high ||", "low + distance > z->high ||"),
    ("exposure.c, nf_write_part: an address stays where it is if zeros replace a part of it",
     "nf_collapse(m, nf_place_of(m, cell).region, 1), nf_run_pending(m);", "nf_run_pending(m);"),
    ("use_analysis.c, note_store: constants that are stored at a variable index change no word",
     " && nf_is_tracked_type(m, nf_type_of(m, id));", ";"),
    ("copies.c, nf_mark_uses: zeros in parts of words do not make them loose", "base |= uses & NF_OF_CELLS;", "base |= 0;"),
    ("arithmetic.c, is_near: an address may be in either half of a half of its window", "bits.length < nf_window_bits(m) - 1", "bits.length < nf_window_bits(m)", "windows"),
    ("arithmetic.c, nf_chosen: the result of an exclusive scan is an operand", "if (is_exclusive_scan(m, at))", "if (false)"),
    ("integer_comparisons.c, integer_of: a local pointer holds every integer",
     "integer && keeps_integers(m, pointer)", "integer"),
    ("integers.c, nf_emit_concrete_conversion: a conversion to 32 bits gives the device's address",
     "    if (nf_keeps_generic(o)) return false;\n    uint32_t pointer_type", "    if (nf_keeps_generic(o) || nf_number_width(m, to_integer ? id : operand) < m->address_bits) return false;\n    uint32_t pointer_type"),
    ("memory.c, nf_copy_between: a copy with a stride moves no element", "if (!lines_up && element)", "if (false)"),
    ("memory.c, nf_written_out: a second result is no number", "        nf_write_part(m, v, nf_size_of(nf_type(m, type->element)), false);\n", ""),
    ("constrain.c, constrain_result: functions with a second result do not expose their operands",
     "    case NF_ROLE_out: return nf_written_out(c, at);\n", ""),

    # Floating-point numbers.
    ("known_bits.c, nf_note_bits: a floating-point number has no bits of an address",
     "bits_of_result(c, at, width) : make_bits(width, 0, false)", "bits_of_result(c, at, width) : make_bits(0, 0, false)"),

    # Partial words in memory.
    ("exposure.c, nf_read_part: a load of a part of a word does not expose it",
     "    if (!address.node || !size) return;\n    if (nf_is_host(m, address))\n",
     "    if (address.node || !size) return;\n    if (nf_is_host(m, address))\n"),
    ("exposure.c, nf_write_part: a store to a part of a word does not make it a number",
     "base |= zero ? NF_LOOSE | NF_NULL : NF_NUMBER;", "base |= zero ? NF_LOOSE | NF_NULL : 0;"),
    ("exposure.c, nf_write_part: the store of a constant to a part of a word adds no address",
     "size, bool zero)\n{\n", "size, bool zero)\n{\n    zero |= size == 1;\n"),
    ("exposure.c, nf_mark_number: a word that is put together from parts of other words is no number",
     "    m->graph->nodes[cell].base |= NF_LOOSE | NF_NUMBER;", "    m->graph->nodes[cell].base |= NF_LOOSE;"),
    ("memory.c, nf_vector_load: numbers that are loaded together are no part of an address", "struct nf_value number = nf_make_number(m); /* parts", "struct nf_value number = nf_of_node(nf_node(m, NF_LOOSE)); /* parts"),
    ("memory.c, compute_in_cell: an atomic does not make its memory a number",
     "    nf_flow(m, nf_make_number(m), cell);\n", ""),
    ("memory.c, nf_extract_dynamic: an extracted part of an address does not expose it",
     "    if (nf_is_tracked_type(c->m, type)) return nf_as_typed(c->m, type, v);\n    nf_expose(c->m, v);\n",
     "    if (nf_is_tracked_type(c->m, type)) return nf_as_typed(c->m, type, v);\n"),
    ("predicates.c, nf_is_split: a condition decides the parts of a loose pointer",
     "if (has_further_part(m, instance, nf_value_operand(m, at, i))) return false;", "(void)has_further_part;"),

    # The output.
    ("prologue.c, is_written_argument: written by-value arguments are not copied",
     "return nf_is_by_value(o->m, at) &&", "return !o->m && nf_is_by_value(o->m, at) &&"),
    ("constrain.c, constrain_body: no instruction writes a by-value argument",
     "        note_writes(c, at);\n", "        (void)note_writes;\n"),
    ("summary.c, copy_regions: a by-value argument is not written in a callee",
     "r->uses = from->uses;", "r->uses = from->uses & ~(uint32_t)NF_WRITTEN;"),
    ("copies.c, apply_view: what is written through one of two pointers is not written",
     "g->regions[view.region].uses & ~(uint32_t)NF_WATCHED", "g->regions[view.region].uses & ~(uint32_t)(NF_WATCHED | NF_WRITTEN)"),
    ("operands.c, nf_written_operand: an atomic does not write",
     "return nf_opcode(m, at) == OpAtomicLoad ? NF_NO_OPERAND : 0;", "return NF_NO_OPERAND;"),
    ("operands.c, nf_written_operand: a function with a second result does not write",
     "    case NF_ROLE_out:\n    case NF_ROLE_receive:", "    case NF_ROLE_out: return NF_NO_OPERAND;\n    case NF_ROLE_receive:"),
    ("operands.c, nf_written_operand: a store of a vector does not write",
     "return VSTORE_POINTER;", "return VSTORE_POINTER ? NF_NO_OPERAND : 0;"),
    ("operands.c, nf_written_operand: a copy does not write",
     "    case NF_ROLE_copy_memory: return 0;", "        return 0;\n    case NF_ROLE_copy_memory: return NF_NO_OPERAND;"),
    ("calls.c, call_from_host: an address that two arguments share in host memory leads to no write",
     "        if (parameter.node) host_argument(m, f, i, parameter, host);\n"
     "    }\n"
     "    nf_run_pending(m);\n"
     "    for (uint32_t i = 0; i < f->parameter_count; i++) {\n"
     "        struct nf_value parameter = nf_of_node(nf_summary_parameter(f, i, base));\n"
     "        f->analysis->written_arguments[i] =\n"
     "            parameter.node && g->regions[nf_place_of(m, parameter).region].uses & NF_WRITTEN;\n",
     "        f->analysis->written_arguments[i] =\n"
     "            parameter.node && g->regions[nf_place_of(m, parameter).region].uses & NF_WRITTEN;\n"
     "        if (parameter.node) host_argument(m, f, i, parameter, host);\n"),
    ("flat.c, nf_tuple_to_integer: a tuple's integer is that of its last part, whatever its tag",
     "one = NF_EMIT_NEW(o, OpSelect, o->address_type, nf_has_tag(o, tuple, space), one, integer);", "one = integer;"),
    ("flat.c, nf_begin_addresses: private and local memory share one window",
     "base ? base + ((uint64_t)1 << apart) : profile->local_window", "base ? base : profile->local_window"),
    ("flat.c, nf_begin_addresses: the windows are so near that a distance between them is a count",
     "base ? base + ((uint64_t)1 << apart) : profile->local_window", "base ? base + ((uint64_t)1 << (bits + 0 * apart)) : profile->local_window"),
    ("flat.c, emit_out_of_window: the base of the window is not subtracted",
     "near = emit_binary(o, OpISub, integer, windows->at[0].base)", "near = integer"),
    ("flat.c, nf_pointer_to_integer: null is moved into the window",
     "if (non_null || maps_null(o, space)) return integer;", "return integer;"),
    ("flat.c, emit_pointer: integer 0 is moved out of the window instead of becoming null",
     "if (maps_null(o, space)) return pointer;", "return pointer;"),
    ("flat.c, emit_is_address: the test for every space uses the private window",
     "uint32_t is = emit_is_in(o, integer, &windows->at[0]);\n    if (evidence",
     "uint32_t is = emit_is_in(o, integer, &o->windows[0].at[0]);\n    if (evidence"),
    ("flat.c, emit_exchanged: the number of a buffer is shifted to the wrong bit",
     "emit_binary(o, OpShiftLeftLogical, high, NUMBER_BIT)", "emit_binary(o, OpShiftLeftLogical, high, NUMBER_BIT - 1)", "numbered"),
    ("flat.c, packed_space: private and local addresses have the same code in numbered form",
     "space == NF_PRIVATE ? 1 : space == NF_LOCAL ? 2 : 0", "space == NF_PRIVATE ? 1 : space == NF_LOCAL ? 1 : 0", "numbered"),
    ("flat.c, emit_is_in: half of a window that wraps lies below its start",
     "uint32_t moved = w->start ? integer : emit_binary", "uint32_t moved = emit_binary", "process"),
    ("flat.c, emit_out_of_window: the address of a process keeps the bits above those of an address",
     "if (windows->at[0].start) near", "if (!windows) near", "process"),
    ("module_scope.c, evidence_of_constant: a null pointer is no null", "if (type->kind == NF_KIND_POINTER || (opcode", "if ((opcode", "windows"),
    ("flat.c, emit_into_window: the lowest integers of a window are outside of it", "emit_binary(o, OpIAdd, address, w->base - middle), w->bits), middle);",
     "address, w->bits), w->base);", "windows"),
    ("dispatch.c, emit_arm: the space of a copy's source is that of its target", "nf_set first = h->forms[0].tuple.set ? h->space[0] : 0;",
     "nf_set first = 0;\n    for (uint32_t k = 0; k < h->count && !first; k++)\n        first = h->forms[k].tuple.set ? h->space[k] : 0;"),
    ("typed_pointers_in_memory.c, has_constant_addresses: the null of an initializer is a flat address",
     "type->concrete && (variable || is_aggregate(type))", "type->concrete && variable && !is_aggregate(type)", "null"),
]


def link(options, name, *sources, headers=None):
    """Returns a command that is linked with `sources` in place of the core's files of the same functions, and with the headers of
    the folder `headers` in place of the core's."""
    command = options.work / name
    folders = [*filter(None, [headers]), ROOT / "src", ROOT / "include"]
    flags = ["-std=c11", "-O1", "-w", *options.flags, *(f"-I{folder}" for folder in folders)]
    subprocess.run([options.cc, *flags, str(HERE / "command/specialize.c"), *map(str, sources), str(options.library),
                    "-o", str(command)], check=True)
    return str(command)


def includers(header):
    """Returns the sources of every folder in which a file includes the header."""
    files = list((ROOT / "src").rglob("*.[ch]"))
    folders = {path.parent for path in files if f'#include "{header}"' in path.read_text(encoding="utf-8")}
    return [path for path in files if path.suffix == ".c" and path.parent in folders]


def link_wrong(options, rule, number):
    """Returns the command with the mutation `rule`, or None if its text is no longer in the source."""
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
    """Returns [(module, arguments of the judge)] for the programs of the corpus."""
    found = []
    for program, source in corpus.sources().items():
        truth = corpus_truth.truth_of(source)
        if "bench" in source.parts or truth.get("run"):
            continue
        for module in [m for m in corpus.modules_of(program, source, options) if "noinline" not in m.name]:
            found += [(module, words) for _, words, _ in corpus_truth.jobs(truth)]
    return found


def says(options, command, form, module, words):
    """Returns the judge's report about one program, specialized by `command`; "" if it is right or refused."""
    made = options.work / f"{module.stem}.made.spv"
    done = subprocess.run([command, module, made, *filter(None, [form.removeprefix("null")])], capture_output=True, check=False)
    if done.returncode:
        return ""
    status, _, said = corpus.judge(options, words, "--compare", module, made, *BASES[form], "--share-values")
    return said or f"status {status}" if status else ""


def first_guilty(options, right, wrong, form, jobs):
    """Returns (module, report) of the first program that `right` specializes correctly and `wrong` does not."""
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
