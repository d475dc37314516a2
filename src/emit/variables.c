/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variables.c - declares the variables of functions and of the module.
 *
 *     OpVariable Function %uint                 u32 x5;                          in its function
 *     OpVariable UniformConstant %T %init       constant T7 x6 = {...};          in the program
 *     OpVariable CrossWorkgroup %T              global T7 x8;                    if the compiler has such variables
 *     OpVariable Workgroup %T                   local T7 x9;                     in each kernel that needs it
 *
 * OpenCL C 1.2 allows local variables in kernels only. So each kernel declares the local variables that it and its
 * callees need, and every other function gets pointers to those that it and its callees need as arguments. The hard
 * case is recursion: these variables are found by repeating until nothing changes.
 *
 * needs: functions and types.  gives: OpenCL C text and local_uses.
 */
#include "emit/internal.h"

static uint32_t storage_of(const struct nf_emitter *e, uint32_t id)
{
    return nf_type_of(e->m, id)->storage;
}

/* Writes the declaration of a variable, up to its initializer. */
static void say_declaration(struct nf_emitter *e, uint32_t id)
{
    uint32_t align = nf_decorations_of(e, id)->align, pointee = nf_type_of(e->m, id)->element;
    if (e->facts[id] & NF_ID_RAW_VARIABLE)
        nf_say_raw_type(e, pointee);
    else
        nf_say_memory_type(e, pointee);
    nf_say_char(e, ' ');
    nf_say_name(e, id, 'x');
    if (align > nf_type(e->m, pointee)->align && !(align & (align - 1)))
        nf_say_text(e, " __attribute__((aligned(%u)))", align);
}

/* ---- In functions ---- */

void nf_form_variable(struct nf_emitter *e, const struct nf_insn *i)
{
    struct nf_text *to = e->to;
    e->to = &e->declarations;
    nf_say_char(e, '\t');
    say_declaration(e, i->id);
    nf_say_string(e, ";\n");
    e->to = to;
    if (i->count > 1) {
        nf_say_name(e, i->id, 'x');
        nf_say_string(e, " = ");
        nf_say_stored(e, i->operands[1]);
        nf_say_char(e, ';');
    }
}

/* ---- Of the module ---- */

static void declare_constant(struct nf_emitter *e, uint32_t id, uint32_t def)
{
    if (nf_length(e->m, def) < 5) nf_refuse(e, def, "a constant variable without an initializer");
    nf_say_string(e, "constant ");
    say_declaration(e, id);
    nf_say_string(e, " = ");
    nf_say_initializer(e, nf_variable_initializer(e->m, def), e->facts[id] & NF_ID_RAW_VARIABLE, 0);
    nf_say_string(e, ";\n");
}

static void declare_global(struct nf_emitter *e, uint32_t id, uint32_t def)
{
    if (!nf_has_feature(e, NF_C_PROGRAM_SCOPE_VARIABLES))
        nf_refuse(e, def, "a module-scope variable, which the compiler does not have");
    nf_say_string(e, "global ");
    say_declaration(e, id);
    if (nf_length(e->m, def) > 4) {
        nf_say_string(e, " = ");
        nf_say_initializer(e, nf_variable_initializer(e->m, def), e->facts[id] & NF_ID_RAW_VARIABLE, 0);
    }
    nf_say_string(e, ";\n");
}

static void declare_variable(struct nf_emitter *e, uint32_t id)
{
    uint32_t def = e->m->def[id];
    switch (storage_of(e, id)) {
    case NF_STORAGE_UNIFORM_CONSTANT: declare_constant(e, id, def); break;
    case NF_STORAGE_CROSS_WORKGROUP:
    case NF_STORAGE_DEVICE_ONLY:
    case NF_STORAGE_HOST_ONLY: declare_global(e, id, def); break;
    case NF_STORAGE_WORKGROUP: break;
    default: nf_refuse(e, def, "a module-scope variable of storage class %u", storage_of(e, id));
    }
}

void nf_find_raw_variables(struct nf_emitter *e)
{
    const struct nf_module *m = e->m;
    for (uint32_t n = 0; n < m->variable_count; n++) {
        uint32_t id = m->variables[n], def = m->def[id], storage = storage_of(e, id);
        if (storage == NF_STORAGE_WORKGROUP || nf_length(m, def) < 5) continue;
        enum nf_raw_need least = storage == NF_STORAGE_UNIFORM_CONSTANT ? NF_RAW_IN_CONSTANTS : NF_RAW_ALWAYS;
        if (nf_raw_need_of(e, nf_variable_initializer(m, def), 0) >= least) e->facts[id] |= NF_ID_RAW_VARIABLE;
    }
}

/* Declares the used variables. Writing an initializer marks the variables that it names, which are declared earlier, as
 * used. So the first pass goes from the last variable to the first, and its text is dropped. */
void nf_declare_module_variables(struct nf_emitter *e)
{
    const struct nf_module *m = e->m;
    struct nf_text *to = e->to;
    e->to = &e->body;
    for (uint32_t n = m->variable_count; n-- > 0;) {
        e->body.count = 0;
        if (e->facts[m->variables[n]] & NF_ID_USED) declare_variable(e, m->variables[n]);
    }
    e->to = to;
    for (uint32_t n = 0; n < m->variable_count; n++)
        if (e->facts[m->variables[n]] & NF_ID_USED) declare_variable(e, m->variables[n]);
}

/* ---- Local memory ---- */

/* Marks the local variables that the instructions of a function name. Records whether the function has a barrier or a
 * collective function of a work-group. */
static void mark_locals(struct nf_emitter *e, uint32_t number_of_function, const uint32_t *number_of)
{
    const struct nf_module *m = e->m;
    const struct nf_function *f = &m->functions[number_of_function];
    uint32_t *set = e->local_uses + (size_t)number_of_function * e->local_words;
    for (uint32_t at = f->body; at < f->end && f->body; at = nf_next(m, at)) {
        struct nf_insn i = nf_insn_at(e, at);
        if (i.form->kind == NF_FORM_barrier || nf_is_collective(e, &i)) e->waits[number_of_function] = true;
        if (!e->local_count) continue;
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t number = number_of[nf_current_id(&ids)];
            if (number) set[(number - 1) / 32] |= 1u << (number - 1) % 32;
        }
    }
}

/* Adds the local variables and the barriers of the callees to those of function `number`, and marks the callees as
 * reached if that function is reached. Returns true if anything was added. */
static bool add_callees(struct nf_emitter *e, uint32_t number)
{
    const struct nf_module *m = e->m;
    const struct nf_function *f = &m->functions[number];
    uint32_t *set = e->local_uses + (size_t)number * e->local_words;
    bool grown = false;
    for (uint32_t at = f->body; at < f->end && f->body; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionCall) continue;
        uint32_t callee = m->index_of[nf_callee(m, at)];
        const uint32_t *other = e->local_uses + (size_t)callee * e->local_words;
        if (e->waits[callee] && !e->waits[number]) grown = true, e->waits[number] = true;
        if (e->reached[number] && !e->reached[callee]) grown = true, e->reached[callee] = true;
        for (uint32_t w = 0; w < e->local_words; w++) {
            grown |= (other[w] & ~set[w]) != 0;
            set[w] |= other[w];
        }
    }
    return grown;
}

void nf_find_locals(struct nf_emitter *e)
{
    const struct nf_module *m = e->m;
    uint32_t *number_of = NF_NEW_ARRAY(e->arena, uint32_t, m->bound);
    e->locals = NF_NEW(e->arena, uint32_t, m->variable_count + 1);
    for (uint32_t n = 0; n < m->variable_count; n++) {
        if (storage_of(e, m->variables[n]) != NF_STORAGE_WORKGROUP) continue;
        e->locals[e->local_count++] = m->variables[n];
        number_of[m->variables[n]] = e->local_count;
    }
    e->local_words = (e->local_count + 31) / 32;
    if ((uint64_t)e->local_words * m->function_count > UINT32_C(1) << 24)
        nf_refuse(e, 0, "too many variables in local memory (%u) for the number of functions (%u)", e->local_count,
                  m->function_count);
    e->local_uses = NF_NEW(e->arena, uint32_t, (size_t)e->local_words * m->function_count + 1);
    e->waits = NF_NEW(e->arena, uint8_t, m->function_count + 1);
    e->reached = NF_NEW(e->arena, uint8_t, m->function_count + 1);
    for (uint32_t f = 0; f < m->function_count; f++)
        e->reached[f] = m->functions[f].entry_at || (m->options->library && m->functions[f].exported);
    for (uint32_t f = 0; f < m->function_count; f++)
        mark_locals(e, f, number_of);
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t f = 0; f < m->function_count; f++)
            grown |= add_callees(e, f);
    }
    nf_arena_drop(e->arena, number_of);
}

bool nf_next_local(const struct nf_emitter *e, const struct nf_function *f, uint32_t *index, uint32_t *id)
{
    const uint32_t *set = e->local_uses + (size_t)(f - e->m->functions) * e->local_words;
    while (*index < e->local_count && !(set[*index / 32] >> *index % 32 & 1))
        ++*index;
    if (*index == e->local_count) return false;
    *id = e->locals[(*index)++];
    return true;
}

void nf_declare_locals(struct nf_emitter *e, const struct nf_function *f)
{
    for (uint32_t n = 0, id; nf_next_local(e, f, &n, &id);) {
        nf_say_string(e, "\tlocal ");
        say_declaration(e, id);
        nf_say_string(e, ";\n");
    }
}
