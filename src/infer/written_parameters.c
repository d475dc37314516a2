/* SPDX-License-Identifier: Apache-2.0 */
/*
 * written_parameters.c - parameters through which memory may be written, in the function itself or in its callees.
 *
 *     int first(struct s *p) { return p->x; }         p: only read
 *     void raise(struct s *p) { p->x++; }             p: written
 *     kernel void k(struct s a, struct s b)           a: only read, although its address is passed on
 *     { first(&a); raise(&b); }                       b: written
 *
 * Values of a function that may point into one object form a class: access chains, casts and copies with their base,
 * phis and selects with their operands, and a promotable variable with what is stored into it. A class is written if a
 * pointer of it has any use other than a read, a comparison, or an argument of a function with a body. The latter makes
 * the class written if the callee's parameter is; this is the least fixed point, so that recursive functions that only
 * read are found. The hard case is an address that escapes (an integer, memory, a result, an import): later writes
 * through it are not seen, so that it counts as written.
 *
 * needs: types, promotable.  gives: nf_analysis.written_parameters.
 */
#include "infer/internal.h"

/* An argument of a call: a value of the class `argument` is passed as the parameter in whose list this is. */
struct passed {
    uint32_t argument, next;
};

struct tracer {
    struct nf_module *m;
    uint32_t *class_of; /* by id: another id of the same class, or 0 for the class's representative */
    bool *written;      /* by representative */
    struct passed *passed;
    uint32_t passed_count, passed_capacity;
    uint32_t *passed_as; /* by id of a parameter: its arguments, an index into `passed` */
    uint32_t *parameters, parameter_count, parameter_capacity; /* ids of those that may point to private memory */
    uint32_t *worklist, waiting, worklist_capacity;
};

/* Returns the representative of the class, and shortens the path to it. */
static uint32_t class_of(struct tracer *t, uint32_t id)
{
    uint32_t *up = t->class_of;
    while (up[id]) {
        if (up[up[id]]) up[id] = up[up[id]];
        id = up[id];
    }
    return id;
}

/* Returns true if `id` is a pointer, in a function, that may point to private memory. */
static bool is_traced(const struct nf_module *m, uint32_t id)
{
    if (m->def[id] < m->body_at) return false;
    const struct nf_type *type = nf_type_of(m, id);
    return type->kind == NF_KIND_POINTER &&
           (type->storage == NF_STORAGE_FUNCTION || type->storage == NF_STORAGE_GENERIC);
}

static void unite(struct tracer *t, uint32_t a, uint32_t b)
{
    if (!is_traced(t->m, a) || !is_traced(t->m, b)) return;
    a = class_of(t, a);
    b = class_of(t, b);
    if (a == b) return;
    t->class_of[a] = b;
    t->written[b] |= t->written[a];
}

static bool is_promotable(const struct tracer *t, uint32_t id)
{
    return t->m->analysis->promotable[id];
}

static void mark_written(struct tracer *t, uint32_t id)
{
    uint32_t class = class_of(t, id);
    if (t->written[class]) return;
    t->written[class] = true;
    NF_RESERVE(t->m->arena, t->worklist, t->worklist_capacity, (size_t)t->waiting + 1);
    t->worklist[t->waiting++] = class;
}

/* Records the arguments of a call of a function with a body. */
static void note_arguments(struct tracer *t, uint32_t at, const struct nf_function *callee)
{
    enum { FIRST_ARGUMENT = 4 };
    struct nf_module *m = t->m;
    uint32_t index = at + FIRST_ARGUMENT;
    for (uint32_t p = callee->parameters; p < callee->body && index < nf_next(m, at); p = nf_next(m, p)) {
        if (nf_opcode(m, p) != OpFunctionParameter) continue;
        uint32_t argument = m->words[index++], parameter = m->words[p + 2];
        if (!is_traced(m, argument)) continue;
        NF_RESERVE(m->arena, t->passed, t->passed_capacity, (size_t)t->passed_count + 1);
        t->passed[t->passed_count] = (struct passed){argument, t->passed_as[parameter]};
        t->passed_as[parameter] = t->passed_count++;
    }
}

/* Returns the function that the instruction calls, if it has a body; otherwise NULL. */
static const struct nf_function *called_body(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpFunctionCall) return NULL;
    const struct nf_function *callee = &m->functions[m->index_of[m->words[at + 3]]];
    return callee->body ? callee : NULL;
}

/* Returns true if the instruction's result points into the same object as one of its pointer operands. */
static bool moves_pointer(const struct nf_module *m, uint32_t at)
{
    enum nf_role role = nf_role_at(m, at);
    if (!nf_derives_pointer(role) && role != NF_ROLE_phi && role != NF_ROLE_select) return false;
    return is_traced(m, nf_result_id(m, at));
}

static void unite_operands(struct tracer *t, uint32_t at)
{
    const struct nf_module *m = t->m;
    uint32_t result = nf_result_id(m, at);
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);)
        unite(t, m->words[at + ids.at], result);
}

/* Returns true if the word `index` of an instruction that moves no pointer is a use that neither writes through the
 * pointer there nor lets its address escape. */
static bool is_harmless(const struct tracer *t, uint32_t at, uint32_t index)
{
    const struct nf_module *m = t->m;
    enum nf_role role = nf_role_at(m, at);
    if (role == NF_ROLE_load || role == NF_ROLE_compare || role == NF_ROLE_cast) return true;
    if (role == NF_ROLE_copy_memory) return index == 2;
    if (nf_opcode(m, at) == OpStore) return is_promotable(t, m->words[at + 1]);
    if (role == NF_ROLE_touch) return is_promotable(t, m->words[at + index]);
    return nf_debug_at(m, at) != NF_DEBUG_NONE;
}

static void mark_uses(struct tracer *t, uint32_t at)
{
    const struct nf_module *m = t->m;
    for (struct nf_ids ids = nf_ids_at(m, at); nf_ids_next(&ids);) {
        uint32_t id = m->words[at + ids.at];
        if (is_traced(m, id) && !is_harmless(t, at, ids.at)) mark_written(t, id);
    }
}

/* Marks what an unknown instruction may use: any word of it may be an id. */
static void mark_words(struct tracer *t, uint32_t at)
{
    const struct nf_module *m = t->m;
    for (uint32_t i = 1; i < nf_length(m, at); i++)
        if (m->words[at + i] < m->bound && is_traced(m, m->words[at + i])) mark_written(t, m->words[at + i]);
}

static void note_parameter(struct tracer *t, uint32_t id)
{
    if (!is_traced(t->m, id)) return;
    NF_RESERVE(t->m->arena, t->parameters, t->parameter_capacity, (size_t)t->parameter_count + 1);
    t->parameters[t->parameter_count++] = id;
}

/* Returns true if the opcode has no operand that is traced: arithmetic and branches, which are most of a kernel, and
 * variables, whose initializers are of the module scope. */
static bool takes_no_pointer(uint32_t opcode)
{
    bool computes = opcode >= OpSNegate && opcode <= OpBitCount && opcode != OpSelect;
    return computes || (opcode >= OpLoopMerge && opcode <= OpBranchConditional) || opcode == OpVariable;
}

/* Unites the classes that the instruction joins, and marks those that it writes. */
static void visit(struct tracer *t, uint32_t at)
{
    struct nf_module *m = t->m;
    const uint32_t *words = m->words + at;
    uint32_t opcode = nf_opcode(m, at);
    if (takes_no_pointer(opcode)) return;
    const struct nf_function *callee = called_body(m, at);
    if (opcode == OpFunctionParameter)
        note_parameter(t, words[2]);
    else if (callee)
        note_arguments(t, at, callee);
    else if (opcode == OpLoad && is_promotable(t, words[3]))
        unite(t, words[2], words[3]);
    else if (opcode == OpStore && is_promotable(t, words[1]))
        unite(t, words[1], words[2]);
    else if (nf_is_unknown(nf_op_find(opcode)))
        mark_words(t, at);
    else if (moves_pointer(m, at))
        unite_operands(t, at);
    else
        mark_uses(t, at);
}

/* Marks the arguments of each call whose parameter is written. */
static void mark_callers(struct tracer *t, const uint32_t *first_parameter, const uint32_t *next_parameter)
{
    while (t->waiting) {
        uint32_t class = class_of(t, t->worklist[--t->waiting]);
        for (uint32_t p = first_parameter[class]; p; p = next_parameter[p])
            for (uint32_t i = t->passed_as[p]; i; i = t->passed[i].next)
                mark_written(t, t->passed[i].argument);
    }
}

bool nf_is_by_value(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpFunctionParameter) return false;
    const struct nf_type *type = nf_type(m, m->words[at + 1]);
    return type->kind == NF_KIND_POINTER && type->storage == NF_STORAGE_FUNCTION && type->element;
}

static bool has_by_value_argument(const struct nf_module *m)
{
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        if (!f->entry_at) continue;
        for (uint32_t at = f->parameters; at < f->body; at = nf_next(m, at))
            if (nf_is_by_value(m, at)) return true;
    }
    return false;
}

void nf_find_written_parameters(struct nf_module *m)
{
    if (m->options->mode == NF_MODE_HINT || !has_by_value_argument(m)) return;
    struct tracer t = {.m = m, .passed_count = 1};
    bool *written = NF_NEW(m->arena, bool, m->bound);
    t.class_of = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    t.written = NF_NEW_ARRAY(m->arena, bool, m->bound);
    t.passed_as = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    uint32_t *first_parameter = NF_NEW_ARRAY(m->arena, uint32_t, m->bound); /* by representative of a class */
    uint32_t *next_parameter = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);  /* by parameter: another of its class */
    NF_RESERVE(m->arena, t.passed, t.passed_capacity, 1);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        visit(&t, at);
    for (uint32_t i = 0; i < t.parameter_count; i++) {
        uint32_t id = t.parameters[i], class = class_of(&t, id);
        next_parameter[id] = first_parameter[class];
        first_parameter[class] = id;
    }
    mark_callers(&t, first_parameter, next_parameter);
    for (uint32_t i = 0; i < t.parameter_count; i++)
        written[t.parameters[i]] = t.written[class_of(&t, t.parameters[i])];
    m->analysis->written_parameters = written;
    void *const arrays[] = {t.class_of, t.written, t.passed_as, first_parameter, next_parameter};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        nf_arena_drop(m->arena, arrays[i]);
}
