/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host.c - facts about this process and its system: whether it is privileged, its program, the locations of its user's
 * settings and cache, free address ranges. Takes the environment and /proc; gives paths and answers.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef NONFLAT_SYSTEM_CONFIG
#define NONFLAT_SYSTEM_CONFIG "/etc/nonflat/nonflat.conf"
#endif

const char nf_cl_list_separator[] = ":";

bool nf_cl_is_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}

/* Returns the file name of the executable without its folder, which the caller frees, or NULL. The name is read from
 * the list of mappings, because some sandboxes kill processes that call readlink() on /proc/self/exe. */
static char *program_file(void)
{
    const unsigned long program = getauxval(AT_PHDR);
    FILE *list = fopen("/proc/self/maps", "re");
    unsigned long start, end;
    size_t capacity = 0;
    char *line = NULL, *name = NULL;
    while (list && !name && getline(&line, &capacity, list) > 0) {
        if (sscanf(line, "%lx-%lx", &start, &end) != 2 || program < start || program >= end) continue;
        line[strcspn(line, "\n")] = '\0';
        const char *slash = strrchr(line, '/');
        name = strdup(slash ? slash + 1 : "");
    }
    if (list) fclose(list);
    free(line);
    return name;
}

bool nf_cl_matches(const char *pattern, const char *text)
{
    return fnmatch(pattern, text, 0) == 0;
}

bool nf_cl_is_program(const char *pattern)
{
    if (nf_cl_matches(pattern, program_invocation_short_name)) return true;
    char *name = program_file();
    bool is = name && nf_cl_matches(pattern, name);
    free(name);
    return is;
}

bool nf_cl_is_absolute(const char *path)
{
    return *path == '/';
}

char *nf_cl_last_slash(const char *path)
{
    return (char *)strrchr(path, '/'); /* since C23 the result is const if the text is */
}

/* Returns nonflat/NAME in the folder of the variable, or else in a folder below the home; NULL without either. */
static char *below_home(const char *variable, const char *folder, const char *name)
{
    const char *base = nf_cl_variable_value(variable), *home = nf_cl_variable_value("HOME");
    if (base && *base == '/') return nf_cl_format("%s/nonflat%s", base, name);
    return home && *home == '/' ? nf_cl_format("%s/%s/nonflat%s", home, folder, name) : NULL;
}

char *nf_cl_place_path(enum nf_cl_place place)
{
    switch (place) {
    case NF_CL_SYSTEM_SETTINGS: return strdup(NONFLAT_SYSTEM_CONFIG);
    case NF_CL_USER_SETTINGS: return below_home("XDG_CONFIG_HOME", ".config", "/nonflat.conf");
    case NF_CL_USER_CACHE: return below_home("XDG_CACHE_HOME", ".cache", "");
    }
    return NULL;
}

/* ---- address ranges ---- */

/* Returns true if the address space is limited. Then nothing is reserved, because the limit is the application's
 * budget: the windows would take half of a limit of 16 GB. */
static bool is_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/* The address is passed as a hint and not with MAP_FIXED_NOREPLACE: ThreadSanitizer replaces a fixed address in its
 * shadow memory by 0, and aborts the process if the kernel maps that, as it does for root. */
bool nf_cl_reserve_range(uint64_t start, uint64_t bytes)
{
    if (sizeof(void *) < sizeof(uint64_t) || is_limited()) return false;
    void *wanted = (void *)(uintptr_t)start;
    void *got = mmap(wanted, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return false;
    if (got != wanted) munmap(got, (size_t)bytes);
    return got == wanted;
}

void nf_cl_release_range(uint64_t start, uint64_t bytes)
{
    munmap((void *)(uintptr_t)start, (size_t)bytes);
}
