/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recursion.cpp - replaces tail recursion by loops. OpenCL C forbids recursion, but drivers compile it: their
 * optimizers eliminate tail calls, also through other functions. SPIR-V has no recursion, and the target devices have
 * no stack for it.
 *
 * needs: a module as clang emitted it. gives: the same module if it has no recursion; else functions inlined, variables
 * promoted to registers, and tail calls replaced by loops, as far as LLVM's passes do that. A later stage refuses
 * remaining recursion, and names the function.
 */
#include "cl.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Module.h>

namespace
{

bool has_recursion(llvm::Module &module)
{
    llvm::CallGraph graph(module);
    for (auto group = llvm::scc_begin(&graph); !group.isAtEnd(); ++group)
        if (group.hasCycle()) return true;
    return false;
}

} // namespace

extern "C" void nf_loop_recursion(LLVMModuleRef module)
{
    if (!has_recursion(*llvm::unwrap(module))) return;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error =
        LLVMRunPasses(module, "cgscc(inline,function(sroa,early-cse,simplifycfg,tailcallelim))", NULL, options);
    if (error) LLVMConsumeError(error);
    LLVMDisposePassBuilderOptions(options);
}
