/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange.c - replaces compare-and-exchange of floats by compare-and-exchange of integers of the same size, because
 * SPIR-V has compare-and-exchange for integers only. The replacement compares bits, as OpenCL C requires: OpenCL C
 * compares the contents of memory.
 *
 *     atomic_compare_exchange_strong(atomic_float *, float *, float)  ->  the same with (atomic_int *, int *, int)
 *
 * needs: a module as clang emitted it. gives: a module without compare-and-exchange of floats; translators end the
 * process on such calls.
 */
#include "cl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECT, EXPECTED, DESIRED, ARGUMENTS = 8 };

static bool is_exchange(const char *name)
{
    static const char *const names[] = {
        "atomic_compare_exchange_strong",
        "atomic_compare_exchange_weak",
        "atomic_compare_exchange_strong_explicit",
        "atomic_compare_exchange_weak_explicit",
    };
    char *rest;
    if (strncmp(name, "_Z", 2) != 0) return false;
    size_t length = strtoul(name + 2, &rest, 10);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length == strlen(names[i]) && strncmp(rest, names[i], length) == 0) return true;
    return false;
}

/* Returns the length of an identifier or a substitution at this place of a mangled name, else 0. */
static size_t skipped(const char *at)
{
    char *rest;
    if (*at == 'S') return strcspn(at, "_");
    if (!isdigit((unsigned char)*at)) return 0;
    size_t length = strtoul(at, &rest, 10);
    return (size_t)(rest - at) + strnlen(rest, length);
}

/* Returns the mangled name of the overload for integers, malloc'ed, or NULL. */
static char *name_for_integers(const char *name)
{
    char *replacement = strdup(name);
    for (char *at = replacement ? replacement + 2 : NULL; at && *at; at++) {
        size_t length = skipped(at);
        if (length > 0)
            at += length - 1;
        else if (*at == 'f')
            *at = 'i';
        else if (*at == 'd')
            *at = 'l';
    }
    return replacement;
}

/* Returns the integer type of the same size as the exchanged value, or NULL if the value is neither a float nor a
 * double. */
static LLVMTypeRef integer_for(LLVMValueRef function)
{
    LLVMTypeRef parameters[ARGUMENTS];
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned count = LLVMCountParamTypes(type);
    if (count <= DESIRED || count > ARGUMENTS) return NULL;
    LLVMGetParamTypes(type, parameters);
    LLVMTypeKind kind = LLVMGetTypeKind(parameters[DESIRED]);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    if (kind == LLVMFloatTypeKind) return LLVMInt32TypeInContext(context);
    return kind == LLVMDoubleTypeKind ? LLVMInt64TypeInContext(context) : NULL;
}

/* Returns the overload for integers, and declares it if the module does not. */
static LLVMValueRef declare(LLVMValueRef function, LLVMTypeRef integer, const char *name)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMValueRef known = LLVMGetNamedFunction(module, name);
    if (known) return known;
    LLVMTypeRef parameters[ARGUMENTS];
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMGetParamTypes(type, parameters);
    for (int i = OBJECT; i <= EXPECTED; i++)
        parameters[i] = LLVMPointerType(integer, LLVMGetPointerAddressSpace(parameters[i]));
    parameters[DESIRED] = integer;
    LLVMValueRef replacement = LLVMAddFunction(
        module, name, LLVMFunctionType(LLVMGetReturnType(type), parameters, LLVMCountParamTypes(type), false));
    LLVMSetFunctionCallConv(replacement, LLVMGetFunctionCallConv(function));
    return replacement;
}

/* Replaces one call. `data` points to the overload for integers. */
static void replace_call(LLVMBuilderRef builder, LLVMValueRef call, const void *data)
{
    LLVMValueRef function = *(const LLVMValueRef *)data;
    LLVMTypeRef parameters[ARGUMENTS];
    LLVMValueRef arguments[ARGUMENTS];
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned count = LLVMCountParamTypes(type);
    LLVMGetParamTypes(type, parameters);
    LLVMPositionBuilderBefore(builder, call);
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = LLVMGetOperand(call, i);
        if (i <= DESIRED) arguments[i] = LLVMBuildBitCast(builder, arguments[i], parameters[i], "");
    }
    LLVMValueRef replacement = LLVMBuildCall2(builder, type, function, arguments, count, "");
    LLVMSetInstructionCallConv(replacement, LLVMGetInstructionCallConv(call));
    LLVMReplaceAllUsesWith(call, replacement);
    LLVMInstructionEraseFromParent(call);
}

/* Replaces all calls of the function by calls of the overload for integers. @return false if out of memory. */
static bool exchange(LLVMValueRef function, LLVMTypeRef integer)
{
    size_t length;
    char *name = name_for_integers(LLVMGetValueName2(function, &length));
    if (!name) {
        nf_helper_error("out of memory");
        return false;
    }
    LLVMValueRef replacement = declare(function, integer, name);
    nf_helper_each_call(function, replace_call, &replacement);
    free(name);
    return true;
}

bool nf_exchange_floats(LLVMModuleRef module)
{
    bool good = true;
    size_t length;
    LLVMValueRef next;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); good && function; function = next) {
        next = LLVMGetNextFunction(function);
        bool candidate = LLVMIsDeclaration(function) && is_exchange(LLVMGetValueName2(function, &length));
        LLVMTypeRef integer = candidate ? integer_for(function) : NULL;
        if (integer) good = exchange(function, integer);
        if (integer && !LLVMGetFirstUse(function)) LLVMDeleteFunction(function);
    }
    return good;
}
