/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volume.c - an ordinary main() in place of libFuzzer's, for large numbers of inputs: mutants of a corpus that
 * libFuzzer has generated, without coverage counters, which take three quarters of the time of a small target.
 *
 *     volume_TARGET COUNT SEED FOUND LONGEST FOLDER...
 *
 * Calls the target with COUNT mutants of the files of the folders, of at most LONGEST bytes; the same SEED gives the
 * same mutants. A mutant that violates the property is in the file FOUND. Mutants are created by the target's own
 * mutator, if it has one, else byte by byte. Exit status: 0 no failure, 2 wrong usage; a failure ends the process by a
 * signal.
 */
#define _GNU_SOURCE
#include "property.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) __attribute__((weak));
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed) __attribute__((weak));
const char *__ubsan_default_options(void);

enum { INPUTS_MAX = 1 << 16, HANG_SECONDS = 20, REPORT_EVERY = 1 << 20 };

static struct input {
    uint8_t *data;
    size_t size;
} inputs[INPUTS_MAX], mutant;
static size_t input_count, longest;
static uint64_t state;
static const char *found;

/* A report of UBSan raises a signal, too. */
const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

static uint32_t pick(uint32_t count)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 11) % count;
}

/* ---- Mutations of arbitrary bytes -------------------------------------------------------------------------------- */

static size_t insert(uint8_t *data, size_t size, size_t most, const uint8_t *what, size_t length)
{
    size_t at = pick((uint32_t)size + 1);
    if (length > most - size) length = most - size;
    memmove(data + at + length, data + at, size - at);
    memmove(data + at, what, length);
    return size + length;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    static const uint32_t special[] = {0, 1, 0x7f, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 0x07230203};
    uint8_t piece[64] = {0};
    const struct input *other = &inputs[pick((uint32_t)input_count)];
    uint32_t kind = pick(8), at = size ? pick((uint32_t)size) : 0, length = 1 + pick(sizeof piece);
    if (!size || kind == 0) { /* inserts a part of another file */
        uint32_t from = other->size ? pick((uint32_t)other->size) : 0;
        if (length > other->size - from) length = (uint32_t)other->size - from;
        memcpy(piece, other->data + from, length);
        return insert(data, size, max_size, piece, length);
    }
    if (length > size - at) length = (uint32_t)size - at;
    switch (kind) {
    case 1: /* removes the part */ memmove(data + at, data + at + length, size - at - length); return size - length;
    case 2: /* duplicates the part */
        memcpy(piece, data + at, length);
        return insert(data, size, max_size, piece, length);
    case 3: memcpy(data + at, &special[pick(8)], length < 4 ? length : 4); return size;
    case 4: data[at] = (uint8_t)(data[at] + pick(9) - 4); return size;
    case 5: data[at] = "\n\t [];=#*?/:-0123456789abcdefxyz"[pick(32)]; return size;
    case 6: data[at] = (uint8_t)pick(256); return size;
    default: data[at] ^= (uint8_t)(1u << pick(8)); return size;
    }
}

/* ---- What is found ----------------------------------------------------------------------------------------------- */

static void keep(int number)
{
    int file = open(found, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, mutant.data, mutant.size) != (ssize_t)mutant.size) _exit(3);
    signal(number, SIG_DFL);
    raise(number);
}

static void watch(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        const struct sigaction action = {.sa_handler = keep, .sa_flags = SA_NODEFER};
        if (sigaction(signals[i], &action, NULL)) abort();
    }
}

/* ---- The inputs -------------------------------------------------------------------------------------------------- */

static void add_file(const char *path)
{
    static uint8_t data[FUZZ_EDGE_MAX];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    if (file) fclose(file);
    if (!size || size > longest || input_count == INPUTS_MAX) return;
    struct input *input = &inputs[input_count++];
    *input = (struct input){malloc(size), size};
    if (!input->data) abort();
    memcpy(input->data, data, size);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Sorted by name, so that a seed always gives the same mutants. */
static void add_folder(const char *path)
{
    struct dirent **names;
    int count = scandir(path, &names, is_file, alphasort);
    for (int i = 0; i < count; i++) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, names[i]->d_name);
        add_file(inside);
        free(names[i]);
    }
    if (count >= 0) free(names);
}

/* ---- Mutants ----------------------------------------------------------------------------------------------------- */

static void take(const struct input *input)
{
    memcpy(mutant.data, input->data, input->size);
    mutant.size = input->size;
}

static void cross(const struct input *other)
{
    static uint8_t both[FUZZ_EDGE_MAX];
    size_t size =
        LLVMFuzzerCustomCrossOver(mutant.data, mutant.size, other->data, other->size, both, longest, pick(1u << 31));
    if (!size) return;
    memcpy(mutant.data, both, size);
    mutant.size = size;
}

static void make_mutant(void)
{
    take(&inputs[pick((uint32_t)input_count)]);
    if (LLVMFuzzerCustomCrossOver && pick(4) == 0) cross(&inputs[pick((uint32_t)input_count)]);
    for (uint32_t times = 1 + (pick(8) == 0); times--;) {
        if (LLVMFuzzerCustomMutator)
            mutant.size = LLVMFuzzerCustomMutator(mutant.data, mutant.size, longest, pick(1u << 31));
        else
            mutant.size = LLVMFuzzerMutate(mutant.data, mutant.size, longest);
    }
}

int main(int argc, char **argv)
{
    static uint8_t data[FUZZ_EDGE_MAX];
    if (argc < 6) return 2;
    unsigned long long count = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
    longest = strtoul(argv[4], NULL, 10);
    if (!longest || longest > sizeof data) return 2;
    found = argv[3];
    mutant.data = data;
    for (int i = 5; i < argc; i++)
        add_folder(argv[i]);
    if (!input_count) return 2;
    watch();
    state = (seed + 1) * 0x9e3779b97f4a7c15u;
    for (unsigned long long i = 0; i < count; i++) {
        if (i % 1024 == 0) alarm(HANG_SECONDS);
        make_mutant();
        LLVMFuzzerTestOneInput(mutant.data, mutant.size);
        if (i && i % REPORT_EVERY == 0) fprintf(stderr, "%llu\n", i);
    }
    printf("%llu mutants of %zu inputs, seed %llu: %llu taken, nothing found\n", count, input_count, seed, fuzz_taken);
    return 0;
}
