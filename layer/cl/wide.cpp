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
 * counted in bytes (wide_module.cpp, which also replaces a division by a loop of 128 steps). wide_numbers.cpp has the
 * arithmetic.
 *
 * The hard case: functions that take or return such an integer must have been inlined before. Unsupported instructions
 * are refused, with a message that names them: structures with such integers as values, also as parameters of kernels,
 * vectors of them, atomics, printf.
 *
 * needs: a module with values in registers. gives: a module without integers of 128 bits, or false after
 * nf_helper_error().
 */
#include "wide_function.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <string>

namespace nf_wide
{

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
        "%s has an unsupported operation on integers of 128 bits, the type of `long long` and of literals with `ll`: "
        "%s",
        function.getName().str().c_str(), what);
    return false;
}

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

bool Function::intrinsic(Builder &b, llvm::IntrinsicInst &i, Pair &made)
{
    Pair x = of(i.getArgOperand(0)), y = i.arg_size() > 1 ? of(i.getArgOperand(1)) : x;
    llvm::CmpInst::Predicate predicate;
    switch (i.getIntrinsicID()) {
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr: {
        Value *shifted = of(i.getArgOperand(2)).low;
        bool left = i.getIntrinsicID() == llvm::Intrinsic::fshl;
        if (x.low && y.low && shifted) made = funnel(b, left, x, y, shifted);
        return made.low;
    }
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

/* Replaces a variable with wide integers, an address in it, or a store of a wide integer, and sets `done`; does nothing
 * for any other instruction. @return false if the instruction is not supported. */
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

/* ---- pass over one function ---- */

/* Returns true for a bitcast, of pointers or of other values, and for an addrspacecast. */
static bool is_step(const Instruction &i)
{
    return llvm::isa<llvm::BitCastInst>(i) || llvm::isa<llvm::AddrSpaceCastInst>(i);
}

/* Returns true for integer comparisons and ptrtoint. If their operands are pointers, pointers to bytes can replace
 * them, because the result does not depend on the pointee type. */
static bool takes_any_pointer(const Instruction &i)
{
    return llvm::isa<llvm::ICmpInst>(i) || llvm::isa<llvm::PtrToIntInst>(i);
}

/* Replaces an instruction on typed pointers, and sets `done`; of a comparison or ptrtoint only the operands, and then
 * `done` is false if the result is wide. Does nothing for any other instruction. */
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

static bool concerns_wide(const Instruction &i, const std::map<Value *, Value *> &bytes)
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

bool expand_function(llvm::Function &function, const std::map<Value *, Value *> &variables)
{
    return Function(function, variables).expand();
}

} // namespace nf_wide
