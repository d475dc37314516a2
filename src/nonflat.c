/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.c - the public functions of the library, and the pipeline of nf_specialize(): all stages, in order.
 */
#include <stdlib.h>
#include <time.h>

#include "check/check.h"
#include "emit/emit.h"
#include "fit/fit.h"
#include "graph/graph.h"
#include "infer/infer.h"
#include "link/link.h"
#include "module/module.h"
#include "prepare/prepare.h"
#include "report/report.h"
#include "rewrite/rewrite.h"
#include "supply/supply.h"
#include "workarounds/workarounds.h"

#define TEXT(x) #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *nf_version(void)
{
    return VERSION(NF_VERSION_MAJOR, NF_VERSION_MINOR, NF_VERSION_PATCH);
}

const char *nf_status_string(nf_status status)
{
    switch (status) {
    case NF_OK: return "ok";
    case NF_REFUSED: return "refused";
    case NF_INVALID_ARGUMENT: return "invalid argument";
    case NF_MALFORMED: return "malformed SPIR-V";
    case NF_OUT_OF_MEMORY: return "out of memory";
    }
    return "unknown status";
}

static void *default_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void default_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static uint64_t now_us(void)
{
    return (uint64_t)clock() * 1000000u / CLOCKS_PER_SEC;
}

/* The state of one call. A stage that fails leaves by longjmp(): all state that stages change is reached through a
 * pointer to this structure, so that no value is indeterminate afterwards. */
struct call {
    struct nf_arena arena;
    nf_options options;
    nf_profile profile; /* the caller's profile in this version's form; for OpenCL C, with the requirements of its
                         * compilers */
    struct nf_module m;
    struct nf_account account;
    struct nf_words output; /* empty: the output equals the input */
    struct nf_text_output text;
    struct nf_inference inference;
    const void *module;
    size_t size;
};

/* ---- The pipeline ---- */

/* Replaces the module by `made`, the output of the stage, and checks it if the caller requests that. */
static void read_again(struct nf_module *m, const struct nf_words *made, const char *stage)
{
    nf_read_again(m, made);
    if (m->options->check) nf_check_module(m, stage);
}

static void check_output(struct call *c, const char *stage)
{
    if (c->options.check) nf_check_output(&c->m, &c->output, stage, c->options.mode == NF_MODE_HINT);
}

static void refuse_ambiguous(const struct nf_module *m, const nf_counts *counts)
{
    uint32_t count = counts->predicated + counts->dispatched + counts->unknown;
    if (m->options->mode != NF_MODE_STATIC || !count) return;
    nf_fail(m->arena, NF_REFUSED, 0, "%u of %u generic accesses may be in several spaces, and the mode is static",
            count, counts->generic);
}

/* Gives untyped pointers a pointee type, before any stage that handles pointers. A module without generic pointers
 * keeps untyped pointers if it stays SPIR-V and the device supports them; OpenCL C has none. */
static void type_pointers(struct call *c)
{
    struct nf_module *m = &c->m;
    struct nf_words typed;
    bool keeps =
        !m->uses_generic && c->options.output == NF_OUTPUT_SPIRV && nf_takes_untyped_pointers(m->options->profile);
    if (!m->untyped_pointers || keeps) return;
    nf_order(m);
    nf_lower_untyped(m, &typed);
    read_again(m, &typed, "giving pointers types");
    c->output = typed;
}

/* The lowerings of a module with generic pointers, in order; each may make a module, which is then read again. */
static const struct {
    bool (*lower)(struct nf_module *m, struct nf_words *lowered);
    const char *name;
} lowerings[] = {
    {nf_lower_byte_chains, "lowering access chains"}, /* first, because later lowerings compute offsets */
    {nf_lower_pointee_casts, "casting pointers"},
    {nf_lower_overlapping_copies, "replacing overlapping copies"},
    {nf_lower_kernel_parameters, "lowering kernel parameters"},
    {nf_lower_pointer_vectors, "lowering vectors of pointers"},
    {nf_lower_builtins, "lowering built-in functions"},                 /* turns calls into casts and atomics */
    {nf_lower_imports, "giving imports bodies"},                        /* memchr, strlen, conversions of bfloat16 */
    {nf_lower_integer_tests, "lowering tests of integers"},             /* also processes the bodies of imports */
    {nf_lower_flat_initializers, "lowering initializers of variables"}, /* may store constant expressions */
    {nf_lower_initializers, "lowering initializers"}, /* turns constant expressions into instructions */
    {nf_lower_pointers_through_pointers, "lowering pointers of other memories"},
    {nf_lower_address_constants, "lowering constants"}, /* also processes constants in these instructions */
    {nf_lower_pointer_bitcasts, "lowering bitcasts"},
};

static void lower(struct nf_module *m)
{
    struct nf_words lowered;
    for (size_t i = 0; m->uses_generic && i < sizeof lowerings / sizeof *lowerings; i++)
        if (lowerings[i].lower(m, &lowered)) read_again(m, &lowered, lowerings[i].name);
}

static void solve(struct nf_module *m, struct nf_suspicion known)
{
    nf_constrain(m, known);
    if (m->options->check) nf_check_graph(m);
    nf_instances(m);
    if (m->options->check) nf_check_solution(m);
}

/* Solves the module, and solves it again while a solution shows new facts (struct nf_suspicion). */
static void infer(struct nf_module *m)
{
    struct nf_suspicion known = {false, false, false, false};
    nf_types(m);
    solve(m, known);
    nf_dump_constraints(m);
    while (nf_collect_suspicions(m, &known))
        solve(m, known);
    nf_find_flat(m);
}

static void infer_and_rewrite(struct call *c)
{
    struct nf_module *m = &c->m;
    enum nf_gain gain = nf_gain(m);
    if (gain == NF_GAIN_NONE) return;
    if (m->uses_generic) nf_check_extended_sets(m);
    if (m->uses_generic || m->options->spec_value_count) nf_order(m);
    lower(m);
    nf_fold(m);
    if (!m->uses_generic && !m->folded) return;
    infer(m);
    nf_dump_solution(m);
    if (gain == NF_GAIN_MERGES && !nf_merges_any(m)) return;
    nf_count_accesses(m, &c->account);
    refuse_ambiguous(m, &c->account.counts);
    nf_free_graph(m);
    c->output.count = 0;
    nf_drop_inbounds(m); /* after the inference: an index of a chain that is in bounds stays in its array */
    nf_rewrite(m, &c->account.counts, &c->output);
    check_output(c, "rewriting");
}

/* Gives built-in variables the form that the device takes. Runs before the inference, because it adds private variables
 * with copies of them. */
static void lower_inputs(struct call *c)
{
    struct nf_words lowered;
    if (!nf_lower_inputs(&c->m, &lowered)) return;
    read_again(&c->m, &lowered, "lowering built-in variables");
    c->output = lowered;
}

/* Returns the words of the output of the previous stages, or of the input if they have changed nothing. */
static struct nf_words newest_words(struct call *c)
{
    return c->output.count ? c->output : (struct nf_words){.arena = &c->arena, .at = c->m.words, .count = c->m.count};
}

/* Replaces features that the device lacks, or that its driver implements wrongly. */
static void supply(struct call *c)
{
    const struct nf_words words = newest_words(c);
    struct nf_steps steps = nf_steps_begin(&c->m, &words);
    nf_supply(&c->m, &steps, &c->account.log);
    nf_work_around(&c->m, &steps);
    nf_supply_entry_points(&c->m, &steps);
    if (steps.changed) c->output = steps.words;
    if (steps.changed) check_output(c, "supplying what the device lacks");
}

/* Reads the output of the previous stages only as far as fitting needs it; the input has been read already. */
static void fit(struct call *c)
{
    struct nf_words fitted = {.arena = &c->arena};
    struct nf_module made = {.arena = &c->arena, .options = &c->options};
    if (!nf_may_need_fitting(c->options.profile)) return;
    if (c->output.count) nf_take_words(&made, &c->output);
    if (nf_fit(c->output.count ? &made : &c->m, &fitted)) c->output = fitted;
    check_output(c, "fitting");
}

/* Writes the output as OpenCL C. */
static void emit(struct call *c)
{
    const struct nf_words words = newest_words(c);
    struct nf_renamed renamed = {0};
    if (c->options.output != NF_OUTPUT_OPENCL_C) return;
    nf_write_source(&c->m, &words, &c->text.text, &renamed);
    c->text.renamed = renamed.kernels;
    c->text.renamed_count = renamed.count;
}

/* Replaces calls of built-in functions of OpenCL C by instructions in a module without generic pointers, whose calls
 * infer_and_rewrite() does not process: drivers resolve such calls, but compilers of OpenCL C do not. */
static void lower_calls(struct call *c)
{
    struct nf_module *m = &c->m;
    struct nf_words lowered;
    if (c->options.output != NF_OUTPUT_OPENCL_C || m->uses_generic) return;
    nf_order(m);
    if (nf_lower_builtins(m, &lowered)) read_again(m, &lowered, "lowering built-in functions"), c->output = lowered;
    if (nf_lower_imports(m, &lowered)) read_again(m, &lowered, "giving imports bodies"), c->output = lowered;
}

static void specialize(struct call *c)
{
    struct nf_module *m = &c->m;
    nf_read(m, c->module, c->size);
    m->input_count = (uint32_t)(c->size / 4);
    if (m->options->check) nf_check_module(m, "reading");
    nf_dump_read(m);
    if (m->options->mode == NF_MODE_OFF) {
        emit(c);
        return;
    }
    type_pointers(c);
    lower_inputs(c);
    nf_refuse_global_stores(m);
    lower_calls(c);
    infer_and_rewrite(c);
    supply(c);
    fit(c);
    nf_dump_written(m, &c->account.counts, &c->output);
    emit(c);
}

/* ---- The log of a failure ---- */

/* Writes the message of nf_fail() to the log, after the source line and the instruction to which it refers. */
static void log_failure(struct nf_module *m, struct nf_text *log)
{
    const struct nf_failure *failure = &m->arena->failure;
    uint32_t at = failure->at;
    const struct nf_function *f = at && failure->status != NF_MALFORMED ? nf_function_around(m, at) : NULL;
    const char *source = f ? nf_source_of(m, f, at) : "";
    if (*source) nf_print(log, "%s: ", source);
    nf_print(log, "error: ");
    if (at) nf_print(log, "word %u", nf_input_word(m, at));
    if (at && m->words && at < m->count) nf_print(log, ", %s", nf_op_find(nf_opcode(m, at))->name);
    nf_print(log, "%s%s\n", at ? ": " : "", failure->text);
}

/* ---- One call of the library ---- */

static nf_outcome outcome_of(const struct call *c)
{
    if (c->arena.failure.status != NF_OK) return NF_NOT_DONE;
    return c->output.count || c->text.text.count ? NF_SPECIALIZED : NF_UNCHANGED;
}

/* Copies a structure of the caller that begins with its size; members that an older header lacks become zero. Returns
 * false if the size is less than `oldest` or more than this version's. */
static bool take_structure(void *own, size_t size, size_t oldest, const void *given)
{
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size < oldest || given_size > size) return false;
    memset(own, 0, size);
    memcpy(own, given, given_size);
    return true;
}

static bool take_options(nf_options *own, const nf_options *options)
{
    return take_structure(own, sizeof *own, offsetof(nf_options, keep_inference), options) &&
           own->mode <= NF_MODE_OFF && own->output <= NF_OUTPUT_OPENCL_C &&
           (own->spec_values || !own->spec_value_count) &&
           (!own->allocator || (own->allocator->allocate && own->allocator->release));
}

/* Makes options->profile point to the call's own copy of the caller's profile. Returns false if the profile's size, or
 * the count of a list that is NULL, is not valid. */
static bool take_profile(nf_profile *own, nf_options *options)
{
    if (!options->profile) return true;
    if (!take_structure(own, sizeof *own, offsetof(nf_profile, subgroup_sizes), options->profile)) return false;
    options->profile = own;
    bool extensions = own->extensions || !own->extension_count || own->extension_count == SIZE_MAX;
    return extensions && (own->capabilities || !own->capability_count) && (own->faults || !own->fault_count);
}

/* Each of these functions catches the longjmp() of nf_fail() for one stage. */
static void try_specialize(struct call *c)
{
    if (!setjmp(c->arena.failure.back)) specialize(c);
}

static void try_log_failure(struct call *c)
{
    if (!setjmp(c->arena.failure.back)) log_failure(&c->m, &c->account.log);
}

static void try_report(struct call *c, uint64_t start)
{
    if (setjmp(c->arena.failure.back)) return;
    nf_write_report(&c->m, &c->account, outcome_of(c), now_us() - start);
    nf_collect_inference(&c->m, &c->inference);
}

static void run(struct call *c)
{
    const nf_status *status = &c->arena.failure.status;
    uint64_t start = now_us();
    try_specialize(c);
    if (*status != NF_OK && *status != NF_OUT_OF_MEMORY) try_log_failure(c);
    if (*status == NF_OUT_OF_MEMORY) return;
    if (*status != NF_OK) c->output.count = c->text.text.count = 0;
    try_report(c, start);
}

/* Adds the requirements of an OpenCL C compiler to the profile; the emission replaces or refuses all other features
 * that such a compiler lacks. */
static void profile_for_text(struct call *c)
{
    static const uint32_t always =
        NF_PROFILE_VALIDATES | NF_PROFILE_NO_INTRINSICS | NF_PROFILE_CONSTANT_SCOPES | NF_PROFILE_CONSTANT_FORMATS;
    uint32_t features = c->options.c_features;
    if (c->options.output != NF_OUTPUT_OPENCL_C) return;
    if (!c->options.profile) c->profile = (nf_profile)NF_PROFILE_INIT;
    c->profile.flags |= always;
    if (!(features & NF_C_COLLECTIVES)) c->profile.flags |= NF_PROFILE_NO_COLLECTIVES;
    if (!(features & NF_C_PROGRAM_SCOPE_VARIABLES)) c->profile.flags |= NF_PROFILE_NO_WRITABLE_GLOBALS;
    c->options.profile = &c->profile;
}

/* Initializes a call from the caller's options. */
static nf_status begin(struct call *c, const nf_options *options)
{
    static const nf_options defaults = NF_OPTIONS_INIT;
    static const nf_allocator heap = {default_allocate, default_release, NULL};
    if (!take_options(&c->options, options ? options : &defaults)) return NF_INVALID_ARGUMENT;
    if (!take_profile(&c->profile, &c->options)) return NF_INVALID_ARGUMENT;
    c->arena.allocator = c->options.allocator ? *c->options.allocator : heap;
    profile_for_text(c);
    c->m = (struct nf_module){.arena = &c->arena, .options = &c->options};
    c->text.text.arena = &c->arena;
    c->account.log.arena = c->account.report.arena = c->output.arena = &c->arena;
    return NF_OK;
}

/* Makes the result, unless memory ran out, and frees the memory of the call. */
static nf_status end(struct call *c, nf_result **result)
{
    nf_status status = c->arena.failure.status;
    if (status != NF_OUT_OF_MEMORY)
        status = nf_keep_result(&c->m, &c->account, outcome_of(c), &c->output, &c->text, &c->inference, c->module,
                                c->size, result);
    nf_arena_free(&c->arena);
    return status;
}

nf_status nf_specialize(const void *module, size_t size, const nf_options *options, nf_result **result)
{
    struct call c = {.module = module, .size = size};
    if (!result) return NF_INVALID_ARGUMENT;
    *result = NULL;
    if (!module || begin(&c, options) != NF_OK) return NF_INVALID_ARGUMENT;
    run(&c);
    return end(&c, result);
}

/* ---- Linking ---- */

static void try_link(struct call *c, struct nf_linking *linking)
{
    if (setjmp(c->arena.failure.back)) return;
    nf_link_modules(linking, &c->output);
    nf_print(&c->account.report, "{}");
}

/* Writes the reason of a failed link to the log: it refers to one of the modules (`broken`), or to several that do not
 * fit together. */
static void try_log_link_failure(struct call *c, const struct nf_linking *linking)
{
    if (setjmp(c->arena.failure.back)) return;
    if (linking->broken) nf_print(&c->account.log, "module %zu: ", linking->number);
    log_failure(linking->broken ? linking->broken : &c->m, &c->account.log);
    nf_print(&c->account.report, "{}");
}

static bool are_modules(const nf_link_input *inputs, size_t count)
{
    for (size_t i = 0; inputs && i < count; i++)
        if (!inputs[i].module || (!inputs[i].spec_values && inputs[i].spec_value_count)) return false;
    return inputs && count;
}

nf_status nf_link(const nf_link_input *inputs, size_t count, const nf_options *options, nf_result **result)
{
    struct call c = {.module = NULL};
    if (!result) return NF_INVALID_ARGUMENT;
    *result = NULL;
    if (!are_modules(inputs, count) || begin(&c, options) != NF_OK) return NF_INVALID_ARGUMENT;
    struct nf_linking linking = {.arena = &c.arena, .options = &c.options, .inputs = inputs, .count = count};
    const nf_status *status = &c.arena.failure.status;
    try_link(&c, &linking);
    if (*status != NF_OK && *status != NF_OUT_OF_MEMORY) try_log_link_failure(&c, &linking);
    return end(&c, result);
}

nf_status nf_summarize(const void *module, size_t size, nf_summary *summary)
{
    if (!module || !summary) return NF_INVALID_ARGUMENT;
    return nf_peek(module, size, summary);
}

int nf_has_instruction(const void *module, size_t size, uint32_t opcode)
{
    return module && nf_peek_for(module, size, opcode);
}
