/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by_name.h - declarations for tests that open and close the loader themselves: the loader's functions by name, from
 * the handle `library` of the test, a check that ends the process, and the module of the stub driver's tests.
 */
#ifndef BY_NAME_H
#define BY_NAME_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void check(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "FAILED: %s\n", what);
    _exit(1);
}

/* Declares call_NAME, the function of the handle `library`. ISO C has no cast between object and function pointers; POSIX
 * guarantees that they have the same size. */
#define CORE(name)                                                                                                     \
    __typeof__(name) *call_##name;                                                                                     \
    void *address_of_##name = dlsym(library, #name);                                                                   \
    check(address_of_##name != NULL, #name);                                                                           \
    memcpy(&call_##name, &address_of_##name, sizeof call_##name)

/* Reads the module generic.spv. @return its size, at most `room`. */
static inline size_t read_module(unsigned char *module, size_t room)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/generic.spv", getenv("TEST_MODULES"));
    FILE *file = fopen(path, "rb");
    check(file != NULL, path);
    size_t size = fread(module, 1, room, file);
    fclose(file);
    return size;
}

#endif
