/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - see library.h. */
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* POSIX returns functions as object pointers. */
static bool look_for_function(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool find_function(void *handle, const char *name, void *function)
{
    bool found = look_for_function(handle, name, function);
    if (!found) fprintf(stderr, "nonflat-compare: %s\n", dlerror());
    return found;
}

bool library_open(struct library *library, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "nonflat-compare: %s\n", dlerror());
        return false;
    }
    bool whole = true;
#define X(name) whole &= find_function(handle, #name, &library->name);
    LIBRARY_FUNCTIONS(X)
#undef X
    look_for_function(handle, "nf_link", &library->nf_link);
    return whole;
}
