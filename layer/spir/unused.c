/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unused.c - drops what no kernel reaches, so that it cannot be the reason why a device refuses a module, or ends on
 * it.
 *
 * A host compiler keeps functions and variables for others to find by name, some of them by lists that speak to a
 * linker. In the program of a device only kernels are found by name:
 *
 *     @id = addrspace(1) global i8 0                                              gone
 *     @llvm.compiler.used = ... [i64 ptrtoint (i8 addrspace(1)* @id to i64)]      gone
 *     @count = addrspace(1) global i32 0                                          stays: kernel @add uses it
 */
#include "spir.h"

#include <string.h>

/* Variables of LLVM's own that say nothing to a device. */
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

/* Let only kernels be found by name, and what the module `shown` has (NULL: nothing more). */
static void hide_all(LLVMModuleRef module, LLVMModuleRef shown)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!nf_is_kernel(f)) hide(f, shown);
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        hide(v, shown);
}

/* What is reached keeps its linkage, which decides between two definitions when the library is linked: so we find out
 * in a copy what that is. */
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
