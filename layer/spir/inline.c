/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inline.c - inlines functions into the kernels that call them, if consumers of SPIR 1.2 require the inlining.
 *
 * In SPIR 1.2 each kernel has its own local variables (locals.c), so a function that uses a local variable is inlined
 * into every kernel that calls it, directly or through other functions. PoCL stores work-item ids in variables that
 * only kernels have: a launch of a kernel with a callee that queries them ends the process ("undefined symbol:
 * _local_id_x"). For such a device all functions are inlined, whatever their attributes say. Recursive functions would
 * remain; the core refuses modules that have them (src/supply/recursion.c).
 *
 * Hazard: a chain of functions that each call the next function twice doubles the code at every step: 16 of them, in
 * five kilobytes, become half a million instructions, which the device has to compile. Therefore the resulting size is
 * computed first. If the result would be too large, only functions that the device cannot call are inlined: functions
 * that use a builtin function of the device or such a variable, and their callers.
 */
#include "spir.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- Selection of functions -------------------------------------------------------------------------------------- */

/* Marks each function in which `value` is used, and its callers, except kernels; and lets the calls that use the value
 * be inlined. @return true if a function is marked. */
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

static bool mark_users_of_variables(LLVMModuleRef module)
{
    bool any = false;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        if (nf_is_local(v)) any = mark_users(v) || any;
    return any;
}

/* Marks the callers of the device's builtin functions, which may query work-item ids, and their callers. @return true
 * if any is marked. */
static bool mark_users_of_device(LLVMModuleRef module)
{
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f)) any = mark_users(f) || any;
    return any;
}

/* Marks all functions that have a body, except kernels. @return true if a function is marked. */
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

/* ---- Resulting size ---------------------------------------------------------------------------------------------- */

/* The limit of a module's size after inlining, in instructions, is `most`: 40 times the size of the largest module of a
 * shipped library (2,500). A module that exceeds the limit itself may grow by the factor `most_growth`. Sums saturate
 * at `countless`. */
static const size_t most = 100000, most_growth = 4, countless = 1000000000;

struct sizes {
    LLVMValueRef *functions;
    size_t *sizes; /* by function: its size with its inlined callees; 0: not computed yet */
    size_t count, own;
};

static size_t index_of(const struct sizes *sizes, LLVMValueRef function)
{
    size_t low = 0, high = sizes->count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (sizes->functions[middle] <= function)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t add(size_t a, size_t b)
{
    return a > countless - b ? countless : a + b;
}

/* Returns the number of instructions that a function has after inlining, at least 1. A recursive call counts as one
 * instruction, because it is not inlined. */
static size_t measure(struct sizes *sizes, LLVMValueRef function)
{
    size_t index = index_of(sizes, function), total = 0;
    if (sizes->sizes[index]) return sizes->sizes[index];
    sizes->sizes[index] = 1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
            bool goes = callee && !LLVMIsDeclaration(callee) && is_marked(callee);
            total = add(total, goes ? measure(sizes, callee) : 1);
            sizes->own++;
        }
    return sizes->sizes[index] = add(total, total == 0);
}

static int by_address(const void *a, const void *b)
{
    LLVMValueRef x = *(const LLVMValueRef *)a, y = *(const LLVMValueRef *)b;
    return (x > y) - (x < y);
}

static bool list_functions(LLVMModuleRef module, struct sizes *sizes)
{
    size_t room = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        room += !LLVMIsDeclaration(f);
    sizes->functions = calloc(room + 1, sizeof *sizes->functions);
    sizes->sizes = calloc(room + 1, sizeof *sizes->sizes);
    if (!sizes->functions || !sizes->sizes) return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) sizes->functions[sizes->count++] = f;
    qsort(sizes->functions, sizes->count, sizeof *sizes->functions, by_address);
    return true;
}

/* Sets `*own` to the number of instructions of the module, `*total` to their number after inlining. @return false if
 * out of memory. */
static bool measure_all(LLVMModuleRef module, size_t *own, size_t *total)
{
    struct sizes sizes = {0};
    bool good = list_functions(module, &sizes);
    *total = 0;
    for (LLVMValueRef f = good ? LLVMGetFirstFunction(module) : NULL; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_marked(f)) *total = add(*total, measure(&sizes, f));
    *own = sizes.own;
    free(sizes.functions);
    free(sizes.sizes);
    return good;
}

static bool is_too_large(size_t own, size_t total)
{
    return total > most && total / most_growth > own;
}

/* Reduces the marks of mark_all() to functions that the device cannot call: users of its builtin functions or of local
 * variables, and their callers. @return true if any is marked. */
static bool mark_fewer(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveEnumAttributeAtIndex(f, whole_function, kind_of("alwaysinline"));
    bool any = mark_users_of_variables(module);
    return mark_users_of_device(module) || any;
}

static void drop_call(LLVMBuilderRef builder, LLVMValueRef call, const void *unused)
{
    (void)builder, (void)unused;
    LLVMInstructionEraseFromParent(call);
}

/* Removes the calls that declare alias scopes, which the inliner emits for noalias parameters: Oclgrind ends the
 * process on them. */
static void drop_alias_scopes(LLVMModuleRef module)
{
    LLVMValueRef declare = LLVMGetNamedFunction(module, "llvm.experimental.noalias.scope.decl");
    if (!declare) return;
    nf_helper_each_call(declare, drop_call, NULL);
    LLVMDeleteFunction(declare);
}

bool nf_inline(LLVMModuleRef module, const struct nf_device *device)
{
    bool any = nf_device_inlines(device) ? mark_all(module) : mark_users_of_variables(module);
    size_t own = 0, total = 0;
    if (!any) return true;
    bool measured = measure_all(module, &own, &total);
    if (measured && is_too_large(own, total) && nf_device_inlines(device)) {
        if (!mark_fewer(module)) return true;
        measured = measure_all(module, &own, &total);
    }
    if (!measured) return nf_helper_error("out of memory"), false;
    if (is_too_large(own, total)) {
        nf_helper_error(
            "the device requires that functions are inlined into kernels, which makes %zu instructions%s of "
            "%zu; the limit is %zu",
            total, total == countless ? " or more" : "", own, most);
        return false;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_marked(f)) LLVMSetLinkage(f, LLVMInternalLinkage);
    bool done = nf_run_passes(module, "always-inline,globaldce");
    drop_alias_scopes(module);
    return done;
}
