/* SPDX-License-Identifier: Apache-2.0 */
/*
 * property.c - resource checks for one call of the specializer, and predicates on modules.
 */
#include "property.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>

enum { SMALLEST = 64 * 1024, FACTOR = 64, BYTES_A_SECOND = 100 * 1000, HEAD = 64 };

const char *fuzz_mode_name(nf_mode mode)
{
    static const char *const names[] = {"auto", "static", "hint", "dynamic", "off"};
    return names[mode];
}

/* ---- The watch ----------------------------------------------------------------------------------------------- */

/* Each allocation stores its size, in a header that keeps the alignment. */
static void *count_allocation(void *user, size_t size)
{
    struct fuzz_run *run = user;
    if (size > run->limit || run->live + size > run->limit)
        fuzz_fail("%s: %zu and %zu bytes more are over the limit of %zu", run->what, run->live, size, run->limit);
    uint8_t *memory = malloc(HEAD + size);
    if (!memory) return NULL;
    memcpy(memory, &size, sizeof size);
    run->live += size;
    if (run->peak < run->live) run->peak = run->live;
    return memory + HEAD;
}

static void count_release(void *user, void *memory)
{
    struct fuzz_run *run = user;
    size_t size;
    memcpy(&size, (uint8_t *)memory - HEAD, sizeof size);
    run->live -= size;
    free((uint8_t *)memory - HEAD);
}

static void check_result(const struct fuzz_run *run)
{
    const nf_result *r = run->result;
    if (run->status == NF_INVALID_ARGUMENT || run->status == NF_OUT_OF_MEMORY || !r)
        fuzz_fail("%s: %s, result %p", run->what, nf_status_string(run->status), (const void *)r);
    bool done = run->status == NF_OK, has_bytes = nf_result_bytes(r) && nf_result_size(r);
    if (done != has_bytes || done == (nf_result_outcome(r) == NF_NOT_DONE))
        fuzz_fail("%s: %s, but %zu bytes and outcome %d", run->what, nf_status_string(run->status), nf_result_size(r),
                  (int)nf_result_outcome(r));
    if (!done && !*nf_result_log(r)) fuzz_fail("%s: %s without a reason", run->what, nf_status_string(run->status));
    if (strstr(nf_result_log(r), "internal error")) fuzz_fail("%s: %s", run->what, nf_result_log(r));
}

/* Checks the requirements on every call, which began at `start`. */
static void check_call(const struct fuzz_run *run, size_t size, clock_t start)
{
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 1 && seconds > (double)size / BYTES_A_SECOND)
        fuzz_fail("%s: %.2f s for %zu bytes", run->what, seconds, size);
    check_result(run);
}

void fuzz_start_with(struct fuzz_run *run, const void *data, size_t size, const nf_options *like)
{
    size_t counted = size < SMALLEST ? SMALLEST : size;
    size_t factor = like->check ? 2 * FACTOR : FACTOR; /* with nf_options.check every output is read again */
    *run = (struct fuzz_run){.limit = counted * factor, .what = fuzz_mode_name(like->mode)};
    const nf_allocator allocator = {count_allocation, count_release, run};
    nf_options options = *like;
    options.allocator = &allocator;
    clock_t start = clock();
    run->status = nf_specialize(data, size, &options, &run->result);
    check_call(run, size, start);
}

void fuzz_start(struct fuzz_run *run, const void *data, size_t size, nf_mode mode, int library)
{
    nf_options options = NF_OPTIONS_INIT;
    options.check = 1;
    options.mode = mode;
    options.library = library;
    fuzz_start_with(run, data, size, &options);
}

void fuzz_start_link(struct fuzz_run *run, const nf_link_input *inputs, size_t count, int library)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += inputs[i].size;
    *run = (struct fuzz_run){.limit = (size < SMALLEST ? SMALLEST : size) * FACTOR, .what = "link"};
    const nf_allocator allocator = {count_allocation, count_release, run};
    nf_options options = NF_OPTIONS_INIT;
    options.library = library;
    options.allocator = &allocator;
    clock_t start = clock();
    run->status = nf_link(inputs, count, &options, &run->result);
    check_call(run, size, start);
}

void fuzz_finish(struct fuzz_run *run)
{
    fuzz_taken += run->status == NF_OK;
    nf_result_free(run->result);
    run->result = NULL;
    if (run->live) fuzz_fail("%s: %zu bytes leaked", run->what, run->live);
}

/* ---- Predicates on modules --------------------------------------------------------------------------------------- */

/* OpGenericPtrMemSemantics becomes a constant, and the validator checks constants where it cannot check other values.
 * Newer validators require a generic pointer for the packet of a pipe, as the specification does, which an output
 * cannot have. */
static bool is_excused(const char *error)
{
    return strstr(error, "Invalid scope value") || strstr(error, "Memory Semantics") ||
           strstr(error, "cannot be a constant zero") ||
           strstr(error, "Pointer must be a OpTypePointer with a Generic storage class");
}

bool fuzz_is_valid(const void *module, size_t size, bool is_output)
{
    if (size < 20 || size % 4) return false;
    uint32_t *words = malloc(size); /* the validator requires aligned words */
    if (!words) abort();
    memcpy(words, module, size);
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_const_binary_t binary = {words, size / 4};
    spv_diagnostic diagnostic = NULL;
    bool valid = spvValidate(context, &binary, &diagnostic) == SPV_SUCCESS;
    if (!valid && is_output && diagnostic && is_excused(diagnostic->error)) valid = true;
    if (!valid && is_output && diagnostic) spvDiagnosticPrint(diagnostic);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    free(words);
    return valid;
}

static bool is_generic(const uint32_t *w)
{
    uint32_t count = w[0] >> 16;
    switch (w[0] & 0xffff) {
    case SpvOpCapability: return count > 1 && w[1] == SpvCapabilityGenericPointer;
    case SpvOpTypePointer:
    case SpvOpTypeForwardPointer: return count > 2 && w[2] == SpvStorageClassGeneric;
    case SpvOpPtrCastToGeneric:
    case SpvOpGenericCastToPtr:
    case SpvOpGenericCastToPtrExplicit:
    case SpvOpGenericPtrMemSemantics: return true;
    default: return false;
    }
}

static uint32_t in_host_order(const uint32_t *words, size_t at, bool swapped)
{
    return swapped ? __builtin_bswap32(words[at]) : words[at];
}

bool fuzz_has_generic(const void *module, size_t size)
{
    const uint32_t *words = module; /* an output: aligned, in the byte order of the input */
    bool swapped = size >= 4 && words[0] == __builtin_bswap32(SpvMagicNumber);
    for (size_t at = 5, length = 0; at < size / 4; at += length) {
        uint32_t start[3] = {in_host_order(words, at, swapped)};
        length = start[0] >> 16;
        if (!length || length > size / 4 - at) fuzz_fail("word %zu: no instruction", at);
        for (size_t i = 1; i < 3 && i < length; i++)
            start[i] = in_host_order(words, at + i, swapped);
        if (is_generic(start)) return true;
    }
    return false;
}
