/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit_tool.c - runs only the stages that make a module fit a device, for the profile that its arguments describe:
 * untyped pointers get types and built-in variables become Inputs, then supply, workarounds and fit.
 *
 *     fit_tool [--spir12] [--version=1.0] [--no-extensions] [--capabilities=4,5,6] IN.spv OUT.spv
 *
 * OUT is the input if nothing has to change. The exit status is an nf_status; the reason is printed on standard error.
 */
#include "fit/fit.h"
#include "prepare/prepare.h"
#include "supply/supply.h"
#include "workarounds/workarounds.h"

#include "../harness/allocator.h"

#include <stdio.h>
#include <stdlib.h>

enum { CAPABILITY_LIMIT = 256, FAULT_LIMIT = 64, USAGE = 64 };

static bool read_words(const char *path, struct nf_words *words)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    words->at = malloc((size_t)size + 4);
    words->count = words->at ? (uint32_t)fread(words->at, 4, (size_t)size / 4, file) : 0;
    fclose(file);
    return words->count >= NF_HEADER_WORDS && words->at[0] == NF_MAGIC;
}

static bool write_words(const char *path, const struct nf_words *words)
{
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    bool good = fwrite(words->at, 4, words->count, file) == words->count;
    return fclose(file) == 0 && good;
}

/* Returns the profile flag that the option `text` stands for, 0 if it is no such option. */
static uint32_t flag_of(const char *text)
{
    static const struct {
        const char *text;
        uint32_t flag;
    } flags[] = {{"--spir12", NF_PROFILE_SPIR12},
                 {"--no-globals", NF_PROFILE_NO_WRITABLE_GLOBALS},
                 {"--globals-in-memory", NF_PROFILE_GLOBALS_IN_MEMORY},
                 {"--constant-scopes", NF_PROFILE_CONSTANT_SCOPES},
                 {"--device-scope", NF_PROFILE_DEVICE_SCOPE},
                 {"--validates", NF_PROFILE_VALIDATES},
                 {"--no-intrinsics", NF_PROFILE_NO_INTRINSICS},
                 {"--no-collectives", NF_PROFILE_NO_COLLECTIVES},
                 {"--constant-formats", NF_PROFILE_CONSTANT_FORMATS},
                 {"--partial-lists", NF_PROFILE_PARTIAL_LISTS}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(text, flags[i].text) == 0) return flags[i].flag;
    return 0;
}

/* Adds the fault with that name to the profile. Returns false if there is none. */
static bool add_fault(nf_profile *profile, const char *name)
{
    static uint32_t faults[FAULT_LIMIT];
    if (profile->fault_count == FAULT_LIMIT) return false;
    profile->faults = faults;
    return (faults[profile->fault_count++] = nf_fault_number(name)) != 0;
}

static bool parse(int count, char **arguments, nf_profile *profile, const char *paths[2])
{
    static uint32_t capabilities[CAPABILITY_LIMIT];
    unsigned major, minor;
    int path = 0;
    for (int i = 1; i < count; i++) {
        char *text = arguments[i];
        uint32_t flag = flag_of(text);
        if (flag)
            profile->flags |= flag;
        else if (strncmp(text, "--fault=", 8) == 0 && add_fault(profile, text + 8))
            continue;
        else if (strcmp(text, "--no-extensions") == 0)
            profile->extension_count = SIZE_MAX;
        else if (strncmp(text, "--subgroup-sizes=", 17) == 0)
            profile->subgroup_sizes = strtoull(text + 17, NULL, 0);
        else if (sscanf(text, "--version=%u.%u", &major, &minor) == 2)
            profile->max_version = major << 16 | minor << 8;
        else if (strncmp(text, "--capabilities=", 15) == 0) {
            profile->capabilities = capabilities;
            for (char *at = text + 14; *at && profile->capability_count < CAPABILITY_LIMIT;)
                capabilities[profile->capability_count++] = (uint32_t)strtoul(at + 1, &at, 10);
        } else if (text[0] != '-' && path < 2)
            paths[path++] = text;
        else
            return false;
    }
    return path == 2;
}

int main(int count, char **arguments)
{
    nf_profile profile = NF_PROFILE_INIT;
    const char *paths[2];
    if (!parse(count, arguments, &profile, paths)) {
        fputs("usage: fit_tool [--spir12] [--no-globals...] [--fault=NAME] [--version=1.0] [--no-extensions] "
              "[--capabilities=4,5,6] [--subgroup-sizes=SET] IN OUT\n",
              stderr);
        return USAGE;
    }
    static struct nf_arena arena;
    static struct nf_module m;
    static struct nf_words in, in_types, inputs, out;
    nf_options options = NF_OPTIONS_INIT;
    options.profile = &profile;
    m.options = &options;
    arena.allocator = malloc_allocator;
    m.arena = out.arena = &arena;
    if (!read_words(paths[0], &in)) {
        fprintf(stderr, "fit_tool: %s is not a SPIR-V module\n", paths[0]);
        return NF_MALFORMED;
    }
    if (setjmp(arena.failure.back)) {
        fprintf(stderr, "error: %s\n", arena.failure.text);
        nf_arena_free(&arena);
        free(in.at);
        return arena.failure.status;
    }
    nf_read(&m, in.at, 4 * (size_t)in.count);
    if (m.untyped_pointers && !nf_takes_untyped_pointers(&profile)) {
        nf_lower_untyped(&m, &in_types);
        nf_read_again(&m, &in_types);
    }
    if (nf_lower_inputs(&m, &inputs)) nf_read_again(&m, &inputs);
    struct nf_words read = {.at = m.words, .count = m.count};
    static struct nf_steps steps;
    steps = nf_steps_begin(&m, &read);
    static struct nf_text log;
    log.arena = &arena;
    nf_supply(&m, &steps, &log);
    nf_work_around(&m, &steps);
    nf_supply_entry_points(&m, &steps);
    static struct nf_module made;
    made.arena = &arena;
    made.options = &options;
    if (steps.changed) nf_take_words(&made, &steps.words);
    bool fitted = nf_fit(steps.changed ? &made : &m, &out);
    bool written = write_words(paths[1], fitted ? &out : &steps.words);
    nf_arena_free(&arena);
    free(in.at);
    return written ? NF_OK : USAGE;
}
