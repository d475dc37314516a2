/* SPDX-License-Identifier: Apache-2.0 */
/* dlfcn.h - the dynamic linker's functions of Windows under their POSIX names, as far as the tests use them. */
#ifndef TESTS_LAYER_WINDOWS_DLFCN_H
#define TESTS_LAYER_WINDOWS_DLFCN_H

#include <windows.h>

enum { RTLD_NOW, RTLD_LOCAL = 0 };
/* The library that contains the C library's functions. */
#define RTLD_NEXT LoadLibraryA("msvcrt.dll")
#define dlopen(path, how) LoadLibraryA(path)
#define dlsym(library, name) ((void *)(uintptr_t)GetProcAddress((HMODULE)(library), name))

#endif
