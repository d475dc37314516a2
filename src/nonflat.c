/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.c - the public entry points, and the pipeline: every stage by name, in order.
 */
#include <stdlib.h>
#include <time.h>

#include "fit/fit.h"
#include "infer/infer.h"
#include "module/module.h"
#include "prepare/prepare.h"
#include "report/report.h"
#include "rewrite/rewrite.h"

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

/* ---- The pipeline ---- */

static void refuse_ambiguous(struct nf_module *m)
{
    uint32_t count = m->counts.predicated + m->counts.dispatched + m->counts.unknown;
    if (m->options->mode != NF_MODE_STATIC || !count) return;
    nf_fail(m, NF_REFUSED, 0, "%u of %u generic accesses may be in several spaces, and the mode is static", count,
            m->counts.generic);
}

static void infer_and_rewrite(struct nf_module *m, struct nf_words *output)
{
    struct nf_words lowered;
    if (m->uses_generic || m->options->spec_value_count) nf_order(m);
    if (m->uses_generic && nf_lower_builtins(m, &lowered)) nf_read_again(m, &lowered);
    if (m->uses_generic && nf_lower_integer_tests(m, &lowered)) nf_read_again(m, &lowered);
    if (m->uses_generic && nf_lower_initialisers(m, &lowered)) nf_read_again(m, &lowered);
    nf_fold(m);
    if (!m->uses_generic && !m->folded) return;
    nf_types(m);
    nf_constrain(m);
    nf_dump_constraints(m);
    nf_instances(m);
    m->solved = true;
    nf_dump_solution(m);
    nf_count_accesses(m);
    refuse_ambiguous(m);
    nf_rewrite(m, output);
}

/* Output stays empty when the input is to be passed on as it is. */
static void specialize(struct nf_module *m, const void *module, size_t size, struct nf_words *output)
{
    struct nf_words fitted = {0};
    nf_read(m, module, size);
    m->input_count = m->count;
    nf_dump_read(m);
    if (m->options->mode == NF_MODE_OFF) return;
    nf_check_globals(m);
    infer_and_rewrite(m, output);
    struct nf_words input = {m->words, m->count, 0};
    if (nf_fit(m, output->count ? output : &input, &fitted)) *output = fitted;
    nf_dump_written(m, output);
}

/* ---- The call ---- */

static nf_outcome outcome_of(const struct nf_module *m, const struct nf_words *output)
{
    return m->status != NF_OK ? NF_NOT_DONE : output->count ? NF_SPECIALIZED : NF_UNCHANGED;
}

/* The caller's options as this library has them: what an older header did not know of is zero. */
static bool take_options(nf_options *own, const nf_options *options)
{
    size_t oldest = offsetof(nf_options, keep_inference);
    if (options->struct_size < oldest || options->struct_size > sizeof *own) return false;
    memset(own, 0, sizeof *own);
    memcpy(own, options, options->struct_size);
    return own->mode <= NF_MODE_OFF && (!own->allocator || (own->allocator->allocate && own->allocator->release));
}

/* The two places that nf_fail() comes back to. All that changes lies behind pointers, so nothing is lost by the jump.
 */
static void try_specialize(struct nf_module *m, const void *module, size_t size, struct nf_words *output)
{
    if (!setjmp(m->failed)) specialize(m, module, size, output);
}

static void try_report(struct nf_module *m, const struct nf_words *output, struct nf_inference *inference,
                       uint64_t start)
{
    if (setjmp(m->failed)) return;
    nf_write_report(m, outcome_of(m, output), now_us() - start);
    nf_collect_inference(m, inference);
}

static void run(struct nf_module *m, const void *module, size_t size, struct nf_words *output,
                struct nf_inference *inference)
{
    uint64_t start = now_us();
    try_specialize(m, module, size, output);
    if (m->status == NF_OUT_OF_MEMORY) return;
    if (m->status != NF_OK) output->count = 0;
    try_report(m, output, inference, start);
}

nf_status nf_specialize(const void *module, size_t size, const nf_options *options, nf_result **result)
{
    static const nf_options defaults = NF_OPTIONS_INIT;
    static const nf_allocator heap = {default_allocate, default_release, NULL};
    nf_options own;
    if (!result) return NF_INVALID_ARGUMENT;
    *result = NULL;
    if (!module || !take_options(&own, options ? options : &defaults)) return NF_INVALID_ARGUMENT;
    struct nf_module m = {.options = &own};
    struct nf_words output = {0};
    struct nf_inference inference = {0};
    m.arena.allocator = own.allocator ? *own.allocator : heap;
    run(&m, module, size, &output, &inference);
    nf_status status = m.status;
    if (status != NF_OUT_OF_MEMORY)
        status = nf_keep_result(&m, outcome_of(&m, &output), &output, &inference, module, size, result);
    nf_arena_free(&m.arena);
    return status;
}

nf_status nf_summarize(const void *module, size_t size, nf_summary *summary)
{
    if (!module || !summary) return NF_INVALID_ARGUMENT;
    return nf_read_summary(module, size, summary);
}
