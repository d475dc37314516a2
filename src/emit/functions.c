/* SPDX-License-Identifier: Apache-2.0 */
/*
 * functions.c - writes the heads of functions and kernels, and calls.
 *
 *     OpEntryPoint Kernel %f "add"     kernel __attribute__((reqd_work_group_size(64, 1, 1))) void add(global u32 *p_7)
 *     OpFunction %uint Inline %type    static inline __attribute__((always_inline)) uint f8(uint v9)
 *
 * A structure that is passed by value becomes a parameter of that type, whose address replaces the pointer. A kernel
 * whose name OpenCL C does not allow gets another name; the result lists these kernels. The hard case is a kernel whose
 * function is called or has several entry points: then a function has the body, and each entry point is a kernel that
 * calls it.
 *
 * needs: decorations and names (annotations.c), a function of the module that was read.  gives: text in e->functions.
 */
#include "emit/internal.h"

enum { MODE_LOCAL_SIZE = 17, MODE_LOCAL_SIZE_HINT = 18 };

/* ---- Names ---- */

static void say_function_name(struct nf_emitter *e, const struct nf_function *f)
{
    const char *linkage = f->exported || f->imported ? nf_linkage_name(e->m, f->id) : "";
    if (e->m->options->library && *linkage)
        nf_say_string(e, linkage);
    else
        nf_say_name(e, f->id, 'f');
}

/* Writes a comment with the original name of a renamed kernel. */
static void say_module_name(struct nf_emitter *e, uint32_t entry_at)
{
    const char *name = nf_string(e->m, entry_at + 3);
    char c_name[NF_C_KERNEL_NAME_SIZE];
    nf_c_kernel_name(name, c_name);
    if (strcmp(name, c_name) == 0) return;
    nf_say_string(e, "// ");
    nf_say_literal(e, name, strlen(name));
    nf_say_string(e, " is this kernel:\n");
}

/* Writes the name of a kernel, and records it if it differs from the module's. */
static void say_kernel_name(struct nf_emitter *e, uint32_t entry_at)
{
    const char *name = nf_string(e->m, entry_at + 3);
    char c_name[NF_C_KERNEL_NAME_SIZE];
    nf_c_kernel_name(name, c_name);
    nf_say_string(e, c_name);
    if (strcmp(name, c_name) == 0) return;
    struct nf_text text = {.arena = e->arena};
    nf_print(&text, "%s", c_name);
    NF_RESERVE(e->arena, e->renamed->kernels, e->renamed->capacity, (size_t)e->renamed->count + 1);
    e->renamed->kernels[e->renamed->count++] = (nf_renamed_kernel){name, text.at};
}

/* ---- Attributes of kernels ---- */

static void say_dimensions(struct nf_emitter *e, const char *attribute, const uint32_t *literals)
{
    nf_say(e, "__attribute__((%s(%u, %u, %u))) ", attribute, literals[0], literals[1], literals[2]);
}

static void say_vector_hint(struct nf_emitter *e, uint32_t literal)
{
    static const char *const types[] = {"char", "short", "int", "long", "half", "float", "double"};
    uint32_t count = literal >> 16, type = literal & 0xffff;
    if (type >= sizeof types / sizeof *types || (type == 4 && !nf_has_feature(e, NF_C_FP16))) return;
    if (type == 6 && !nf_has_feature(e, NF_C_FP64)) return;
    nf_say(e, "__attribute__((vec_type_hint(%s", types[type]);
    if (count > 1) nf_say_number(e, count);
    nf_say_string(e, "))) ");
}

/* Writes the attribute of the execution mode at `at`; nothing for a mode without an attribute. Refuses a size of
 * sub-groups other than 1 if the compiler has no sub-groups. */
static void say_mode(struct nf_emitter *e, uint32_t at)
{
    const uint32_t *words = e->m->words + at;
    switch (words[2]) {
    case MODE_LOCAL_SIZE: say_dimensions(e, "reqd_work_group_size", words + 3); break;
    case MODE_LOCAL_SIZE_HINT: say_dimensions(e, "work_group_size_hint", words + 3); break;
    case NF_MODE_VEC_TYPE_HINT: say_vector_hint(e, words[3]); break;
    case NF_MODE_SUBGROUP_SIZE:
        if (nf_has_feature(e, NF_C_SUBGROUPS))
            nf_say(e, "__attribute__((intel_reqd_sub_group_size(%u))) ", words[3]);
        else if (words[3] != 1)
            nf_refuse(e, at, "a sub-group of %u work-items, and the compiler has no sub-groups", words[3]);
        break;
    default: break;
    }
}

static uint32_t mode_length(uint32_t mode)
{
    return mode == MODE_LOCAL_SIZE || mode == MODE_LOCAL_SIZE_HINT ? 6 : 4;
}

static void say_modes(struct nf_emitter *e, uint32_t function)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (opcode == OpExecutionModeId && nf_mode_entry_point(m, at) == function && nf_execution_mode(m, at) == 38)
            nf_refuse(e, at, "a work-group size that is a specialization constant");
        bool is_mode = opcode == OpExecutionMode && nf_mode_entry_point(m, at) == function;
        if (is_mode && nf_length(m, at) >= mode_length(nf_execution_mode(m, at))) say_mode(e, at);
    }
}

/* ---- Parameters ---- */

static void say_parameter(struct nf_emitter *e, uint32_t at)
{
    uint32_t type = nf_value_type(e->m, at), id = nf_value_id(e->m, at);
    const struct nf_type *t = nf_type(e->m, type);
    bool is_pointer = t->kind == NF_KIND_POINTER && nf_space_of(e->m, t) == NF_PRIVATE;
    if (e->facts[id] & NF_ID_BY_VALUE && !is_pointer) e->facts[id] &= (uint8_t)~NF_ID_BY_VALUE;
    if (e->facts[id] & NF_ID_BY_VALUE)
        nf_say(e, "%m ", t->element);
    else
        nf_say(e, t->kind == NF_KIND_POINTER ? "%t" : "%t ", type);
    nf_say_name(e, id, 'v');
}

/* Writes the parameters of the module's function, followed, unless the text is a kernel, by pointers to the local
 * variables that the function needs. */
static void say_parameters(struct nf_emitter *e, const struct nf_function *f, bool is_kernel)
{
    uint32_t at = f->parameters, written = 0;
    for (uint32_t n = 0; n < f->parameter_count; n++, at = nf_next(e->m, at)) {
        at = nf_parameter_from(e->m, at);
        if (written++) nf_say_string(e, ", ");
        say_parameter(e, at);
    }
    for (uint32_t n = 0, id; !is_kernel && nf_next_local(e, f, &n, &id);) {
        if (written++) nf_say_string(e, ", ");
        nf_say(e, "%t", nf_type_of(e->m, id)->id);
        nf_say_name(e, id, 'x');
    }
    if (!written) nf_say_string(e, "void");
}

/* ---- Functions ---- */

/* Returns true if the function gets an address in local memory. */
static bool takes_local(struct nf_emitter *e, const struct nf_function *f)
{
    uint32_t at = f->parameters, index = 0, id;
    for (uint32_t n = 0; n < f->parameter_count; n++, at = nf_next(e->m, at)) {
        at = nf_parameter_from(e->m, at);
        const struct nf_type *type = nf_type_of(e->m, e->m->words[at + 2]);
        if (type->kind == NF_KIND_POINTER && nf_space_of(e->m, type) == NF_LOCAL) return true;
    }
    return nf_next_local(e, f, &index, &id);
}

/* Writes the head of a function. A function that reaches a barrier is inlined, because PoCL and others support barriers
 * in kernels only; so is one that reaches a collective function of a work-group, which contains barriers. A function
 * that gets an address in local memory is inlined as well. If all calls pass the same variable of a kernel, the
 * driver's compiler replaces the parameter by that variable; then PoCL 3.1 gives the function, unless it is inlined,
 * another variable than the kernel's. For the same reason DontInline, a hint, is not written. Functions that other
 * programs call or define are not inlined. */
static void say_function_head(struct nf_emitter *e, const struct nf_function *f)
{
    uint32_t control = nf_function_control(e->m, f->at);
    bool has_linkage = e->m->options->library && (f->exported || f->imported);
    if (!has_linkage) nf_say_string(e, "static ");
    bool is_inlined = control & NF_FUNCTION_INLINE || e->waits[f - e->m->functions] || takes_local(e, f);
    if (is_inlined && !has_linkage) nf_say_string(e, "inline __attribute__((always_inline)) ");
    nf_say(e, nf_type(e->m, f->result_type)->kind == NF_KIND_POINTER ? "%t" : "%t ", f->result_type);
    say_function_name(e, f);
    nf_say_char(e, '(');
    say_parameters(e, f, false);
    nf_say_char(e, ')');
}

static void say_kernel_head(struct nf_emitter *e, const struct nf_function *f, uint32_t entry_at)
{
    say_module_name(e, entry_at);
    nf_say_string(e, "kernel ");
    say_modes(e, f->id);
    nf_say_string(e, "void ");
    say_kernel_name(e, entry_at);
    nf_say_char(e, '(');
    say_parameters(e, f, true);
    nf_say_char(e, ')');
}

/* Appends the declarations and the body of the current function. */
static void say_body(struct nf_emitter *e, const struct nf_function *f)
{
    struct nf_flow flow;
    e->declarations.count = e->body.count = 0;
    e->to = &e->body;
    nf_find_uses(e, f);
    flow = nf_find_flow(e, f);
    nf_say_body(e, &flow);
    e->to = &e->functions;
    nf_say_string(e, "\n{\n");
    if (e->in_kernel) nf_declare_locals(e, f);
    if (e->declarations.count) nf_say_string(e, e->declarations.at);
    if (e->body.count) nf_say_string(e, e->body.at);
    nf_say_string(e, "}\n\n");
}

/* Writes the kernel of the entry point at `entry_at`, which only calls the function `f`. */
static void say_wrapper(struct nf_emitter *e, const struct nf_function *f, uint32_t entry_at)
{
    uint32_t at = f->parameters, written = 0;
    e->in_kernel = true;
    say_kernel_head(e, f, entry_at);
    nf_say_string(e, "\n{\n");
    nf_declare_locals(e, f);
    nf_say_char(e, '\t');
    say_function_name(e, f);
    nf_say_char(e, '(');
    for (uint32_t n = 0; n < f->parameter_count; n++, at = nf_next(e->m, at)) {
        at = nf_parameter_from(e->m, at);
        if (written++) nf_say_string(e, ", ");
        nf_say_name(e, nf_value_id(e->m, at), 'v');
    }
    for (uint32_t n = 0, id; nf_next_local(e, f, &n, &id);) {
        if (written++) nf_say_string(e, ", ");
        nf_say_char(e, '&');
        nf_say_name(e, id, 'x');
    }
    nf_say_string(e, ");\n}\n\n");
}

static void say_wrappers(struct nf_emitter *e, const struct nf_function *f)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpEntryPoint && nf_entry_point_function(m, at) == f->id) say_wrapper(e, f, at);
}

static void check_entry_point(struct nf_emitter *e, const struct nf_function *f)
{
    if (nf_execution_model(e->m, f->entry_at) != NF_EXECUTION_MODEL_KERNEL)
        nf_refuse(e, f->entry_at, "an entry point that is not a kernel");
    if (!f->body) nf_refuse(e, f->at, "a kernel without a body");
}

static void say_function(struct nf_emitter *e, const struct nf_function *f)
{
    bool is_kernel = f->entry_at, is_shared = is_kernel && e->facts[f->id] & NF_ID_SHARED;
    e->function = f;
    e->to = &e->functions;
    e->line_file = 0;
    if (is_kernel) check_entry_point(e, f);
    if (!f->body || !e->reached[f - e->m->functions]) return;
    e->in_kernel = is_kernel && !is_shared;
    if (e->in_kernel)
        say_kernel_head(e, f, f->entry_at);
    else
        say_function_head(e, f);
    say_body(e, f);
    if (is_shared) say_wrappers(e, f);
}

/* Declares the functions that reached functions call before or inside of their definition, or that another program
 * defines. Marks all callees of reached functions as shared. */
static void say_prototypes(struct nf_emitter *e)
{
    const struct nf_module *m = e->m;
    for (uint32_t n = 0; n < m->function_count; n++)
        for (uint32_t at = m->functions[n].body; at && at < m->functions[n].end; at = nf_next(m, at)) {
            if (nf_opcode(m, at) != OpFunctionCall || !e->reached[n]) continue;
            uint32_t callee = nf_callee(m, at);
            const struct nf_function *f = &m->functions[m->index_of[callee]];
            bool is_late = !f->body || f->at >= m->functions[n].at;
            if (is_late && !(e->facts[callee] & NF_ID_DECLARED)) {
                e->facts[callee] |= NF_ID_DECLARED;
                say_function_head(e, f);
                nf_say_string(e, ";\n");
            }
            e->facts[callee] |= NF_ID_SHARED;
        }
}

void nf_say_functions(struct nf_emitter *e)
{
    e->to = &e->functions;
    say_prototypes(e);
    for (uint32_t n = 0; n < e->m->function_count; n++)
        say_function(e, &e->m->functions[n]);
}

/* ---- Calls ---- */

void nf_form_call(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_module *m = e->m;
    const struct nf_function *f = &m->functions[m->index_of[i->operands[0]]];
    uint32_t at = f->parameters, written = 0;
    if (i->count - 1 != f->parameter_count) nf_refuse(e, i->at, "a call with the wrong number of arguments");
    if (!f->body && !m->options->library)
        nf_refuse(e, i->at, "the function \"%.200s\" has no body", nf_linkage_name(m, f->id));
    say_function_name(e, f);
    nf_say_char(e, '(');
    for (uint32_t n = 1; n < i->count; n++, at = nf_next(m, at)) {
        at = nf_parameter_from(m, at);
        if (written++) nf_say_string(e, ", ");
        if (e->facts[nf_value_id(m, at)] & NF_ID_BY_VALUE)
            nf_say_object(e, i->operands[n]);
        else
            nf_say_unparenthesized(e, i->operands[n]);
    }
    for (uint32_t n = 0, id; nf_next_local(e, f, &n, &id);) {
        if (written++) nf_say_string(e, ", ");
        nf_say_variable(e, id);
    }
    nf_say_char(e, ')');
}
