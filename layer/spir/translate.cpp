/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.cpp - the interface to SPIRV-LLVM-Translator, and to C++ functions that LLVM's C interface lacks.
 *
 * Takes SPIR-V bytes, gives an LLVM module with the builtins of OpenCL C 1.2. The library may abort the process instead
 * of returning an error; the handler of helper/error.c then prints a message.
 */
#include "spir.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstring>
#include <sstream>
#include <string>

/* Removes the spirv.Source metadata. With it, PoCL assigns every local variable to every kernel instead of the kernel
 * in its name: each kernel then needs memory for all variables, and a variable that a callee uses ends the process. */
static void drop_source_metadata(llvm::Module &module)
{
    if (llvm::NamedMDNode *source = module.getNamedMetadata("spirv.Source")) source->eraseFromParent();
}

/* Marks the variables in constant memory as constants, which SPIR-V does not require. */
static void mark_constants(llvm::Module &module)
{
    for (llvm::GlobalVariable &variable : module.globals())
        if (variable.getAddressSpace() == NF_SPACE_CONSTANT) variable.setConstant(true);
}

extern "C" LLVMModuleRef nf_translate(LLVMContextRef context, const unsigned char *spirv, size_t size, char **message)
{
    SPIRV::TranslatorOpts options;
    options.enableAllExtensions();
    options.enableGenArgNameMD();
    options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::OpenCL12);

    std::istringstream stream(std::string(reinterpret_cast<const char *>(spirv), size));
    std::string error;
    llvm::Module *module = nullptr;
    if (llvm::readSpirv(*llvm::unwrap(context), options, stream, module, error) && module) {
        drop_source_metadata(*module);
        mark_constants(*module);
        return llvm::wrap(module);
    }
    *message = strdup(error.empty() ? "unknown reason" : error.c_str());
    return nullptr;
}

/* Builds a constant vector, array or structure from its elements by instructions. */
static llvm::Value *gather(llvm::Constant *constant, LLVMValueRef from, LLVMValueRef to, llvm::Instruction *before)
{
    llvm::Value *whole = llvm::UndefValue::get(constant->getType());
    for (unsigned i = 0; i < constant->getNumOperands(); i++) {
        llvm::Value *part =
            llvm::unwrap(nf_expand_constant(llvm::wrap(constant->getOperand(i)), from, to, llvm::wrap(before)));
        llvm::Value *index = llvm::ConstantInt::get(llvm::Type::getInt32Ty(constant->getContext()), i);
        if (constant->getType()->isVectorTy())
            whole = llvm::InsertElementInst::Create(whole, part, index, "", before);
        else
            whole = llvm::InsertValueInst::Create(whole, part, i, "", before);
    }
    return whole;
}

extern "C" LLVMValueRef nf_expand_constant(LLVMValueRef value, LLVMValueRef from, LLVMValueRef to, LLVMValueRef before)
{
    if (value == from) return to;
    if (!nf_contains(value, from)) return value;
    auto *place = llvm::cast<llvm::Instruction>(llvm::unwrap(before));
    auto *constant = llvm::cast<llvm::Constant>(llvm::unwrap(value));
    auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
    if (!expression) return llvm::wrap(gather(constant, from, to, place));
    llvm::Instruction *made = expression->getAsInstruction(place);
    for (llvm::Use &operand : made->operands())
        operand.set(llvm::unwrap(nf_expand_constant(llvm::wrap(operand.get()), from, to, llvm::wrap(made))));
    return llvm::wrap(made);
}
