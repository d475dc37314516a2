/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unused.c - removes functions and variables that no kernel reaches, so that a device does not refuse a module, or end
 * the process, because of them.
 *
 * A host compiler keeps functions and variables that may be found by name, some in lists for a linker. In a device
 * program only kernels are found by name:
 *
 *     @id = addrspace(1) global i8 0                                              removed
 *     @llvm.compiler.used = ... [i64 ptrtoint (i8 addrspace(1)* @id to i64)]      removed
 *     @count = addrspace(1) global i32 0                                          stays: kernel @add uses it
 */
#include "spir.h"

#include <string.h>

/* Removes LLVM's lists of used and annotated values, which have no meaning for a device. */
static void drop_lists(LLVMModuleRef module)
{
    static const char *const lists[] = {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        LLVMValueRef list = LLVMGetNamedGlobal(module, lists[i]);
        if (list && !LLVMGetFirstUse(list)) LLVMDeleteGlobal(list);
    }
}

static bool has(LLVMModuleRef module, LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    return LLVMIsAFunction(value) ? LLVMGetNamedFunction(module, name) != NULL
                                  : LLVMGetNamedGlobal(module, name) != NULL;
}

static void hide(LLVMValueRef value, LLVMModuleRef shown)
{
    size_t length;
    bool special = strncmp(LLVMGetValueName2(value, &length), "llvm.", 5) == 0;
    if (LLVMIsDeclaration(value) || special || (shown && has(shown, value))) return;
    LLVMSetLinkage(value, LLVMInternalLinkage);
}

/* Makes all functions and variables internal except kernels and the names that the module `shown` has (NULL: none). */
static void hide_all(LLVMModuleRef module, LLVMModuleRef shown)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!nf_is_kernel(f)) hide(f, shown);
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        hide(v, shown);
}

/* Finds the reachable names in a copy, because in the module itself they must keep their linkage, which decides between
 * two definitions when the library is linked. */
bool nf_drop_unused(LLVMModuleRef module)
{
    drop_lists(module);
    LLVMModuleRef reached = LLVMCloneModule(module);
    hide_all(reached, NULL);
    bool done = nf_run_passes(reached, "globaldce");
    hide_all(module, reached);
    LLVMDisposeModule(reached);
    return done && nf_run_passes(module, "globaldce");
}
