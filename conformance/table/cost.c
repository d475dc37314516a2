/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see cost.h. Every module is in memory before the clock starts; specialising and validating take turns. */
#define _POSIX_C_SOURCE 200809L
#include "cost.h"

#include <nonflat/nonflat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An allocator that knows how much is held at once; each block keeps its size in front. */
struct meter {
    size_t held, peak;
};

struct totals {
    double specialise, validate;
    double worst_memory; /* peak memory over module size, of modules of 4 KiB and more */
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

uint32_t *read_words(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    uint32_t *words = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        words = end > 0 ? malloc((size_t)end) : NULL;
        *size = words ? fread(words, 1, (size_t)end, file) : 0;
    }
    fclose(file);
    return words;
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

static void measure_module(validate_function *validate, void *user, const uint32_t *words, size_t size,
                           struct totals *totals)
{
    nf_result *result = NULL;
    double start = cpu_seconds();
    nf_status status = nf_specialize(words, size, NULL, &result);
    nf_result_free(result);
    double middle = cpu_seconds();
    if (validate) validate(user, words, size / 4);
    double end = cpu_seconds();
    totals->specialise += middle - start;
    totals->validate += end - middle;
    totals->bytes += size;
    totals->modules++;
    totals->failed += status != NF_OK;
    if (validate) measure_memory(words, size, totals);
}

int measure_cost(validate_function *validate, void *user, const char *list)
{
    struct totals totals = {0};
    char path[4096];
    FILE *file = fopen(list, "r");
    if (!file) return -1;
    while (fgets(path, sizeof path, file)) {
        size_t size = 0;
        path[strcspn(path, "\n")] = '\0';
        uint32_t *words = read_words(path, &size);
        if (words) measure_module(validate, user, words, size, &totals);
        free(words);
    }
    fclose(file);
    printf("{\"modules\":%u,\"bytes\":%zu,\"failed\":%u,\"specialise_seconds\":%.4f,\"validate_seconds\":%.4f,"
           "\"peak_memory\":%zu,\"worst_memory_ratio\":%.2f}\n",
           totals.modules, totals.bytes, totals.failed, totals.specialise, totals.validate, totals.peak,
           totals.worst_memory);
    return 0;
}
