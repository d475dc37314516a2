/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide_numbers.cpp - computes with integers of 128 bits that are pairs of halves, for wide.cpp.
 *
 *     %sum = add i128 %x, %y               %low = add i64 %x.low, %y.low
 *                                          %carry = %low < %x.low
 *                                          %high = %x.high + %y.high + %carry
 *
 * The hard cases are shifts, which must not shift a half by 64 or more, so a select chooses between the results for
 * amounts below 64 and from 64 on; and conversions from and to floating-point numbers, which round once: the halves are
 * scaled by powers of two, which is exact.
 *
 * needs: the halves of the operands.  gives: the halves of the result.
 */
#include "wide_function.h"

namespace nf_wide
{

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
    /* The bits that move to the other half: shifted in two steps, because a count of 0 moves no bits. */
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

/* Joins two integers and shifts them, as optimizers write a rotation. */
Pair Function::funnel(Builder &b, bool left, Pair x, Pair y, Value *shifted)
{
    Value *count = b.CreateAnd(shifted, number(127)), *rest = b.CreateSub(number(127), count);
    Pair kept = shift(b, left ? Instruction::Shl : Instruction::LShr, left ? x : y, count);
    Pair over = shift(b, left ? Instruction::LShr : Instruction::Shl, left ? y : x, number(1));
    over = shift(b, left ? Instruction::LShr : Instruction::Shl, over, rest);
    return {b.CreateOr(kept.low, over.low), b.CreateOr(kept.high, over.high)};
}

/* Counts zeros or ones: the count fits into the low half. */
Pair Function::count(Builder &b, llvm::Intrinsic::ID id, Pair x)
{
    auto of_half = [&](Value *half_value) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, half_value); };
    if (id == llvm::Intrinsic::cttz) { /* the trailing zeros of x, as ones: (x - 1) & ~x */
        Pair below = subtract(b, x, {number(1), zero()});
        x = {b.CreateAnd(b.CreateNot(x.low), below.low), b.CreateAnd(b.CreateNot(x.high), below.high)};
    } else if (id == llvm::Intrinsic::ctlz) {
        Value *last = b.CreateZExt(b.CreateICmpEQ(x.low, zero()), half), *empty = b.CreateICmpEQ(x.high, zero());
        Value *low = b.CreateAdd(number(64), b.CreateAdd(leading_zeros(b, x.low), last));
        return {b.CreateSelect(empty, low, leading_zeros(b, x.high)), zero()};
    }
    return {b.CreateAdd(of_half(x.low), of_half(x.high)), zero()};
}

} // namespace nf_wide
