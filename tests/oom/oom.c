/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oom.c - the behavior when memory is exhausted, at every allocation.
 *
 *     oom_test [--most N] MODULE.spv...
 *
 * For each module and each of the ways below the call is made once to count its allocations, then again with the n-th
 * one failing: alone, and together with all later ones. Each time the result must be NF_OUT_OF_MEMORY without an
 * output, and no memory may leak; once no allocation fails, the output must be the original one. Every n is tried; with
 * --most about N of them, including all of the first half.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nonflat/nonflat.h"

/* The variants of the call: together they execute every stage, including the report and the log. */
static const uint32_t few[] = {4, 5, 6, 22}; /* Addresses, Linkage, Kernel, Int16 */
static const char *const none[] = {""};
#define SIZED .struct_size = sizeof(nf_profile)
static const uint32_t escaping[] = {NF_FAULT_INTEL_ESCAPING_ADDRESSES};
/* All faults except NF_FAULT_INTEL_ESCAPING_ADDRESSES, and some numbers that no version of the library defines. */
static const uint32_t faulty[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                  15, 16, 17, 18, 19, 20, 22, 23, 24, 25, 26, 27, 28, UINT32_MAX};
static const nf_profile spir12 = {SIZED, .flags = NF_PROFILE_SPIR12 | NF_PROFILE_NO_WRITABLE_GLOBALS};
static const nf_profile old = {SIZED, .max_version = 0x00010000, .extensions = none, .extension_count = SIZE_MAX};
static const nf_profile poor = {SIZED, .capabilities = few, .capability_count = 4};
static const nf_profile escapes = {SIZED, .faults = escaping, .fault_count = 1};
/* A device that lacks every feature that Nonflat can supply, and whose driver has the faults above. */
static const nf_profile lacking = {SIZED, .max_version = 0x00010400, .flags = ~(uint32_t)NF_PROFILE_SPIR12,
                                   .faults = faulty, .fault_count = sizeof faulty / sizeof *faulty};
static const nf_spec_value values[] = {{0, 4, 3}, {1, 4, 7}, {2, 1, 1}, {7, 8, 1ull << 40}};

struct way {
    const char *name;
    nf_mode mode;
    int library;
    const nf_profile *profile;
    size_t spec_values;
    const char *dump;
    size_t link; /* the number of copies of the module that are linked, instead of specializing it */
    nf_output_kind output;
};

static const struct way ways[] = {
    {"auto", NF_MODE_AUTO, 0, NULL, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"static", NF_MODE_STATIC, 0, NULL, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"hint", NF_MODE_HINT, 0, NULL, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"dynamic", NF_MODE_DYNAMIC, 0, NULL, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"off", NF_MODE_OFF, 0, NULL, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"library", NF_MODE_AUTO, 1, NULL, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"SPIR 1.2", NF_MODE_AUTO, 0, &spir12, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"SPIR 1.2, dynamic", NF_MODE_DYNAMIC, 0, &spir12, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"version 1.0", NF_MODE_AUTO, 0, &old, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"few capabilities", NF_MODE_AUTO, 0, &poor, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"addresses escape", NF_MODE_AUTO, 0, &escapes, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"all is supplied", NF_MODE_AUTO, 0, &lacking, 0, NULL, 0, NF_OUTPUT_SPIRV},
    {"spec values, dumps", NF_MODE_AUTO, 0, NULL, 4, "rcsw", 0, NF_OUTPUT_SPIRV},
    {"linked", NF_MODE_AUTO, 0, NULL, 4, NULL, 1, NF_OUTPUT_SPIRV},
    {"linked with itself", NF_MODE_AUTO, 1, NULL, 0, NULL, 2, NF_OUTPUT_SPIRV},
    {"OpenCL C", NF_MODE_AUTO, 0, NULL, 0, NULL, 0, NF_OUTPUT_OPENCL_C},
};

static uint64_t most = UINT64_MAX;

struct memory {
    uint64_t asked, fail_at; /* number of allocations so far; index of the failing one, 0: none */
    bool and_after;
    long live;
};

static unsigned long long tried;

static void *allocate(void *user, size_t size)
{
    struct memory *memory = user;
    uint64_t number = ++memory->asked;
    if (memory->fail_at && (number == memory->fail_at || (memory->and_after && number > memory->fail_at))) return NULL;
    void *block = malloc(size ? size : 1);
    if (!block) abort();
    memory->live++;
    return block;
}

static void release(void *user, void *block)
{
    struct memory *memory = user;
    memory->live--;
    free(block);
}

struct module {
    const char *path;
    uint8_t *bytes;
    size_t size;
};

static void hear(void *user, const char *line)
{
    (void)user, (void)line;
}

static nf_status call(const struct module *module, const struct way *way, struct memory *memory, nf_result **result)
{
    const nf_allocator allocator = {allocate, release, memory};
    nf_options options = NF_OPTIONS_INIT;
    options.mode = way->mode;
    options.library = way->library;
    options.profile = way->profile;
    options.output = way->output;
    options.spec_values = values;
    options.spec_value_count = way->spec_values;
    options.dump = way->dump;
    options.dump_line = hear;
    options.allocator = &allocator;
    const nf_link_input input = {module->bytes, module->size, values, way->spec_values}, inputs[] = {input, input};
    if (way->link) return nf_link(inputs, way->link, &options, result);
    return nf_specialize(module->bytes, module->size, &options, result);
}

/* @return true if the failure of the n-th allocation has the required result. A run may need one allocation less than
 * was counted, because the report contains its duration: then no allocation failed. */
static bool try_failure(const struct module *module, const struct way *way, uint64_t n, bool and_after)
{
    struct memory memory = {.fail_at = n, .and_after = and_after};
    nf_result *result = NULL;
    nf_status status = call(module, way, &memory, &result);
    bool failed = memory.asked >= n, right = failed ? status == NF_OUT_OF_MEMORY && !result : result != NULL;
    nf_result_free(result);
    right = right && memory.live == 0;
    if (!right)
        printf("%s, %s: allocation %llu %s: %s, %ld blocks left\n", module->path, way->name, (unsigned long long)n,
               and_after ? "and all after it" : "alone", nf_status_string(status), memory.live);
    tried += failed;
    return right;
}

static bool same_output(const nf_result *a, const nf_result *b)
{
    size_t size = nf_result_size(a);
    return size == nf_result_size(b) && (!size || !memcmp(nf_result_bytes(a), nf_result_bytes(b), size));
}

/* Checks that a call after all those failures has the result of the first one. */
static bool try_again(const struct module *module, const struct way *way, nf_status wanted, const nf_result *first)
{
    struct memory memory = {0};
    nf_result *result = NULL;
    nf_status status = call(module, way, &memory, &result);
    bool right = status == wanted && result && same_output(first, result);
    nf_result_free(result);
    right = right && memory.live == 0;
    if (!right) printf("%s, %s: the last run differs from the first\n", module->path, way->name);
    return right;
}

/* @return the next n to be tried after `n`, of `count`. */
static uint64_t next_number(uint64_t n, uint64_t count)
{
    uint64_t gap = count > most && n >= most / 2 ? (count - most / 2) / (most / 2) + 1 : 1;
    return n < count && n + gap > count ? count : n + gap;
}

static bool try_way(const struct module *module, const struct way *way)
{
    struct memory memory = {0};
    nf_result *first = NULL;
    nf_status status = call(module, way, &memory, &first);
    uint64_t count = memory.asked;
    bool right = first && count;
    for (uint64_t n = 1; right && n <= count; n = next_number(n, count))
        right = try_failure(module, way, n, false) && try_failure(module, way, n, true);
    right = right && try_again(module, way, status, first);
    nf_result_free(first);
    return right;
}

static struct module load(const char *path)
{
    struct module module = {.path = path};
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && !fseek(file, 0, SEEK_END)) size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) || !(module.bytes = malloc((size_t)size + 1)) ||
        fread(module.bytes, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    module.size = (size_t)size;
    return module;
}

int main(int argc, char **argv)
{
    int wrong = 0, first = 1;
    if (argc > 2 && !strcmp(argv[1], "--most")) {
        most = strtoull(argv[2], NULL, 10);
        first = 3;
    }
    if (first >= argc || most < 2) {
        fprintf(stderr, "usage: %s [--most N] MODULE.spv...\n", argv[0]);
        return 2;
    }
    for (int i = first; i < argc; i++) {
        struct module module = load(argv[i]);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            wrong += !try_way(&module, &ways[w]);
        free(module.bytes);
    }
    printf("%d modules, %llu failed allocations, %d wrong\n", argc - first, tried, wrong);
    return wrong ? 1 : 0;
}
