/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_scope.c - values of the module scope: variables, their initializers, constants and constant expressions. Those
 * that convert between addresses and integers are left in initializers only (prepare/address_constants.c).
 *
 *     %table = OpVariable ... %initializer      the initializer's parts are stored into the variable
 *     %g = OpSpecConstantOp PtrCastToGeneric %v     g is v
 *
 * The values are made again for each SCC of the call graph that uses them (`made_in`), because each SCC has a summary
 * of its own. calls.c unifies the variables of a summary with the caller's. The hard case is an initializer that
 * contains the address of its own variable, directly or through others: an id carries nothing while its value is made,
 * so the recursion ends.
 *
 * needs: types and initializers.  gives: values of the ids of the module scope, for the current SCC.
 */
#include "infer/internal.h"

/* Returns true if the type contains an array, or may contain one because it is nested too deeply. */
static bool has_array(const struct nf_module *m, const struct nf_type *type, int depth)
{
    if (type->kind == NF_KIND_ARRAY || depth > 8) return true;
    for (uint32_t i = 0; type->kind == NF_KIND_STRUCT && i < type->count; i++)
        if (has_array(m, nf_type(m, nf_member_type(m, type->at, i)), depth + 1)) return true;
    return false;
}

/* Notes that an array of numbers or of vectors, if larger than a word, may be storage for other types. Returns true for
 * an array of numbers: the accesses then determine its layout. */
static bool note_storage(struct nf_module *m, const struct nf_type *array, struct nf_value at)
{
    const struct nf_type *scalar = nf_scalar_of(m, nf_type(m, array->element));
    bool numbers = scalar->kind == NF_KIND_INT || scalar->kind == NF_KIND_FLOAT;
    if (numbers && array->size > nf_word_size(m)) nf_note_use_at(m, at, NF_RAW);
    return numbers && scalar->id == array->element;
}

/* Declares the arrays inside a variable of that type, before any access. The elements of short arrays stay separate
 * until an index is not constant. `first`: a struct begins at this position, so pointer arithmetic that starts here may
 * traverse the whole struct. */
static void declare_arrays(struct nf_module *m, const struct nf_type *type, struct nf_value at, int depth, bool first)
{
    enum { SHORT = 16 };
    if (depth > 8) return;
    if (type->inexact) {
        nf_smear_offsets(m, at, 1, 0, 0);
    } else if (type->kind == NF_KIND_ARRAY) {
        const struct nf_type *element = nf_type(m, type->element);
        if (note_storage(m, type, at)) return;
        if (type->count > 1 && type->count <= SHORT && element->size && !has_array(m, element, depth))
            nf_declare_array(m, at, nf_size_of(element), type->count, first ? NF_OPEN : nf_closed_element(element));
        else if (type->count > 1 && element->size)
            nf_smear_offsets(m, at, nf_size_of(element), type->count, first ? NF_OPEN : nf_closed_element(element));
        declare_arrays(m, element, at, depth + 1, first);
    } else if (type->kind == NF_KIND_STRUCT) {
        bool numbers = type->size > nf_word_size(m);
        for (uint32_t i = 0; i < type->count; i++) {
            const struct nf_type *member = nf_type(m, nf_member_type(m, type->at, i));
            bool begins = !type->offsets[i] && (first || member->size < type->size);
            declare_arrays(m, member, nf_offset_by(at, type->offsets[i]), depth + 1, begins);
            numbers &= member->kind == NF_KIND_INT || member->kind == NF_KIND_FLOAT;
        }
        if (numbers) nf_note_use_at(m, at, NF_RAW);
    }
}

struct nf_value nf_new_variable(struct nf_constrainer *c, uint32_t at, nf_set space)
{
    struct nf_module *m = c->m;
    const struct nf_type *pointer = nf_type(m, nf_value_type(m, at));
    struct nf_value v = nf_of_node(nf_node(m, space));
    bool untyped = nf_opcode(m, at) == OpUntypedVariableKHR;
    uint32_t pointee = untyped && nf_length(m, at) > 4 ? nf_untyped_variable_type(m, at) : pointer->element;
    uint32_t index = untyped ? 2 : 1; /* operand index of the initializer */
    nf_place_of(m, v);
    declare_arrays(m, nf_type(m, pointee), v, 0, false);
    if (nf_operand_count(m, at) > index) {
        uint32_t initializer = nf_value_operand(m, at, index);
        const struct nf_type *type = nf_type_of(m, initializer), *part = type;
        while (part->kind == NF_KIND_ARRAY)
            part = nf_type(m, part->element);
        bool carries = nf_value_of(c, initializer).node || nf_opcode(m, m->def[initializer]) == OpConstantNull;
        if (type->aggregate ? carries : nf_is_tracked_type(m, type)) nf_store_value(c, initializer, v);
        if (part != type && part->kind == NF_KIND_INT && !nf_is_tracked_type(m, part) && !nf_is_zero(m, initializer))
            nf_note_use_at(m, v, NF_CUT); /* llvm-spirv makes such arrays of bytes for memset() */
    }
    return v;
}

bool nf_is_writable_variable(const struct nf_module *m, uint32_t id)
{
    return nf_space_of(m, nf_type(m, nf_value_type(m, m->def[id]))) == NF_GLOBAL && !(m->linkage[id] & NF_IS_CONSTANT);
}

bool nf_has_writable_variables(const struct nf_module *m)
{
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (nf_is_writable_variable(m, m->variables[i])) return true;
    return false;
}

/* Returns the address of a module-scope variable: the host may write a global one, another module define an import. */
static struct nf_value module_variable(struct nf_constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    uint32_t at = m->def[id];
    nf_set space = nf_space_of_storage(nf_type(m, nf_value_type(m, at))->storage);
    if (!space) return nf_nothing;
    struct nf_value v = nf_new_variable(c, at, space);
    m->analysis->values[id] = v;
    struct nf_value host = nf_of_node(m->graph->host_wide);
    bool imported = (m->linkage[id] & ~NF_IS_CONSTANT) == 1 + NF_LINKAGE_IMPORT;
    if (imported)
        nf_unify(m, v, host);
    else if (nf_is_writable_variable(m, id))
        nf_copy_memory(m, v, host, NF_TO_END), nf_run_pending(m);
    return v;
}

/* ---- Counts and null pointers that merge with addresses ---- */

/* Returns the evidence of a value without a node: of a null structure or array, of a pointer, which is null, or of an
 * integer, float or vector as wide as an address; else 0. Parts of a vector may be any bits of an address. */
static nf_set evidence_of_constant(struct nf_constrainer *c, uint32_t id)
{
    const struct nf_type *type = nf_type_of(c->m, id);
    uint32_t opcode = nf_opcode(c->m, c->m->def[id]);
    bool number = type->kind <= NF_KIND_VECTOR && nf_is_tracked_type(c->m, type);
    if (opcode == OpUndef || nf_value_of(c, id).node) return 0;
    if (type->kind == NF_KIND_POINTER || (opcode == OpConstantNull && type->aggregate)) return NF_NULL;
    if (!number) return 0;
    if (nf_is_zero(c->m, id)) return NF_NULL;
    return nf_is_far(c, id) || nf_is_joined_vector(c->m, type) ? NF_NUMBER : NF_COUNT;
}

struct nf_value nf_value_or_count(struct nf_constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type_of(m, id);
    nf_set evidence = evidence_of_constant(c, id);
    if (!evidence) return nf_value_of(c, id);
    if (evidence == NF_NUMBER) return nf_as_aggregate(m, type, nf_make_number(m));
    struct nf_value v = nf_of_node(nf_node(m, evidence));
    if (type->aggregate) nf_note_use_at(m, v, evidence);
    return v;
}

/* Returns true for a constant that cannot have bits of an address: no expression, and no vector of expressions. */
static bool is_plain_constant(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id], opcode = nf_opcode(m, at);
    if (at >= m->body_at || opcode == OpSpecConstantOp) return false;
    bool composite = opcode == OpConstantComposite || opcode == OpSpecConstantComposite;
    if (!composite || nf_type_of(m, id)->kind != NF_KIND_VECTOR) return true;
    for (uint32_t i = 0; i < nf_constituent_count(m, at); i++)
        if (!is_plain_constant(m, nf_constituent(m, at, i))) return false;
    return true;
}

/* Storing a zero adds no address. Storing another scalar to a part of a pointer-sized word makes the word a number. So
 * does storing an aggregate without a node: it has only short constants. */
void nf_store_value(struct nf_constrainer *c, uint32_t id, struct nf_value address)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type_of(m, id);
    nf_set evidence = type->aggregate ? 0 : evidence_of_constant(c, id);
    uint32_t cell = evidence & (NF_NULL | NF_COUNT) ? nf_cell_at(m, address, nf_size_of(type), true) : 0;
    struct nf_value v = cell ? nf_nothing : nf_value_or_count(c, id);
    if (cell)
        m->graph->nodes[cell].base |= evidence;
    else if (nf_is_tracked_type(m, type) && (v.node || !type->aggregate))
        nf_store_to(m, type, address, v);
    else if (!type->aggregate || nf_opcode(m, m->def[id]) != OpUndef)
        nf_write_part(m, address, nf_size_of(type), nf_is_zero(m, id));
}

/* Stores a constituent into `*content`, which is made for the first one, if it matters: if it carries an address or a
 * number that needs a node, or is a variable number narrower than an address, and so may be a part of a pointer-sized
 * word. Tables of short constants would need too many nodes; so would tables of far constants, if a word of them were
 * not marked itself. */
static void store_constituent(struct nf_constrainer *c, const struct nf_type *part, uint32_t id,
                              struct nf_value *content, uint32_t position)
{
    nf_set evidence = evidence_of_constant(c, id);
    bool plain = nf_is_tracked_type(c->m, part) || is_plain_constant(c->m, id);
    if (plain && !evidence && !nf_value_of(c, id).node) return;
    if (!content->node) *content = nf_fresh_content(c->m);
    struct nf_value address = nf_offset_by(*content, position);
    if (evidence == NF_NUMBER && part->kind <= NF_KIND_FLOAT)
        nf_write_part(c->m, address, nf_size_of(part), false);
    else
        nf_store_value(c, id, address);
}

struct nf_value nf_construct(struct nf_constrainer *c, const struct nf_type *type, uint32_t at)
{
    struct nf_module *m = c->m;
    struct nf_value content = nf_nothing;
    uint32_t position = 0;
    if (!type->aggregate) return nf_nothing;
    for (uint32_t member = 0; member < nf_constituent_count(m, at); member++) {
        uint32_t id = nf_constituent(m, at, member);
        const struct nf_type *part = nf_type_of(m, id);
        if (type->kind == NF_KIND_STRUCT && member < type->count) position = type->offsets[member];
        store_constituent(c, part, id, &content, position);
        position += part->kind == NF_KIND_VECTOR && type->kind == NF_KIND_VECTOR
                        ? part->count * nf_size_of(nf_type(m, part->element))
                        : nf_size_of(part);
    }
    return content;
}

/* Returns the value of a constant that is computed from the operands at `at`, or exposes them if it is too short for an
 * address. `opcode`: the opcode of the constant expression; 0 for a vector of parts of addresses. */
static struct nf_value computed(struct nf_constrainer *c, uint32_t at, const struct nf_type *type, uint32_t opcode)
{
    struct nf_module *m = c->m;
    bool whole = nf_is_tracked_type(m, type), converts = opcode == OpUConvert || opcode == OpSConvert;
    bool number = whole && opcode && !converts && type->kind == NF_KIND_INT;
    struct nf_value result = nf_nothing;
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);) {
        struct nf_value v = nf_scalar_value(c, nf_current_id(&ids));
        number |= whole && !opcode && !is_plain_constant(m, nf_current_id(&ids));
        if (!whole) nf_expose(m, v);
        if (!v.node || !whole) continue;
        if (!result.node && opcode && nf_length(m, at) == 5) return v;
        if (!result.node) result = nf_of_node(nf_node(m, opcode == OpSelect ? 0 : NF_LOOSE));
        nf_flow(m, v, result);
        if (opcode != OpSelect) nf_smear_offsets(m, result, 1, 0, 0);
    }
    return result.node || !number ? result : nf_make_number(m);
}

static struct nf_value constant_operation(struct nf_constrainer *c, uint32_t at)
{
    struct nf_module *m = c->m;
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    uint32_t opcode = nf_spec_opcode(m, at);
    if (nf_is_number_constant(m, nf_value_id(m, at))) return nf_number_pointer(m);
    if (nf_op_find(opcode)->role == NF_ROLE_chain) return nf_as_typed(m, type, nf_chain_value(c, at));
    return nf_as_typed(m, type, nf_as_aggregate(m, type, computed(c, at, type, opcode)));
}

static struct nf_value make_global(struct nf_constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    uint32_t at = m->def[id];
    if (!nf_result_type(m, at)) return nf_nothing;
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    switch (nf_opcode(m, at)) {
    case OpVariable:
    case OpUntypedVariableKHR: return module_variable(c, id);
    case OpConstantComposite:
    case OpSpecConstantComposite: return type->aggregate ? nf_construct(c, type, at) : computed(c, at, type, 0);
    case OpSpecConstantOp: return constant_operation(c, at);
    case OpConstantFunctionPointerINTEL: return nf_of_node(nf_node(m, NF_CODE));
    default: return nf_nothing;
    }
}

struct nf_value nf_make_global(struct nf_constrainer *c, uint32_t id)
{
    struct nf_module *m = c->m;
    c->made_in[id] = c->component;
    m->analysis->values[id] = nf_nothing; /* an initializer may lead back to the variable */
    m->analysis->values[id] = make_global(c, id);
    return m->analysis->values[id];
}

struct nf_value nf_chain_value(struct nf_constrainer *c, uint32_t at)
{
    uint32_t base = nf_chain_base(c->m, at);
    return base ? nf_chain(c, nf_value_of(c, base), at) : nf_nothing;
}
