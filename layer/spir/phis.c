/* SPDX-License-Identifier: Apache-2.0 */
/*
 * phis.c - completes phis to one entry for each edge into their block.
 *
 *     switch i32 %x, label %a [ i32 1, label %b       two edges from %here to %b
 *                               i32 2, label %b ]
 *     %v = phi i32 [ 5, %here ]                       ->   %v = phi i32 [ 5, %here ], [ 5, %here ]
 *
 * SPIR-V's OpPhi has one entry for each predecessor block (section 3.49.17), LLVM's phi has one for each edge. The
 * translator library adds no entries, and LLVM's passes crash on a phi that lacks an entry.
 */
#include "spir.h"

static unsigned count_edges(LLVMValueRef terminator, LLVMBasicBlockRef to)
{
    unsigned edges = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        edges += LLVMGetSuccessor(terminator, i) == to;
    return edges;
}

static void complete(LLVMValueRef phi, LLVMBasicBlockRef from, unsigned edges)
{
    LLVMValueRef value = NULL;
    unsigned entries = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) != from) continue;
        value = LLVMGetIncomingValue(phi, i);
        entries++;
    }
    for (; value && entries < edges; entries++)
        LLVMAddIncoming(phi, &value, &from, 1);
}

static void complete_from(LLVMBasicBlockRef from)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(from);
    unsigned count = terminator ? LLVMGetNumSuccessors(terminator) : 0;
    for (unsigned i = 0; count > 1 && i < count; i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(terminator, i);
        LLVMValueRef phi = LLVMGetFirstInstruction(to);
        if (!phi || !LLVMIsAPHINode(phi)) continue;
        unsigned edges = count_edges(terminator, to);
        for (; edges > 1 && phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
            complete(phi, from, edges);
    }
}

void nf_complete_phis(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
            complete_from(block);
}
