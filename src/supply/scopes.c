/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scopes.c - scopes and memory semantics that are computed, for a device that wants to read them in the module.
 *
 *     %order = OpFunctionParameter %uint                    every call passes %uint_0 or %uint_4
 *     %semantics = OpFunctionCall %uint %mask_of %order     it returns 896, 898, 900, 904 or 912
 *     %old = OpAtomicIAdd %uint %p %scope %semantics %one
 *
 *     %old = OpAtomicIAdd %uint %p %uint_1 %uint_912 %one
 *
 * SYCL's atomics and barriers take both as arguments of functions, so in unoptimized modules they are parameters, loads
 * of private variables and results of calls. What values such an operand can have is found through all of these. One
 * value stands for itself. Of several the strongest serves all: an order that is stronger than asked for, or a wider
 * scope of memory, allows nothing that the weaker one forbids. The same is said where nothing is known.
 *
 * The hard case: which work-items meet is no matter of strength. A barrier or a group operation whose execution scope is
 * not known stays as it is.
 *
 * needs: read, types.  gives: another module, to be read again.
 */
#include "supply/supply.h"

enum {
    MAX_VALUES = 24,
    ORDERS = NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE | NF_SEMANTICS_ACQUIRE_RELEASE |
             NF_SEMANTICS_SEQUENTIALLY_CONSISTENT,
    ALL_MEMORY = NF_SEMANTICS_SUBGROUP_MEMORY | NF_SEMANTICS_WORKGROUP_MEMORY | NF_SEMANTICS_CROSS_WORKGROUP_MEMORY
};

/* The values that a scalar can have. */
struct values {
    bool any; /* nothing is known */
    uint32_t count;
    uint64_t at[MAX_VALUES];
};

struct use {
    uint32_t at, next; /* the instruction; index of the next use of the same id, 0: none */
};

struct scopes {
    struct nf_edit to;
    uint32_t *first_use; /* by id: index into uses */
    struct use *uses;
    uint32_t use_count, use_capacity;
    uint32_t *known;       /* by id: index into values, 0: not asked for */
    struct values *values; /* in the order in which they were asked for */
    uint32_t *ids;         /* whose they are */
    uint32_t count, capacity, id_capacity;
};

/* ---- Which operands ---- */

/* Words of the instruction: scopes of memory, and semantics; 0: none. */
struct operands {
    uint32_t scope, semantics[2];
};

static struct operands operands_of(const struct nf_module *m, uint32_t at)
{
    enum { CONTROL_BARRIER = 224, MEMORY_BARRIER = 225, ARRIVE = 6142, WAIT = 6143 };
    uint32_t opcode = nf_opcode(m, at), first = nf_operand_at(m, at, 0) - at;
    bool exchange = opcode == OpAtomicCompareExchange || opcode == OpAtomicCompareExchangeWeak;
    if (nf_role_at(m, at) == NF_ROLE_atomic && nf_operand_count(m, at) >= 3)
        return (struct operands){first + 1, {first + 2, exchange ? first + 3 : 0}};
    if (opcode == CONTROL_BARRIER || opcode == ARRIVE || opcode == WAIT) return (struct operands){2, {3, 0}};
    if (opcode == MEMORY_BARRIER) return (struct operands){1, {2, 0}};
    return (struct operands){0, {0, 0}};
}

static bool is_computed(const struct nf_module *m, uint32_t id)
{
    return m->def[id] > m->body_at;
}

/* Wider than anything that the device has: nobody outside of it can see what it writes meanwhile. */
static bool is_too_wide(const struct nf_module *m, uint32_t id)
{
    int64_t scope;
    return m->options->profile->flags & NF_PROFILE_DEVICE_SCOPE && nf_constant(m, id, &scope) &&
           scope == NF_SCOPE_CROSS_DEVICE;
}

static bool has_any(const struct nf_module *m, uint32_t at)
{
    struct operands o = operands_of(m, at);
    const uint32_t words[] = {o.scope, o.semantics[0], o.semantics[1]};
    for (size_t i = 0; i < 3; i++)
        if (words[i] && is_computed(m, m->words[at + words[i]])) return true;
    return o.scope && is_too_wide(m, m->words[at + o.scope]);
}

/* ---- Sets of values ---- */

static uint64_t cut(const struct nf_module *m, uint32_t id, uint64_t value)
{
    uint64_t size = nf_type_of(m, id)->size;
    return size && size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

static void add(struct values *set, uint64_t value)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i] == value) return;
    if (set->count == MAX_VALUES)
        set->any = true;
    else
        set->at[set->count++] = value;
}

static void add_all(struct values *set, const struct values *other)
{
    set->any |= other->any;
    for (uint32_t i = 0; i < other->count; i++)
        add(set, other->at[i]);
}

/* ---- What a value is made of ---- */

static void note_use(struct scopes *s, uint32_t id, uint32_t at)
{
    NF_RESERVE(s->to.m->arena, s->uses, s->use_capacity, (size_t)s->use_count + 1);
    s->uses[s->use_count] = (struct use){at, s->first_use[id]};
    s->first_use[id] = s->use_count++;
}

/* Calls by function, accesses by variable. */
static void find_uses(struct scopes *s)
{
    const struct nf_module *m = s->to.m;
    s->first_use = NF_NEW(m->arena, uint32_t, m->bound);
    note_use(s, 0, 0);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        struct nf_operands walk = nf_walk(m, at);
        while (nf_operands_next(&walk)) {
            uint32_t id = walk.kind == NF_OPERAND_ID ? m->words[at + walk.at] : 0, def = m->def[id];
            if (def && (nf_opcode(m, def) == OpFunction || nf_opcode(m, def) == OpVariable)) note_use(s, id, at);
        }
    }
}

static const struct values *ask(struct scopes *s, uint32_t id);

static void of_parameter(struct scopes *s, uint32_t id, struct values *set)
{
    const struct nf_module *m = s->to.m;
    const struct nf_function *f = nf_function_around(m, m->def[id]);
    uint32_t index = nf_parameter_index(m, f, m->def[id]);
    set->any |= f->entry_at || f->address_taken;
    for (uint32_t use = s->first_use[f->id]; use; use = s->uses[use].next) {
        uint32_t at = s->uses[use].at;
        if (nf_opcode(m, at) == OpFunctionCall && m->words[at + 3] == f->id && at + 4 + index < nf_next(m, at))
            add_all(set, ask(s, m->words[at + 4 + index]));
        else
            set->any = true;
    }
}

static void of_call(struct scopes *s, uint32_t at, struct values *set)
{
    const struct nf_module *m = s->to.m;
    const struct nf_function *f = &m->functions[m->index_of[m->words[at + 3]]];
    set->any |= !f->body;
    for (uint32_t in = f->body; in && in < f->end; in = nf_next(m, in))
        if (nf_opcode(m, in) == OpReturnValue) add_all(set, ask(s, m->words[in + 1]));
}

/* A private variable that is loaded and stored as a whole, and nothing else. */
static void of_variable(struct scopes *s, uint32_t variable, struct values *set)
{
    const struct nf_module *m = s->to.m;
    uint32_t def = m->def[variable];
    if (nf_length(m, def) > 4) add_all(set, ask(s, m->words[def + 4]));
    for (uint32_t use = s->first_use[variable]; use; use = s->uses[use].next) {
        uint32_t at = s->uses[use].at, opcode = nf_opcode(m, at);
        if (opcode == OpStore && m->words[at + 1] == variable && m->words[at + 2] != variable)
            add_all(set, ask(s, m->words[at + 2]));
        else if (opcode != OpLoad && opcode != OpLifetimeStart && opcode != OpLifetimeStop &&
                 nf_debug_at(m, at) == NF_DEBUG_NONE)
            set->any = true;
    }
}

static void of_table(struct scopes *s, uint32_t constant, struct values *set)
{
    const struct nf_module *m = s->to.m;
    uint32_t at = m->def[constant];
    if (nf_opcode(m, at) == OpConstantNull)
        add(set, 0);
    else if (nf_opcode(m, at) != OpConstantComposite)
        set->any = true;
    for (uint32_t i = 3; nf_opcode(m, at) == OpConstantComposite && i < nf_length(m, at); i++)
        add_all(set, ask(s, m->words[at + i]));
}

/* A table of numbers is loaded from by a chain of two indices. */
static void of_load(struct scopes *s, uint32_t at, struct values *set)
{
    const struct nf_module *m = s->to.m;
    uint32_t pointer = m->words[at + 3], def = m->def[pointer], base = def, first = nf_operand_at(m, def, 0);
    if (nf_role_at(m, def) == NF_ROLE_chain && nf_opcode(m, def) != OpSpecConstantOp) base = m->def[m->words[first]];
    const struct nf_type *type =
        nf_opcode(m, base) == OpVariable ? nf_type(m, nf_type_of(m, m->words[base + 2])->element) : nf_type(m, 0);
    bool constant =
        nf_opcode(m, base) == OpVariable && nf_length(m, base) > 4 &&
        (m->words[base + 3] == NF_STORAGE_UNIFORM_CONSTANT || (m->linkage[m->words[base + 2]] & NF_IS_CONSTANT) != 0);
    bool table = base != def && type->kind == NF_KIND_ARRAY && type->element == m->words[at + 1];
    if (constant && table)
        of_table(s, m->words[base + 4], set);
    else if (base == def && nf_opcode(m, def) == OpVariable && m->words[def + 3] == NF_STORAGE_FUNCTION)
        of_variable(s, pointer, set);
    else
        set->any = true;
}

static uint64_t extended(const struct nf_module *m, uint32_t id, uint64_t value)
{
    uint64_t size = nf_type_of(m, id)->size, sign = size ? UINT64_C(1) << (8 * size - 1) : 0;
    return (value ^ sign) - sign;
}

/* @return false when the instruction is none that is computed here. */
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
    case OpSConvert: *value = extended(m, m->words[at + 3], left); break;
    case OpUConvert: *value = left; break;
    default: return false;
    }
    *value = cut(m, m->words[at + 2], *value);
    return true;
}

static void of_operation(struct scopes *s, uint32_t at, struct values *set)
{
    static const struct values none = {.count = 1};
    const struct nf_module *m = s->to.m;
    uint64_t value;
    if (!compute(m, at, 0, 0, &value) || nf_type_of(m, m->words[at + 2])->kind != NF_KIND_INT) {
        set->any = true;
        return;
    }
    uint32_t second = nf_length(m, at) > 4 ? m->words[at + 4] : 0;
    if (second) ask(s, second);
    struct values left = *ask(s, m->words[at + 3]), right = second ? *ask(s, second) : none;
    set->any |= left.any || right.any;
    for (uint32_t i = 0; i < left.count; i++)
        for (uint32_t k = 0; k < right.count; k++)
            if (compute(m, at, left.at[i], right.at[k], &value)) add(set, value);
}

/* One step: what `id` can be as far as is known of what it is made of. */
static void step(struct scopes *s, uint32_t id, struct values *set)
{
    const struct nf_module *m = s->to.m;
    uint32_t at = m->def[id], end = nf_next(m, at);
    int64_t value;
    if (nf_constant(m, id, &value)) {
        add(set, cut(m, id, (uint64_t)value));
        return;
    }
    switch (nf_opcode(m, at)) {
    case OpUndef: break;
    case OpFunctionParameter: of_parameter(s, id, set); break;
    case OpFunctionCall: of_call(s, at, set); break;
    case OpLoad: of_load(s, at, set); break;
    case OpCopyObject: add_all(set, ask(s, m->words[at + 3])); break;
    case OpSelect:
        add_all(set, ask(s, m->words[at + 4]));
        add_all(set, ask(s, m->words[at + 5]));
        break;
    case OpPhi:
        for (uint32_t word = at + 3; word < end; word += 2)
            add_all(set, ask(s, m->words[word]));
        break;
    default: of_operation(s, at, set); break;
    }
}

/* What is known of `id` so far; from now on it is asked for. The pointer is good until the next question. */
static const struct values *ask(struct scopes *s, uint32_t id)
{
    struct nf_arena *arena = s->to.m->arena;
    if (!s->known[id]) {
        NF_RESERVE(arena, s->values, s->capacity, (size_t)s->count + 1);
        NF_RESERVE(arena, s->ids, s->id_capacity, (size_t)s->count + 1);
        s->ids[s->count] = id;
        s->known[id] = s->count++;
    }
    return &s->values[s->known[id]];
}

/* Sets only grow, and soon end at `any`: go round until none does. */
static void solve(struct scopes *s)
{
    bool grows = true;
    while (grows) {
        grows = false;
        for (uint32_t i = 1; i < s->count; i++) {
            struct values set = s->values[i];
            if (set.any) continue;
            uint32_t asked = s->count;
            step(s, s->ids[i], &set);
            grows |= set.any || set.count != s->values[i].count || asked != s->count;
            s->values[i] = set;
        }
    }
}

/* ---- What is written ---- */

static uint32_t widest(const struct scopes *s, const struct values *set)
{
    uint32_t limit =
        s->to.m->options->profile->flags & NF_PROFILE_DEVICE_SCOPE ? NF_SCOPE_DEVICE : NF_SCOPE_CROSS_DEVICE;
    uint64_t scope = set->any || !set->count ? NF_SCOPE_CROSS_DEVICE : set->at[0];
    for (uint32_t i = 1; i < set->count; i++)
        scope = scope < set->at[i] ? scope : set->at[i];
    return scope < limit ? limit : (uint32_t)scope;
}

/* `allowed`: a load releases nothing, a store acquires nothing. */
static uint32_t strongest(const struct values *set, uint32_t allowed)
{
    uint32_t all = 0;
    if (set->any) return NF_SEMANTICS_SEQUENTIALLY_CONSISTENT | ALL_MEMORY;
    for (uint32_t i = 0; i < set->count; i++)
        all |= (uint32_t)set->at[i];
    uint32_t order = all & ORDERS, memory = all & ~(uint32_t)ORDERS;
    if (order & NF_SEMANTICS_SEQUENTIALLY_CONSISTENT) return memory | NF_SEMANTICS_SEQUENTIALLY_CONSISTENT;
    if (set->count == 1) return all;
    if (order & NF_SEMANTICS_ACQUIRE_RELEASE) order |= NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE;
    order &= (NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE) & allowed;
    return memory | (order == (NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE) ? NF_SEMANTICS_ACQUIRE_RELEASE : order);
}

static uint32_t allowed_orders(const struct nf_module *m, uint32_t at, bool unequal)
{
    uint32_t opcode = nf_opcode(m, at);
    return opcode == OpAtomicLoad || unequal ? NF_SEMANTICS_ACQUIRE
           : opcode == OpAtomicStore         ? NF_SEMANTICS_RELEASE
                                             : NF_SEMANTICS_ACQUIRE | NF_SEMANTICS_RELEASE;
}

static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    struct scopes *s = data;
    const struct nf_module *m = e->m;
    if (!has_any(m, at)) return false;
    struct operands o = operands_of(m, at);
    uint32_t start = e->out.count;
    nf_put_all(&e->out, m->words + at, nf_length(m, at));
    if (is_too_wide(m, m->words[at + o.scope]))
        e->out.at[start + o.scope] = nf_edit_number(e, NF_SCOPE_DEVICE);
    else if (is_computed(m, m->words[at + o.scope]))
        e->out.at[start + o.scope] = nf_edit_number(e, widest(s, ask(s, m->words[at + o.scope])));
    for (int i = 0; i < 2; i++) {
        uint32_t word = o.semantics[i];
        if (word && is_computed(m, m->words[at + word]))
            e->out.at[start + word] =
                nf_edit_number(e, strongest(ask(s, m->words[at + word]), allowed_orders(m, at, i == 1)));
    }
    return true;
}

bool nf_supply_scopes(struct nf_module *m, struct nf_words *out)
{
    struct scopes s = {.to = nf_edit_begin(m), .count = 1};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = has_any(m, at);
    if (!any) return false;
    s.known = NF_NEW(m->arena, uint32_t, m->bound);
    find_uses(&s);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        struct operands o = operands_of(m, at);
        const uint32_t words[] = {o.scope, o.semantics[0], o.semantics[1]};
        for (size_t i = 0; i < 3; i++)
            if (words[i] && is_computed(m, m->words[at + words[i]])) ask(&s, m->words[at + words[i]]);
    }
    solve(&s);
    *out = nf_edit_functions(&s.to, put, &s);
    return true;
}
