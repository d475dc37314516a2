/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_sets.c - the sets of values that scalars and pointers may have.
 *
 *     %order = OpFunctionParameter %uint           every call passes %uint_0 or %uint_4                     0, 4
 *     %mask = OpFunctionCall %uint %mask_of %order it returns 896 or 912                                    896, 912
 *     %format = OpLoad %ptr_uchar %slot            all stores to %slot are of the address of %a or %b       %a, %b
 *
 * Unoptimized modules keep all values in private variables and pass them through parameters and results. The set of a
 * pointer has the ids of the variables at whose first byte it may point.
 *
 * The hard case: a value that the analysis does not track, or a set of more than NF_MOST_VALUES, becomes `any`.
 *
 * needs: a module that was read, and its types.  gives: the set of values of each requested id.
 */
#include "supply/internal.h"

struct use {
    uint32_t at, next; /* the instruction; index of the next use of the same id, 0: none */
};

/* ---- Sets of values ---- */

static uint64_t truncate_value(const struct nf_module *m, uint32_t id, uint64_t value)
{
    uint64_t size = nf_type_of(m, id)->size;
    return size && size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

static void add(struct nf_values *set, uint64_t value)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i] == value) return;
    if (set->count == NF_MOST_VALUES)
        set->any = true;
    else
        set->at[set->count++] = value;
}

static void add_all(struct nf_values *set, const struct nf_values *other)
{
    set->any |= other->any;
    for (uint32_t i = 0; i < other->count; i++)
        add(set, other->at[i]);
}

/* ---- Operands of a value ---- */

static bool is_zero(const struct nf_module *m, uint32_t id)
{
    int64_t value;
    return nf_opcode(m, m->def[id]) == OpConstantNull || (nf_constant(m, id, &value) && value == 0);
}

uint32_t nf_root_of(const struct nf_module *m, uint32_t id)
{
    for (;;) {
        uint32_t at = m->def[id], opcode = nf_opcode(m, at), first = at + 3, end = nf_next(m, at);
        if (opcode == OpSpecConstantOp) opcode = m->words[first++];
        bool chain = nf_op_find(opcode)->role == NF_ROLE_chain;
        if (opcode != OpBitcast && opcode != OpCopyObject && !chain) return id;
        for (uint32_t word = first + 1; chain && word < end; word++)
            if (!is_zero(m, m->words[word])) return id;
        id = m->words[first];
    }
}

static void note_use(struct nf_values_of *s, uint32_t id, uint32_t at)
{
    NF_RESERVE(s->m->arena, s->uses, s->use_capacity, (size_t)s->use_count + 1);
    s->uses[s->use_count] = (struct use){at, s->first_use[id]};
    s->first_use[id] = s->use_count++;
}

/* Indexes the uses of functions (all calls and others) and of variables (all accesses and others). */
struct nf_values_of nf_values_begin(struct nf_module *m)
{
    struct nf_values_of all = {.m = m, .count = 1}, *s = &all;
    s->known = NF_NEW(m->arena, uint32_t, m->bound);
    s->first_use = NF_NEW(m->arena, uint32_t, m->bound);
    note_use(s, 0, 0);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        struct nf_operands walk = nf_walk(m, at);
        while (nf_operands_next(&walk)) {
            uint32_t id = walk.kind == NF_OPERAND_ID ? nf_current_operand(&walk) : 0, def = m->def[id];
            if (def && (nf_opcode(m, def) == OpFunction || nf_opcode(m, def) == OpVariable)) note_use(s, id, at);
        }
    }
    return all;
}

static void collect_parameter(struct nf_values_of *s, uint32_t id, struct nf_values *set)
{
    const struct nf_module *m = s->m;
    const struct nf_function *f = nf_function_around(m, m->def[id]);
    uint32_t index = nf_parameter_index(m, f, m->def[id]);
    set->any |= f->entry_at || f->address_taken;
    for (uint32_t use = s->first_use[f->id]; use; use = s->uses[use].next) {
        uint32_t at = s->uses[use].at;
        if (nf_opcode(m, at) == OpFunctionCall && nf_callee(m, at) == f->id && at + 4 + index < nf_next(m, at))
            add_all(set, nf_values_request(s, nf_argument(m, at, index)));
        else
            set->any = true;
    }
}

static void collect_call(struct nf_values_of *s, uint32_t at, struct nf_values *set)
{
    const struct nf_module *m = s->m;
    const struct nf_function *f = nf_called_function(m, at);
    set->any |= !f->body;
    for (uint32_t in = f->body; in && in < f->end; in = nf_next(m, in))
        if (nf_opcode(m, in) == OpReturnValue) add_all(set, nf_values_request(s, nf_returned_value(m, in)));
}

/* Adds the initializer of a private variable, and the values stored to it. Sets `any` if the variable has uses other
 * than loads, stores, lifetimes and debug information. */
static void collect_variable(struct nf_values_of *s, uint32_t variable, struct nf_values *set)
{
    const struct nf_module *m = s->m;
    uint32_t def = m->def[variable];
    if (nf_length(m, def) > 4) add_all(set, nf_values_request(s, nf_variable_initializer(m, def)));
    for (uint32_t use = s->first_use[variable]; use; use = s->uses[use].next) {
        uint32_t at = s->uses[use].at, opcode = nf_opcode(m, at);
        if (opcode == OpStore && nf_store_pointer(m, at) == variable && nf_store_object(m, at) != variable)
            add_all(set, nf_values_request(s, nf_store_object(m, at)));
        else if (opcode != OpLoad && opcode != OpLifetimeStart && opcode != OpLifetimeStop &&
                 nf_debug_at(m, at) == NF_DEBUG_NONE)
            set->any = true;
    }
}

static void collect_table(struct nf_values_of *s, uint32_t constant, struct nf_values *set)
{
    const struct nf_module *m = s->m;
    uint32_t at = m->def[constant];
    if (nf_opcode(m, at) == OpConstantNull)
        add(set, 0);
    else if (nf_opcode(m, at) != OpConstantComposite)
        set->any = true;
    for (uint32_t i = 0; nf_opcode(m, at) == OpConstantComposite && i < nf_constituent_count(m, at); i++)
        add_all(set, nf_values_request(s, nf_constituent(m, at, i)));
}

/* Adds the values that a load may return: the values of a private variable, or of any element of a constant array that
 * is accessed by a chain. */
static void collect_load(struct nf_values_of *s, uint32_t at, struct nf_values *set)
{
    const struct nf_module *m = s->m;
    uint32_t pointer = nf_load_pointer(m, at), def = m->def[pointer], base = def, first = nf_operand_at(m, def, 0);
    if (nf_role_at(m, def) == NF_ROLE_chain && nf_opcode(m, def) != OpSpecConstantOp) base = m->def[m->words[first]];
    const struct nf_type *type =
        nf_opcode(m, base) == OpVariable ? nf_type(m, nf_type_of(m, nf_value_id(m, base))->element) : nf_type(m, 0);
    bool constant = nf_opcode(m, base) == OpVariable && nf_length(m, base) > 4 &&
                    (nf_variable_storage_class(m, base) == NF_STORAGE_UNIFORM_CONSTANT ||
                     (m->linkage[nf_value_id(m, base)] & NF_IS_CONSTANT) != 0);
    bool table = base != def && type->kind == NF_KIND_ARRAY && type->element == nf_value_type(m, at);
    if (constant && table)
        collect_table(s, nf_variable_initializer(m, base), set);
    else if (base == def && nf_is_variable_in(m, def, NF_STORAGE_FUNCTION))
        collect_variable(s, pointer, set);
    else
        set->any = true;
}

static uint64_t sign_extend(const struct nf_module *m, uint32_t id, uint64_t value)
{
    uint64_t size = nf_type_of(m, id)->size, sign = size ? UINT64_C(1) << (8 * size - 1) : 0;
    return (value ^ sign) - sign;
}

/* Computes the result of the operation at `at` from its operands, as `*value`. Returns false for an operation that this
 * function does not evaluate. */
static bool compute(const struct nf_module *m, uint32_t at, uint64_t left, uint64_t right, uint64_t *value)
{
    switch (nf_opcode(m, at)) {
    case OpBitwiseOr: *value = left | right; break;
    case OpBitwiseAnd: *value = left & right; break;
    case OpBitwiseXor: *value = left ^ right; break;
    case OpIAdd: *value = left + right; break;
    case OpISub: *value = left - right; break;
    case OpShiftLeftLogical: *value = right < 64 ? left << right : 0; break;
    case OpShiftRightLogical: *value = right < 64 ? left >> right : 0; break;
    case OpSConvert: *value = sign_extend(m, nf_value_operand(m, at, 0), left); break;
    case OpUConvert: *value = left; break;
    default: return false;
    }
    *value = truncate_value(m, nf_value_id(m, at), *value);
    return true;
}

static void collect_operation(struct nf_values_of *s, uint32_t at, struct nf_values *set)
{
    static const struct nf_values none = {.count = 1};
    const struct nf_module *m = s->m;
    uint64_t value;
    if (!compute(m, at, 0, 0, &value) || nf_type_of(m, nf_value_id(m, at))->kind != NF_KIND_INT) {
        set->any = true;
        return;
    }
    uint32_t second = nf_length(m, at) > 4 ? nf_value_operand(m, at, 1) : 0;
    if (second) nf_values_request(s, second);
    struct nf_values left = *nf_values_request(s, nf_value_operand(m, at, 0)),
                     right = second ? *nf_values_request(s, second) : none;
    set->any |= left.any || right.any;
    for (uint32_t i = 0; i < left.count; i++)
        for (uint32_t k = 0; k < right.count; k++)
            if (compute(m, at, left.at[i], right.at[k], &value)) add(set, value);
}

/* Adds the values that `id` may have according to the current sets of its operands. */
static void collect(struct nf_values_of *s, uint32_t id, struct nf_values *set)
{
    const struct nf_module *m = s->m;
    uint32_t at = m->def[id];
    int64_t value;
    if (nf_constant(m, id, &value)) {
        add(set, truncate_value(m, id, (uint64_t)value));
        return;
    }
    switch (nf_opcode(m, at)) {
    case OpUndef: break;
    case OpVariable: add(set, id); break;
    case OpFunctionParameter: collect_parameter(s, id, set); break;
    case OpFunctionCall: collect_call(s, at, set); break;
    case OpLoad: collect_load(s, at, set); break;
    case OpCopyObject: add_all(set, nf_values_request(s, nf_value_operand(m, at, 0))); break;
    case OpSelect:
        add_all(set, nf_values_request(s, nf_select_true(m, at)));
        add_all(set, nf_values_request(s, nf_select_false(m, at)));
        break;
    case OpPhi:
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
            add_all(set, nf_values_request(s, nf_phi_value(m, at, i)));
        break;
    default:
        if (nf_root_of(m, id) != id)
            add_all(set, nf_values_request(s, nf_root_of(m, id)));
        else
            collect_operation(s, at, set);
        break;
    }
}

const struct nf_values *nf_values_request(struct nf_values_of *s, uint32_t id)
{
    struct nf_arena *arena = s->m->arena;
    if (!s->known[id]) {
        NF_RESERVE(arena, s->values, s->capacity, (size_t)s->count + 1);
        NF_RESERVE(arena, s->ids, s->id_capacity, (size_t)s->count + 1);
        s->ids[s->count] = id;
        s->known[id] = s->count++;
    }
    return &s->values[s->known[id]];
}

/* Sets only grow and are bounded, so the iteration ends. */
void nf_values_solve(struct nf_values_of *s)
{
    bool grows = true;
    while (grows) {
        grows = false;
        for (uint32_t i = 1; i < s->count; i++) {
            struct nf_values set = s->values[i];
            if (set.any) continue;
            uint32_t before = s->count;
            collect(s, s->ids[i], &set);
            grows |= set.any || set.count != s->values[i].count || before != s->count;
            s->values[i] = set;
        }
    }
}
