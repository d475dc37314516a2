/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect.c - lists the files of the arguments of `nonflat scan` and `nonflat cache warm`, in a fixed order, and finds
 * the distinct modules. A named file is listed whatever it begins with. A folder contributes the files below it that
 * begin like a module or a container, or may not be read; symbolic links in the folder are not followed.
 */
#define _XOPEN_SOURCE 700

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/modules/modules.h"

/* Appends a file. Returns 0, or -1 after printing an error. */
static int add_file(struct nf_files *files, const char *path, size_t size, bool is_named)
{
    if (files->count == files->capacity) {
        size_t capacity = files->capacity ? files->capacity * 2 : 64;
        struct nf_file *larger = realloc(files->list, capacity * sizeof *larger);
        if (!larger) return nf_print_error("out of memory"), -1;
        files->list = larger;
        files->capacity = capacity;
    }
    char *copy = strdup(path);
    if (!copy) return nf_print_error("out of memory"), -1;
    files->list[files->count++] = (struct nf_file){.path = copy, .size = size, .is_named = is_named};
    return 0;
}

/* Returns true if the file begins like a module or a container, or may not be read, so that this is reported later. */
static bool may_contain_modules(const char *path)
{
    unsigned char start[16];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return errno == EACCES;
    ssize_t got = read(descriptor, start, sizeof start);
    close(descriptor);
    return got > 0 && (nf_is_module(start, (size_t)got) || nf_is_container(start, (size_t)got));
}

static int collect_folder(struct nf_files *files, const char *folder);

static int collect_below(struct nf_files *files, const char *path)
{
    struct stat is;
    if (lstat(path, &is) < 0) return 0;
    if (S_ISDIR(is.st_mode)) return collect_folder(files, path);
    if (!S_ISREG(is.st_mode) || is.st_size == 0 || !may_contain_modules(path)) return 0;
    return add_file(files, path, (size_t)is.st_size, 0);
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int collect_folder(struct nf_files *files, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_entry, alphasort), status = 0;
    if (count < 0) {
        nf_print_error("cannot open %s: %s", folder, strerror(errno));
        return -1;
    }
    for (int i = 0; i < count; i++) {
        size_t length = strlen(folder) + strlen(entries[i]->d_name) + 2;
        char *path = malloc(length);
        if (path)
            snprintf(path, length, "%s/%s", folder, entries[i]->d_name);
        else
            nf_print_error("out of memory");
        if (!path || (status == 0 && collect_below(files, path) < 0)) status = -1;
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int nf_collect(struct nf_files *files, const char *path)
{
    struct stat is;
    if (stat(path, &is) < 0) {
        nf_print_error("cannot open %s: %s", path, strerror(errno));
        return -1;
    }
    if (S_ISDIR(is.st_mode)) return collect_folder(files, path);
    if (!S_ISREG(is.st_mode)) {
        nf_print_error("%s is neither a file nor a folder", path);
        return -1;
    }
    if (access(path, R_OK) < 0) {
        nf_print_error("cannot open %s: %s", path, strerror(errno));
        return -1;
    }
    return add_file(files, path, (size_t)is.st_size, 1);
}

void nf_file_map(struct nf_file *file)
{
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
    struct stat is;
    if (descriptor < 0 || fstat(descriptor, &is) < 0) {
        file->failed = errno;
    } else if (is.st_size > 0) {
        file->size = (size_t)is.st_size;
        void *mapped = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (mapped == MAP_FAILED)
            file->failed = errno;
        else
            file->bytes = mapped;
    }
    if (descriptor >= 0) close(descriptor);
}

static bool is_same(const struct nf_found *a, const struct nf_found *b)
{
    return a->hash == b->hash && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* A hash table of all modules; `table` has 1 + index in `modules`, 0 for a free slot. */
struct nf_distinct {
    const struct nf_found **modules;
    size_t *table;
    size_t slots, count;
};

/* Returns 0, or -1 if memory is exhausted. */
static int add_modules_of(struct nf_distinct *distinct, struct nf_file *file)
{
    file->modules = calloc(file->finds.count + 1, sizeof *file->modules);
    if (!file->modules || file->finds.short_of_memory) return -1;
    for (size_t i = 0; i < file->finds.count; i++) {
        const struct nf_found *found = &file->finds.modules[i];
        size_t slot = found->hash & (distinct->slots - 1);
        while (distinct->table[slot] && !is_same(distinct->modules[distinct->table[slot] - 1], found))
            slot = (slot + 1) & (distinct->slots - 1);
        if (!distinct->table[slot]) {
            distinct->modules[distinct->count] = found;
            distinct->table[slot] = ++distinct->count;
            file->first_found++;
        }
        file->modules[i] = distinct->table[slot] - 1;
    }
    return 0;
}

const struct nf_found **nf_files_distinct(struct nf_files *files, size_t *count)
{
    struct nf_distinct distinct = {.slots = 16};
    size_t all = 0;
    for (size_t i = 0; i < files->count; i++)
        all += files->list[i].finds.count;
    while (distinct.slots < all * 2)
        distinct.slots *= 2;
    distinct.table = calloc(distinct.slots, sizeof *distinct.table);
    distinct.modules = calloc(all + 1, sizeof *distinct.modules);
    int status = distinct.table && distinct.modules ? 0 : -1;
    for (size_t i = 0; status == 0 && i < files->count; i++)
        status = add_modules_of(&distinct, &files->list[i]);
    free(distinct.table);
    *count = distinct.count;
    if (status == 0) return distinct.modules;
    free(distinct.modules);
    return NULL;
}

int nf_print_no_module(const char *subcommand, const struct nf_files *files, char *const *paths)
{
    const struct nf_file *only = files->count == 1 && files->list[0].is_named ? &files->list[0] : NULL;
    return nf_print_error("%s: no SPIR-V module in %s%s%s", subcommand, paths[0], paths[1] ? " nor in the others" : "",
                          only ? nf_describe_input(only->bytes, only->bytes ? only->size : 0) : "");
}

void nf_files_free(struct nf_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        struct nf_file *file = &files->list[i];
        if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->size);
        nf_module_list_free(&file->finds);
        free(file->modules);
        free(file->path);
    }
    free(files->list);
    memset(files, 0, sizeof *files);
}
