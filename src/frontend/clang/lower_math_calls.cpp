// Mathematical functions of the C library that the runtime leaves to the machine.
#include "frontend/clang/lower.hpp"

#include "program/slot_uses.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

namespace heddle::clang_frontend {

namespace {

std::optional<MathFn> math_function(llvm::StringRef name) {
    return llvm::StringSwitch<std::optional<MathFn>>(name)
        .Case("fabs", MathFn::Fabs)
        .Case("sqrt", MathFn::Sqrt)
        .Case("floor", MathFn::Floor)
        .Case("ceil", MathFn::Ceil)
        .Case("trunc", MathFn::Trunc)
        .Case("rint", MathFn::Rint)
        .Case("nearbyint", MathFn::NearbyInt)
        .Case("round", MathFn::Round)
        .Case("roundeven", MathFn::RoundEven)
        .Case("sin", MathFn::Sin)
        .Case("cos", MathFn::Cos)
        .Case("tan", MathFn::Tan)
        .Case("asin", MathFn::Asin)
        .Case("acos", MathFn::Acos)
        .Case("atan", MathFn::Atan)
        .Case("sinh", MathFn::Sinh)
        .Case("cosh", MathFn::Cosh)
        .Case("tanh", MathFn::Tanh)
        .Case("exp", MathFn::Exp)
        .Case("exp2", MathFn::Exp2)
        .Case("expm1", MathFn::Expm1)
        .Case("log", MathFn::Log)
        .Case("log2", MathFn::Log2)
        .Case("log10", MathFn::Log10)
        .Case("log1p", MathFn::Log1p)
        .Case("cbrt", MathFn::Cbrt)
        .Case("copysign", MathFn::CopySign)
        .Case("fmin", MathFn::MinNum)
        .Case("fmax", MathFn::MaxNum)
        .Case("pow", MathFn::Pow)
        .Case("atan2", MathFn::Atan2)
        .Case("fmod", MathFn::Fmod)
        .Case("remainder", MathFn::Remainder)
        .Case("hypot", MathFn::Hypot)
        .Case("fdim", MathFn::Fdim)
        .Case("fma", MathFn::Fma)
        .Default(std::nullopt);
}

/// lrint and its like: the function that rounds before the conversion to an integer.
std::optional<MathFn> rounding_function(llvm::StringRef name) {
    return llvm::StringSwitch<std::optional<MathFn>>(name)
        .Cases("lrint", "llrint", MathFn::Rint)
        .Cases("lround", "llround", MathFn::Round)
        .Default(std::nullopt);
}

/// The name without the suffix that goes with the type: sinf for float, sinl for long double; empty if it does not fit.
llvm::StringRef base_name(llvm::StringRef name, Float format) {
    if (format == Float::F32) {
        return name.consume_back("f") ? name : "";
    }
    if (format == Float::F80) {
        return name.consume_back("l") ? name : "";
    }
    return name;
}

} // namespace

bool lower_math_call(FunctionContext& to, const llvm::CallBase& call, llvm::StringRef name) {
    if (call.arg_size() == 0 || !call.getArgOperand(0)->getType()->isFloatingPointTy()) {
        return false;
    }
    llvm::Type* type = call.getArgOperand(0)->getType();
    const Leaf& leaf = to.module.shapes.of(type).leaves.front();
    const llvm::StringRef base = base_name(name, leaf.format);
    const auto emit = [&](MathFn fn, Slot dst, const Slots& arguments) {
        to.code.emit(Op::FMath, dst, arguments[0], arguments.size() > 1 ? arguments[1] : Slot{0},
                     Instr::pack(arguments.size() > 2 ? arguments[2] : Slot{0}, static_cast<std::uint16_t>(fn),
                                 static_cast<std::uint16_t>(leaf.format), 0));
    };
    if (const auto rounding = rounding_function(base); rounding && call.arg_size() == 1 && call.getType()->isIntegerTy()) {
        const Slot rounded = to.scratch(leaf.slots());
        emit(*rounding, rounded, {to.operand(*call.getArgOperand(0)).front()});
        to.code.emit(Op::FToSi, to.define(call), rounded, 0,
                     Instr::pack(static_cast<std::uint32_t>(leaf.format), call.getType()->getIntegerBitWidth()));
        return true;
    }
    const auto fn = math_function(base);
    const bool typed =
        call.getType() == type && llvm::all_of(call.args(), [&](const llvm::Use& use) { return use->getType() == type; });
    if (!fn || !typed || call.arg_size() != arity_of(*fn)) {
        return false;
    }
    Slots arguments;
    for (const llvm::Use& argument : call.args()) {
        arguments.push_back(to.operand(*argument).front());
    }
    emit(*fn, to.define(call), arguments);
    return true;
}

} // namespace heddle::clang_frontend
