/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locals.c - gives each kernel its own local variables.
 *
 * A SPIR-V module has its local variables at module scope and uses them in any function. The consumers of SPIR 1.2 know
 * OpenCL C's form only: a variable belongs to one kernel, is named "kernel.variable" and is used nowhere else:
 *
 *     @tile = addrspace(3) ...              @a.tile = internal addrspace(3) global ... undef
 *     used in @helper, which kernels   ->   @b.tile = internal addrspace(3) global ... undef
 *     @a and @b call                        used in @a and @b, into which inline.c put @helper
 *
 * Constants made of the variable's address become instructions on the way: they are shared by all functions, and PoCL
 * makes an argument of the variable and does not find it within vectors.
 */
#include "spir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool nf_mentions(LLVMValueRef value, LLVMValueRef variable)
{
    if (value == variable) return true;
    if (!LLVMIsAConstant(value) || LLVMIsAGlobalValue(value)) return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (nf_mentions(LLVMGetOperand(value, (unsigned)i), variable)) return true;
    return false;
}

/* ---- One variable for each kernel -------------------------------------------------------------------------------- */

typedef bool (*operand_visitor)(LLVMValueRef instruction, unsigned index, void *data);

/* Visit each operand of `function` that mentions `variable`; stops at the first visit that gives false. */
static bool visit_operands(LLVMValueRef function, LLVMValueRef variable, operand_visitor visit, void *data)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            for (int n = 0; n < LLVMGetNumOperands(i); n++)
                if (nf_mentions(LLVMGetOperand(i, (unsigned)n), variable) && !visit(i, (unsigned)n, data)) return false;
    return true;
}

static bool stop(LLVMValueRef instruction, unsigned index, void *data)
{
    (void)instruction, (void)index, (void)data;
    return false;
}

/* Where what an operand is made of can be computed: a phi's operands come from the ends of its predecessors. */
static LLVMValueRef place_for(LLVMValueRef instruction, unsigned index)
{
    if (!LLVMIsAPHINode(instruction)) return instruction;
    return LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, index));
}

/* The operand that a phi already has for the same predecessor: a switch may lead there twice. */
static LLVMValueRef earlier_operand(LLVMValueRef instruction, unsigned index)
{
    if (!LLVMIsAPHINode(instruction)) return NULL;
    for (unsigned i = 0; i < index; i++)
        if (LLVMGetIncomingBlock(instruction, i) == LLVMGetIncomingBlock(instruction, index))
            return LLVMGetIncomingValue(instruction, i);
    return NULL;
}

static bool replace_operand(LLVMValueRef instruction, unsigned index, void *data)
{
    LLVMValueRef *pair = data;
    LLVMValueRef replacement = earlier_operand(instruction, index);
    if (!replacement)
        replacement = nf_spell_out(LLVMGetOperand(instruction, index), pair[0], pair[1], place_for(instruction, index));
    LLVMSetOperand(instruction, index, replacement);
    return true;
}

bool nf_uses(LLVMValueRef function, LLVMValueRef variable)
{
    return !visit_operands(function, variable, stop, NULL);
}

void nf_replace_in(LLVMValueRef function, LLVMValueRef variable, LLVMValueRef by)
{
    LLVMValueRef pair[] = {variable, by};
    visit_operands(function, variable, replace_operand, pair);
}

/* "kernel.variable", malloc'ed; what a compiler has named so already keeps its name. */
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
        nf_complain("out of memory");
    return name;
}

static bool give_to_kernel(LLVMModuleRef module, LLVMValueRef variable, LLVMValueRef kernel)
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
            nf_complain("function '%s' uses local variable '%s' and cannot be inlined", LLVMGetValueName2(f, &length),
                        LLVMGetValueName2(variable, &length));
            return false;
        }
        if (!give_to_kernel(module, variable, f)) return false;
    }
    return true;
}

bool nf_own_locals(LLVMModuleRef module)
{
    LLVMValueRef last = LLVMGetLastGlobal(module); /* those made here come after it */
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = next) {
        next = v == last ? NULL : LLVMGetNextGlobal(v);
        if (!nf_is_local(v)) continue;
        if (!distribute(module, v)) return false;
        LLVMSetLinkage(v, LLVMInternalLinkage); /* nothing uses it now, but an imported one must have a body to go */
        if (LLVMIsDeclaration(v)) LLVMSetInitializer(v, LLVMGetUndef(LLVMGlobalGetValueType(v)));
    }
    return nf_run_passes(module, "globaldce");
}
