/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emit.c - writes the sections of the program in order: pragmas, types, helpers, variables, functions.
 *
 *     OpEntryPoint Kernel %f "add"                 #pragma OPENCL FP_CONTRACT OFF
 *     OpExecutionMode %f ContractionOff            typedef uint u32 __attribute__((may_alias));
 *                                                  kernel void add(global u32 *p_7) { ... }
 *
 * The functions are written first, because only they show which types and helpers the program needs.
 *
 * needs: a whole module without generic pointers.  gives: OpenCL C text.
 */
#include "emit/internal.h"

enum { TEXT_PER_WORD = 512, SMALLEST_LIMIT = 1 << 16, DECORATION_NO_CONTRACTION = 42 };

/* Returns true if the module contains an execution mode or a decoration that may forbid contractions anywhere. */
static bool forbids_contraction(const struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (opcode == OpExecutionMode && nf_execution_mode(m, at) == NF_MODE_CONTRACTION_OFF) return true;
        if (opcode == OpExecutionModeId && nf_execution_mode(m, at) == NF_MODE_FAST_MATH_DEFAULT) return true;
        if (nf_decorates(m, at, DECORATION_NO_CONTRACTION)) return true;
    }
    return false;
}

static void say_extension(struct nf_emitter *e, uint32_t need, const char *name)
{
    if (e->needs & need) nf_say(e, "#pragma OPENCL EXTENSION %s : enable\n", name);
}

static void say_preamble(struct nf_emitter *e)
{
    static const char *const types[][2] = {{"uchar", "u8"},  {"ushort", "u16"}, {"uint", "u32"}, {"ulong", "u64"},
                                           {"float", "f32"}, {"double", "f64"}, {"half", "f16"}};
    nf_say(e, "#pragma OPENCL FP_CONTRACT %s\n", forbids_contraction(e->m) ? "OFF" : "ON");
    say_extension(e, NF_NEEDS_FP64, "cl_khr_fp64");
    say_extension(e, NF_NEEDS_FP16, "cl_khr_fp16");
    say_extension(e, NF_NEEDS_ATOMICS64, "cl_khr_int64_base_atomics");
    say_extension(e, NF_NEEDS_ATOMICS64, "cl_khr_int64_extended_atomics");
    say_extension(e, NF_NEEDS_3D_WRITES, "cl_khr_3d_image_writes");
    if (e->version < 300) say_extension(e, NF_NEEDS_SUBGROUPS, "cl_khr_subgroups");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (i == 5 && !(e->needs & NF_NEEDS_FP64)) continue;
        if (i == 6 && !(e->needs & NF_NEEDS_FP16)) continue;
        nf_say(e, "typedef %s %s __attribute__((may_alias));\n", types[i][0], types[i][1]);
    }
}

/* Returns the features of the compiler: the features that the caller gives, and the features that the language version
 * implies. */
static uint32_t features_of(const nf_options *options)
{
    const uint32_t of_2_0 = NF_C_ATOMIC_ORDER_ACQ_REL | NF_C_ATOMIC_ORDER_SEQ_CST | NF_C_ATOMIC_SCOPE_DEVICE |
                            NF_C_ATOMIC_SCOPE_ALL_DEVICES;
    bool is_2_0 = options->c_version >= 200 && options->c_version < 300;
    return options->c_features | (is_2_0 ? of_2_0 : 0);
}

static bool has_local_memory(const struct nf_module *m)
{
    for (uint32_t i = 1; i < m->type_count; i++)
        if (m->types[i].kind == NF_KIND_POINTER && nf_space_of(m, &m->types[i]) == NF_LOCAL) return true;
    return false;
}

/* The functions of the forms. */
static nf_writer *const writers[] = {
#define X(name, traits) nf_form_##name,
    NF_FORMS(X)
#undef X
};

static struct nf_emitter begin(struct nf_module *m, struct nf_renamed *renamed)
{
    struct nf_emitter e = {.m = m, .arena = m->arena, .renamed = renamed, .writers = writers};
    struct nf_text empty = {.arena = m->arena};
    e.head = e.helpers = e.variables = e.functions = e.declarations = e.body = empty;
    e.version = m->options->c_version ? m->options->c_version : 120;
    e.features = features_of(m->options);
    e.has_local_memory = has_local_memory(m);
    e.facts = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    e.uses = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    e.depth = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    e.block_of = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    e.moment = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    e.raw_needs = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    e.name_at = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    e.fixed = NF_NEW_ARRAY(m->arena, struct nf_fixed_name *, m->bound);
    e.decorations = NF_NEW_ARRAY(m->arena, struct nf_decorations *, m->bound);
    e.made = nf_build_begin(m->arena, 1);
    e.longest = (size_t)m->count * TEXT_PER_WORD + SMALLEST_LIMIT;
    return e;
}

static void append(struct nf_emitter *e, const struct nf_text *part)
{
    if (part->count) nf_say_string(e, part->at);
}

void nf_write_source(const struct nf_module *m, const struct nf_words *words, struct nf_text *text,
                     struct nf_renamed *renamed)
{
    struct nf_module read = {.arena = m->arena, .options = m->options};
    nf_read_again(&read, words);
    nf_types(&read);
    struct nf_emitter e = begin(&read, renamed);
    nf_read_annotations(&e);
    nf_find_fixed_names(&e);
    nf_find_locals(&e);
    nf_find_raw_variables(&e);
    nf_say_functions(&e);
    e.to = &e.variables;
    nf_declare_module_variables(&e);
    e.to = &e.head;
    nf_declare_types(&e);
    if (e.needs & NF_NEEDS_HALF_HELPERS) nf_say_half_helpers(&e);
    e.to = text;
    e.longest *= 2;
    say_preamble(&e);
    append(&e, &e.head);
    append(&e, &e.helpers);
    append(&e, &e.variables);
    append(&e, &e.functions);
}
