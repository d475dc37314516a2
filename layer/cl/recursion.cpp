/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recursion.cpp - makes loops of functions that call themselves. OpenCL C forbids these, but drivers compile them: their
 * optimizers make loops of those that end in such a call, also by way of another function. SPIR-V has no recursion, and
 * the devices that we make it for have no stack for it.
 *
 * needs: a module as clang wrote it. gives: the same module, where nothing is recursive; else functions in their callers,
 * values in registers, and loops where one can be made. What still calls itself is refused by name further on.
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
