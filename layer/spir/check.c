/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - the final check: a module that uses features that the device lacks must not reach the device.
 *
 * PoCL builds bitcode with generic pointers and computes wrong results; Oclgrind ends the application on an unknown
 * function or instruction after a successful build. Such modules are refused here, with the name of the missing feature
 * and of a kernel that uses it.
 */
#include "spir.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/* Types that have been checked: an open-addressed hash set, because struct types may be recursive. */
struct type_set {
    LLVMTypeRef *slots;
    size_t size, used;
};

static bool insert(struct type_set *set, LLVMTypeRef type)
{
    size_t at = ((uintptr_t)type >> 4) * 0x9e3779b97f4a7c15u & (set->size - 1);
    while (set->slots[at] && set->slots[at] != type)
        at = (at + 1) & (set->size - 1);
    if (set->slots[at]) return false;
    set->slots[at] = type;
    set->used++;
    return true;
}

static bool enlarge(struct type_set *set)
{
    struct type_set larger = {NULL, set->size ? set->size * 2 : 256, 0};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < set->size; i++)
        if (set->slots[i]) insert(&larger, set->slots[i]);
    free(set->slots);
    *set = larger;
    return true;
}

/* Returns true if `type` was not in the set. Out of memory counts as new, so that the check is repeated instead of
 * skipped. */
static bool is_new(struct type_set *set, LLVMTypeRef type)
{
    if (2 * (set->used + 1) > set->size && !enlarge(set)) return true;
    return insert(set, type);
}

static bool has_generic(struct type_set *seen, LLVMTypeRef type);

static bool any_generic(struct type_set *seen, LLVMTypeRef *types, unsigned count)
{
    bool found = false;
    for (unsigned i = 0; i < count && !found; i++)
        found = has_generic(seen, types[i]);
    free(types);
    return found;
}

/* Returns true if a type that is not in the set contains a pointer to the generic address space. */
static bool has_generic(struct type_set *seen, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == NF_SPACE_GENERIC) return true;
    if (!is_new(seen, type)) return false;
    unsigned count;
    LLVMTypeRef *parts;
    switch (kind) {
    case LLVMPointerTypeKind:
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return has_generic(seen, LLVMGetElementType(type));
    case LLVMStructTypeKind:
        count = LLVMCountStructElementTypes(type);
        if (!(parts = calloc(count + 1, sizeof *parts))) return false;
        LLVMGetStructElementTypes(type, parts);
        return any_generic(seen, parts, count);
    case LLVMFunctionTypeKind:
        count = LLVMCountParamTypes(type);
        if (!(parts = calloc(count + 1, sizeof *parts))) return false;
        LLVMGetParamTypes(type, parts);
        parts[count] = LLVMGetReturnType(type);
        return any_generic(seen, parts, count + 1);
    default: return false;
    }
}

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
    if (strstr(name, "AS4")) {
        nf_helper_error("kernel '%s' calls '%s', which takes a generic pointer", kernel, name);
        return false;
    }
    if (nf_device_has(device, name)) return true;
    nf_helper_error("kernel '%s' calls '%s', which device '%s' does not have", kernel, name, device->name);
    return false;
}

/* Returns true if the memory at `value` is only loaded. */
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

/* Returns true if the variable is used and its initializer contains an address, as an element or as an integer. */
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
        nf_helper_error("kernel '%s' writes program-scope variable '%s', which device '%s' keeps apart for each kernel",
                        kernel_reaching(variable), name, device->name);
        return false;
    }
    if (nf_device_drops_initializer_addresses(device) && has_inner_address(variable)) {
        nf_helper_error(
            "program-scope variable '%s' holds the address of another from the start, which device '%s' loses", name,
            device->name);
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

struct checker {
    const struct nf_device *device;
    struct type_set seen;
};

static bool check_instruction(struct checker *c, LLVMValueRef function, LLVMValueRef instruction)
{
    bool generic = has_generic(&c->seen, LLVMTypeOf(instruction));
    for (int i = 0; i < LLVMGetNumOperands(instruction) && !generic; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i));
        generic = LLVMGetTypeKind(type) != LLVMMetadataTypeKind && has_generic(&c->seen, type);
    }
    if (LLVMIsAAllocaInst(instruction)) generic = generic || has_generic(&c->seen, LLVMGetAllocatedType(instruction));
    if (generic) {
        nf_helper_error("kernel '%s': a generic pointer is left", kernel_reaching(function));
        return false;
    }
    const char *name = special_name(instruction);
    if (name && !nf_device_executes(c->device, name)) {
        nf_helper_error("kernel '%s' needs '%s' instructions, which device '%s' does not execute",
                        kernel_reaching(function), name, c->device->name);
        return false;
    }
    if (LLVMIsACallInst(instruction) && !LLVMIsAFunction(LLVMGetCalledValue(instruction)) &&
        !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))) {
        nf_helper_error("kernel '%s' calls through a function pointer", kernel_reaching(function));
        return false;
    }
    return true;
}

static bool check_body(struct checker *c, LLVMValueRef function)
{
    if (has_generic(&c->seen, LLVMGlobalGetValueType(function))) {
        size_t length;
        nf_helper_error("kernel '%s': function '%s' takes or gives a generic pointer", kernel_reaching(function),
                        LLVMGetValueName2(function, &length));
        return false;
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (!check_instruction(c, function, i)) return false;
    return true;
}

/* ---- Recursion --------------------------------------------------------------------------------------------------- */

/* Recursion is refused because SPIR-V forbids it, and an interpreter has one set of values per function. */
struct walk {
    LLVMValueRef *functions; /* sorted by address */
    unsigned char *states;   /* of each function: unvisited, on the call path, or done */
    size_t count;
};

enum { UNSEEN, ABOVE, DONE };

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (const LLVMValueRef *)a, y = (uintptr_t) * (const LLVMValueRef *)b;
    return (x > y) - (x < y);
}

/* Returns a function that is reached from `function` and is on the call path already, or NULL. */
static LLVMValueRef calls_back(struct walk *w, LLVMValueRef function)
{
    LLVMValueRef *found = bsearch(&function, w->functions, w->count, sizeof function, by_address);
    if (!found) return NULL;
    unsigned char *state = &w->states[found - w->functions];
    if (*state != UNSEEN) return *state == ABOVE ? function : NULL;
    *state = ABOVE;
    LLVMValueRef back = NULL;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !back;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !back; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i)) back = calls_back(w, LLVMGetCalledValue(i));
    *state = DONE;
    return back;
}

static bool check_recursion(LLVMModuleRef module)
{
    struct walk w = {NULL, NULL, 0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        w.count += !LLVMIsDeclaration(f);
    w.functions = calloc(w.count + 1, sizeof *w.functions);
    w.states = calloc(w.count + 1, 1);
    bool good = w.functions && w.states;
    if (!good) nf_helper_error("out of memory");
    size_t next = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && good; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) w.functions[next++] = f;
    if (good) qsort(w.functions, w.count, sizeof *w.functions, by_address);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && good; f = LLVMGetNextFunction(f)) {
        size_t length;
        LLVMValueRef back = calls_back(&w, f);
        if (back)
            nf_helper_error("kernel '%s' calls '%s', which is recursive", kernel_reaching(back),
                            LLVMGetValueName2(back, &length));
        good = !back;
    }
    free(w.functions);
    free(w.states);
    return good;
}

bool nf_check(LLVMModuleRef module, const struct nf_device *device)
{
    struct checker c = {device, {NULL, 0, 0}};
    bool good = check_recursion(module);
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) {
        good = check_variable(v, device) && good;
        if (has_generic(&c.seen, LLVMGlobalGetValueType(v))) {
            size_t length;
            nf_helper_error("program-scope variable '%s' holds a generic pointer", LLVMGetValueName2(v, &length));
            good = false;
        }
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        good = (LLVMIsDeclaration(f) ? check_declaration(f, device) : check_body(&c, f)) && good;
    }
    free(c.seen.slots);
    return good;
}
