/* SPDX-License-Identifier: Apache-2.0 */
/*
 * initializers.cpp - evaluates the constructors of program-scope variables at compile time.
 *
 * In C++ for OpenCL such variables may have constructors. Clang emits a kernel for them, which a driver with
 * program-scope variables runs before all others. Not every target device has such variables, and Nonflat runs no such
 * kernel, so the constructors are evaluated here:
 *
 *     global thing t(6);   @t = zero, kernel @_GLOBAL__sub_I_input.cl: t.v = 6 * 6 + 1    ->    @t = {37}
 *
 * The hard case is a set of variables that contain each other's addresses: SPIR-V has no forward references, and the
 * translator recurses endlessly. Such variables are refused, with a message that names them. Constructors that depend
 * on values known only at a launch are refused, too.
 *
 * needs: a module as clang emitted it. gives: the module without constructors.
 */
#include "cl.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Evaluator.h>

#include <vector>

namespace
{

/* ---- constructors ---- */

/* Inlines all calls of functions with a body in a function. @return false if such a call cannot be inlined, or after
 * 1000 steps, because recursion may not end. */
bool inline_all(llvm::Function &function)
{
    for (int most = 1000; most > 0; most--) {
        llvm::CallBase *found = nullptr;
        for (llvm::Instruction &instruction : llvm::instructions(function)) {
            auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
            if (callee && !callee->isDeclaration()) found = call;
        }
        llvm::InlineFunctionInfo info;
        if (!found) return true;
        if (!llvm::InlineFunction(*found, info).isSuccess()) return false;
    }
    return false;
}

/* Unrolls loops, which LLVM's evaluator does not support, and promotes variables: it does not support stores of generic
 * pointers, such as `this`. */
void simplify(llvm::Function &function)
{
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager groups;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(groups);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, groups, modules);
    llvm::FunctionPassManager passes;
    if (auto error = builder.parsePassPipeline(passes, "sroa,loop(loop-rotate,loop-unroll-full),sroa"))
        llvm::consumeError(std::move(error));
    passes.run(function, functions);
}

bool evaluate(llvm::Function &constructor)
{
    simplify(constructor);
    llvm::Evaluator evaluator(constructor.getParent()->getDataLayout(), nullptr);
    llvm::SmallVector<llvm::Constant *, 0> none;
    llvm::Constant *result;
    if (!evaluator.EvaluateFunction(&constructor, result, none)) return false;
    for (auto &[variable, contents] : evaluator.getMutatedInitializers())
        variable->setInitializer(contents);
    return true;
}

/* Returns the functions of llvm.global_ctors, in order. */
std::vector<llvm::Function *> functions_of(llvm::GlobalVariable &list)
{
    enum { PRIORITY, FUNCTION };
    std::vector<llvm::Function *> functions;
    for (llvm::Value *entry : llvm::cast<llvm::Constant>(list.getInitializer())->operands()) {
        llvm::Constant *function = llvm::cast<llvm::Constant>(entry)->getAggregateElement(FUNCTION);
        functions.push_back(llvm::cast<llvm::Function>(function->stripPointerCasts()));
    }
    return functions;
}

bool construct(llvm::Module &module)
{
    llvm::GlobalVariable *list = module.getGlobalVariable("llvm.global_ctors");
    if (!list) return true;
    std::vector<llvm::Function *> constructors = functions_of(*list);
    list->eraseFromParent();
    for (llvm::Function *constructor : constructors) {
        if (!inline_all(*constructor) || !evaluate(*constructor)) {
            nf_helper_error("error: the constructor of a program-scope object cannot be evaluated at compile time");
            return false;
        }
        constructor->eraseFromParent();
    }
    return true;
}

/* ---- addresses ---- */

/* A depth-first search over the addresses in the initializers of variables. */
struct Walk {
    llvm::DenseSet<const llvm::Constant *> entered, left;

    /* Returns a variable whose address is reachable from its own initializer, or NULL. */
    const llvm::GlobalVariable *find(const llvm::Constant *constant)
    {
        auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant);
        if (left.count(constant) || llvm::isa<llvm::Function>(constant)) return nullptr;
        if (!entered.insert(constant).second) return variable;
        const llvm::GlobalVariable *found = nullptr;
        for (const llvm::Value *operand : constant->operands())
            if (auto *part = llvm::dyn_cast<llvm::Constant>(operand); part && !found) found = find(part);
        left.insert(constant);
        return found;
    }
};

bool check_addresses(const llvm::Module &module)
{
    Walk walk;
    for (const llvm::GlobalVariable &variable : module.globals())
        if (const llvm::GlobalVariable *found = walk.find(&variable)) {
            nf_helper_error("error: the initializer of program-scope variable '%s' contains an address that leads back "
                            "to this variable",
                            found->getName().str().c_str());
            return false;
        }
    return true;
}

} // namespace

extern "C" bool nf_initialize(LLVMModuleRef module)
{
    return construct(*llvm::unwrap(module)) && check_addresses(*llvm::unwrap(module));
}
