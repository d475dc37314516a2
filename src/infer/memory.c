/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - constrains accesses to parts of aggregates, atomics, copies, gathers, and vector loads and stores.
 *
 *     %x = OpCompositeExtract %s 1      x is the cell at the member's offset
 *          OpCopyMemorySized %a %b 16   the cells of [b, b + 16) are also found at a
 *     %o = OpAtomicExchange %p ... %v   o is the cell, v flows into it
 *
 * The hard case is an instruction that the opcode table lacks: it may store any operand anywhere (default deny).
 *
 * needs: values of operands.  gives: values of results, cells, copies and exposed addresses.
 */
#include "infer/internal.h"

/* Returns the type of the part that the literal indices from word `next` on select. Adds its offset to `*offset`. */
static const struct nf_type *walk_literals(struct nf_module *m, const struct nf_type *type, uint32_t at, uint32_t next,
                                           int64_t *offset)
{
    for (; next < nf_length(m, at); next++) {
        uint32_t index = nf_word(m, at, next);
        if (type->kind == NF_KIND_STRUCT && index < type->count) {
            *offset += type->offsets[index];
            type = nf_type(m, nf_member_type(m, type->at, index));
        } else {
            type = nf_type(m, type->element);
            *offset += (int64_t)index * type->size;
            if (*offset > NF_MAX_OFFSET) *offset = NF_MAX_OFFSET;
        }
    }
    return type;
}

struct nf_value nf_extract(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *whole = nf_operand_type(c, at, 0);
    struct nf_value v = nf_operand_value(c, at, 0);
    int64_t offset = 0;
    if (!v.node) return nf_nothing;
    if (!whole->aggregate) return nf_extract_dynamic(c, at, type);
    const struct nf_type *part = walk_literals(m, whole, at, 4, &offset);
    v = nf_offset_by(v, offset);
    if (type->aggregate) return v;
    if (!nf_is_tracked_type(m, type)) {
        nf_read_part(m, v, nf_size_of(part));
        return nf_nothing;
    }
    uint32_t cell = nf_cell_at(m, v, nf_size_of(part), false);
    if (nf_is_concrete_pointer(type)) nf_note_cell(m, nf_result_id(m, at), cell);
    return nf_as_typed(m, type, nf_of_node(cell));
}

struct nf_value nf_insert(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *part_type = nf_operand_type(c, at, 0);
    int64_t offset = 0;
    if (!type->aggregate) return nf_numeric_result(c, at);
    bool carries = nf_value_or_count(c, nf_operand(m, at, 0)).node || nf_operand_value(c, at, 1).node;
    if (!carries && nf_is_tracked_type(m, part_type)) return nf_nothing;
    struct nf_value whole = nf_value_or_count(c, nf_operand(m, at, 1));
    walk_literals(m, type, at, 5, &offset);
    struct nf_value content = nf_fresh_content(m);
    uint32_t begin = (uint32_t)offset, end = begin + nf_size_of(part_type);
    if (begin) nf_copy_memory(m, content, whole, begin);
    if (nf_size_of(type) > end)
        nf_copy_memory(m, nf_offset_by(content, end), nf_offset_by(whole, end), nf_size_of(type) - end);
    nf_store_value(c, nf_value_operand(m, at, 0), nf_offset_by(content, offset));
    nf_run_pending(m);
    return content;
}

struct nf_value nf_shuffle(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (!type->aggregate || !nf_operand_type(c, at, 0)->aggregate || !nf_operand_type(c, at, 1)->aggregate)
        return nf_numeric_result(c, at);
    if (!nf_operand_value(c, at, 0).node && !nf_operand_value(c, at, 1).node) return nf_nothing;
    const struct nf_value sources[2] = {nf_value_or_count(c, nf_operand(m, at, 0)),
                                        nf_value_or_count(c, nf_operand(m, at, 1))};
    uint32_t first_count = nf_operand_type(c, at, 0)->count, size = nf_size_of(nf_type(m, type->element));
    struct nf_value content = nf_fresh_content(m);
    for (uint32_t i = 0; i + 2 < nf_operand_count(m, at); i++) {
        uint32_t index = nf_value_operand(m, at, 2 + i);
        if (index == 0xffffffff) continue;
        struct nf_value source = sources[index >= first_count];
        uint32_t part = index >= first_count ? index - first_count : index;
        nf_copy_memory(m, nf_offset_by(content, (int64_t)i * size), nf_offset_by(source, (int64_t)part * size), size);
    }
    nf_run_pending(m);
    return content;
}

struct nf_value nf_extract_dynamic(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_value v = nf_scalar_value(c, nf_operand(c->m, at, 0));
    if (nf_is_tracked_type(c->m, type)) return nf_as_typed(c->m, type, v);
    nf_expose(c->m, v);
    return nf_nothing;
}

/* Applies an atomic to a pointer-sized word in memory: an exchange stores the operand; a comparison, such as a minimum,
 * chooses one of two integers; the addition of a count moves the address; any other atomic results in a number. */
static void compute_in_cell(struct nf_constrainer *c, uint32_t at, struct nf_value address, uint32_t size)
{
    struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, at); /* the tests rely on the order of the opcodes */
    bool adds = opcode == OpAtomicIAdd || opcode == OpAtomicISub;
    bool moves = opcode >= OpAtomicIIncrement && opcode <= OpAtomicISub;
    bool computes = opcode > OpAtomicUMax || (adds && nf_operand_value(c, at, 3).node);
    if (opcode <= OpAtomicExchange) return;
    struct nf_value cell = nf_of_node(nf_cell_at(m, address, size, true));
    uint32_t count = moves ? nf_node_of_kind(m, NF_NODE_CHANGED) : 0; /* null becomes a count */
    nf_edge(m, cell.node, count);
    nf_edge(m, count, cell.node);
    if (moves || computes)
        nf_smear_offsets(m, cell, 1, 0, 0);
    else
        nf_expose_if_number(m, cell.node, 0);
    if (!computes) return; /* nf_store_value() has stored the count */
    nf_expose(m, cell);
    nf_flow(m, nf_make_number(m), cell);
}

struct nf_value nf_constrain_atomic(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value address = nf_operand_value(c, at, 0);
    const struct nf_type *word = nf_type(m, nf_operand_type(c, at, 0)->element);
    bool has_result = nf_result_id(m, at) != 0, compares = nf_operand_count(m, at) > 5;
    if (!address.node) return nf_nothing;
    for (uint32_t i = compares ? 4 : 3; i < nf_operand_count(m, at); i++)
        nf_store_value(c, nf_operand(m, at, i), address);
    if (has_result && nf_is_tracked_type(m, type))
        compute_in_cell(c, at, address, nf_size_of(type));
    else if (nf_opcode(m, at) != OpAtomicLoad && !nf_is_tracked_type(m, word))
        nf_write_part(m, address, nf_size_of(word), true); /* an increment has no operand for nf_store_value() */
    return has_result ? nf_load_from(m, type, address) : nf_nothing;
}

uint32_t nf_copied_size(const struct nf_constrainer *c, uint32_t id)
{
    int64_t size;
    if (nf_constant(c->m, id, &size) && size >= 0 && size < NF_MAX_OFFSET) return (uint32_t)size;
    return nf_multiple_of(c, id) % nf_word_size(c->m) ? NF_ANY_BYTES : NF_TO_END;
}

void nf_copy_between(struct nf_constrainer *c, uint32_t at, uint32_t target, uint32_t source)
{
    struct nf_module *m = c->m;
    const struct nf_value to = nf_operand_value(c, at, target), from = nf_operand_value(c, at, source);
    const struct nf_type *t = nf_operand_type(c, at, target), *s = nf_operand_type(c, at, source);
    uint32_t element = nf_size_of(nf_type(m, t->element ? t->element : s->element)), size = element;
    int64_t value;
    bool lines_up = target == 0 || (nf_constant(m, nf_operand(m, at, 4), &value) && value == 1); /* the stride */
    if (nf_opcode(m, at) == OpCopyMemorySized)
        size = nf_copied_size(c, nf_operand(m, at, 2));
    else if (nf_opcode(m, at) != OpCopyMemory)
        size = element % nf_word_size(m) ? NF_ANY_BYTES : NF_TO_END; /* an unknown number of elements */
    if (!lines_up && element) nf_smear_offsets(m, to, element, 0, 0), nf_smear_offsets(m, from, element, 0, 0);
    nf_copy_memory(m, to, from, size ? size : NF_TO_END);
    nf_run_pending(m);
}

/* The packet of a pipe is in memory, to which a pointer operand points. A pixel is an operand or the result itself; the
 * other operands of an image access are its coordinates. */
struct nf_value nf_pass_packet(struct nf_constrainer *c, uint32_t at, bool away, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value host = nf_of_node(m->graph->host_wide);
    bool packet = false;
    for (uint32_t i = 0; i < nf_operand_count(m, at); i++) {
        struct nf_value v = nf_operand_value(c, at, i);
        bool pointer = nf_operand_type(c, at, i)->kind == NF_KIND_POINTER;
        packet |= pointer;
        if (pointer && v.node)
            nf_copy_memory(m, away ? host : v, away ? v : host, NF_TO_END);
        else if (away)
            nf_store_to(m, nf_operand_type(c, at, i), host, v);
    }
    nf_run_pending(m);
    return packet || away ? nf_nothing : nf_load_from(m, type, host);
}

const struct nf_type *nf_gathered_type(const struct nf_module *m, uint32_t at)
{
    enum nf_role role = m->analysis->gather_nodes ? nf_role_at(m, at) : NF_ROLE_nothing;
    if (role != NF_ROLE_gather && role != NF_ROLE_scatter) return NULL;
    const struct nf_type *type = nf_type_of(m, nf_operand(m, at, role == NF_ROLE_scatter));
    return nf_is_generic_vector(type) ? type : NULL;
}

/* Returns a value that represents all pointers of the vector operand `index`, and records its node. */
static struct nf_value pointers_of(struct nf_constrainer *c, uint32_t at, uint32_t index)
{
    struct nf_module *m = c->m;
    struct nf_value pointers = nf_scalar_value(c, nf_operand(m, at, index));
    if (!m->analysis->gather_nodes) m->analysis->gather_nodes = NF_NEW(m->arena, uint32_t, m->count);
    m->analysis->gather_nodes[at] = pointers.node;
    return pointers;
}

struct nf_value nf_gather(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value pointers = pointers_of(c, at, 0);
    struct nf_value loaded = nf_load_from(m, nf_type(m, type->element), pointers);
    if (!nf_is_tracked_type(m, nf_type(m, type->element))) /* parts of addresses */
        return nf_is_tracked_type(m, type) ? nf_as_aggregate(m, type, nf_make_number(m)) : nf_nothing;
    struct nf_value fill = nf_as_scalar(m, type, nf_value_or_count(c, nf_operand(m, at, 3)));
    if (!loaded.node && !fill.node) return nf_nothing;
    struct nf_value result = nf_with_evidence(m, loaded, 0);
    nf_flow(m, fill, result);
    return nf_as_aggregate(m, type, result);
}

void nf_scatter(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *part = nf_type(m, nf_operand_type(c, at, 0)->element);
    struct nf_value v = nf_as_scalar(m, nf_operand_type(c, at, 0), nf_value_or_count(c, nf_operand(m, at, 0)));
    struct nf_value pointers = pointers_of(c, at, 1);
    if (!nf_is_tracked_type(m, part))
        nf_write_part(m, pointers, nf_size_of(part), false);
    else if (v.node && pointers.node)
        nf_flow(m, v, nf_of_node(nf_cell_at(m, pointers, nf_size_of(part), true)));
}

/* Both results of fract, frexp and similar instructions may contain bits of the operand. */
struct nf_value nf_written_out(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);) {
        struct nf_value v = nf_value_of(c, nf_current_id(&ids));
        const struct nf_type *type = nf_type_of(m, nf_current_id(&ids));
        if (!v.node || type->kind != NF_KIND_POINTER) continue;
        nf_write_part(m, v, nf_size_of(nf_type(m, type->element)), false);
        if (nf_role_at(m, at) == NF_ROLE_call) nf_note_use_at(m, v, NF_WRITTEN);
    }
    return nf_numeric_result(c, at);
}

struct nf_value nf_vector_load(struct nf_constrainer *c, uint32_t pointer, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value address = nf_value_of(c, pointer);
    const struct nf_type *part = nf_type(m, nf_type_of(m, pointer)->element);
    uint32_t size = nf_size_of(part);
    if (!address.node || !size) return nf_nothing;
    nf_smear_offsets(m, address, size, 0, 0);
    if (size * 8 >= m->address_bits || nf_size_of(type) * 8 < m->address_bits)
        return nf_as_aggregate(m, type, nf_load_from(m, part, address));
    struct nf_value number = nf_make_number(m); /* parts of several words */
    nf_flow(m, nf_load_from(m, type, address), number);
    return number;
}

void nf_vector_store(struct nf_constrainer *c, uint32_t data, uint32_t pointer)
{
    struct nf_module *m = c->m;
    struct nf_value address = nf_value_of(c, pointer);
    const struct nf_type *part = nf_type(m, nf_type_of(m, pointer)->element);
    if (!address.node || !nf_size_of(part)) return;
    nf_smear_offsets(m, address, nf_size_of(part), 0, 0);
    if (!part->aggregate && !nf_is_tracked_type(m, part)) nf_write_part(m, address, nf_size_of(part), false);
    nf_store_value(c, data, address);
}

/* Default deny: every operand with a node may flow into the result and into all memory to which any operand points,
 * whose content may do the same. All of this is exposed. If an operand is a pointer, or for a call, host data may flow
 * into all of them. The result may also be a number, of parts of addresses. */
struct nf_value nf_constrain_unknown(struct nf_constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    bool calls = nf_role_at(m, at) == NF_ROLE_call;
    struct nf_value all = nf_nothing, host = nf_of_node(m->graph->host_wide);
    if (type && type->kind == NF_KIND_POINTER) all = nf_of_node(nf_node(m, NF_UNKNOWN | NF_NUMBER));
    for (uint32_t i = 1; i < nf_length(m, at); i++) {
        uint32_t id = nf_word(m, at, i);
        if (id >= m->bound || !m->def[id] || !nf_result_type(m, m->def[id])) continue;
        struct nf_value v = nf_scalar_value(c, id);
        if (!v.node) continue;
        if (!all.node) all = nf_of_node(nf_node(m, NF_UNKNOWN | NF_NUMBER));
        nf_flow(m, v, all);
        nf_note_use_at(m, v, NF_WRITTEN);
        if (nf_type_of(m, id)->kind == NF_KIND_POINTER) nf_edge(m, host.node, all.node);
    }
    if (!all.node) return type ? nf_numeric_result(c, at) : nf_nothing;
    if (calls) nf_edge(m, host.node, all.node), nf_flow(m, all, nf_of_node(m->graph->host_store));
    nf_smear_offsets(m, all, 1, 0, 0);
    nf_flow(m, all, nf_of_node(nf_cell_at(m, all, 8, true)));
    nf_flow(m, nf_of_node(nf_cell_at(m, all, 8, false)), all);
    nf_expose(m, all);
    return type && nf_is_tracked_type(m, type) ? nf_as_typed(m, type, nf_as_aggregate(m, type, all)) : nf_nothing;
}
