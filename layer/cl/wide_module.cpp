/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide_module.cpp - replaces integers of 128 bits in signatures, in variables of the module, in switches and in
 * divisions; then wide.cpp replaces the other integers by pairs of 64-bit integers.
 *
 *     constant unsigned long long table[2] = {1, 2};        constant ulong table[4] = {1, 0, 2, 0};
 *     switch (n) { case 5: ... }                            switch (n == 5 ? 1 : 0) { case 1: ... }
 *     kernel void k(global long long *p, long long n)       kernel void k(global ulong *p, ulong2 n)
 *
 * needs: a module with values in registers. gives: a module without integers of 128 bits, or false after
 * nf_helper_error().
 */
#include "wide.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <vector>

namespace nf_wide
{
namespace
{

using llvm::Instruction;
using llvm::Type;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

/* ---- divisions and switches ---- */

/* Replaces a division by a loop of 128 steps, each of which computes one bit of the quotient. */
void divide(llvm::BinaryOperator &i)
{
    bool is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
    bool rest_wanted = i.getOpcode() == Instruction::URem || i.getOpcode() == Instruction::SRem;
    Builder b(&i);
    Type *type = i.getType(), *word = b.getInt32Ty();
    Value *zero = llvm::ConstantInt::get(type, 0), *x = i.getOperand(0), *y = i.getOperand(1);
    Value *x_below = b.CreateICmpSLT(x, zero), *y_below = b.CreateICmpSLT(y, zero);
    if (is_signed) {
        x = b.CreateSelect(x_below, b.CreateSub(zero, x), x);
        y = b.CreateSelect(y_below, b.CreateSub(zero, y), y);
    }
    llvm::BasicBlock *before = i.getParent(), *behind = before->splitBasicBlock(&i);
    llvm::BasicBlock *loop = llvm::BasicBlock::Create(i.getContext(), "", before->getParent(), behind);
    before->getTerminator()->setSuccessor(0, loop);
    b.SetInsertPoint(loop);
    llvm::PHINode *step = b.CreatePHI(word, 2), *left = b.CreatePHI(type, 2), *rest = b.CreatePHI(type, 2),
                  *quotient = b.CreatePHI(type, 2);
    Value *doubled = b.CreateOr(b.CreateShl(rest, 1), b.CreateLShr(left, 127));
    Value *fits = b.CreateOr(b.CreateICmpSLT(rest, zero), b.CreateICmpUGE(doubled, y));
    Value *next_rest = b.CreateSelect(fits, b.CreateSub(doubled, y), doubled);
    Value *next_quotient = b.CreateOr(b.CreateShl(quotient, 1), b.CreateZExt(fits, type));
    Value *next_left = b.CreateShl(left, 1), *next_step = b.CreateAdd(step, llvm::ConstantInt::get(word, 1));
    b.CreateCondBr(b.CreateICmpEQ(next_step, llvm::ConstantInt::get(word, 128)), behind, loop);
    step->addIncoming(llvm::ConstantInt::get(word, 0), before);
    step->addIncoming(next_step, loop);
    left->addIncoming(x, before);
    left->addIncoming(next_left, loop);
    rest->addIncoming(zero, before);
    rest->addIncoming(next_rest, loop);
    quotient->addIncoming(zero, before);
    quotient->addIncoming(next_quotient, loop);
    b.SetInsertPoint(&i);
    Value *result = rest_wanted ? next_rest : next_quotient;
    Value *below = rest_wanted ? x_below : b.CreateXor(x_below, y_below);
    if (is_signed) result = b.CreateSelect(below, b.CreateSub(zero, result), result);
    i.replaceAllUsesWith(result);
    i.eraseFromParent();
}

bool is_division(const Instruction &i)
{
    switch (i.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return is_wide(i.getType());
    default: return false;
    }
}

/* Widens the condition of a switch to 32 or 64 bits; replaces a condition of 64 bits or more by the number of its
 * case. */
void widen_switch(llvm::SwitchInst &i)
{
    unsigned bits = i.getCondition()->getType()->getIntegerBitWidth(), number = 0;
    Builder b(&i);
    if (bits < 64) {
        auto *type = b.getIntNTy(bits < 32 ? 32 : 64);
        for (auto &one : i.cases())
            one.setValue(
                llvm::ConstantInt::get(b.getContext(), one.getCaseValue()->getValue().zext(type->getBitWidth())));
        auto *cut = llvm::dyn_cast<llvm::TruncInst>(i.getCondition());
        if (cut && cut->getOperand(0)->getType()->getIntegerBitWidth() <=
                       64) { /* mask the wider integer, so that the odd width disappears */
            Type *from = cut->getOperand(0)->getType();
            Value *kept = b.CreateAnd(cut->getOperand(0), llvm::ConstantInt::get(from, (uint64_t(1) << bits) - 1));
            i.setCondition(b.CreateZExtOrTrunc(kept, type));
            if (cut->use_empty()) cut->eraseFromParent();
        } else {
            i.setCondition(b.CreateZExt(i.getCondition(), type));
        }
        return;
    }
    Value *which = b.getInt32(0);
    for (auto &one : i.cases())
        which = b.CreateSelect(b.CreateICmpEQ(i.getCondition(), one.getCaseValue()), b.getInt32(++number), which);
    number = 0;
    for (auto &one : i.cases())
        one.setValue(b.getInt32(++number));
    i.setCondition(which);
}

bool has_usual_width(const llvm::SwitchInst &i)
{
    unsigned bits = i.getCondition()->getType()->getIntegerBitWidth();
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

bool has_wide_signature(llvm::Function &function)
{
    Type *result = function.getReturnType();
    bool wide = holds_wide(result) || points_to_wide(result);
    for (const llvm::Argument &argument : function.args())
        wide = wide || holds_wide(argument.getType()) || points_to_wide(argument.getType());
    return wide;
}

bool is_kernel(const llvm::Function &function)
{
    return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
}

/* ---- parameters of kernels ---- */

/* Returns the type that replaces the type of a parameter, with the same size and alignment. */
Type *narrow_type(Type *type)
{
    Type *half = Type::getInt64Ty(type->getContext());
    if (is_wide(type)) return llvm::FixedVectorType::get(half, 2);
    return points_to_wide(type) ? pointer_to(half, type) : type;
}

bool can_be_narrow(llvm::Function &function)
{
    if (!is_kernel(function) || function.isVarArg()) return false;
    for (const llvm::Argument &argument : function.args())
        if (argument.hasByValAttr() && points_to_wide(argument.getType())) return false;
    return !holds_wide(function.getReturnType());
}
} // namespace

llvm::Function *with_halves_as_parameters(llvm::Function &old, std::map<Value *, Value *> &bytes)
{
    if (!has_wide_signature(old) || !can_be_narrow(old)) return &old;
    std::vector<Type *> types;
    for (const llvm::Argument &argument : old.args())
        types.push_back(narrow_type(argument.getType()));
    auto *type = llvm::FunctionType::get(old.getReturnType(), types, false);
    auto *fresh = llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", old.getParent());
    fresh->copyAttributesFrom(&old);
    fresh->copyMetadata(&old, 0);
    fresh->takeName(&old);
    while (!old.empty()) {
        llvm::BasicBlock &block = old.front();
        block.removeFromParent();
        block.insertInto(fresh);
    }
    Builder b(&*fresh->getEntryBlock().getFirstInsertionPt());
    for (llvm::Argument &argument : old.args()) {
        Value *given = fresh->getArg(argument.getArgNo());
        given->takeName(&argument);
        if (points_to_wide(argument.getType()))
            bytes[&argument] = b.CreateBitCast(given, pointer_to(b.getInt8Ty(), given->getType()));
        else
            argument.replaceAllUsesWith(is_wide(argument.getType()) ? b.CreateBitCast(given, argument.getType())
                                                                    : given);
    }
    return fresh;
}

namespace
{

/* ---- variables of the module ---- */

/* Writes the bytes of a constant to memory that is zero before. @return false if the constant contains an address or
 * another constant expression. */
bool serialize(const llvm::Constant *value, const llvm::DataLayout &layout, uint8_t *to)
{
    Type *type = value->getType();
    if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value)) return true;
    if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        llvm::APInt bits = number->getValue().zext(8 * ((number->getBitWidth() + 7) / 8));
        for (unsigned i = 0; i < bits.getBitWidth() / 8; i++)
            to[i] = static_cast<uint8_t>(bits.extractBitsAsZExtValue(8, 8 * i));
        return true;
    }
    if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(value)) {
        llvm::APInt bits = number->getValueAPF().bitcastToAPInt();
        for (unsigned i = 0; i < bits.getBitWidth() / 8; i++)
            to[i] = static_cast<uint8_t>(bits.extractBitsAsZExtValue(8, 8 * i));
        return true;
    }
    auto *structure = llvm::dyn_cast<llvm::StructType>(type);
    bool sequence = type->isArrayTy() || llvm::isa<llvm::FixedVectorType>(type);
    if (!structure && !sequence) return false;
    uint64_t count = structure ? structure->getNumElements()
                               : (type->isArrayTy() ? type->getArrayNumElements()
                                                    : llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
    for (uint64_t i = 0; i < count; i++) {
        llvm::Constant *part = value->getAggregateElement(static_cast<unsigned>(i));
        if (!part) return false;
        uint64_t offset = i * layout.getTypeAllocSize(part->getType());
        if (structure) offset = layout.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(i));
        if (!serialize(part, layout, to + offset)) return false;
    }
    return true;
}

/* Returns a new variable, an array of 64-bit integers with the same contents; NULL if serialize() cannot write the
 * contents. */
llvm::GlobalVariable *as_halves(llvm::GlobalVariable &variable)
{
    llvm::Module &module = *variable.getParent();
    const llvm::DataLayout &layout = module.getDataLayout();
    uint64_t count = (layout.getTypeAllocSize(variable.getValueType()) + 7) / 8;
    std::vector<uint64_t> contents(count);
    auto *bytes = reinterpret_cast<uint8_t *>(contents.data());
    if (variable.hasInitializer() && !serialize(variable.getInitializer(), layout, bytes)) return nullptr;
    auto *type = llvm::ArrayType::get(Type::getInt64Ty(module.getContext()), count);
    auto *value = llvm::ConstantDataArray::get(module.getContext(), contents);
    auto *fresh = new llvm::GlobalVariable(module, type, variable.isConstant(), variable.getLinkage(),
                                           variable.hasInitializer() ? value : nullptr, "", &variable,
                                           variable.getThreadLocalMode(), variable.getAddressSpace());
    fresh->copyAttributesFrom(&variable);
    fresh->setAlignment(layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType()));
    return fresh;
}

/* Replaces the constant expressions that use `constant`, where instructions use them, by instructions before these
 * uses. */
void unfold(llvm::Constant *constant)
{
    std::vector<llvm::ConstantExpr *> expressions;
    for (llvm::User *user : constant->users())
        if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(user)) expressions.push_back(expression);
    for (llvm::ConstantExpr *expression : expressions) {
        unfold(expression);
        std::vector<llvm::Use *> uses;
        for (llvm::Use &use : expression->uses())
            uses.push_back(&use);
        for (llvm::Use *use : uses) {
            auto *user = llvm::dyn_cast<Instruction>(use->getUser());
            if (!user) continue;
            auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
            Instruction *made = expression->getAsInstruction();
            Builder(phi ? phi->getIncomingBlock(*use)->getTerminator() : user).Insert(made);
            use->set(made);
        }
        if (expression->use_empty()) expression->destroyConstant();
    }
}

bool replace_variables(llvm::Module &module, std::map<Value *, Value *> &bytes)
{
    std::vector<llvm::GlobalVariable *> variables;
    for (llvm::GlobalVariable &variable : module.globals())
        if (holds_wide(variable.getValueType())) variables.push_back(&variable);
    for (llvm::GlobalVariable *variable : variables) {
        llvm::GlobalVariable *fresh = as_halves(*variable);
        if (!fresh) {
            nf_helper_error("%s contains both addresses and integers of 128 bits, which `long long` has",
                            variable->getName().str().c_str());
            return false;
        }
        fresh->takeName(variable);
        unfold(variable);
        auto *byte = Type::getInt8Ty(module.getContext());
        bytes[variable] = llvm::ConstantExpr::getBitCast(fresh, pointer_to(byte, fresh->getType()));
    }
    return true;
}

/* ---- pass over the module ---- */

/* Removes a function whose body another function has. Instructions that still use an old parameter get a cast of the
 * new parameter. */
void remove(llvm::Function &old, llvm::Function &fresh)
{
    Builder b(&*fresh.getEntryBlock().getFirstInsertionPt());
    for (llvm::Argument &argument : old.args())
        if (!argument.use_empty())
            argument.replaceAllUsesWith(b.CreateBitCast(fresh.getArg(argument.getArgNo()), argument.getType()));
    old.replaceAllUsesWith(llvm::ConstantExpr::getBitCast(&fresh, old.getType()));
    old.eraseFromParent();
}

void inline_wide(llvm::Module &module)
{
    for (llvm::Function &function : module) {
        function.removeFnAttr(llvm::Attribute::OptimizeNone);
        if (function.isDeclaration() || is_kernel(function) || !has_wide_signature(function)) continue;
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.addFnAttr(llvm::Attribute::AlwaysInline);
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
}

bool expand(llvm::Module &module)
{
    std::map<Value *, Value *> variables;
    std::vector<llvm::Function *> functions;
    if (!replace_variables(module, variables)) return false;
    for (llvm::Function &function : module)
        if (!function.isDeclaration()) functions.push_back(&function);
    for (llvm::Function *old : functions) {
        std::map<Value *, Value *> bytes = variables;
        llvm::Function &function = *with_halves_as_parameters(*old, bytes);
        if (has_wide_signature(function)) return refuse(function, is_kernel(function) ? "a parameter" : "recursion");
        llvm::removeUnreachableBlocks(function);
        std::vector<Instruction *> all;
        for (Instruction &i : llvm::instructions(function))
            all.push_back(&i);
        for (Instruction *i : all) {
            auto *choice = llvm::dyn_cast<llvm::SwitchInst>(i);
            if (choice && choice->getCondition()->getType()->getIntegerBitWidth() > 64) widen_switch(*choice);
            if (is_division(*i)) divide(*llvm::cast<llvm::BinaryOperator>(i));
        }
        if (!expand_function(function, bytes)) return false;
        if (&function != old) remove(*old, function);
    }
    for (auto &variable : variables) {
        variable.first->replaceAllUsesWith(
            llvm::ConstantExpr::getBitCast(llvm::cast<llvm::Constant>(variable.second), variable.first->getType()));
        llvm::cast<llvm::GlobalVariable>(variable.first)->eraseFromParent();
    }
    return true;
}

} // namespace
} // namespace nf_wide

extern "C" void nf_inline_wide(LLVMModuleRef module)
{
    nf_wide::inline_wide(*llvm::unwrap(module));
}

extern "C" bool nf_expand_wide(LLVMModuleRef module)
{
    return nf_wide::expand(*llvm::unwrap(module));
}

extern "C" void nf_widen_switches(LLVMModuleRef module)
{
    for (llvm::Function &function : *llvm::unwrap(module))
        for (llvm::BasicBlock &block : function) {
            auto *choice = llvm::dyn_cast_or_null<llvm::SwitchInst>(block.getTerminator());
            if (choice && !nf_wide::has_usual_width(*choice)) nf_wide::widen_switch(*choice);
        }
}
