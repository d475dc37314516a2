/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locals.c - gives each kernel its own local variables.
 *
 * A SPIR-V module has its local variables at module scope and may use them in any function. Consumers of SPIR 1.2
 * support only the form of OpenCL C: a variable belongs to one kernel, is named "kernel.variable" and is not used
 * elsewhere:
 *
 *     @tile = addrspace(3) ...              @a.tile = internal addrspace(3) global ... undef
 *     used in @helper, which kernels   ->   @b.tile = internal addrspace(3) global ... undef
 *     @a and @b call                        used in @a and @b, into which inline.c put @helper
 *
 * Constants that contain the variable's address are expanded to instructions: all functions share a constant, and PoCL
 * converts the variable to an argument but does not find the variable inside vector constants.
 */
#include "spir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns "kernel.variable", malloc'ed; a name that already has the kernel's prefix is not prefixed again. */
static char *own_name(const char *kernel, const char *variable)
{
    size_t length = strlen(kernel);
    if (strncmp(kernel, variable, length) == 0 && variable[length] == '.') variable += length + 1;
    if (!*variable) variable = "local";
    size_t size = length + 1 + strlen(variable) + 1;
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%s.%s", kernel, variable);
    else
        nf_helper_error("out of memory");
    return name;
}

static bool copy_to_kernel(LLVMModuleRef module, LLVMValueRef variable, LLVMValueRef kernel)
{
    size_t length;
    const char *kernel_name = LLVMGetValueName2(kernel, &length);
    const char *variable_name = LLVMGetValueName2(variable, &length);
    char *name = own_name(kernel_name, variable_name);
    if (!name) return false;
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    LLVMValueRef own = LLVMAddGlobalInAddressSpace(module, type, name, NF_SPACE_LOCAL);
    LLVMSetInitializer(own, LLVMGetUndef(type));
    LLVMSetLinkage(own, LLVMInternalLinkage);
    LLVMSetAlignment(own, LLVMGetAlignment(variable));
    nf_replace_in(kernel, variable, own);
    free(name);
    return true;
}

static bool distribute(LLVMModuleRef module, LLVMValueRef variable)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (LLVMIsDeclaration(f) || !nf_uses(f, variable)) continue;
        if (!nf_is_kernel(f)) {
            nf_helper_error("function '%s' uses local variable '%s' and cannot be inlined",
                            LLVMGetValueName2(f, &length), LLVMGetValueName2(variable, &length));
            return false;
        }
        if (!copy_to_kernel(module, variable, f)) return false;
    }
    return true;
}

bool nf_split_locals(LLVMModuleRef module)
{
    LLVMValueRef last = LLVMGetLastGlobal(module); /* new variables are appended after it */
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = next) {
        next = v == last ? NULL : LLVMGetNextGlobal(v);
        if (!nf_is_local(v)) continue;
        if (!distribute(module, v)) return false;
        LLVMSetLinkage(v, LLVMInternalLinkage); /* unused now, but LLVM deletes an imported variable only with a body */
        if (LLVMIsDeclaration(v)) LLVMSetInitializer(v, LLVMGetUndef(LLVMGlobalGetValueType(v)));
    }
    return nf_run_passes(module, "globaldce");
}
