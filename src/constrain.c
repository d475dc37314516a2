/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constrain.c - every instruction becomes nodes, edges, cells and copies of the graph.
 *
 *     %s = OpLoad %_ptr_Generic_int %slot          s is the cell that slot points to
 *          OpStore %slot %g                        g flows into that cell
 *     %p = OpPhi %_ptr_Generic_int %s %a %t %b     s and t flow into p
 *     %q = OpInBoundsPtrAccessChain %p %one %i     q is p, one element on, spread over an array
 *
 * Most instructions need no node of their own: the result is an operand's node at another offset. Nodes are made where
 * values meet (phi, select, parameters) and where evidence begins (variables, the host's memory, integers made
 * pointers).
 *
 * Functions are taken in the order of the call graph's components, callees first. A call of an earlier component copies
 * the callee's summary (summary.c), so that each call site has a callee of its own, as if it were inlined; calls inside
 * one component share it (recursion by fixpoint). The root, function 0, calls every kernel with what a host can pass.
 *
 * The hard cases are values that are not pointers: integers carry an address through arithmetic, and a struct in SSA
 * carries one for each of its parts. The latter are followed as if they were in memory: their node's place is where the
 * parts lie, so that extract, insert and whole-struct loads and stores are cell accesses and copies.
 *
 * needs: read, types.  gives: graph, values, each function's nodes, calls and summary.
 */
#include "core.h"

struct nf_late_phi {
    uint32_t at;
    struct nf_value value;
};

struct constrainer {
    struct nf_module *m;
    struct nf_function *f;
    uint32_t *made_in; /* by id of the module scope: the component in which its value was made */
    uint32_t component;
    struct nf_late_phi *phis;
    uint32_t phi_count, phi_capacity;
    uint8_t *slots;      /* by id: a variable that is only loaded and stored as a whole */
    uint32_t *stored;    /* by id of a slot: what it holds now, if that was stored in this block */
    uint32_t *stored_in; /* by id of a slot: the block (its label's offset) in which that was */
    uint32_t block;
};

static const struct nf_value nothing = {0, 0};

static struct nf_value of_node(uint32_t node)
{
    return (struct nf_value){node, 0};
}

static struct nf_value moved(struct nf_value v, int64_t bytes)
{
    if (!v.node) return v;
    int64_t offset = v.offset + bytes;
    if (offset > NF_MAX_OFFSET) offset = NF_MAX_OFFSET;
    if (offset < -NF_MAX_OFFSET) offset = -NF_MAX_OFFSET;
    v.offset = (int32_t)offset;
    return v;
}

static uint32_t size_of(const struct nf_type *type)
{
    return type->size > NF_MAX_OFFSET ? NF_MAX_OFFSET : (uint32_t)type->size;
}

static bool may_carry(const struct nf_type *type)
{
    return type->kind == NF_KIND_INT || type->kind == NF_KIND_FLOAT || type->kind == NF_KIND_POINTER ||
           type->kind == NF_KIND_VECTOR || type->kind == NF_KIND_ARRAY || type->kind == NF_KIND_STRUCT;
}

/* A value that points where `v` points (anywhere, when v is nothing) and whose set is just `base`. */
static struct nf_value with_set(struct nf_module *m, nf_set base, struct nf_value v)
{
    struct nf_value fresh = of_node(nf_node(m, base));
    if (v.node) nf_unify(m, fresh, v);
    return fresh;
}

/* A pointer of a concrete storage class has exactly that space, whatever flows into it. */
static struct nf_value typed(struct nf_module *m, const struct nf_type *type, struct nf_value v)
{
    if (type->kind != NF_KIND_POINTER || type->storage == NF_STORAGE_GENERIC) return v;
    nf_set space = nf_space_of_storage(type->storage);
    const struct nf_node *n = &m->graph->nodes[v.node];
    if (v.node && n->base == space && n->region) return v;
    return space ? with_set(m, space, v) : nothing;
}

/* An aggregate in which nothing is yet. */
static struct nf_value fresh_content(struct nf_module *m)
{
    struct nf_value v = of_node(nf_node(m, 0));
    nf_place_of(m, v);
    return v;
}

/* What any byte of a value may carry. */
static struct nf_value flat(struct nf_module *m, const struct nf_type *type, struct nf_value v)
{
    if (!v.node || !type->aggregate) return v;
    return of_node(nf_cell_at(m, v, size_of(type), false));
}

/* A value of `type` any part of which may carry what `v` carries. */
static struct nf_value unflat(struct nf_module *m, const struct nf_type *type, struct nf_value v)
{
    if (!v.node || !type->aggregate) return v;
    struct nf_value content = fresh_content(m);
    nf_flow(m, v, of_node(nf_cell_at(m, content, size_of(type), true)));
    return content;
}

static struct nf_value reshaped(struct nf_module *m, const struct nf_type *from, const struct nf_type *to,
                                struct nf_value v)
{
    if (from->aggregate == to->aggregate && (!from->aggregate || from->size == to->size)) return v;
    return unflat(m, to, flat(m, from, v));
}

/* `v`, of `type`, may be what `to` holds. */
static void flow_value(struct nf_module *m, const struct nf_type *type, struct nf_value v, struct nf_value to)
{
    if (type->aggregate)
        nf_copy_memory(m, to, v, size_of(type)), nf_settle(m);
    else
        nf_flow(m, v, to);
}

static struct nf_value load_from(struct nf_module *m, const struct nf_type *type, struct nf_value address)
{
    if (!address.node || !may_carry(type) || !size_of(type)) return nothing;
    if (!type->aggregate) return typed(m, type, of_node(nf_cell_at(m, address, size_of(type), false)));
    if (nf_is_host(m, address)) return of_node(m->graph->host_wide);
    struct nf_value content = fresh_content(m);
    nf_copy_memory(m, content, address, size_of(type));
    nf_settle(m);
    return content;
}

static void store_to(struct nf_module *m, const struct nf_type *type, struct nf_value address, struct nf_value v)
{
    if (!address.node || !v.node) return;
    if (type->aggregate)
        nf_copy_memory(m, address, v, size_of(type)), nf_settle(m);
    else
        nf_flow(m, v, of_node(nf_cell_at(m, address, size_of(type), true)));
}

/* ---- Module scope ---- */

static struct nf_value value_of(struct constrainer *c, uint32_t id);

/* The arrays inside a variable are known before anybody walks over them. */
static void declare_arrays(struct nf_module *m, const struct nf_type *type, struct nf_value at, int depth)
{
    if (depth > 8) return;
    if (type->inexact) {
        nf_spread(m, at, 1, 0);
    } else if (type->kind == NF_KIND_ARRAY) {
        const struct nf_type *element = nf_type(m, type->element);
        if (type->count > 1 && element->size) nf_spread(m, at, size_of(element), type->count);
        declare_arrays(m, element, at, depth + 1);
    } else if (type->kind == NF_KIND_STRUCT) {
        for (uint32_t i = 0; i < type->count; i++)
            declare_arrays(m, nf_type(m, m->words[type->at + 2 + i]), moved(at, type->offsets[i]), depth + 1);
    }
}

static struct nf_value new_variable(struct constrainer *c, uint32_t at, nf_set space)
{
    struct nf_module *m = c->m;
    const struct nf_type *pointer = nf_type(m, m->words[at + 1]);
    struct nf_value v = of_node(nf_node(m, space));
    bool untyped = nf_opcode(m, at) == OpUntypedVariableKHR;
    uint32_t pointee = untyped && nf_length(m, at) > 4 ? m->words[at + 4] : pointer->element;
    uint32_t initializer_at = untyped ? 5 : 4;
    nf_place_of(m, v);
    declare_arrays(m, nf_type(m, pointee), v, 0);
    if (nf_length(m, at) > initializer_at) {
        uint32_t initializer = m->words[at + initializer_at];
        store_to(m, nf_type_of(m, initializer), v, value_of(c, initializer));
    }
    return v;
}

/* The host may write a writable variable by its name, and an imported one is somebody else's. */
static struct nf_value module_variable(struct constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    uint32_t at = m->def[id];
    uint32_t storage = nf_type(m, m->words[at + 1])->storage;
    nf_set space = nf_space_of_storage(storage);
    if (!space) return nothing;
    struct nf_value v = new_variable(c, at, space);
    c->m->values[id] = v;
    struct nf_value host = of_node(m->graph->host_wide);
    if (m->linkage[id] == 1 + NF_LINKAGE_IMPORT)
        nf_unify(m, v, host);
    else if (space == NF_GLOBAL)
        nf_copy_memory(m, v, host, NF_TO_END), nf_settle(m);
    return v;
}

/* Parts one after the other, as OpCompositeConstruct and OpConstantComposite take them. */
static struct nf_value construct(struct constrainer *c, const struct nf_type *type, uint32_t at, uint32_t first)
{
    struct nf_module *m = c->m;
    struct nf_value content = nothing;
    uint32_t position = 0;
    for (uint32_t i = first, member = 0; i < nf_length(m, at); i++, member++) {
        uint32_t id = m->words[at + i];
        const struct nf_type *part = nf_type_of(m, id);
        struct nf_value v = value_of(c, id);
        if (type->kind == NF_KIND_STRUCT && member < type->count) position = type->offsets[member];
        if (v.node && !type->aggregate) {
            if (!content.node) content = of_node(nf_node(m, 0));
            nf_flow(m, v, content);
        } else if (v.node) {
            if (!content.node) content = fresh_content(m);
            store_to(m, part, moved(content, position), v);
        }
        position += part->kind == NF_KIND_VECTOR && type->kind == NF_KIND_VECTOR
                        ? part->count * size_of(nf_type(m, part->element))
                        : size_of(part);
    }
    return content;
}

static struct nf_value chain(struct constrainer *c, uint32_t at, uint32_t opcode, uint32_t first);

static struct nf_value constant_operation(struct constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, m->words[at + 1]);
    uint32_t opcode = m->words[at + 3];
    if (nf_op_find(opcode)->role == NF_ROLE_chain) return typed(m, type, chain(c, at, opcode, 4));
    struct nf_value result = nothing;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        if (walk.kind != NF_OPERAND_ID) continue;
        uint32_t id = m->words[at + walk.at];
        struct nf_value v = flat(m, nf_type_of(m, id), value_of(c, id));
        if (!v.node) continue;
        if (!result.node && nf_length(m, at) == 5) {
            result = v;
        } else {
            if (!result.node) result = of_node(nf_node(m, 0));
            nf_flow(m, v, result);
            if (opcode != OpSelect) nf_spread(m, result, 1, 0);
        }
    }
    return typed(m, type, unflat(m, type, result));
}

static struct nf_value make_global(struct constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    uint32_t at = m->def[id];
    if (!nf_result_type(m, at)) return nothing;
    const struct nf_type *type = nf_type(m, m->words[at + 1]);
    switch (nf_opcode(m, at)) {
    case OpVariable:
    case OpUntypedVariableKHR: return module_variable(c, id);
    case OpConstantComposite:
    case OpSpecConstantComposite: return construct(c, type, at, 3);
    case OpSpecConstantOp: return constant_operation(c, at);
    case OpConstantFunctionPointerINTEL: return of_node(nf_node(m, NF_CODE));
    default: return nothing;
    }
}

static struct nf_value value_of(struct constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    if (m->def[id] >= m->body_at)
        return c->f && m->def[id] >= c->f->at && m->def[id] < c->f->end ? m->values[id] : nothing;
    if (c->made_in[id] == c->component) return m->values[id];
    c->made_in[id] = c->component;
    m->values[id] = nothing; /* an initialiser may lead back to the variable */
    m->values[id] = make_global(c, id);
    return m->values[id];
}

/* ---- Roles ---- */

static struct nf_value operand(struct constrainer *c, uint32_t at, uint32_t index)
{
    return value_of(c, nf_operand(c->m, at, index));
}

static const struct nf_type *operand_type(struct constrainer *c, uint32_t at, uint32_t index)
{
    return nf_type_of(c->m, nf_operand(c->m, at, index));
}

/* A number that the integer `id` is always a multiple of. */
static uint32_t multiple_of(const struct nf_module *m, uint32_t id, int depth)
{
    int64_t value;
    uint32_t at = m->def[id];
    if (nf_constant(m, id, &value)) return value > 0 && value < 65536 ? (uint32_t)value : value ? 1 : 65536;
    if (depth > 6) return 1;
    switch (nf_opcode(m, at)) {
    case OpIMul: {
        uint64_t product =
            (uint64_t)multiple_of(m, m->words[at + 3], depth + 1) * multiple_of(m, m->words[at + 4], depth + 1);
        return product < 65536 ? (uint32_t)product : 1;
    }
    case OpShiftLeftLogical:
        return nf_constant(m, m->words[at + 4], &value) && value >= 0 && value < 16 ? 1u << value : 1;
    case OpUConvert:
    case OpSConvert: return multiple_of(m, m->words[at + 3], depth + 1);
    case OpIAdd: {
        uint32_t a = multiple_of(m, m->words[at + 3], depth + 1), b = multiple_of(m, m->words[at + 4], depth + 1);
        while (b) {
            uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
    default: return 1;
    }
}

/* One step of an access chain over elements of `stride` bytes, `count` of them (0: unknown). */
static struct nf_value step(struct constrainer *c, struct nf_value v, uint32_t index, uint32_t stride, uint32_t count)
{
    int64_t value;
    if (nf_constant(c->m, index, &value)) {
        if (value > NF_MAX_OFFSET || value < -NF_MAX_OFFSET) value = NF_MAX_OFFSET;
        return moved(v, value * stride);
    }
    uint64_t wide = (uint64_t)stride * (count ? 1 : multiple_of(c->m, index, 0));
    nf_spread(c->m, v, wide < NF_MAX_OFFSET ? (uint32_t)wide : stride, count > 1 ? count : 0);
    return v;
}

/* An access chain of any kind whose operands begin at word `first`. */
static struct nf_value chain(struct constrainer *c, uint32_t at, uint32_t opcode, uint32_t first)
{
    struct nf_module *m = c->m;
    bool untyped = opcode >= OpUntypedAccessChainKHR && opcode <= OpUntypedInBoundsPtrAccessChainKHR;
    bool element = opcode == OpPtrAccessChain || opcode == OpInBoundsPtrAccessChain ||
                   opcode == OpUntypedPtrAccessChainKHR || opcode == OpUntypedInBoundsPtrAccessChainKHR;
    uint32_t base_at = first + untyped, length = nf_length(m, at);
    if (base_at >= length) return nothing;
    struct nf_value v = value_of(c, m->words[at + base_at]);
    if (!v.node) return nothing;
    uint32_t type_id = untyped ? m->words[at + first] : nf_type_of(m, m->words[at + base_at])->element;
    const struct nf_type *type = nf_type(m, type_id);
    uint32_t next = base_at + 1;
    if (element && next < length) {
        v = step(c, v, m->words[at + next], size_of(type), 0);
        next++;
    }
    for (; next < length; next++) {
        int64_t member;
        uint32_t index = m->words[at + next];
        if (type->kind == NF_KIND_STRUCT && nf_constant(m, index, &member) && member >= 0 && member < type->count) {
            v = moved(v, type->offsets[member]);
            type = nf_type(m, m->words[type->at + 2 + (uint32_t)member]);
        } else if (type->kind == NF_KIND_ARRAY || type->kind == NF_KIND_VECTOR) {
            uint32_t count = type->count;
            type = nf_type(m, type->element);
            v = step(c, v, index, size_of(type), count);
        } else {
            nf_spread(m, v, 1, 0);
        }
    }
    return v;
}

/* The root region that a value points into; 0: none yet. */
static uint32_t region_of(struct nf_module *m, struct nf_value v)
{
    uint32_t region = v.node ? m->graph->nodes[v.node].region : 0;
    return region ? nf_find(m, region, 0).region : 0;
}

/* Values meet in `result`, which is no aggregate. If they point into different regions, `result` is a view of each:
 * were they unified, a reference to either a private or a global number would make the private variable part of the
 * host's memory, with all that else lies in it. */
static void meet(struct nf_module *m, const struct nf_value *values, uint32_t count, struct nf_value result,
                 bool sets_flow)
{
    uint32_t own = region_of(m, result), only = 0;
    bool several = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t region = region_of(m, values[i]);
        if (!region || region == own) continue;
        several |= only && region != only;
        only = region;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!values[i].node) continue;
        if (sets_flow) nf_edge(m, values[i].node, result.node, 0);
        uint32_t region = region_of(m, values[i]);
        if (several && region && region != region_of(m, result))
            nf_view(m, result, values[i]);
        else
            nf_unify(m, values[i], result);
    }
}

static bool is_concrete_pointer(const struct nf_type *type)
{
    return type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_GENERIC;
}

static struct nf_value merged(struct constrainer *c, const struct nf_type *type, const uint32_t *ids, uint32_t count)
{
    struct nf_module *m = c->m;
    struct nf_value values[2] = {value_of(c, ids[0]), value_of(c, ids[count - 1])};
    if (!values[0].node && !values[1].node) return nothing;
    if (type->aggregate) {
        struct nf_value content = fresh_content(m);
        for (uint32_t i = 0; i < count; i++)
            flow_value(m, type, values[i], content);
        return content;
    }
    bool concrete = is_concrete_pointer(type);
    struct nf_value result = of_node(nf_node(m, concrete ? nf_space_of_storage(type->storage) : 0));
    meet(m, values, count, result, !concrete);
    return result;
}

/* Any bits of any operand, at any distance from where they pointed. */
static struct nf_value joined(struct constrainer *c, uint32_t at, bool keep_place, uint32_t filters)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    struct nf_value result = nothing, only = nothing;
    uint32_t carriers = 0;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        if (walk.kind != NF_OPERAND_ID) continue;
        uint32_t id = m->words[at + walk.at];
        struct nf_value v = flat(m, nf_type_of(m, id), value_of(c, id));
        if (!v.node) continue;
        if (carriers++ == 0) {
            only = v;
            continue;
        }
        if (!result.node) {
            result = of_node(nf_node(m, 0));
            nf_flow(m, only, result);
            if (filters) nf_edge(m, only.node, result.node, filters);
        }
        nf_flow(m, v, result);
        if (filters) nf_edge(m, v.node, result.node, filters);
    }
    if (carriers == 1 && filters) {
        result = of_node(nf_node(m, 0));
        nf_edge(m, only.node, result.node, filters);
        nf_unify(m, only, result);
    } else if (carriers == 1) {
        result = only;
    }
    if (result.node && !keep_place) nf_spread(m, result, 1, 0);
    return carriers ? unflat(m, type, result) : nothing;
}

static struct nf_value added(struct constrainer *c, uint32_t at, bool subtract)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    struct nf_value a = operand(c, at, 0), b = operand(c, at, 1);
    int64_t value;
    if (type->kind != NF_KIND_INT || (a.node && b.node)) return joined(c, at, false, 0);
    uint32_t other = nf_operand(m, at, a.node ? 1 : 0);
    if (!a.node && !b.node) return nothing;
    if (subtract && !a.node) return joined(c, at, false, 0);
    struct nf_value v = a.node ? a : b;
    if (nf_constant(m, other, &value) && value >= -NF_MAX_OFFSET && value <= NF_MAX_OFFSET)
        return moved(v, subtract ? -value : value);
    uint32_t multiple = multiple_of(m, other, 0);
    nf_spread(m, v, multiple > 1 && multiple < 65536 ? multiple : 1, 0);
    return v;
}

/* The variable, parameter or load that an integer's address came from, when casts and additions alone lead to it. */
static uint32_t address_root(const struct nf_module *m, uint32_t id)
{
    for (int steps = 0; steps < 32; steps++) {
        uint32_t at = m->def[id];
        switch (nf_role_at(m, at)) {
        case NF_ROLE_to_integer:
        case NF_ROLE_to_pointer:
        case NF_ROLE_cast:
        case NF_ROLE_bitcast:
        case NF_ROLE_copy: id = nf_operand(m, at, 0); break;
        case NF_ROLE_chain:
            if (nf_opcode(m, at) >= OpUntypedAccessChainKHR) return id;
            id = nf_operand(m, at, 0);
            break;
        default: return id;
        }
    }
    return id;
}

static struct nf_value subtracted(struct constrainer *c, uint32_t at)
{
    /* The distance of two addresses in one object is a number. */
    if (operand(c, at, 0).node && operand(c, at, 1).node &&
        address_root(c->m, nf_operand(c->m, at, 0)) == address_root(c->m, nf_operand(c->m, at, 1)))
        return nothing;
    return added(c, at, true);
}

static bool is_zero(const struct nf_module *m, uint32_t id)
{
    int64_t value;
    uint32_t opcode = nf_opcode(m, m->def[id]);
    return opcode == OpConstantNull || opcode == OpUndef || (nf_constant(m, id, &value) && value == 0);
}

static struct nf_value to_pointer(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    uint32_t id = nf_operand(m, at, 0);
    struct nf_value v = flat(m, nf_type_of(m, id), value_of(c, id));
    if (type->storage != NF_STORAGE_GENERIC || type->kind != NF_KIND_POINTER) return typed(m, type, unflat(m, type, v));
    if (!v.node && is_zero(m, id)) return nothing;
    struct nf_value pointer = of_node(nf_node(m, NF_HOLE));
    nf_flow(m, v, pointer);
    return pointer;
}

static struct nf_value bitcast(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    const struct nf_type *from = operand_type(c, at, 0);
    if (type->kind == NF_KIND_POINTER && from->kind != NF_KIND_POINTER) return to_pointer(c, at, type);
    return typed(c->m, type, reshaped(c->m, from, type, operand(c, at, 0)));
}

/* Follow literal indices from word `next` into `type`; adds the bytes to *offset. */
static const struct nf_type *walk_literals(struct nf_module *m, const struct nf_type *type, uint32_t at, uint32_t next,
                                           int64_t *offset)
{
    for (; next < nf_length(m, at); next++) {
        uint32_t index = m->words[at + next];
        if (type->kind == NF_KIND_STRUCT && index < type->count) {
            *offset += type->offsets[index];
            type = nf_type(m, m->words[type->at + 2 + index]);
        } else {
            type = nf_type(m, type->element);
            *offset += (int64_t)index * type->size;
            if (*offset > NF_MAX_OFFSET) *offset = NF_MAX_OFFSET;
        }
    }
    return type;
}

static struct nf_value extract(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    const struct nf_type *whole = operand_type(c, at, 0);
    struct nf_value v = operand(c, at, 0);
    int64_t offset = 0;
    if (!v.node || !may_carry(type)) return nothing;
    if (!whole->aggregate) return typed(m, type, v);
    const struct nf_type *part = walk_literals(m, whole, at, 4, &offset);
    v = moved(v, offset);
    if (type->aggregate) return v;
    /* An element of a small vector inside the aggregate: part of the vector's cell. */
    return typed(m, type, of_node(nf_cell_at(m, v, size_of(part), false)));
}

static struct nf_value insert(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value part = operand(c, at, 0), whole = operand(c, at, 1);
    const struct nf_type *part_type = operand_type(c, at, 0);
    int64_t offset = 0;
    if (!type->aggregate) return joined(c, at, true, 0);
    if (!part.node && !whole.node) return nothing;
    walk_literals(m, type, at, 5, &offset);
    struct nf_value content = fresh_content(m);
    uint32_t begin = (uint32_t)offset, end = begin + size_of(part_type);
    if (begin) nf_copy_memory(m, content, whole, begin);
    if (size_of(type) > end) nf_copy_memory(m, moved(content, end), moved(whole, end), size_of(type) - end);
    store_to(m, part_type, moved(content, offset), part);
    nf_settle(m);
    return content;
}

static struct nf_value shuffle(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (!type->aggregate || !operand_type(c, at, 0)->aggregate || !operand_type(c, at, 1)->aggregate)
        return joined(c, at, true, 0);
    uint32_t first_count = operand_type(c, at, 0)->count, size = size_of(nf_type(m, type->element));
    struct nf_value content = fresh_content(m);
    for (uint32_t i = 5; i < nf_length(m, at); i++) {
        uint32_t index = m->words[at + i];
        if (index == 0xffffffff) continue;
        struct nf_value source = operand(c, at, index >= first_count);
        uint32_t part = index >= first_count ? index - first_count : index;
        nf_copy_memory(m, moved(content, (int64_t)(i - 5) * size), moved(source, (int64_t)part * size), size);
    }
    nf_settle(m);
    return content;
}

static struct nf_value extract_dynamic(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    const struct nf_type *whole = operand_type(c, at, 0);
    return typed(c->m, type, flat(c->m, whole, operand(c, at, 0)));
}

/* The memory operand `pointer` is read and written by an atomic: the old value comes back, the new one goes in. */
static struct nf_value atomic(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value address = operand(c, at, 0);
    bool has_result = nf_result_id(m, at) != 0;
    if (!address.node) return nothing;
    if (has_result && type->kind == NF_KIND_BOOL) return nothing;
    uint32_t size = has_result ? size_of(type) : 4;
    for (uint32_t i = 3; i < nf_operand_count(m, at); i++) {
        struct nf_value v = operand(c, at, i);
        if (!has_result) size = size_of(operand_type(c, at, i));
        if (!v.node) continue;
        struct nf_value cell = of_node(nf_cell_at(m, address, size, true));
        nf_flow(m, v, cell);
        uint32_t opcode = nf_opcode(m, at);
        bool moves = opcode == OpAtomicExchange || opcode == OpAtomicStore || opcode == OpAtomicCompareExchange ||
                     opcode == OpAtomicCompareExchangeWeak;
        if (!moves) nf_spread(m, cell, 1, 0);
    }
    return has_result ? load_from(m, type, address) : nothing;
}

static void copy_between(struct constrainer *c, uint32_t at, uint32_t target, uint32_t source)
{
    struct nf_module *m = c->m;
    uint32_t size = NF_TO_END, opcode = nf_opcode(m, at);
    int64_t value;
    if (opcode == OpCopyMemory) {
        const struct nf_type *t = operand_type(c, at, target), *s = operand_type(c, at, source);
        size = size_of(nf_type(m, t->element ? t->element : s->element));
    } else if (opcode == OpCopyMemorySized && nf_constant(m, nf_operand(m, at, 2), &value) && value >= 0) {
        size = value < NF_MAX_OFFSET ? (uint32_t)value : NF_TO_END;
    }
    nf_copy_memory(m, operand(c, at, target), operand(c, at, source), size ? size : NF_TO_END);
    nf_settle(m);
}

static struct nf_value gather(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value pointers = flat(m, operand_type(c, at, 0), operand(c, at, 0));
    struct nf_value loaded = load_from(m, nf_type(m, type->element), pointers);
    struct nf_value fill = flat(m, operand_type(c, at, 3), operand(c, at, 3));
    if (!loaded.node && !fill.node) return nothing;
    struct nf_value result = of_node(nf_node(m, 0));
    nf_flow(m, loaded, result);
    nf_flow(m, fill, result);
    return unflat(m, type, result);
}

static void scatter(struct constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = operand_type(c, at, 0);
    struct nf_value v = flat(m, type, operand(c, at, 0));
    struct nf_value pointers = flat(m, operand_type(c, at, 1), operand(c, at, 1));
    if (v.node && pointers.node)
        nf_flow(m, v, of_node(nf_cell_at(m, pointers, size_of(nf_type(m, type->element)), true)));
}

/* vloadn and its kin walk over an array of scalars from an unknown element on. */
static struct nf_value vector_load(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value address = value_of(c, m->words[at + 6]);
    uint32_t size = size_of(nf_type(m, nf_type_of(m, m->words[at + 6])->element));
    if (!address.node || !size) return nothing;
    nf_spread(m, address, size, 0);
    return unflat(m, type, of_node(nf_cell_at(m, address, size, false)));
}

static void vector_store(struct constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value address = value_of(c, m->words[at + 7]);
    struct nf_value v = flat(m, nf_type_of(m, m->words[at + 5]), value_of(c, m->words[at + 5]));
    uint32_t size = size_of(nf_type(m, nf_type_of(m, m->words[at + 7])->element));
    if (!address.node || !size) return;
    nf_spread(m, address, size, 0);
    if (v.node) nf_flow(m, v, of_node(nf_cell_at(m, address, size, true)));
}

/* Default deny: every operand may end up in the result and in all memory that any operand reaches. */
static struct nf_value unknown(struct constrainer *c, uint32_t at, const struct nf_type *type, uint32_t first_word)
{
    struct nf_module *m = c->m;
    struct nf_value all = nothing;
    for (uint32_t i = first_word; i < nf_length(m, at); i++) {
        uint32_t id = m->words[at + i];
        if (id >= m->bound || !m->def[id] || !nf_result_type(m, m->def[id])) continue;
        struct nf_value v = flat(m, nf_type_of(m, id), value_of(c, id));
        if (!v.node) continue;
        if (!all.node) all = of_node(nf_node(m, NF_HOLE));
        nf_flow(m, v, all);
    }
    if (!all.node)
        return type && type->kind == NF_KIND_POINTER ? typed(m, type, of_node(nf_node(m, NF_HOLE))) : nothing;
    nf_spread(m, all, 1, 0);
    nf_flow(m, all, of_node(nf_cell_at(m, all, 8, true)));
    nf_flow(m, of_node(nf_cell_at(m, all, 8, false)), all);
    return type ? typed(m, type, unflat(m, type, all)) : nothing;
}

/* ---- Calls ---- */

static uint32_t parameter_type(const struct nf_module *m, const struct nf_function *f, uint32_t index)
{
    return m->words[m->def[f->type] + 3 + index];
}

static void note_call(struct nf_module *m, struct nf_function *f, struct nf_call call)
{
    NF_RESERVE(m, f->calls, f->call_capacity, (size_t)f->call_count + 1);
    f->calls[f->call_count++] = call;
}

/* A function of which we know only that it is somewhere else: everything it is given may be kept, and may come back. */
static struct nf_value call_imported(struct constrainer *c, uint32_t at, const struct nf_type *type,
                                     uint32_t first_word)
{
    struct nf_module *m = c->m;
    struct nf_value host = of_node(m->graph->host_wide);
    bool any = false;
    for (uint32_t i = first_word; i < nf_length(m, at); i++) {
        uint32_t id = m->words[at + i];
        struct nf_value v = flat(m, nf_type_of(m, id), value_of(c, id));
        if (!v.node) continue;
        any = true;
        nf_flow(m, v, of_node(m->graph->host_store));
    }
    if (!may_carry(type) || (!any && type->kind != NF_KIND_POINTER)) return nothing;
    return typed(m, type, type->aggregate ? unflat(m, type, host) : host);
}

/* Pass the arguments to a function whose parameters are nodes `base` + ..., or its own when base is 0. */
static struct nf_value bind_call(struct constrainer *c, uint32_t at, const struct nf_function *callee, uint32_t base,
                                 uint32_t first_word)
{
    struct nf_module *m = c->m;
    for (uint32_t i = 0; i < callee->parameter_count && first_word + i < nf_length(m, at); i++) {
        uint32_t parameter = base ? nf_template_parameter(callee, i, base) : callee->parameter_nodes[i];
        struct nf_value v = value_of(c, m->words[at + first_word + i]);
        if (!v.node || !parameter) continue;
        const struct nf_type *type = nf_type(m, parameter_type(m, callee, i));
        if (type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_GENERIC)
            nf_unify(m, v, of_node(parameter));
        else
            flow_value(m, type, v, of_node(parameter));
    }
    return of_node(base ? nf_template_result(callee, base) : callee->return_node);
}

static bool is_writable(const struct nf_module *m, uint32_t variable)
{
    return nf_space_of_storage(nf_type(m, m->words[m->def[variable] + 1])->storage) == NF_GLOBAL;
}

/* A callee for this call alone. Variables of the module are the same in both; seen from the root, what a kernel cannot
 * write starts anew with every kernel. */
static uint32_t copy_callee(struct constrainer *c, struct nf_function *callee, bool share_host)
{
    struct nf_module *m = c->m;
    uint32_t base = nf_instantiate(m, callee, share_host), id;
    struct nf_value copy;
    for (uint32_t i = 0; nf_template_variable(callee, i, base, &id, &copy); i++) {
        if (c->f == m->functions && !is_writable(m, id)) continue;
        nf_unify(m, copy, value_of(c, id));
    }
    nf_settle(m);
    return base;
}

static struct nf_value call(struct constrainer *c, uint32_t at, const struct nf_type *type, uint32_t callee_index,
                            uint32_t first_word)
{
    struct nf_module *m = c->m;
    struct nf_function *callee = &m->functions[callee_index];
    if (!callee->body) return call_imported(c, at, type, first_word);
    uint32_t base = 0;
    if (callee->component != c->f->component) base = copy_callee(c, callee, true);
    note_call(m, c->f, (struct nf_call){at, callee_index, base});
    struct nf_value result = bind_call(c, at, callee, base, first_word);
    return may_carry(type) ? typed(m, type, result) : nothing;
}

/* Any function whose address is taken and that has as many parameters may be the one that is called. */
static struct nf_value call_indirect(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    struct nf_value result = nothing;
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (!m->functions[i].address_taken || m->functions[i].parameter_count != nf_length(m, at) - 4) continue;
        struct nf_value v = call(c, at, type, i, 4);
        if (!v.node) continue;
        if (!result.node) result = type->aggregate ? fresh_content(m) : of_node(nf_node(m, 0));
        flow_value(m, type, v, result);
    }
    return typed(m, type, result);
}

static void return_value(struct constrainer *c, uint32_t at)
{
    uint32_t id = c->m->words[at + 1];
    if (c->f->return_node) flow_value(c->m, nf_type_of(c->m, id), value_of(c, id), of_node(c->f->return_node));
}

static struct nf_value phi(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (!may_carry(type)) return nothing;
    struct nf_value v = type->aggregate ? fresh_content(m) : of_node(nf_node(m, 0));
    NF_RESERVE(m, c->phis, c->phi_capacity, (size_t)c->phi_count + 1);
    c->phis[c->phi_count++] = (struct nf_late_phi){at, v};
    if (type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_GENERIC)
        m->graph->nodes[v.node].base = nf_space_of_storage(type->storage);
    return v;
}

static void connect_phis(struct constrainer *c)
{
    struct nf_module *m = c->m;
    for (uint32_t i = 0; i < c->phi_count; i++) {
        uint32_t at = c->phis[i].at;
        const struct nf_type *type = nf_type(m, m->words[at + 1]);
        uint32_t count = 0;
        struct nf_value near[16],
            *values = nf_length(m, at) > 32 ? NF_NEW(m, struct nf_value, nf_length(m, at) / 2) : near;
        m->graph->origin = at;
        for (uint32_t w = 3; w < nf_length(m, at); w += 2)
            values[count++] = value_of(c, m->words[at + w]);
        for (uint32_t k = 0; type->aggregate && k < count; k++)
            flow_value(m, type, values[k], c->phis[i].value);
        if (!type->aggregate) meet(m, values, count, c->phis[i].value, !is_concrete_pointer(type));
    }
    c->phi_count = 0;
}

static struct nf_value selected(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    if (!may_carry(type)) return nothing;
    uint32_t condition = nf_opcode(m, m->def[m->words[at + 3]]);
    if (condition == OpConstantTrue) return typed(m, type, operand(c, at, 1));
    if (condition == OpConstantFalse) return typed(m, type, operand(c, at, 2));
    return merged(c, type, m->words + at + 4, 2);
}

/* Masking an address to its low bits takes the tag off that it may have in memory; what it points to stays. */
static struct nf_value masked(struct constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    int64_t a, b;
    bool first = nf_constant(m, nf_operand(m, at, 0), &a), second = nf_constant(m, nf_operand(m, at, 1), &b);
    uint64_t mask = (uint64_t)(first ? a : second ? b : -1);
    bool keeps_address = mask > UINT32_MAX && mask >> 62 != 3;
    return joined(c, at, keeps_address, keeps_address ? NF_EDGE_LOSE : 0);
}

/* Variables that are only loaded and stored as a whole: unoptimised code keeps every pointer in one. */
static void find_slots(struct constrainer *c, const struct nf_function *f)
{
    struct nf_module *m = c->m;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpVariable) {
            const struct nf_type *type = nf_type(m, nf_type(m, m->words[at + 1])->element);
            c->slots[m->words[at + 2]] = type->kind == NF_KIND_POINTER;
            c->stored_in[m->words[at + 2]] = 0;
            continue;
        }
        uint32_t opcode = nf_opcode(m, at);
        struct nf_operands walk = nf_walk(m, at);
        while (nf_operands_next(&walk)) {
            bool whole = (opcode == OpLoad && walk.at == 3) || (opcode == OpStore && walk.at == 1) ||
                         opcode == OpLifetimeStart || opcode == OpLifetimeStop;
            if (walk.kind == NF_OPERAND_ID && !whole) c->slots[m->words[at + walk.at]] = 0;
        }
        if (nf_op_find(opcode)->opcode == 0xffff) /* any of its words may be a slot */
            for (uint32_t i = 1; i < nf_length(m, at); i++)
                if (m->words[at + i] < m->bound) c->slots[m->words[at + i]] = 0;
    }
}

/* A slot's value is known from a store to a load of it in the same block. */
static struct nf_value load(struct constrainer *c, uint32_t at, const struct nf_type *type)
{
    struct nf_module *m = c->m;
    uint32_t slot = m->words[at + 3];
    if (c->slots[slot] && c->stored_in[slot] == c->block && nf_type_of(m, c->stored[slot]) == type)
        return typed(m, type, value_of(c, c->stored[slot]));
    return load_from(m, type, operand(c, at, 0));
}

static void store(struct constrainer *c, uint32_t at)
{
    uint32_t slot = c->m->words[at + 1];
    if (c->slots[slot]) {
        c->stored[slot] = c->m->words[at + 2];
        c->stored_in[slot] = c->block;
    }
    store_to(c->m, operand_type(c, at, 1), operand(c, at, 0), operand(c, at, 1));
}

static struct nf_value constrain_result(struct constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    switch (nf_role_at(m, at)) {
    case NF_ROLE_variable: return new_variable(c, at, NF_PRIVATE);
    case NF_ROLE_load: return load(c, at, type);
    case NF_ROLE_store: store(c, at); return nothing;
    case NF_ROLE_copy_memory: copy_between(c, at, 0, 1); return nothing;
    case NF_ROLE_async_copy: copy_between(c, at, 1, 2); return nothing;
    case NF_ROLE_chain: return typed(m, type, chain(c, at, nf_opcode(m, at), 3));
    case NF_ROLE_copy:
    case NF_ROLE_pass: return typed(m, type, reshaped(m, operand_type(c, at, 0), type, operand(c, at, 0)));
    case NF_ROLE_to_integer: return unflat(m, type, operand(c, at, 0));
    case NF_ROLE_to_pointer: return to_pointer(c, at, type);
    case NF_ROLE_cast:
    case NF_ROLE_cast_explicit: return typed(m, type, operand(c, at, 0));
    case NF_ROLE_bitcast: return bitcast(c, at, type);
    case NF_ROLE_extract: return extract(c, at, type);
    case NF_ROLE_insert: return insert(c, at, type);
    case NF_ROLE_construct: return construct(c, type, at, 3);
    case NF_ROLE_shuffle: return shuffle(c, at, type);
    case NF_ROLE_extract_dynamic: return extract_dynamic(c, at, type);
    case NF_ROLE_insert_dynamic: return joined(c, at, true, 0);
    case NF_ROLE_add: return added(c, at, false);
    case NF_ROLE_subtract: return subtracted(c, at);
    case NF_ROLE_mask: return masked(c, at);
    case NF_ROLE_join: return joined(c, at, false, 0);
    case NF_ROLE_shift_left: {
        int64_t bits;
        bool small = nf_constant(m, nf_operand(m, at, 1), &bits) && bits < 8;
        return joined(c, at, false, small ? 0 : NF_EDGE_PROMOTE);
    }
    case NF_ROLE_assemble: return joined(c, at, false, NF_EDGE_PROMOTE);
    case NF_ROLE_group_value: return joined(c, at, true, 0);
    case NF_ROLE_select: return selected(c, at, type);
    case NF_ROLE_phi: return phi(c, at, type);
    case NF_ROLE_return: return_value(c, at); return nothing;
    case NF_ROLE_atomic: return atomic(c, at, type);
    case NF_ROLE_block_read: return load_from(m, type, operand(c, at, 0));
    case NF_ROLE_gather: return gather(c, at, type);
    case NF_ROLE_scatter: scatter(c, at); return nothing;
    case NF_ROLE_vload: return vector_load(c, at, type);
    case NF_ROLE_vstore: vector_store(c, at); return nothing;
    case NF_ROLE_call: return call(c, at, type, m->slot[m->words[at + 3]], 4);
    case NF_ROLE_call_indirect: return call_indirect(c, at, type);
    case NF_ROLE_unknown: return unknown(c, at, nf_result_type(m, at) ? type : NULL, 1);
    default: return nothing;
    }
}

static void constrain_body(struct constrainer *c, struct nf_function *f)
{
    struct nf_module *m = c->m;
    c->f = f;
    uint32_t index = 0;
    find_slots(c, f);
    for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at)) {
        m->graph->origin = at;
        if (nf_opcode(m, at) == OpFunctionParameter) {
            m->values[m->words[at + 2]] = of_node(f->parameter_nodes[index++]);
            continue;
        }
        if (nf_opcode(m, at) == OpLabel) c->block = at;
        struct nf_value v = constrain_result(c, at);
        uint32_t id = nf_result_id(m, at);
        if (id) m->values[id] = v;
    }
    connect_phis(c);
    m->graph->origin = 0;
}

static void open_function(struct nf_module *m, struct nf_function *f)
{
    f->parameter_nodes = NF_NEW(m, uint32_t, f->parameter_count + 1);
    uint32_t at = f->parameters;
    for (uint32_t i = 0; i < f->parameter_count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionParameter) continue;
        const struct nf_type *type = nf_type(m, m->words[at + 1]);
        m->graph->origin = at;
        if (may_carry(type)) {
            struct nf_value v = type->aggregate ? fresh_content(m) : of_node(nf_node(m, 0));
            if (type->kind == NF_KIND_POINTER) m->graph->nodes[v.node].base = nf_space_of_storage(type->storage);
            f->parameter_nodes[i] = v.node;
        }
        i++;
    }
    const struct nf_type *result = nf_type(m, f->result_type);
    if (may_carry(result)) f->return_node = result->aggregate ? fresh_content(m).node : nf_node(m, 0);
    m->graph->origin = 0;
}

/* ---- The root: what a host can do ----------------------------------------------------------------------------------
 */

static void host_argument(struct nf_module *m, const struct nf_type *type, struct nf_value parameter,
                          struct nf_value host, uint32_t narrow)
{
    struct nf_graph *g = m->graph;
    nf_set space = type->kind == NF_KIND_POINTER ? nf_space_of_storage(type->storage) : 0;
    if (type->aggregate || space == NF_PRIVATE) {
        nf_copy_memory(m, parameter, host, NF_TO_END), nf_settle(m); /* by value: a private copy of host bits */
    } else if (space == NF_LOCAL) {
        nf_place_of(m, parameter);
    } else if (space) {
        nf_unify(m, parameter, host);
    } else if (type->kind == NF_KIND_POINTER) {
        g->nodes[parameter.node].base |= NF_TAGGED; /* an exported function's generic parameter */
        nf_unify(m, parameter, host);
    } else {
        nf_edge(m, type->size >= m->address_bits / 8 ? host.node : narrow, parameter.node, 0);
        nf_unify(m, parameter, host);
    }
}

static void call_from_host(struct constrainer *c, struct nf_function *f, bool share_host)
{
    struct nf_module *m = c->m;
    struct nf_graph *g = m->graph, mine = *g;
    uint32_t base = copy_callee(c, f, share_host);
    if (!share_host) {
        g->host_store = nf_template_host(NF_HOST_STORE, base);
        g->host_wide = nf_template_host(NF_HOST_WIDE, base);
        g->host_narrow = nf_template_host(NF_HOST_NARROW, base);
        g->host = g->nodes[g->host_store].region;
    }
    note_call(m, c->f, (struct nf_call){0, (uint32_t)(f - m->functions), base});
    struct nf_value host = of_node(g->host_wide);
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        uint32_t node = nf_template_parameter(f, i, base);
        if (node) host_argument(m, nf_type(m, parameter_type(m, f, i)), of_node(node), host, g->host_narrow);
    }
    nf_settle(m);
    g->host = mine.host;
    g->host_store = mine.host_store;
    g->host_wide = mine.host_wide;
    g->host_narrow = mine.host_narrow;
}

bool nf_is_root(const struct nf_module *m, const struct nf_function *f)
{
    bool library = m->options->library || !m->kernel_count;
    return f->body && (f->entry_at || (library && f->exported) || (!m->kernel_count && library && !f->imported));
}

/* Kernels that share writable variables share what the host's memory holds. */
static bool has_writable_variables(const struct nf_module *m)
{
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (is_writable(m, m->variables[i])) return true;
    return false;
}

static void constrain_root(struct constrainer *c)
{
    struct nf_module *m = c->m;
    c->f = &m->functions[0];
    bool share_host = has_writable_variables(m);
    c->component++;
    c->f->component = c->component;
    c->f->first_node = m->graph->node_count;
    nf_begin_host(m);
    for (uint32_t i = 1; i < m->function_count; i++)
        if (nf_is_root(m, &m->functions[i])) call_from_host(c, &m->functions[i], share_host);
    nf_settle(m);
    c->f->last_node = m->graph->node_count;
}

void nf_constrain(struct nf_module *m)
{
    uint32_t count, *order = nf_components(m, &count);
    m->order = order;
    m->order_count = count;
    struct constrainer c = {.m = m};
    struct nf_graph *g = m->graph = NF_NEW(m, struct nf_graph, 1);
    g->node_count = g->edge_count = g->region_count = g->copy_count = g->link_count = 1;
    NF_RESERVE(m, g->nodes, g->node_capacity, (size_t)m->bound / 8 + 16);
    NF_RESERVE(m, g->regions, g->region_capacity, (size_t)m->bound / 16 + 8);
    m->values = NF_NEW(m, struct nf_value, m->bound);
    uint32_t capacity[4] = {0};
    NF_RESERVE(m, c.made_in, capacity[0], m->bound);
    NF_RESERVE(m, c.slots, capacity[1], m->bound);
    NF_RESERVE(m, c.stored, capacity[2], m->bound);
    NF_RESERVE(m, c.stored_in, capacity[3], m->bound);
    for (uint32_t i = 0, end; i < count; i = end) {
        uint32_t component = m->functions[order[i]].component;
        for (end = i; end < count && m->functions[order[end]].component == component; end++)
            continue;
        c.component = component;
        uint32_t first = g->node_count;
        nf_begin_host(m);
        for (uint32_t k = i; k < end; k++) {
            m->functions[order[k]].host_store = g->host_store;
            m->functions[order[k]].host = g->host;
            open_function(m, &m->functions[order[k]]);
        }
        for (uint32_t k = i; k < end; k++)
            if (m->functions[order[k]].body) constrain_body(&c, &m->functions[order[k]]);
        nf_settle(m);
        for (uint32_t k = i; k < end; k++) {
            m->functions[order[k]].first_node = first;
            m->functions[order[k]].last_node = g->node_count;
        }
        for (uint32_t k = i; k < end; k++)
            if (m->functions[order[k]].body) nf_summarize_function(m, &m->functions[order[k]]);
    }
    c.component = count;
    constrain_root(&c);
    nf_drop(m, c.made_in);
    nf_drop(m, c.slots);
    nf_drop(m, c.stored);
    nf_drop(m, c.stored_in);
    nf_drop(m, c.phis);
}
