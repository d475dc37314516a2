/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.c - finds the layers and the programs that belong to this command. These files are searched relative to the
 * executable: the layers also in its own folder, all of them in the layer folder of the build tree, or in the folders
 * lib and libexec of the same installation, so a copied or moved installation still works. NONFLAT_SPIR and NONFLAT_CL
 * name other programs.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"

/* Sets `found` to the path of the first existing regular file among `names`, which are relative to the folder of the
 * executable. Returns true if there is one; otherwise the contents of `found` are undefined. */
static bool find_beside(const char *const *names, char found[PATH_MAX])
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) return false;
    self[length] = '\0';
    const char *folder = dirname(self);
    for (; *names; names++) {
        char candidate[PATH_MAX + 64];
        struct stat is;
        int needed = snprintf(candidate, sizeof candidate, "%s/%s", folder, *names);
        if (needed < 0 || (size_t)needed >= sizeof candidate) continue;
        if (stat(candidate, &is) == 0 && S_ISREG(is.st_mode) && realpath(candidate, found)) return true;
    }
    return false;
}

/* Returns true if the file can be read and begins like an ELF file; otherwise sets errno. */
static bool is_object(const char *path)
{
    char begin[4] = "";
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file && got < sizeof begin && !ferror(file)) errno = ENOEXEC;
    if (file) fclose(file);
    if (got < sizeof begin) return false;
    errno = ENOEXEC;
    return memcmp(begin, "\177ELF", 4) == 0;
}

int nf_find_layer(const char *given, char *found)
{
    static const char *const names[] = {"libnonflat_layer.so", "../layer/libnonflat_layer.so",
                                        NONFLAT_BIN_TO_LIB "/libnonflat_layer.so",
                                        NONFLAT_BIN_TO_LIB "/nonflat/libnonflat_layer.so", NULL};
    if (given && (!is_object(given) || !realpath(given, found)))
        return nf_print_error("cannot use the layer %s: %s", given, strerror(errno));
    if (!given && !find_beside(names, found))
        return nf_print_error("libnonflat_layer.so is not where this command is installed; use --layer FILE");
    if (strchr(found, ':'))
        return nf_print_error("cannot use the layer %s: a path in OPENCL_LAYERS cannot contain ':'", found);
    return NF_EXIT_DONE;
}

bool nf_find_usm(char *found)
{
    static const char *const names[] = {"libnonflat_usm.so", "../layer/libnonflat_usm.so",
                                        NONFLAT_BIN_TO_LIB "/libnonflat_usm.so",
                                        NONFLAT_BIN_TO_LIB "/nonflat/libnonflat_usm.so", NULL};
    if (find_beside(names, found) && !strchr(found, ':')) return true;
    *found = '\0';
    return false;
}

int nf_find_translator(const char *given, char *found)
{
    static const char *const names[] = {"../layer/spir/nonflat-spir", NULL};
    struct stat is;
    *found = '\0';
    if (given && stat(given, &is) == 0 && !S_ISREG(is.st_mode))
        return nf_print_error("cannot use the translator %s: it is not a file", given);
    if (given && (access(given, X_OK) < 0 || !realpath(given, found)))
        return nf_print_error("cannot use the translator %s: %s", given, strerror(errno));
    if (!given && (getenv("NONFLAT_SPIR") || !find_beside(names, found))) *found = '\0';
    return NF_EXIT_DONE;
}

bool nf_find_installed_translator(char *found)
{
    static const char *const names[] = {"../libexec/nonflat/nonflat-spir", NULL};
    const char *given = getenv("NONFLAT_SPIR");
    if (given && *given) return access(given, X_OK) == 0 && realpath(given, found);
    return find_beside(names, found);
}

bool nf_find_compiler(char *found)
{
    static const char *const names[] = {"../layer/cl/nonflat-cl", "../libexec/nonflat/nonflat-cl", NULL};
    const char *given = getenv("NONFLAT_CL");
    if (given && *given) return access(given, X_OK) == 0 && realpath(given, found);
    return find_beside(names, found);
}

bool nf_find_build_tester(char *found)
{
    static const char *const names[] = {"../layer/build_test/nonflat-try", "../libexec/nonflat/nonflat-try", NULL};
    return find_beside(names, found);
}

/* Returns true if `layer` is one of the ':'-separated paths in `list`. */
static bool is_listed(const char *list, const char *layer)
{
    size_t length = strlen(layer);
    while (*list) {
        size_t entry = strcspn(list, ":");
        if (entry == length && strncmp(list, layer, length) == 0) return true;
        list += entry + (list[entry] == ':');
    }
    return false;
}

char *nf_layers_with(const char *before, const char *layer)
{
    if (!before) before = "";
    if (is_listed(before, layer)) return strdup(before);
    size_t size = strlen(before) + strlen(layer) + 2;
    char *joined = malloc(size);
    if (joined) snprintf(joined, size, "%s%s%s", before, *before ? ":" : "", layer);
    return joined;
}
