/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - links a definition from library/ for each function that the device lacks and the library has.
 *
 * The definitions have the builtins' names while linking. Afterwards the definitions become internal and are renamed,
 * because a driver may resolve a known builtin name before it looks for a body.
 */
#include "spir.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

#include <stdio.h>
#include <string.h>

extern const unsigned char nf_library32[], nf_library64[];
extern const size_t nf_library32_size, nf_library64_size;

enum { NAME_LIMIT = 512 };

static LLVMModuleRef read_library(LLVMModuleRef module)
{
    bool wide = LLVMPointerSize(LLVMGetModuleDataLayout(module)) == 8;
    const unsigned char *data = wide ? nf_library64 : nf_library32;
    size_t size = wide ? nf_library64_size : nf_library32_size;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange((const char *)data, size, "library", 0);
    LLVMModuleRef library = NULL;
    if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(module), buffer, &library)) return NULL;
    LLVMSetTarget(library, LLVMGetTarget(module));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
    return library;
}

static bool is_missing(LLVMValueRef function, const struct nf_device *device)
{
    size_t length;
    return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
           !nf_device_has(device, LLVMGetValueName2(function, &length));
}

/* Gives every exported definition linkonce_odr linkage, so that the linker takes only functions that are called. A
 * function that the device has itself is renamed, so that only the library's own code can refer to the library's
 * version. */
static void prepare_library(LLVMModuleRef library, const struct nf_device *device)
{
    char own[NAME_LIMIT];
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage) continue;
        const char *name = LLVMGetValueName2(f, &length);
        LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
        if (!nf_device_has(device, name)) continue;
        snprintf(own, sizeof own, "own.%s", name);
        LLVMSetValueName2(f, own, strlen(own));
    }
}

static bool any_missing(LLVMModuleRef module, const struct nf_device *device)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_missing(f, device)) return true;
    return false;
}

/* Gives the functions that came from the library internal linkage and a prefix. needs: the module just linked. */
static void hide_library_functions(LLVMModuleRef module)
{
    char hidden[NAME_LIMIT];
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t length;
        if (LLVMGetLinkage(f) != LLVMLinkOnceODRLinkage) continue;
        int needed = snprintf(hidden, sizeof hidden, "nonflat.%s", LLVMGetValueName2(f, &length));
        LLVMSetLinkage(f, LLVMInternalLinkage);
        LLVMSetValueName2(f, hidden, needed < NAME_LIMIT ? (size_t)needed : NAME_LIMIT - 1);
    }
}

bool nf_link_library(LLVMModuleRef module, const struct nf_device *device)
{
    if (!any_missing(module, device)) return true;
    LLVMModuleRef library = read_library(module);
    if (!library) {
        nf_helper_error("internal error: the library of lowered functions cannot be read");
        return false;
    }
    prepare_library(library, device);
    if (LLVMLinkModules2(module, library)) {
        nf_helper_error("internal error: the library of lowered functions does not link");
        return false;
    }
    hide_library_functions(module);
    return true;
}
