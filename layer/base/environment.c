/* SPDX-License-Identifier: Apache-2.0 */
/*
 * environment.c - reads environment variables, and restores OPENCL_LAYERS. ocl-icd splits the list in place: it
 * overwrites each ':' of the process's own variable with NUL, so a child process would inherit only the first layer.
 * The separators are restored in place, so that no string moves while another thread reads it.
 *
 *     OPENCL_LAYERS=/a.so\0/us.so\0/c.so\0NEXT=...   ->   OPENCL_LAYERS=/a.so:/us.so:/c.so\0NEXT=...
 *
 * The hard case is to find the end of the variable. The end is known only inside the block of adjacent strings that the
 * kernel has created for the process, and whose bounds it reports. There the variable ends where the next listed one
 * begins. A variable between them that has been removed from the list still has its string in the block; such a string
 * is recognized by its '=', and then no separator is restored; among the entries of a list only a path may contain '='.
 * A variable that the application has set itself is outside of the block, and is not changed.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static atomic_int late_done;

char *nf_cl_variable(size_t index)
{
    char *const volatile *list = environ;
    return list ? list[index] : NULL;
}

char *nf_cl_variable_value(const char *name)
{
    char *variable;
    size_t length = strlen(name);
    for (size_t i = 0; (variable = nf_cl_variable(i)); i++)
        if (strncmp(variable, name, length) == 0 && variable[length] == '=') return variable + length + 1;
    return NULL;
}

struct block {
    uintptr_t start, end;
};

/* Reads the bounds of the environment block from fields 50 and 51 of /proc/self/stat. The second field is in
 * parentheses and may contain blanks and parentheses; later fields contain neither. Returns false if the kernel does
 * not report the bounds. */
static bool find_block(struct block *block)
{
    enum { FIRST_BEHIND = 3, START = 50 };
    char text[2048];
    unsigned long start = 0, end = 0;
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) close(file);
    text[size > 0 ? size : 0] = '\0';
    const char *at = strrchr(text, ')');
    for (int field = FIRST_BEHIND - 1; at && field < START; field++)
        at = strchr(at + 1, ' ');
    if (!at || sscanf(at, "%lu %lu", &start, &end) != 2 || start == 0 || end <= start) return false;
    *block = (struct block){start, end};
    return true;
}

/* Returns the address at which the next variable of the block after `list` begins, or at which the block ends. */
static uintptr_t next_variable(const struct block *block, uintptr_t list)
{
    uintptr_t next = block->end;
    uintptr_t variable;
    for (size_t i = 0; (variable = (uintptr_t)nf_cl_variable(i)) != 0; i++) {
        if (variable > list && variable < next) next = variable;
    }
    return next;
}

/* Returns the length of the list, counting the NULs that replace separators, or 0 if its end is not certain. */
static size_t list_length(const char *list)
{
    struct block block;
    if (!find_block(&block) || (uintptr_t)list <= block.start || (uintptr_t)list >= block.end) return 0;
    size_t size = next_variable(&block, (uintptr_t)list) - (uintptr_t)list;
    if (list[size - 1] != '\0') return 0;
    for (const char *piece = list + strlen(list) + 1; piece < list + size; piece += strlen(piece) + 1)
        if (*piece != '/' && strchr(piece, '=')) return 0;
    return size - 1;
}

/* Returns true if the entry `piece` is this library. */
static bool is_this_library(const char *piece)
{
    Dl_info info;
    if (!dladdr((const void *)&late_done, &info) || !info.dli_fname) return false;
    if (strcmp(piece, info.dli_fname) == 0) return true;
    const char *base = strrchr(info.dli_fname, '/');
    return !strchr(piece, '/') && base && strcmp(piece, base + 1) == 0;
}

/* Returns the length of the entries before this library, 0 if it is not listed: the loader has already read them when
 * it initializes this library. */
static size_t length_before_this_library(const char *list, size_t length)
{
    for (const char *piece = list; piece <= list + length; piece += strlen(piece) + 1)
        if (is_this_library(piece)) return (size_t)(piece - list);
    return 0;
}

char *nf_cl_layers_below(void)
{
    const char *list = nf_cl_variable_value("OPENCL_LAYERS");
    for (const char *piece = list; piece && *piece; piece += strcspn(piece, ":"), piece += *piece == ':') {
        char *name = strndup(piece, strcspn(piece, ":"));
        bool us = name && is_this_library(name);
        free(name);
        if (us) return strndup(list, (size_t)(piece - list));
    }
    return strdup(list ? list : "");
}

static void replace_nul_separators(bool late)
{
    char *list = nf_cl_variable_value("OPENCL_LAYERS");
    size_t length = list ? list_length(list) : 0;
    if (length > 0 && !late) length = length_before_this_library(list, length);
    for (size_t i = 0; i < length; i++)
        if (list[i] == '\0') list[i] = ':';
}

void nf_cl_layers_list_restore(void)
{
    atomic_store(&late_done, 0);
    replace_nul_separators(false);
}

void nf_cl_layers_list_restore_all(void)
{
    if (atomic_load_explicit(&late_done, memory_order_relaxed) || atomic_exchange(&late_done, 1)) return;
    replace_nul_separators(true);
}
