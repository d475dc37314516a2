/* SPDX-License-Identifier: Apache-2.0 */
/*
 * environ.c - puts OPENCL_LAYERS back together. ocl-icd splits the list in place: it overwrites each ':' of the
 * process's own variable with a NUL, so a child process would inherit the first layer alone. Takes the variable as it
 * stands; gives it its separators back, in place, so that nothing moves under a reader.
 *
 *     OPENCL_LAYERS=/a.so\0/us.so\0/c.so   ->   OPENCL_LAYERS=/a.so:/us.so:/c.so
 *
 * How far does the list go? When we are not in what is left of it, it was certainly cut, and goes on at least to our
 * own name. Behind our name it goes on while the next piece names a shared object that exists, or one that is loaded.
 * Memory behind the string is copied by the kernel (process_vm_readv), because it may not be readable at all.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LIST_MAX = 16384, CHUNK = 256 };

static atomic_int late_done;

/* Copy up to `size` bytes at `from`, as far as they are readable. @return how many. */
static size_t peek(const char *from, char *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        size_t part = size - done < CHUNK ? size - done : CHUNK;
        struct iovec local = {to + done, part};
        struct iovec remote = {(char *)(uintptr_t)(from + done), part};
        ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
        if (got <= 0) break;
        done += (size_t)got;
        if ((size_t)got < part) break;
    }
    return done;
}

/* @return whether `piece` of the list is this very library. */
static bool is_us(const char *piece)
{
    Dl_info info;
    if (!dladdr((const void *)&late_done, &info) || !info.dli_fname) return false;
    if (strcmp(piece, info.dli_fname) == 0) return true;
    const char *base = strrchr(info.dli_fname, '/');
    return !strchr(piece, '/') && base && strcmp(piece, base + 1) == 0;
}

/* @return the first entry of `piece`, fresh, or NULL when it is not a path: the next variable of the environment. */
static char *first_entry(const char *piece)
{
    char *first = strndup(piece, strcspn(piece, ":"));
    if (first && *first && !strchr(first, '=')) return first;
    free(first);
    return NULL;
}

/* @return whether a library of that bare name has been loaded. */
static bool is_loaded(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (library) dlclose(library);
    return library != NULL;
}

/* @return whether `piece` is a layer that could be loaded after us. What lies behind a list that was not cut is
 * somebody else's memory and may look like anything, even like an older list or the end of one: we come only once, and
 * a bare name must be a library that is there (which a later layer is by the time of the late call). */
static bool is_layer(const char *piece)
{
    char *first = first_entry(piece);
    bool good = first && strstr(first, ".so") && !is_us(first) &&
                (strchr(first, '/') ? *first == '/' && access(first, F_OK) == 0 : is_loaded(first));
    free(first);
    return good;
}

static bool is_entry(const char *piece)
{
    char *first = first_entry(piece);
    free(first);
    return first != NULL;
}

/* Does a colon-separated list name us? */
static bool names_us(const char *list)
{
    char *copy = strdup(list), *rest = copy, *piece;
    bool found = false;
    while (copy && !found && (piece = strsep(&rest, ":")) != NULL)
        found = is_us(piece);
    free(copy);
    return found;
}

/* @return the length of the uncut list in `text`, of which `size` bytes are known; each piece ends with a NUL. */
static size_t list_length(const char *text, size_t size)
{
    size_t end = strnlen(text, size);
    if (end == size) return 0;
    bool reached = names_us(text);
    size_t good = reached ? end : 0;
    while (end + 1 < size) {
        const char *piece = text + end + 1;
        size_t length = strnlen(piece, size - end - 1);
        if (length == size - end - 1 || length == 0) break;
        if (reached ? !is_layer(piece) : !is_entry(piece)) break;
        end += 1 + length;
        reached = reached || names_us(piece);
        if (reached) good = end;
    }
    return good;
}

static void mend(void)
{
    char *list = getenv("OPENCL_LAYERS");
    char *copy = list ? malloc(LIST_MAX) : NULL;
    if (!copy) return;
    size_t length = list_length(copy, peek(list, copy, LIST_MAX));
    for (size_t i = 0; i < length; i++)
        if (copy[i] == '\0') list[i] = ':';
    free(copy);
}

void nf_cl_environ_mend(void)
{
    atomic_store(&late_done, 0);
    mend();
}

void nf_cl_environ_mend_late(void)
{
    if (atomic_load_explicit(&late_done, memory_order_relaxed) || atomic_exchange(&late_done, 1)) return;
    mend();
}
