/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.c - the addresses that values carry: one address, or the addresses in the parts of an aggregate.
 *
 *     %t = OpLoad %struct %p          t is a region of its own, a copy of the bytes at p
 *     %q = OpSelect %c %a %b          q points to a view of the regions of a and of b
 *
 * A struct, an array or a vector of pointer-sized elements in SSA is treated like memory: the place of its node
 * contains the parts, so that loads and stores of the whole are copies.
 *
 * The hard case is a phi or a select of pointers to different regions: nf_join_values() makes a view of these regions,
 * or unifies them.
 *
 * needs: the types, the values of the operands.  gives: values; edges, unified places and copies in the graph.
 */
#include "infer/internal.h"

/* Returns true if values of the type can have bits of an address, whatever their width. */
static bool may_carry(const struct nf_type *type)
{
    return type->kind == NF_KIND_INT || type->kind == NF_KIND_FLOAT || type->kind == NF_KIND_POINTER ||
           type->kind == NF_KIND_VECTOR || type->kind == NF_KIND_ARRAY || type->kind == NF_KIND_STRUCT;
}

bool nf_is_tracked_type(const struct nf_module *m, const struct nf_type *type)
{
    bool scalar = type->kind == NF_KIND_INT || type->kind == NF_KIND_FLOAT;
    if (scalar || (type->kind == NF_KIND_VECTOR && !type->aggregate)) return type->size >= nf_word_size(m);
    return may_carry(type);
}

struct nf_value nf_offset_by(struct nf_value v, int64_t bytes)
{
    if (!v.node) return v;
    int64_t offset = v.offset + bytes;
    if (offset > NF_MAX_OFFSET) offset = NF_MAX_OFFSET;
    if (offset < -NF_MAX_OFFSET) offset = -NF_MAX_OFFSET;
    v.offset = (int32_t)offset;
    return v;
}

/* Returns the id of the element type if pointer arithmetic over such elements stays in their array (OpenCL C 3.0, as
 * C11 6.5.6). Arithmetic over numeric elements is not assumed to stay: a pointer to the first of them may point to the
 * struct around the array, which is copied as bytes or words. */
uint32_t nf_closed_element(const struct nf_type *type)
{
    return type->kind == NF_KIND_POINTER || type->kind == NF_KIND_STRUCT ? type->id : NF_OPEN;
}

bool nf_is_joined_vector(const struct nf_module *m, const struct nf_type *type)
{
    return type->kind == NF_KIND_VECTOR && !type->aggregate && type->size >= m->address_bits / 8;
}

struct nf_value nf_as_typed(struct nf_module *m, const struct nf_type *type, struct nf_value v)
{
    if (!nf_is_concrete_pointer(type)) return v;
    nf_set space = nf_space_of(m, type);
    const struct nf_node *n = &m->graph->nodes[v.node];
    bool same = v.node && (n->base & (nf_set)~NF_NULL) == space;
    if (same && n->region) return v;
    if (!space) return nf_nothing;
    struct nf_value new_value = nf_of_node(nf_node(m, space | (same ? 0 : NF_NULL))); /* loaded or cast: may be null */
    if (same) nf_edge(m, v.node, new_value.node);
    if (v.node) nf_unify(m, new_value, v);
    return new_value;
}

struct nf_value nf_fresh_content(struct nf_module *m)
{
    struct nf_value v = nf_of_node(nf_node(m, 0));
    nf_place_of(m, v);
    return v;
}

struct nf_value nf_fresh_value(struct nf_module *m, const struct nf_type *type)
{
    if (type->aggregate) return nf_fresh_content(m);
    return nf_of_node(nf_node(m, nf_is_concrete_pointer(type) ? nf_space_of(m, type) : 0));
}

struct nf_value nf_with_evidence(struct nf_module *m, struct nf_value v, nf_set evidence)
{
    struct nf_value result = nf_of_node(nf_node(m, evidence));
    nf_flow(m, v, result);
    return result;
}

struct nf_value nf_as_scalar(struct nf_module *m, const struct nf_type *type, struct nf_value v)
{
    if (!v.node || !type->aggregate) return v;
    return nf_of_node(nf_cell_at(m, v, nf_size_of(type), false));
}

struct nf_value nf_as_aggregate(struct nf_module *m, const struct nf_type *type, struct nf_value v)
{
    if (!v.node || !type->aggregate) return v;
    struct nf_value content = nf_fresh_content(m);
    nf_flow(m, v, nf_of_node(nf_cell_at(m, content, nf_size_of(type), true)));
    return content;
}

struct nf_value nf_convert_shape(struct nf_module *m, const struct nf_type *from, const struct nf_type *to,
                                 struct nf_value v)
{
    if (from->aggregate == to->aggregate && (!from->aggregate || from->size == to->size)) return v;
    return nf_as_aggregate(m, to, nf_as_scalar(m, from, v));
}

/* A pointer to a link, such as `struct node **at`, may point to either link of a node, or to the variable that holds
 * the first link of a list. Unifying these places would merge all members of the node at that distance from each other,
 * and the region around the variable. So `to` becomes a view of each, except in H and in a crowded graph. */
void nf_unify_or_view(struct nf_module *m, const struct nf_type *type, struct nf_value v, struct nf_value to)
{
    if (!v.node || !to.node) return;
    bool link = type->kind == NF_KIND_POINTER && nf_type(m, type->element)->kind == NF_KIND_POINTER;
    if (!link || nf_is_graph_too_large(m, 0) || nf_is_host(m, v) || nf_is_host(m, to))
        nf_unify(m, v, to);
    else
        nf_view(m, to, v);
}

void nf_flow_value(struct nf_module *m, const struct nf_type *type, struct nf_value v, struct nf_value to)
{
    if (type->aggregate) {
        nf_copy_memory(m, to, v, nf_size_of(type)), nf_run_pending(m);
        return;
    }
    nf_edge(m, v.node, to.node);
    nf_unify_or_view(m, type, v, to);
}

struct nf_value nf_load_from(struct nf_module *m, const struct nf_type *type, struct nf_value address)
{
    if (!address.node || !may_carry(type) || !nf_size_of(type)) return nf_nothing;
    if (!type->aggregate && !nf_is_tracked_type(m, type)) {
        nf_read_part(m, address, nf_size_of(type));
        return nf_nothing;
    }
    if (!type->aggregate) {
        uint32_t cell = nf_cell_at(m, address, nf_size_of(type), false);
        if (nf_is_generic(m, type->id)) m->graph->nodes[cell].base |= NF_NULL;
        return nf_as_typed(m, type, nf_of_node(cell));
    }
    if (nf_is_host(m, address)) return nf_of_node(m->graph->host_wide);
    struct nf_value content = nf_fresh_content(m);
    nf_copy_memory(m, content, address, nf_size_of(type));
    nf_run_pending(m);
    return content;
}

void nf_store_to(struct nf_module *m, const struct nf_type *type, struct nf_value address, struct nf_value v)
{
    if (!address.node || !v.node) return;
    if (!type->aggregate) address = nf_of_node(nf_cell_at(m, address, nf_size_of(type), true));
    nf_flow_value(m, type, v, address);
}

/* Returns the place to which a value points; region 0 if it has none yet. */
static struct nf_place known_place(struct nf_module *m, struct nf_value v)
{
    if (!v.node || !m->graph->nodes[v.node].region) return (struct nf_place){0, 0};
    return nf_place_of(m, v);
}

/* The limit of nf_graph.offset_views. A view of one region at several offsets gives each cell of the region a
 * counterpart at every other offset, also in the view: in a loop the number of cells would be quadratic. */
enum { MAX_OFFSET_VIEWS = 64 };

/* If the values point to different places, `result` becomes a view of each. Unifying the places would lose precision: a
 * private variable that merges with a global variable would become a part of H; if the two links of a node merge, all
 * members at the same distance from each other would become one. */
void nf_join_values(struct nf_module *m, const struct nf_type *type, const struct nf_value *values, uint32_t count,
                    struct nf_value result)
{
    struct nf_place only = {0, 0};
    bool several = false, apart = false;
    for (uint32_t i = 0; type->aggregate && i < count; i++)
        nf_flow_value(m, type, values[i], result);
    if (type->aggregate) return;
    for (uint32_t i = 0; i < count; i++)
        if (values[i].node && values[i].offset) nf_place_of(m, values[i]); /* creates a place if there is none */
    uint32_t own = known_place(m, result).region;
    for (uint32_t i = 0; i < count; i++) {
        struct nf_place place = known_place(m, values[i]);
        if (!place.region || place.region == own) continue;
        several |= only.region && place.region != only.region;
        apart |= place.region == only.region && place.offset != only.offset;
        only = place;
    }
    several |= apart && m->graph->offset_views++ < MAX_OFFSET_VIEWS;
    for (uint32_t i = 0; i < count; i++) {
        if (!values[i].node) continue;
        nf_edge(m, values[i].node, result.node);
        uint32_t region = known_place(m, values[i]).region;
        if (several && region && region != known_place(m, result).region)
            nf_view(m, result, values[i]);
        else
            nf_unify(m, values[i], result);
    }
}

/* Returns the pointer that is converted from a constant or a count, outside of all windows, such as a mark of the end
 * of a list. It must not affect the spaces of the pointers with which it merges. In hint mode it, and all pointers with
 * which it merges, stay generic: a cast to one space and back may change the integer. */
struct nf_value nf_number_pointer(struct nf_module *m)
{
    bool hints = m->options->mode == NF_MODE_HINT;
    return nf_of_node(nf_node(m, (hints ? NF_TAGGED : NF_LOOSE) | NF_UNKNOWN));
}

bool nf_is_zero(const struct nf_module *m, uint32_t id)
{
    int64_t value;
    uint32_t opcode = nf_opcode(m, m->def[id]);
    return opcode == OpConstantNull || opcode == OpUndef || (nf_constant(m, id, &value) && value == 0);
}

/* ---- Concrete pointers in memory ---- */

/* The node of a concrete pointer has its space, and no edge from the cell that holds it. */
void nf_note_cell(struct nf_module *m, uint32_t id, uint32_t node)
{
    struct nf_analysis *a = m->analysis;
    if (!a->cell_nodes) a->cell_nodes = NF_NEW(m->arena, uint32_t, m->bound);
    a->cell_nodes[id] = node;
}
