/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - the final check: a module that uses features that the device lacks must not reach the device.
 *
 * Oclgrind ends the application on an unknown function or instruction after a successful build. Such modules are
 * refused here, with the name of the missing feature and, except for some variables, of a kernel that uses it.
 */
#include "spir.h"

#include <string.h>

/* ---- Callers ----------------------------------------------------------------------------------------------------- */

struct trail {
    const struct trail *before;
    LLVMValueRef function;
};

static LLVMValueRef kernel_above(LLVMValueRef value, const struct trail *before)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef up = user;
        if (LLVMIsAInstruction(user)) up = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (LLVMIsAFunction(up) && nf_is_kernel(up)) return up;
        const struct trail *t = before;
        while (t && t->function != up)
            t = t->before;
        if (t) continue;
        struct trail here = {before, up};
        LLVMValueRef kernel = kernel_above(up, &here);
        if (kernel) return kernel;
    }
    return NULL;
}

/* Returns the name of a kernel that reaches `function`, "" if none does. */
static const char *kernel_reaching(LLVMValueRef function)
{
    size_t length;
    if (LLVMIsAFunction(function) && nf_is_kernel(function)) return LLVMGetValueName2(function, &length);
    LLVMValueRef kernel = kernel_above(function, NULL);
    return kernel ? LLVMGetValueName2(kernel, &length) : "";
}

/* ---- Functions and variables ------------------------------------------------------------------------------------- */

static bool check_declaration(LLVMValueRef function, const struct nf_device *device)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (!LLVMGetFirstUse(function)) {
        LLVMDeleteFunction(function);
        return true;
    }
    const char *kernel = kernel_reaching(function);
    if (nf_device_has(device, name)) return true;
    nf_helper_error("kernel '%s' calls '%s', which device '%s' does not have", kernel, name, device->name);
    return false;
}

/* Returns true if all uses of the address `value`, also through address computations and casts, are loads. */
static bool is_only_read(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) continue;
        bool path = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAConstantExpr(user);
        if (!path || !is_only_read(user)) return false;
    }
    return true;
}

/* Returns true if the constant contains the address of a variable. */
static bool holds_address(LLVMValueRef constant)
{
    bool composite =
        LLVMIsAConstantStruct(constant) || LLVMIsAConstantArray(constant) || LLVMIsAConstantVector(constant);
    if (LLVMIsAGlobalVariable(constant)) return true;
    for (int i = 0; (composite || LLVMIsAConstantExpr(constant)) && i < LLVMGetNumOperands(constant); i++)
        if (holds_address(LLVMGetOperand(constant, (unsigned)i))) return true;
    return false;
}

/* Returns true if the variable is used and its initializer contains an address, as an element or as an integer; false
 * if the whole initializer is a pointer. */
static bool has_inner_address(LLVMValueRef variable)
{
    LLVMValueRef initial = LLVMGetInitializer(variable);
    return initial && LLVMGetTypeKind(LLVMTypeOf(initial)) != LLVMPointerTypeKind && LLVMGetFirstUse(variable) &&
           holds_address(initial);
}

static bool check_variable(LLVMValueRef variable, const struct nf_device *device)
{
    size_t length;
    const char *name = LLVMGetValueName2(variable, &length);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
    if (LLVMIsDeclaration(variable) && LLVMGetFirstUse(variable)) {
        nf_helper_error("program-scope variable '%s' is not defined in this module", name);
        return false;
    }
    if (space == NF_SPACE_GLOBAL && !LLVMIsGlobalConstant(variable) && !nf_device_shares_globals(device) &&
        !is_only_read(variable)) {
        nf_helper_error(
            "kernel '%s' writes program-scope variable '%s', of which device '%s' gives each kernel its own copy",
            kernel_reaching(variable), name, device->name);
        return false;
    }
    if (nf_device_drops_initializer_addresses(device) && has_inner_address(variable)) {
        nf_helper_error("the initializer of program-scope variable '%s' contains an address, which device '%s' loses",
                        name, device->name);
        return false;
    }
    return true;
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static bool is_half(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

/* Returns the name of an instruction in device tables, or NULL if every device executes it. */
static const char *special_name(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAddrSpaceCast: return "addrspacecast";
    case LLVMAtomicRMW: return "atomicrmw";
    case LLVMAtomicCmpXchg: return "cmpxchg";
    case LLVMFence: return "fence";
    case LLVMVAArg: return "va_arg";
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFNeg:
    case LLVMFCmp:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPToSI:
    case LLVMFPToUI: return is_half(instruction) || is_half(LLVMGetOperand(instruction, 0)) ? "half" : NULL;
    default: return NULL;
    }
}

static bool check_instruction(const struct nf_device *device, LLVMValueRef function, LLVMValueRef instruction)
{
    const char *name = special_name(instruction);
    if (name && !nf_device_executes(device, name)) {
        nf_helper_error("kernel '%s' needs '%s' instructions, which device '%s' does not execute",
                        kernel_reaching(function), name, device->name);
        return false;
    }
    if (LLVMIsACallInst(instruction) && !LLVMIsAFunction(LLVMGetCalledValue(instruction)) &&
        !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))) {
        nf_helper_error("kernel '%s' calls through a function pointer, which SPIR 1.2 does not have",
                        kernel_reaching(function));
        return false;
    }
    return true;
}

static bool check_body(const struct nf_device *device, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (!check_instruction(device, function, i)) return false;
    return true;
}

bool nf_check(LLVMModuleRef module, const struct nf_device *device)
{
    bool good = true;
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        good = check_variable(v, device) && good;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        good = (LLVMIsDeclaration(f) ? check_declaration(f, device) : check_body(device, f)) && good;
    }
    return good;
}
