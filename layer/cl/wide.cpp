/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide.cpp - replaces integers of 128 bits by pairs of 64-bit integers. In OpenCL C `long long` has 128 bits; SPIR-V
 * for OpenCL has no such type.
 *
 *     %m = shl i128 1, %n                  %low  = n < 64 ? 1 << n : 0
 *     %k = sub i128 %m, 1                  %high = n < 64 ? (n > 0 ? 1 >> (64 - n) : 0) : 1 << (n - 64)
 *     %l = trunc i128 %k to i64            %l = sub i64 %low, 1
 *
 * Each value becomes a low and a high half; later passes remove halves that have no use. Variables and constants of the
 * module that contain such integers become arrays of 64-bit integers with the same layout, and addresses in them are
 * counted in bytes (wide_module.cpp, which also replaces a division by a loop of 128 steps).
 *
 * The hard case: functions that take or return such an integer must have been inlined before. What is not supported is
 * refused by the name of its instruction: structures with such integers as values, also as parameters of kernels,
 * vectors of them, atomics, printf.
 *
 * needs: a module with values in registers. gives: a module without integers of 128 bits, or false after
 * nf_helper_error().
 */
#include "wide.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace nf_wide
{

using llvm::Instruction;
using llvm::Type;
using llvm::Value;

bool is_wide(const Type *type)
{
    return type->isIntegerTy(128);
}

bool holds_wide(const Type *type)
{
    if (auto *integer = llvm::dyn_cast<llvm::IntegerType>(type)) return integer->getBitWidth() > 64;
    if (type->isPointerTy()) return false;
    for (const Type *part : type->subtypes())
        if (holds_wide(part)) return true;
    return false;
}

bool points_to_wide(Type *type)
{
#if NF_LLVM_MAJOR < 17
    auto *pointer = llvm::dyn_cast<llvm::PointerType>(type);
    if (!pointer || pointer->isOpaque()) return false;
    Type *pointee = pointer->getNonOpaquePointerElementType();
    return holds_wide(pointee) || points_to_wide(pointee);
#else
    (void)type;
    return false;
#endif
}

Type *pointer_to(Type *pointee, Type *pointer)
{
    unsigned space = pointer->getPointerAddressSpace();
#if NF_LLVM_MAJOR < 17
    return llvm::PointerType::get(pointee, space);
#else
    return llvm::PointerType::get(pointee->getContext(), space);
#endif
}

bool refuse(const llvm::Function &function, const char *what)
{
    nf_helper_error(
        "%s computes with integers of 128 bits, which `long long` and literals with `ll` have, in a way that is "
        "not known here: %s",
        function.getName().str().c_str(), what);
    return false;
}

namespace
{

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

Pair Function::constant(const llvm::APInt &value)
{
    return {llvm::ConstantInt::get(half, value.trunc(64)), llvm::ConstantInt::get(half, value.lshr(64).trunc(64))};
}

Pair Function::of(Value *value)
{
    auto known = pairs.find(value);
    if (known != pairs.end()) return known->second;
    if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant(number->getValue());
    Value *undefined = llvm::UndefValue::get(half);
    return llvm::isa<llvm::UndefValue>(value) ? Pair{undefined, undefined} : Pair{nullptr, nullptr};
}

/* Returns the address `offset` bytes after `pointer`, as a pointer to `pointee`. */
Value *Function::address(Builder &b, Value *pointer, Type *pointee, unsigned offset)
{
    auto known = bytes.find(pointer);
    Value *at = known != bytes.end() ? known->second : b.CreateBitCast(pointer, pointer_to(byte, pointer->getType()));
    if (offset) at = b.CreateConstInBoundsGEP1_64(byte, at, offset);
    return b.CreateBitCast(at, pointer_to(pointee, at->getType()));
}

/* ---- arithmetic ---- */

Pair Function::add(Builder &b, Pair x, Pair y)
{
    Value *low = b.CreateAdd(x.low, y.low), *carry = b.CreateZExt(b.CreateICmpULT(low, x.low), half);
    return {low, b.CreateAdd(b.CreateAdd(x.high, y.high), carry)};
}

Pair Function::subtract(Builder &b, Pair x, Pair y)
{
    Value *borrow = b.CreateZExt(b.CreateICmpULT(x.low, y.low), half);
    return {b.CreateSub(x.low, y.low), b.CreateSub(b.CreateSub(x.high, y.high), borrow)};
}

/* Returns the high half of the product of two halves, computed from 32-bit parts. */
Value *Function::product_high(Builder &b, Value *x, Value *y)
{
    Value *mask = number(0xffffffff), *x0 = b.CreateAnd(x, mask), *x1 = b.CreateLShr(x, 32);
    Value *y0 = b.CreateAnd(y, mask), *y1 = b.CreateLShr(y, 32);
    Value *first = b.CreateAdd(b.CreateMul(x1, y0), b.CreateLShr(b.CreateMul(x0, y0), 32));
    Value *second = b.CreateAdd(b.CreateMul(x0, y1), b.CreateAnd(first, mask));
    return b.CreateAdd(b.CreateAdd(b.CreateMul(x1, y1), b.CreateLShr(first, 32)), b.CreateLShr(second, 32));
}

Pair Function::multiply(Builder &b, Pair x, Pair y)
{
    Value *cross = b.CreateAdd(b.CreateMul(x.low, y.high), b.CreateMul(x.high, y.low));
    return {b.CreateMul(x.low, y.low), b.CreateAdd(product_high(b, x.low, y.low), cross)};
}

/* Shifts without shifting a half by 64 or more, which would be undefined. */
Pair Function::shift(Builder &b, unsigned opcode, Pair x, Value *count)
{
    bool left = opcode == Instruction::Shl, arithmetic = opcode == Instruction::AShr;
    Value *within = b.CreateAnd(count, number(63)), *rest = b.CreateSub(number(63), within);
    Value *far = b.CreateICmpUGE(count, number(64)), *from = left ? x.low : x.high, *into = left ? x.high : x.low;
    Value *moved =
        left ? b.CreateShl(from, within) : (arithmetic ? b.CreateAShr(from, within) : b.CreateLShr(from, within));
    /* The bits that move to the other half: shifted in two steps, because a count of 0 moves none. */
    Value *over = left ? b.CreateLShr(b.CreateLShr(from, 1), rest) : b.CreateShl(b.CreateShl(from, 1), rest);
    Value *kept = left ? b.CreateShl(into, within) : b.CreateLShr(into, within);
    Value *filled = arithmetic ? b.CreateAShr(from, 63) : zero();
    Value *near = b.CreateSelect(far, filled, moved), *other = b.CreateSelect(far, moved, b.CreateOr(kept, over));
    return left ? Pair{near, other} : Pair{other, near};
}

Value *Function::compare(Builder &b, llvm::CmpInst::Predicate predicate, Pair x, Pair y)
{
    Value *same = b.CreateICmpEQ(x.high, y.high);
    if (llvm::ICmpInst::isEquality(predicate)) {
        Value *equal = b.CreateAnd(same, b.CreateICmpEQ(x.low, y.low));
        return predicate == llvm::CmpInst::ICMP_EQ ? equal : b.CreateNot(equal);
    }
    Value *low = b.CreateICmp(llvm::ICmpInst::getUnsignedPredicate(predicate), x.low, y.low);
    return b.CreateSelect(same, low, b.CreateICmp(llvm::CmpInst::getStrictPredicate(predicate), x.high, y.high));
}

Pair Function::pick(Builder &b, Value *condition, Pair x, Pair y)
{
    return {b.CreateSelect(condition, x.low, y.low), b.CreateSelect(condition, x.high, y.high)};
}

/* ---- conversions ---- */

Pair Function::widen(Builder &b, Value *value, bool is_signed)
{
    Value *low = is_signed ? b.CreateSExt(value, half) : b.CreateZExt(value, half);
    return {low, is_signed ? b.CreateAShr(low, 63) : zero()};
}

/* Scaling by powers of two is exact. */
Pair Function::from_float(Builder &b, Value *value, bool is_signed)
{
    Type *type = value->getType();
    Value *none = llvm::ConstantFP::get(type, 0.0), *below = b.CreateFCmpOLT(value, none);
    Value *size = is_signed ? b.CreateSelect(below, b.CreateFNeg(value), value) : value;
    Value *big = b.CreateFCmpOGE(size, llvm::ConstantFP::get(type, 0x1p64));
    Value *scaled = b.CreateSelect(big, b.CreateFMul(size, llvm::ConstantFP::get(type, 0x1p-64)), none);
    Value *high = b.CreateFPToUI(scaled, half);
    Value *rest = b.CreateFSub(size, b.CreateFMul(b.CreateUIToFP(high, type), llvm::ConstantFP::get(type, 0x1p64)));
    Pair made = {b.CreateFPToUI(rest, half), high};
    return is_signed ? pick(b, below, negate(b, made), made) : made;
}

Value *Function::leading_zeros(Builder &b, Value *x)
{
    /* Binary search, because not every version of the translator supports ctlz. */
    Value *count = zero();
    for (unsigned step = 32; step; step /= 2) {
        Value *empty = b.CreateICmpEQ(b.CreateLShr(x, 64 - step), zero());
        count = b.CreateAdd(count, b.CreateSelect(empty, number(step), zero()));
        x = b.CreateSelect(empty, b.CreateShl(x, step), x);
    }
    return count;
}

/* Rounds once: the leading 64 bits, the lowest of which is sticky (it is set if any lower bit is). */
Value *Function::to_float(Builder &b, Pair x, Type *type, bool is_signed)
{
    Value *below = b.CreateICmpSLT(x.high, zero());
    if (is_signed) x = pick(b, below, negate(b, x), x);
    Value *zeros = leading_zeros(b, x.high), *rest = b.CreateSub(number(63), zeros);
    Value *over = b.CreateLShr(b.CreateLShr(x.low, 1), rest), *lost = b.CreateShl(x.low, zeros);
    Value *sticky = b.CreateZExt(b.CreateICmpNE(lost, zero()), half);
    Value *first = b.CreateOr(b.CreateOr(b.CreateShl(x.high, zeros), over), sticky);
    /* The value is `first` times 2^(64 - zeros), which is split into two factors that every type can represent. */
    Value *one = number(1), *left = b.CreateSub(number(64), zeros), *part = b.CreateLShr(left, 1);
    Value *scale = b.CreateUIToFP(b.CreateShl(one, part), type);
    Value *other = b.CreateUIToFP(b.CreateShl(one, b.CreateSub(left, part)), type);
    Value *big = b.CreateFMul(b.CreateFMul(b.CreateUIToFP(first, type), scale), other);
    Value *value = b.CreateSelect(b.CreateICmpEQ(x.high, zero()), b.CreateUIToFP(x.low, type), big);
    return is_signed ? b.CreateSelect(below, b.CreateFNeg(value), value) : value;
}

/* ---- instructions with a wide result ---- */

bool Function::binary(Builder &b, llvm::BinaryOperator &i, Pair &made)
{
    Pair x = of(i.getOperand(0)), y = of(i.getOperand(1));
    if (!x.low || !y.low) return false;
    switch (i.getOpcode()) {
    case Instruction::Add: made = add(b, x, y); return true;
    case Instruction::Sub: made = subtract(b, x, y); return true;
    case Instruction::Mul: made = multiply(b, x, y); return true;
    case Instruction::And: made = {b.CreateAnd(x.low, y.low), b.CreateAnd(x.high, y.high)}; return true;
    case Instruction::Or: made = {b.CreateOr(x.low, y.low), b.CreateOr(x.high, y.high)}; return true;
    case Instruction::Xor: made = {b.CreateXor(x.low, y.low), b.CreateXor(x.high, y.high)}; return true;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: made = shift(b, i.getOpcode(), x, y.low); return true;
    default: return false;
    }
}

bool Function::convert(Builder &b, llvm::CastInst &i, Pair &made)
{
    Value *from = i.getOperand(0);
    switch (i.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt:
        if (from->getType()->getIntegerBitWidth() > 64) return false;
        made = widen(b, from, i.getOpcode() == Instruction::SExt);
        return true;
    case Instruction::PtrToInt: made = {b.CreatePtrToInt(from, half), zero()}; return true;
    case Instruction::FPToUI:
    case Instruction::FPToSI:
        if (from->getType()->isHalfTy()) from = b.CreateFPExt(from, b.getFloatTy());
        made = from_float(b, from, i.getOpcode() == Instruction::FPToSI);
        return true;
    case Instruction::BitCast: {
        Value *halves = b.CreateBitCast(from, llvm::FixedVectorType::get(half, 2));
        made = {b.CreateExtractElement(halves, uint64_t(0)), b.CreateExtractElement(halves, 1)};
        return true;
    }
    default: return false;
    }
}

/* Joins two integers and shifts them, as optimizers write a rotation. */
Pair Function::funnel(Builder &b, llvm::IntrinsicInst &i, Pair x, Pair y)
{
    bool left = i.getIntrinsicID() == llvm::Intrinsic::fshl;
    Value *count = b.CreateAnd(of(i.getArgOperand(2)).low, number(127)), *rest = b.CreateSub(number(127), count);
    Pair kept = shift(b, left ? Instruction::Shl : Instruction::LShr, left ? x : y, count);
    Pair over = shift(b, left ? Instruction::LShr : Instruction::Shl, left ? y : x, number(1));
    over = shift(b, left ? Instruction::LShr : Instruction::Shl, over, rest);
    return {b.CreateOr(kept.low, over.low), b.CreateOr(kept.high, over.high)};
}

/* Counts zeros or ones: the count fits into the low half. */
Pair Function::count(Builder &b, llvm::Intrinsic::ID id, Pair x)
{
    auto of_half = [&](Value *half_value) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, half_value); };
    if (id == llvm::Intrinsic::cttz) { /* the ones below the lowest one of x: those of x - 1 that x lacks */
        Pair below = subtract(b, x, {number(1), zero()});
        x = {b.CreateAnd(b.CreateNot(x.low), below.low), b.CreateAnd(b.CreateNot(x.high), below.high)};
    } else if (id == llvm::Intrinsic::ctlz) {
        Value *last = b.CreateZExt(b.CreateICmpEQ(x.low, zero()), half), *empty = b.CreateICmpEQ(x.high, zero());
        Value *low = b.CreateAdd(number(64), b.CreateAdd(leading_zeros(b, x.low), last));
        return {b.CreateSelect(empty, low, leading_zeros(b, x.high)), zero()};
    }
    return {b.CreateAdd(of_half(x.low), of_half(x.high)), zero()};
}

bool Function::intrinsic(Builder &b, llvm::IntrinsicInst &i, Pair &made)
{
    Pair x = of(i.getArgOperand(0)), y = i.arg_size() > 1 ? of(i.getArgOperand(1)) : x;
    llvm::CmpInst::Predicate predicate;
    switch (i.getIntrinsicID()) {
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
        if (x.low && y.low && of(i.getArgOperand(2)).low) made = funnel(b, i, x, y);
        return made.low;
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
        if (x.low) made = count(b, i.getIntrinsicID(), x);
        return made.low;
    case llvm::Intrinsic::umin: predicate = llvm::CmpInst::ICMP_ULT; break;
    case llvm::Intrinsic::umax: predicate = llvm::CmpInst::ICMP_UGT; break;
    case llvm::Intrinsic::smin: predicate = llvm::CmpInst::ICMP_SLT; break;
    case llvm::Intrinsic::smax: predicate = llvm::CmpInst::ICMP_SGT; break;
    case llvm::Intrinsic::abs:
        if (x.low) made = pick(b, b.CreateICmpSLT(x.high, zero()), negate(b, x), x);
        return x.low;
    default: return false;
    }
    if (!x.low || !y.low) return false;
    made = pick(b, compare(b, predicate, x, y), x, y);
    return true;
}

bool Function::make(Builder &b, Instruction &i, Pair &made)
{
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return binary(b, *operation, made);
    if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&i)) return convert(b, *cast, made);
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return intrinsic(b, *call, made);
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
        Pair x = of(select->getTrueValue()), y = of(select->getFalseValue());
        if (x.low && y.low) made = pick(b, select->getCondition(), x, y);
        return made.low;
    }
    if (llvm::isa<llvm::FreezeInst>(i)) {
        made = of(i.getOperand(0));
        return made.low;
    }
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (!load || load->isAtomic()) return false;
    bool is_volatile = load->isVolatile();
    Value *pointer = load->getPointerOperand();
    llvm::Align align = load->getAlign();
    made.low = b.CreateAlignedLoad(half, address(b, pointer, half), align, is_volatile);
    made.high = b.CreateAlignedLoad(half, address(b, pointer, half, 8), llvm::commonAlignment(align, 8), is_volatile);
    return true;
}

/* ---- instructions with wide operands ---- */

/* Returns the result of the instruction, which is not wide, or NULL if the instruction is not supported. */
Value *Function::use(Builder &b, Instruction &i)
{
    Pair x = i.getNumOperands() ? of(i.getOperand(0)) : Pair{nullptr, nullptr};
    if (!x.low) return nullptr;
    switch (i.getOpcode()) {
    case Instruction::ICmp: {
        Pair y = of(i.getOperand(1));
        return y.low ? compare(b, llvm::cast<llvm::ICmpInst>(i).getPredicate(), x, y) : nullptr;
    }
    case Instruction::Trunc: return b.CreateTrunc(x.low, i.getType());
    case Instruction::IntToPtr: return b.CreateIntToPtr(x.low, i.getType());
    case Instruction::UIToFP:
    case Instruction::SIToFP: {
        Type *type = i.getType()->isHalfTy() ? b.getFloatTy() : i.getType();
        Value *value = to_float(b, x, type, i.getOpcode() == Instruction::SIToFP);
        return type == i.getType() ? value : b.CreateFPTrunc(value, i.getType());
    }
    case Instruction::BitCast: {
        Value *none = llvm::UndefValue::get(llvm::FixedVectorType::get(half, 2));
        Value *halves = b.CreateInsertElement(b.CreateInsertElement(none, x.low, uint64_t(0)), x.high, 1);
        return b.CreateBitCast(halves, i.getType());
    }
    default: return nullptr;
    }
}

/* ---- memory ---- */

/* Returns the distance in bytes of the address from its base, or NULL. */
Value *Function::offset_of(Builder &b, llvm::GetElementPtrInst &chain)
{
    Type *word = layout.getIndexType(chain.getPointerOperandType());
    llvm::APInt offset(word->getIntegerBitWidth(), 0);
    Offsets parts;
    if (!chain.collectOffset(layout, word->getIntegerBitWidth(), parts, offset)) return nullptr;
    Value *sum = llvm::ConstantInt::get(word, offset);
    for (auto &part : parts) {
        Value *index = is_wide(part.first->getType()) ? of(part.first).low : part.first;
        if (!index) return nullptr;
        Value *scaled = b.CreateMul(b.CreateSExtOrTrunc(index, word), llvm::ConstantInt::get(word, part.second));
        sum = b.CreateAdd(sum, scaled);
    }
    return sum;
}

/* Replaces an instruction that accesses memory with wide integers. Sets `done` if it is one. @return false if it is not
 * supported. */
bool Function::memory(Builder &b, Instruction &i, bool &done)
{
    done = true;
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
        uint64_t size = layout.getTypeAllocSize(variable->getAllocatedType());
        auto *fresh = b.CreateAlloca(llvm::ArrayType::get(half, (size + 7) / 8));
        fresh->setAlignment(variable->getAlign());
        bytes[&i] = b.CreateBitCast(fresh, pointer_to(byte, fresh->getType()));
        return !variable->isArrayAllocation();
    }
    if (auto *chain = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
        Value *distance = offset_of(b, *chain);
        if (distance) bytes[&i] = b.CreateGEP(byte, address(b, chain->getPointerOperand(), byte), distance);
        return distance;
    }
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
        Pair x = of(store->getValueOperand());
        if (store->isAtomic() || !x.low) return false;
        llvm::Align align = store->getAlign();
        Value *pointer = store->getPointerOperand();
        b.CreateAlignedStore(x.low, address(b, pointer, half), align, store->isVolatile());
        b.CreateAlignedStore(x.high, address(b, pointer, half, 8), llvm::commonAlignment(align, 8),
                             store->isVolatile());
        return true;
    }
    done = false;
    return true;
}

/* ---- the function ---- */

/* Returns true if the instruction casts a pointer. */
bool is_step(const Instruction &i)
{
    return llvm::isa<llvm::BitCastInst>(i) || llvm::isa<llvm::AddrSpaceCastInst>(i);
}

/* Returns true if the instruction accepts pointers of any type. */
bool takes_any_pointer(const Instruction &i)
{
    return llvm::isa<llvm::ICmpInst>(i) || llvm::isa<llvm::PtrToIntInst>(i);
}

/* Replaces an instruction on typed pointers. Sets `done` if it is one. */
void Function::pointers(Builder &b, Instruction &i, bool &done)
{
    done = true;
    auto *select = llvm::dyn_cast<llvm::SelectInst>(&i);
    if (select && points_to_wide(i.getType())) {
        Value *first = address(b, select->getTrueValue(), byte), *second = address(b, select->getFalseValue(), byte);
        bytes[&i] = b.CreateSelect(select->getCondition(), first, second);
        gone.push_back(&i);
    } else if (is_step(i) && (bytes.count(i.getOperand(0)) || points_to_wide(i.getType()))) {
        Type *to = points_to_wide(i.getType()) ? pointer_to(byte, i.getType()) : i.getType();
        Value *cast = b.CreatePointerBitCastOrAddrSpaceCast(address(b, i.getOperand(0), byte), to);
        if (points_to_wide(i.getType()))
            bytes[&i] = cast;
        else
            i.replaceAllUsesWith(cast);
        gone.push_back(&i);
    } else if (takes_any_pointer(i) && i.getOperand(0)->getType()->isPointerTy()) {
        for (llvm::Use &operand : i.operands())
            operand.set(address(b, operand.get(), byte));
        done = !is_wide(i.getType());
    } else {
        done = false;
    }
}

bool Function::one(Instruction &i)
{
    Builder b(&i);
    Pair made = {nullptr, nullptr};
    bool done = false, wide = is_wide(i.getType());
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    auto *chain = llvm::dyn_cast<llvm::GetElementPtrInst>(&i);
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&i);
    pointers(b, i, done);
    if (done) return true;
    if (wide) {
        if (!make(b, i, made)) return refuse(function, i.getOpcodeName());
        pairs[&i] = made;
    } else if ((variable && holds_wide(variable->getAllocatedType())) ||
               (chain && holds_wide(chain->getSourceElementType())) ||
               (store && is_wide(store->getValueOperand()->getType()))) {
        if (!memory(b, i, done)) return refuse(function, i.getOpcodeName());
    } else {
        Value *value = use(b, i);
        if (!value) return refuse(function, i.getOpcodeName());
        i.replaceAllUsesWith(value);
    }
    gone.push_back(&i);
    return true;
}

bool concerns_wide(const Instruction &i, const std::map<Value *, Value *> &bytes)
{
    if (is_wide(i.getType()) || points_to_wide(i.getType())) return true;
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
        if (holds_wide(variable->getAllocatedType())) return true;
    if (auto *chain = llvm::dyn_cast<llvm::GetElementPtrInst>(&i))
        if (holds_wide(chain->getSourceElementType())) return true;
    for (const llvm::Use &operand : i.operands()) {
        if (is_wide(operand->getType())) return true;
        if ((is_step(i) || takes_any_pointer(i)) && bytes.count(operand.get())) return true;
    }
    return false;
}

bool Function::expand()
{
    for (Instruction &i : llvm::instructions(function)) {
        auto *phi = llvm::dyn_cast<llvm::PHINode>(&i);
        if (!phi || !(is_wide(phi->getType()) || points_to_wide(phi->getType()))) continue;
        Builder b(phi);
        unsigned count = phi->getNumIncomingValues();
        phis.push_back(phi);
        if (points_to_wide(phi->getType()))
            bytes[phi] = b.CreatePHI(pointer_to(byte, phi->getType()), count);
        else
            pairs[phi] = {b.CreatePHI(half, count), b.CreatePHI(half, count)};
    }
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
    for (llvm::BasicBlock *block : order) {
        std::vector<Instruction *> before;
        for (Instruction &i : *block)
            before.push_back(&i);
        for (Instruction *i : before)
            if (!llvm::isa<llvm::PHINode>(i) && concerns_wide(*i, bytes) && !one(*i)) return false;
    }
    for (llvm::PHINode *phi : phis)
        for (unsigned n = 0; n < phi->getNumIncomingValues(); n++) {
            if (bytes.count(phi)) {
                Builder b(phi->getIncomingBlock(n)->getTerminator());
                Value *incoming = address(b, phi->getIncomingValue(n), byte);
                llvm::cast<llvm::PHINode>(bytes[phi])->addIncoming(incoming, phi->getIncomingBlock(n));
                continue;
            }
            Pair x = of(phi->getIncomingValue(n));
            if (!x.low) return refuse(function, "phi");
            llvm::cast<llvm::PHINode>(pairs[phi].low)->addIncoming(x.low, phi->getIncomingBlock(n));
            llvm::cast<llvm::PHINode>(pairs[phi].high)->addIncoming(x.high, phi->getIncomingBlock(n));
        }
    gone.insert(gone.end(), phis.begin(), phis.end());
    for (Instruction *i : gone) { /* remaining users are in `gone`, or need a pointer of the old type */
        auto old = bytes.find(i);
        if (!i->use_empty() && old != bytes.end())
            i->replaceAllUsesWith(Builder(i).CreateBitCast(old->second, i->getType()));
        else if (!i->use_empty())
            i->replaceAllUsesWith(llvm::UndefValue::get(i->getType()));
    }
    for (Instruction *i : gone)
        i->eraseFromParent();
    return true;
}

} // namespace

bool expand_function(llvm::Function &function, const std::map<Value *, Value *> &variables)
{
    return Function(function, variables).expand();
}

} // namespace nf_wide
