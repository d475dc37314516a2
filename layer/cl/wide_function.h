/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide_function.h - one function whose integers of 128 bits become pairs, shared by wide.cpp, which replaces
 * instructions, and wide_numbers.cpp, which computes with pairs.
 */
#ifndef NONFLAT_CL_WIDE_FUNCTION_H
#define NONFLAT_CL_WIDE_FUNCTION_H

#include "wide.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <vector>

namespace nf_wide
{

using llvm::Instruction;
using llvm::Type;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

struct Pair {
    Value *low, *high;
};

/* The parameter type of collectOffset(), which differs between versions of LLVM. */
template <class Parts>
Parts parts_of(bool (llvm::GetElementPtrInst::*)(const llvm::DataLayout &, unsigned, Parts &, llvm::APInt &) const);
using Offsets = decltype(parts_of(&llvm::GetElementPtrInst::collectOffset));

class Function
{
  public:
    Function(llvm::Function &function, std::map<Value *, Value *> variables)
        : function(function), layout(function.getParent()->getDataLayout()),
          half(Type::getInt64Ty(function.getContext())), byte(Type::getInt8Ty(function.getContext())),
          bytes(std::move(variables))
    {
    }
    bool expand();

  private:
    llvm::Function &function;
    const llvm::DataLayout &layout;
    Type *half, *byte;
    std::map<Value *, Value *>
        bytes; /* pointers to memory with wide integers, and their replacements, pointers to bytes */
    std::map<Value *, Pair> pairs;
    std::vector<Instruction *> gone;
    std::vector<llvm::PHINode *> phis;

    Pair constant(const llvm::APInt &value);
    Pair of(Value *value);
    Value *address(Builder &b, Value *pointer, Type *pointee, unsigned offset = 0);
    Value *zero()
    {
        return llvm::ConstantInt::get(half, 0);
    }
    Value *number(uint64_t value)
    {
        return llvm::ConstantInt::get(half, value);
    }
    Pair add(Builder &b, Pair x, Pair y);
    Pair subtract(Builder &b, Pair x, Pair y);
    Value *product_high(Builder &b, Value *x, Value *y);
    Pair multiply(Builder &b, Pair x, Pair y);
    Pair shift(Builder &b, unsigned opcode, Pair x, Value *count);
    Pair funnel(Builder &b, llvm::IntrinsicInst &i, Pair x, Pair y);
    Pair count(Builder &b, llvm::Intrinsic::ID id, Pair x);
    Value *compare(Builder &b, llvm::CmpInst::Predicate predicate, Pair x, Pair y);
    Pair pick(Builder &b, Value *condition, Pair x, Pair y);
    Pair widen(Builder &b, Value *value, bool is_signed);
    Pair from_float(Builder &b, Value *value, bool is_signed);
    Value *to_float(Builder &b, Pair x, Type *type, bool is_signed);
    Pair negate(Builder &b, Pair x)
    {
        return subtract(b, {zero(), zero()}, x);
    }
    Value *leading_zeros(Builder &b, Value *x);
    bool binary(Builder &b, llvm::BinaryOperator &i, Pair &made);
    bool convert(Builder &b, llvm::CastInst &i, Pair &made);
    bool intrinsic(Builder &b, llvm::IntrinsicInst &i, Pair &made);
    bool make(Builder &b, Instruction &i, Pair &made);
    Value *use(Builder &b, Instruction &i);
    Value *offset_of(Builder &b, llvm::GetElementPtrInst &chain);
    bool memory(Builder &b, Instruction &i, bool &done);
    void pointers(Builder &b, Instruction &i, bool &done);
    bool one(Instruction &i);
};

} // namespace nf_wide

#endif
