/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.c - the public entry points, and the pipeline: every stage by name, in order.
 */
#include <stdlib.h>
#include <time.h>

#include "core.h"

#define TEXT(x) #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

struct nf_result {
    nf_allocator allocator;
    nf_outcome outcome;
    nf_counts counts;
    size_t size;
    void *bytes;
    char *log, *report;
};

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
    if (m->uses_generic) {
        nf_order_blocks(m);
        if (nf_lower_initialisers(m, &lowered)) nf_read_again(m, &lowered);
    }
    nf_fold(m);
    if (!m->uses_generic && !m->folded) return;
    nf_types(m);
    nf_constrain(m);
    nf_dump_constraints(m);
    nf_instances(m);
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
    infer_and_rewrite(m, output);
    struct nf_words input = {m->words, m->count, 0};
    if (nf_fit(m, output->count ? output : &input, &fitted)) *output = fitted;
    nf_dump_written(m, output);
}

/* ---- The result ---- */

static char *keep_text(const nf_allocator *allocator, const struct nf_text *text)
{
    char *copy = allocator->allocate(allocator->user, (size_t)text->count + 1);
    if (!copy) return NULL;
    if (text->count) memcpy(copy, text->at, text->count);
    copy[text->count] = '\0';
    return copy;
}

static void *keep_output(const struct nf_module *m, const struct nf_words *output, const void *module, size_t size,
                         size_t *kept)
{
    const nf_allocator *allocator = &m->arena.allocator;
    *kept = output->count ? (size_t)output->count * 4 : size;
    uint32_t *copy = allocator->allocate(allocator->user, *kept ? *kept : 1);
    if (!copy) return NULL;
    memcpy(copy, output->count ? (const void *)output->at : module, *kept);
    for (uint32_t i = 0; m->swapped && i < output->count; i++)
        copy[i] = copy[i] >> 24 | (copy[i] >> 8 & 0xff00) | (copy[i] << 8 & 0xff0000) | copy[i] << 24;
    return copy;
}

static nf_outcome outcome_of(const struct nf_module *m, const struct nf_words *output)
{
    return m->status != NF_OK ? NF_NOT_DONE : output->count ? NF_SPECIALIZED : NF_UNCHANGED;
}

static nf_status keep_result(struct nf_module *m, const struct nf_words *output, const void *module, size_t size,
                             nf_result **result)
{
    const nf_allocator *allocator = &m->arena.allocator;
    nf_result *r = allocator->allocate(allocator->user, sizeof *r);
    if (!r) return NF_OUT_OF_MEMORY;
    *r = (nf_result){.allocator = *allocator, .counts = m->counts};
    r->counts.kernels = m->kernel_count;
    r->outcome = outcome_of(m, output);
    r->log = keep_text(allocator, &m->log);
    r->report = keep_text(allocator, &m->report);
    if (m->status == NF_OK) r->bytes = keep_output(m, output, module, size, &r->size);
    if (!r->log || !r->report || (m->status == NF_OK && !r->bytes)) {
        nf_result_free(r);
        return NF_OUT_OF_MEMORY;
    }
    *result = r;
    return m->status;
}

static bool fits(const nf_options *options)
{
    return options->struct_size == sizeof *options && options->mode <= NF_MODE_OFF &&
           (!options->allocator || (options->allocator->allocate && options->allocator->release));
}

/* The two places that nf_fail() comes back to. All that changes lies behind pointers, so nothing is lost by the jump.
 */
static void try_specialize(struct nf_module *m, const void *module, size_t size, struct nf_words *output)
{
    if (!setjmp(m->failed)) specialize(m, module, size, output);
}

static void try_report(struct nf_module *m, const struct nf_words *output, uint64_t start)
{
    if (!setjmp(m->failed)) nf_write_report(m, outcome_of(m, output), now_us() - start);
}

static void run(struct nf_module *m, const void *module, size_t size, struct nf_words *output)
{
    uint64_t start = now_us();
    try_specialize(m, module, size, output);
    if (m->status == NF_OUT_OF_MEMORY) return;
    if (m->status != NF_OK) output->count = 0;
    try_report(m, output, start);
}

nf_status nf_specialize(const void *module, size_t size, const nf_options *options, nf_result **result)
{
    static const nf_options defaults = NF_OPTIONS_INIT;
    static const nf_allocator heap = {default_allocate, default_release, NULL};
    if (!result) return NF_INVALID_ARGUMENT;
    *result = NULL;
    if (!options) options = &defaults;
    if (!module || !fits(options)) return NF_INVALID_ARGUMENT;
    struct nf_module m = {.options = options};
    struct nf_words output = {0};
    m.arena.allocator = options->allocator ? *options->allocator : heap;
    run(&m, module, size, &output);
    nf_status status = m.status == NF_OUT_OF_MEMORY ? NF_OUT_OF_MEMORY : keep_result(&m, &output, module, size, result);
    nf_arena_free(&m.arena);
    return status;
}

nf_outcome nf_result_outcome(const nf_result *result)
{
    return result->outcome;
}

const void *nf_result_bytes(const nf_result *result)
{
    return result->bytes;
}

size_t nf_result_size(const nf_result *result)
{
    return result->size;
}

const char *nf_result_log(const nf_result *result)
{
    return result->log;
}

const char *nf_result_report(const nf_result *result)
{
    return result->report;
}

nf_counts nf_result_counts(const nf_result *result)
{
    return result->counts;
}

void nf_result_free(nf_result *result)
{
    if (!result) return;
    nf_allocator allocator = result->allocator;
    if (result->bytes) allocator.release(allocator.user, result->bytes);
    if (result->log) allocator.release(allocator.user, result->log);
    if (result->report) allocator.release(allocator.user, result->report);
    allocator.release(allocator.user, result);
}

nf_status nf_summarize(const void *module, size_t size, nf_summary *summary)
{
    if (!module || !summary) return NF_INVALID_ARGUMENT;
    return nf_read_summary(module, size, summary);
}
