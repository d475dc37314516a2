/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oom.c - what happens when memory runs out, at every place where it can.
 *
 *     oom_test MODULE.spv...
 *
 * For each module and mode the call is made once to count its allocations, then again with the n-th one failing: alone,
 * and with all that follow. Each time the answer must be NF_OUT_OF_MEMORY without a result, and nothing may leak; once
 * no allocation fails, the output must be what it was. Every n is tried up to FIRST, then about SPREAD more.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nonflat/nonflat.h"

enum { FIRST = 64, SPREAD = 64 };

struct memory {
    uint64_t asked, fail_at; /* allocations so far; the one that fails, 0 for none */
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

static nf_status specialize(const struct module *module, nf_mode mode, struct memory *memory, nf_result **result)
{
    const nf_allocator allocator = {allocate, release, memory};
    nf_options options = NF_OPTIONS_INIT;
    options.mode = mode;
    options.allocator = &allocator;
    return nf_specialize(module->bytes, module->size, &options, result);
}

/* @return whether the n-th allocation's failure is answered as it must be. */
static bool try_failure(const struct module *module, nf_mode mode, uint64_t n, bool and_after)
{
    struct memory memory = {.fail_at = n, .and_after = and_after};
    nf_result *result = NULL;
    nf_status status = specialize(module, mode, &memory, &result);
    bool right = status == NF_OUT_OF_MEMORY && !result && memory.live == 0;
    if (!right)
        printf("%s, mode %d: allocation %llu %s: %s, result %p, %ld blocks left\n", module->path, (int)mode,
               (unsigned long long)n, and_after ? "and all after it" : "alone", nf_status_string(status),
               (void *)result, memory.live);
    nf_result_free(result);
    tried++;
    return right;
}

static bool same_output(const nf_result *a, const nf_result *b)
{
    size_t size = nf_result_size(a);
    return size == nf_result_size(b) && (!size || !memcmp(nf_result_bytes(a), nf_result_bytes(b), size));
}

/* A call behind all those failures gives what the first one gave. */
static bool try_again(const struct module *module, nf_mode mode, nf_status wanted, const nf_result *first)
{
    struct memory memory = {0};
    nf_result *result = NULL;
    nf_status status = specialize(module, mode, &memory, &result);
    bool right = status == wanted && result && same_output(first, result);
    nf_result_free(result);
    right = right && memory.live == 0;
    if (!right) printf("%s, mode %d: the last run differs from the first\n", module->path, (int)mode);
    return right;
}

static bool try_mode(const struct module *module, nf_mode mode)
{
    struct memory memory = {0};
    nf_result *first = NULL;
    nf_status status = specialize(module, mode, &memory, &first);
    uint64_t count = memory.asked, step = count > FIRST + SPREAD ? (count - FIRST) / SPREAD : 1;
    bool right = first && count;
    for (uint64_t n = 1; right && n <= count; n += n < FIRST ? 1 : step)
        right = try_failure(module, mode, n, false) && try_failure(module, mode, n, true);
    right = right && try_failure(module, mode, count, false) && try_again(module, mode, status, first);
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
    int wrong = 0;
    for (int i = 1; i < argc; i++) {
        struct module module = load(argv[i]);
        for (int mode = NF_MODE_AUTO; mode <= NF_MODE_OFF; mode++)
            wrong += !try_mode(&module, (nf_mode)mode);
        free(module.bytes);
    }
    printf("%d modules, %llu failed allocations, %d wrong\n", argc - 1, tried, wrong);
    return wrong ? 1 : argc > 1 ? 0 : 2;
}
