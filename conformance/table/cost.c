/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see cost.h. Each module is read before its clock starts; specialization and validation alternate. */
#define _POSIX_C_SOURCE 200809L
#include "cost.h"
#include "list.h"

#include <nonflat/nonflat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An allocator that tracks the bytes in use and their peak; each block has its size in front. */
struct meter {
    size_t held, peak;
};

struct totals {
    validate_function *validator;
    void *user;
    double specialize, validate;
    double worst_memory; /* maximum of peak memory / module size, for modules of 4 KiB and more */
    size_t bytes, peak;
    unsigned modules, failed;
};

enum { BLOCK_HEADER = 16, SMALL_MODULE = 4096 };

double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *metered_allocate(void *user, size_t size)
{
    struct meter *meter = user;
    size_t *block = malloc(size + BLOCK_HEADER);
    if (!block) return NULL;
    *block = size;
    meter->held += size;
    meter->peak = meter->held > meter->peak ? meter->held : meter->peak;
    return (char *)block + BLOCK_HEADER;
}

static void metered_release(void *user, void *memory)
{
    struct meter *meter = user;
    if (!memory) return;
    size_t *block = (size_t *)((char *)memory - BLOCK_HEADER);
    meter->held -= *block;
    free(block);
}

static void measure_memory(const uint32_t *words, size_t size, struct totals *totals)
{
    struct meter meter = {0, 0};
    nf_allocator allocator = {metered_allocate, metered_release, &meter};
    nf_options options = NF_OPTIONS_INIT;
    nf_result *result = NULL;
    options.allocator = &allocator;
    nf_specialize(words, size, &options, &result);
    nf_result_free(result);
    double ratio = (double)meter.peak / (double)size;
    if (size >= SMALL_MODULE && ratio > totals->worst_memory) totals->worst_memory = ratio;
    totals->peak = meter.peak > totals->peak ? meter.peak : totals->peak;
}

static void measure_module(void *user, const char *path, const uint32_t *words, size_t size)
{
    struct totals *totals = user;
    (void)path;
    nf_result *result = NULL;
    double start = cpu_seconds();
    nf_status status = nf_specialize(words, size, NULL, &result);
    nf_result_free(result);
    double middle = cpu_seconds();
    if (totals->validator) totals->validator(totals->user, words, size / 4);
    double end = cpu_seconds();
    totals->specialize += middle - start;
    totals->validate += end - middle;
    totals->bytes += size;
    totals->modules++;
    totals->failed += status != NF_OK;
    if (totals->validator) measure_memory(words, size, totals);
}

int measure_cost(validate_function *validate, void *user, const char *list)
{
    struct totals totals = {.validator = validate, .user = user};
    if (for_each_module(list, measure_module, &totals)) return -1;
    printf("{\"modules\":%u,\"bytes\":%zu,\"failed\":%u,\"specialize_seconds\":%.4f,\"validate_seconds\":%.4f,"
           "\"peak_memory\":%zu,\"worst_memory_ratio\":%.2f}\n",
           totals.modules, totals.bytes, totals.failed, totals.specialize, totals.validate, totals.peak,
           totals.worst_memory);
    return 0;
}
