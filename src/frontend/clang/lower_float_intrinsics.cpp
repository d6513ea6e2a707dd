// Floating-point intrinsics, lane by lane.
#include "frontend/clang/lower.hpp"

#include "program/slot_uses.hpp"

#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/IR/Intrinsics.h>

#include <vector>

namespace heddle::clang_frontend {

namespace {

std::optional<MathFn> math_function(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::fabs:
        return MathFn::Fabs;
    case llvm::Intrinsic::sqrt:
        return MathFn::Sqrt;
    case llvm::Intrinsic::floor:
        return MathFn::Floor;
    case llvm::Intrinsic::ceil:
        return MathFn::Ceil;
    case llvm::Intrinsic::trunc:
        return MathFn::Trunc;
    case llvm::Intrinsic::rint:
        return MathFn::Rint;
    case llvm::Intrinsic::nearbyint:
        return MathFn::NearbyInt;
    case llvm::Intrinsic::round:
        return MathFn::Round;
    case llvm::Intrinsic::roundeven:
        return MathFn::RoundEven;
    case llvm::Intrinsic::sin:
        return MathFn::Sin;
    case llvm::Intrinsic::cos:
        return MathFn::Cos;
    case llvm::Intrinsic::tan:
        return MathFn::Tan;
    case llvm::Intrinsic::asin:
        return MathFn::Asin;
    case llvm::Intrinsic::acos:
        return MathFn::Acos;
    case llvm::Intrinsic::atan:
        return MathFn::Atan;
    case llvm::Intrinsic::sinh:
        return MathFn::Sinh;
    case llvm::Intrinsic::cosh:
        return MathFn::Cosh;
    case llvm::Intrinsic::tanh:
        return MathFn::Tanh;
    case llvm::Intrinsic::exp:
        return MathFn::Exp;
    case llvm::Intrinsic::exp2:
        return MathFn::Exp2;
    case llvm::Intrinsic::log:
        return MathFn::Log;
    case llvm::Intrinsic::log2:
        return MathFn::Log2;
    case llvm::Intrinsic::log10:
        return MathFn::Log10;
    case llvm::Intrinsic::copysign:
        return MathFn::CopySign;
    case llvm::Intrinsic::minnum:
        return MathFn::MinNum;
    case llvm::Intrinsic::maxnum:
        return MathFn::MaxNum;
    case llvm::Intrinsic::minimum:
        return MathFn::Minimum;
    case llvm::Intrinsic::maximum:
        return MathFn::Maximum;
    case llvm::Intrinsic::pow:
        return MathFn::Pow;
    case llvm::Intrinsic::fma:
        return MathFn::Fma;
    default:
        return std::nullopt;
    }
}

void emit_math(FunctionContext& to, MathFn fn, Float format, Slot dst, Slot a, Slot b = 0, Slot c = 0) {
    to.code.emit(Op::FMath, dst, a, b, Instr::pack(c, static_cast<std::uint16_t>(fn), static_cast<std::uint16_t>(format), 0));
}

void lower_math(FunctionContext& to, const llvm::CallBase& call, MathFn fn) {
    llvm::SmallVector<Slots, 3> values(3);
    for (unsigned i = 0; i < arity_of(fn); ++i) {
        values[i] = to.operand(*call.getArgOperand(i));
    }
    const Slot dst = to.define(call);
    for (const Leaf& leaf : to.shape(call).leaves) {
        const auto lane = [&](unsigned i) { return values[i].empty() ? Slot{0} : values[i][leaf.slot]; };
        emit_math(to, fn, leaf.format, slot_after(dst, leaf.slot), lane(0), lane(1), lane(2));
    }
}

/// a * b + c with both roundings: what the x86 code has that clang makes without -mfma.
void lower_muladd(FunctionContext& to, const llvm::CallBase& call) {
    const Slots a = to.operand(*call.getArgOperand(0));
    const Slots b = to.operand(*call.getArgOperand(1));
    const Slots c = to.operand(*call.getArgOperand(2));
    const Slot dst = to.define(call);
    for (const Leaf& leaf : to.shape(call).leaves) {
        const auto format = static_cast<std::uint64_t>(leaf.format);
        const Slot product = to.compute(Op::FMul, a[leaf.slot], b[leaf.slot], format, leaf.slots());
        to.code.emit(Op::FAdd, slot_after(dst, leaf.slot), product, c[leaf.slot], format);
    }
}

/// lrint, llrint, lround, llround.
void lower_rounding(FunctionContext& to, const llvm::CallBase& call, MathFn fn) {
    const Slots a = to.operand(*call.getArgOperand(0));
    const Shape& from = to.shape(*call.getArgOperand(0));
    const Slot dst = to.define(call);
    for (std::size_t lane = 0; lane < from.leaves.size(); ++lane) {
        const Leaf& leaf = from.leaves[lane];
        const Leaf& result = to.shape(call).leaves[lane];
        const Slot rounded = to.scratch(leaf.slots());
        emit_math(to, fn, leaf.format, rounded, a[leaf.slot]);
        to.code.emit(Op::FToSi, slot_after(dst, result.slot), rounded, 0,
                     Instr::pack(static_cast<std::uint32_t>(leaf.format), result.bits));
    }
}

/// is.fpclass. Every class of numbers is a range of bit patterns, and its negative twin the same range with the sign bit set; a pattern x is in
/// [low, high] when x - low <= high - low, unsigned.
bool lower_class_test(FunctionContext& to, const llvm::CallBase& call) {
    const Leaf& leaf = to.shape(*call.getArgOperand(0)).leaves.front();
    if (leaf.format == Float::F80 || lanes_of(call.getType()) != 1) {
        return false;
    }
    const unsigned fraction = leaf.format == Float::F32 ? 23 : 52;
    const std::uint64_t sign = std::uint64_t{1} << (leaf.bits - 1);
    const std::uint64_t smallest_normal = std::uint64_t{1} << fraction;
    const std::uint64_t infinity = (sign - 1) & ~(smallest_normal - 1);
    const std::uint64_t quiet = infinity | (smallest_normal >> 1);
    struct Range {
        unsigned positive; ///< the classes' bits in the mask
        unsigned negative;
        std::uint64_t low;
        std::uint64_t high;
    };
    const Range ranges[] = {
        {llvm::fcPosZero, llvm::fcNegZero, 0, 0},
        {llvm::fcPosSubnormal, llvm::fcNegSubnormal, 1, smallest_normal - 1},
        {llvm::fcPosNormal, llvm::fcNegNormal, smallest_normal, infinity - 1},
        {llvm::fcPosInf, llvm::fcNegInf, infinity, infinity},
        {llvm::fcSNan, llvm::fcSNan, infinity + 1, quiet - 1},
        {llvm::fcQNan, llvm::fcQNan, quiet, sign - 1},
    };
    const auto mask = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
    const Slot pattern = to.single(*call.getArgOperand(0));
    Slot any = to.constant(0);
    const auto add = [&](std::uint64_t low, std::uint64_t high) {
        const Slot distance = to.compute(Op::Sub, pattern, to.constant(low), mask_of(leaf.bits));
        any = to.compute(Op::Or, any, to.compute(Op::CmpUle, distance, to.constant(high - low), leaf.bits));
    };
    for (const Range& range : ranges) {
        if ((mask & range.positive) != 0) {
            add(range.low, range.high);
        }
        if ((mask & range.negative) != 0) {
            add(range.low | sign, range.high | sign);
        }
    }
    to.rename(call, {any});
    return true;
}

/// fptosi.sat and fptoui.sat: NaN gives 0, what is out of range the nearest end of it. Both ends (the upper one plus 1) are powers
/// of two or zero, which floating point has exactly.
bool lower_saturating_conversion(FunctionContext& to, const llvm::CallBase& call, bool is_signed) {
    const Leaf& from = to.shape(*call.getArgOperand(0)).leaves.front();
    const Leaf& target = to.shape(call).leaves.front();
    if (from.format == Float::F80 || target.bits > 64 || lanes_of(call.getType()) != 1) {
        return false;
    }
    const llvm::APInt lowest = is_signed ? llvm::APInt::getSignedMinValue(target.bits) : llvm::APInt(target.bits, 0);
    const llvm::APInt highest = is_signed ? llvm::APInt::getSignedMaxValue(target.bits) : llvm::APInt::getMaxValue(target.bits);
    const auto as_float = [&](const llvm::APInt& value) {
        llvm::APFloat number(from.format == Float::F32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble());
        number.convertFromAPInt(value, /*IsSigned=*/true, llvm::APFloat::rmNearestTiesToEven);
        return to.constant(number.bitcastToAPInt().getZExtValue());
    };
    const auto test = [&](unsigned predicate, Slot a, Slot b) {
        return to.compute(Op::FCmp, a, b, Instr::pack(predicate, static_cast<std::uint32_t>(from.format)));
    };
    const Slot x = to.single(*call.getArgOperand(0));
    const Slot low = as_float(is_signed ? lowest.sext(128) : lowest.zext(128));
    const Slot beyond = as_float(highest.zext(128) + 1);
    const Slot raw =
        to.compute(is_signed ? Op::FToSi : Op::FToUi, x, 0, Instr::pack(static_cast<std::uint32_t>(from.format), target.bits));
    const Slot above = to.select(test(llvm::CmpInst::FCMP_OGE, x, beyond), to.constant(highest.getZExtValue()), raw);
    const Slot within = to.select(test(llvm::CmpInst::FCMP_OLE, x, low), to.constant(lowest.getZExtValue()), above);
    to.rename(call, {to.select(test(llvm::CmpInst::FCMP_UNO, x, x), to.constant(0), within)});
    return true;
}

/// vector.reduce.fadd, fmul (from a start value, in order) and fmin, fmax.
bool lower_float_reduction(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    const bool sum = id == llvm::Intrinsic::vector_reduce_fadd || id == llvm::Intrinsic::vector_reduce_fmul;
    const bool best = id == llvm::Intrinsic::vector_reduce_fmin || id == llvm::Intrinsic::vector_reduce_fmax;
    if (!sum && !best) {
        return false;
    }
    const Leaf leaf = to.shape(call).leaves.front();
    const llvm::Value* operand = call.getArgOperand(sum ? 1 : 0);
    const Slots vector = to.operand(*operand);
    Slot current = sum ? to.operand(*call.getArgOperand(0)).front() : vector[0];
    for (unsigned lane = sum ? 0 : 1; lane < lanes_of(operand->getType()); ++lane) {
        const Slot next = to.scratch(leaf.slots());
        const Slot element = vector[std::size_t{lane} * leaf.slots()];
        if (sum) {
            const Op op = id == llvm::Intrinsic::vector_reduce_fadd ? Op::FAdd : Op::FMul;
            to.code.emit(op, next, current, element, static_cast<std::uint64_t>(leaf.format));
        } else {
            const MathFn fn = id == llvm::Intrinsic::vector_reduce_fmin ? MathFn::MinNum : MathFn::MaxNum;
            emit_math(to, fn, leaf.format, next, current, element);
        }
        current = next;
    }
    to.rename(call, leaf.slots() == 2 ? Slots{current, slot_after(current, 1)} : Slots{current});
    return true;
}

} // namespace

bool lower_float_intrinsic(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    if (const auto fn = math_function(id)) {
        lower_math(to, call, *fn);
        return true;
    }
    switch (id) {
    case llvm::Intrinsic::fmuladd:
        lower_muladd(to, call);
        return true;
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::llrint:
        lower_rounding(to, call, MathFn::Rint);
        return true;
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::llround:
        lower_rounding(to, call, MathFn::Round);
        return true;
    case llvm::Intrinsic::is_fpclass:
        return lower_class_test(to, call);
    case llvm::Intrinsic::fptosi_sat:
        return lower_saturating_conversion(to, call, true);
    case llvm::Intrinsic::fptoui_sat:
        return lower_saturating_conversion(to, call, false);
    default:
        return lower_float_reduction(to, call, id);
    }
}

} // namespace heddle::clang_frontend
