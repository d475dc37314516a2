/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inline.c - puts functions into the kernels that call them, where consumers of SPIR 1.2 know no other way.
 *
 * A local variable belongs to one kernel (locals.c), so a function that uses one goes into its kernels; so do
 * program-scope variables that kernels get as an argument (globals.c). PoCL keeps the
 * work-item's id in variables that only kernels have: a function of its own that asks for it ends the process
 * ("undefined symbol: _local_id_x") when the kernel is launched. For such a device all functions go, whatever the
 * module says about inlining; what is recursive stays, and check.c refuses it.
 */
#include "spir.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

bool nf_is_kernel(LLVMValueRef function)
{
    return LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv;
}

bool nf_is_local(LLVMValueRef variable)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == NF_SPACE_LOCAL;
}

bool nf_run_passes(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error) return true;
    char *message = LLVMGetErrorMessage(error);
    nf_complain("internal error: pass %s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

static const LLVMAttributeIndex whole_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool is_marked(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(function, whole_function, kind_of("alwaysinline")) != NULL;
}

static void drop_refusals(LLVMValueRef function)
{
    LLVMRemoveEnumAttributeAtIndex(function, whole_function, kind_of("noinline"));
    LLVMRemoveEnumAttributeAtIndex(function, whole_function, kind_of("optnone"));
}

static void mark(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    drop_refusals(function);
    LLVMAddAttributeAtIndex(function, whole_function, LLVMCreateEnumAttribute(context, kind_of("alwaysinline"), 0));
}

static void allow_inlining(LLVMValueRef call)
{
    LLVMRemoveCallSiteEnumAttribute(call, whole_function, kind_of("noinline"));
}

/* ---- Which functions go ------------------------------------------------------------------------------------------ */

/* Mark whatever function `value` is used in, and its callers. @return true when something is marked. */
static bool mark_users(LLVMValueRef value)
{
    bool any = false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user)) {
            any = mark_users(user) || any;
            continue;
        }
        if (LLVMIsACallInst(user)) allow_inlining(user);
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (nf_is_kernel(function)) continue;
        any = true;
        if (is_marked(function)) continue;
        mark(function);
        mark_users(function);
    }
    return any;
}

static bool mark_users_of_variables(LLVMModuleRef module, const struct nf_device *device)
{
    bool any = false;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        if (nf_is_local(v) || nf_is_moved(v, device)) any = mark_users(v) || any;
    return any;
}

/* @return true when something is marked. */
static bool mark_all(LLVMModuleRef module)
{
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        drop_refusals(f);
        if (nf_is_kernel(f)) continue;
        any = true;
        mark(f);
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
            if (LLVMIsACallInst(LLVMGetUser(use))) allow_inlining(LLVMGetUser(use));
    }
    return any;
}

bool nf_inline(LLVMModuleRef module, const struct nf_device *device)
{
    bool any = nf_device_inlines(device) ? mark_all(module) : mark_users_of_variables(module, device);
    if (!any) return true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_marked(f)) LLVMSetLinkage(f, LLVMInternalLinkage);
    return nf_run_passes(module, "always-inline,globaldce");
}
