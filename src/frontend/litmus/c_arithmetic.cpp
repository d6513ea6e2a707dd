#include "frontend/litmus/c_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::litmus {

namespace {

std::uint64_t mask_of(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// The type in which two numbers are computed with (C's usual arithmetic conversions).
CType common_type(const CType& a, const CType& b) {
    const auto promoted = [](const CType& t) { return is_pointer(t) ? type_named("uintptr_t", 0) : t.size < 4 ? int_type() : t; };
    const CType x = promoted(a);
    const CType y = promoted(b);
    CType result = x.size >= y.size ? x : y;
    if (x.size == y.size) {
        result.is_signed = x.is_signed && y.is_signed;
    }
    // Values are not atomic: only what they lie in is.
    const bool is_signed = result.is_signed;
    result = result.size == 16 ? type_named("__int128", 0) : result.size == 8 ? long_type() : int_type();
    result.is_signed = is_signed;
    return result;
}

bool is_comparison(CBinary op) { return op >= CBinary::Less && op <= CBinary::NotEqual; }

struct Operation {
    Op narrow_signed, narrow_unsigned, wide_signed, wide_unsigned;
    bool takes_mask; ///< the narrow ones: a mask of the width, not the width
};

Operation operation_of(CBinary op) {
    switch (op) {
    case CBinary::Multiply:
        return {Op::Mul, Op::Mul, Op::WMul, Op::WMul, true};
    case CBinary::Divide:
        return {Op::SDiv, Op::UDiv, Op::WSDiv, Op::WUDiv, false};
    case CBinary::Remainder:
        return {Op::SRem, Op::URem, Op::WSRem, Op::WURem, false};
    case CBinary::Add:
        return {Op::Add, Op::Add, Op::WAdd, Op::WAdd, true};
    case CBinary::Subtract:
        return {Op::Sub, Op::Sub, Op::WSub, Op::WSub, true};
    case CBinary::ShiftLeft:
        return {Op::Shl, Op::Shl, Op::WShl, Op::WShl, false};
    case CBinary::ShiftRight:
        return {Op::AShr, Op::LShr, Op::WAShr, Op::WLShr, false};
    case CBinary::Less:
    case CBinary::Greater:
        return {Op::CmpSlt, Op::CmpUlt, Op::WCmpSlt, Op::WCmpUlt, false};
    case CBinary::LessEqual:
    case CBinary::GreaterEqual:
        return {Op::CmpSle, Op::CmpUle, Op::WCmpSle, Op::WCmpUle, false};
    case CBinary::Equal:
        return {Op::CmpEq, Op::CmpEq, Op::WCmpEq, Op::WCmpEq, false};
    default:
        return {Op::CmpNe, Op::CmpNe, Op::WCmpNe, Op::WCmpNe, false};
    }
}

} // namespace

Slot CArithmetic::compute(Op op, Slot a, Slot b, std::uint64_t imm, const CType& type) {
    const Slot dst = code_.slot(slots_of(type));
    code_.emit(op, dst, a, b, imm);
    return dst;
}

void CArithmetic::move(Slot to, const CValue& value) {
    for (unsigned k = 0; k < slots_of(value.type); ++k) {
        code_.move(static_cast<Slot>(to + k), static_cast<Slot>(value.slot + k));
    }
}

CValue CArithmetic::number(std::uint64_t value, const CType& type) {
    if (slots_of(type) == 1) {
        return {code_.constant(value & mask_of(type.bits())), type};
    }
    const Slot pair = code_.slot(2);
    code_.move(pair, code_.constant(value));
    code_.move(static_cast<Slot>(pair + 1), code_.constant(0));
    return {pair, type};
}

CValue CArithmetic::widen(const CValue& value, const CType& to) {
    const bool sign = reads_signed(value.type);
    if (slots_of(to) == 1) {
        return {sign ? code_.compute(Op::Sext, value.slot, 0, Instr::pack(value.type.bits(), to.bits())) : value.slot, to};
    }
    if (sign) {
        return {compute(Op::WSext, value.slot, 0, Instr::pack(value.type.bits(), to.bits()), to), to};
    }
    const Slot pair = code_.slot(2);
    code_.move(pair, value.slot);
    code_.move(static_cast<Slot>(pair + 1), code_.constant(0));
    return {pair, to};
}

CValue CArithmetic::convert(const CValue& value, const CType& to) {
    if (is_bool(to) && !is_bool(value.type)) {
        return {truth(value), to};
    }
    if (to.bits() > value.type.bits()) {
        return widen(value, to);
    }
    if (to.bits() < value.type.bits() && to.bits() < 64) {
        return {code_.mask(value.slot, mask_of(to.bits())), to};
    }
    return {value.slot, to}; // the lower half, when it was wide
}

Slot CArithmetic::truth(const CValue& value) {
    if (slots_of(value.type) == 2) {
        return code_.compute(Op::WCmpNe, value.slot, number(0, value.type).slot, value.type.bits());
    }
    return code_.compute(Op::CmpNe, value.slot, code_.constant(0), value.type.bits());
}

CValue CArithmetic::unary(CUnary op, const CValue& value) {
    if (op == CUnary::Not) {
        return of_truth(code_.negate_bit(truth(value)));
    }
    const CType type = common_type(value.type, int_type());
    const CValue operand = convert(value, type);
    if (op == CUnary::Negate) {
        return binary(CBinary::Subtract, number(0, type), operand, 0);
    }
    const CValue minus_one = binary(CBinary::Subtract, number(0, type), number(1, type), 0);
    return bitwise(Op::Xor, operand, minus_one);
}

CValue CArithmetic::bitwise(Op op, const CValue& left, const CValue& right) {
    const Slot dst = code_.slot(slots_of(left.type));
    for (unsigned k = 0; k < slots_of(left.type); ++k) {
        code_.emit(op, static_cast<Slot>(dst + k), static_cast<Slot>(left.slot + k), static_cast<Slot>(right.slot + k), 0);
    }
    return {dst, left.type};
}

CValue CArithmetic::compare(CBinary op, CValue left, CValue right) {
    const CType type = common_type(left.type, right.type);
    left = convert(left, type);
    right = convert(right, type);
    if (op == CBinary::Greater || op == CBinary::GreaterEqual) {
        std::swap(left, right);
    }
    const Operation o = operation_of(op);
    const Op narrow = type.is_signed ? o.narrow_signed : o.narrow_unsigned;
    const Op wide = type.is_signed ? o.wide_signed : o.wide_unsigned;
    return of_truth(code_.compute(slots_of(type) == 2 ? wide : narrow, left.slot, right.slot, type.bits()));
}

CValue CArithmetic::element(const CValue& pointer, const CValue& index) {
    const unsigned scale = std::max(1U, bytes_of(pointee_of(pointer.type)));
    const CValue n = convert(index, long_type());
    return {code_.compute(Op::Gep, pointer.slot, n.slot, Instr::pack(scale, 0)), pointer.type};
}

CValue CArithmetic::pointer_arithmetic(CBinary op, const CValue& left, const CValue& right, std::size_t at) {
    const bool both = is_pointer(left.type) && is_pointer(right.type);
    if (op == CBinary::Add && !both) {
        return is_pointer(left.type) ? element(left, right) : element(right, left);
    }
    if (op == CBinary::Subtract && !both && is_pointer(left.type)) {
        return element(left, unary(CUnary::Negate, convert(right, long_type())));
    }
    source_.unsupported(at, "this arithmetic on pointers");
}

CValue CArithmetic::binary(CBinary op, const CValue& left, const CValue& right, std::size_t at) {
    if (is_comparison(op)) {
        return compare(op, left, right);
    }
    if (is_pointer(left.type) || is_pointer(right.type)) {
        return pointer_arithmetic(op, left, right, at);
    }
    const bool is_shift = op == CBinary::ShiftLeft || op == CBinary::ShiftRight;
    const CType type = is_shift ? common_type(left.type, int_type()) : common_type(left.type, right.type);
    const CValue a = convert(left, type);
    const CValue b = convert(right, type);
    switch (op) {
    case CBinary::BitAnd:
        return bitwise(Op::And, a, b);
    case CBinary::BitOr:
        return bitwise(Op::Or, a, b);
    case CBinary::BitXor:
        return bitwise(Op::Xor, a, b);
    default: {
        const Operation o = operation_of(op);
        if (slots_of(type) == 2) {
            return {compute(type.is_signed ? o.wide_signed : o.wide_unsigned, a.slot, b.slot, type.bits(), type), type};
        }
        const std::uint64_t imm = o.takes_mask ? mask_of(type.bits()) : type.bits();
        return {code_.compute(type.is_signed ? o.narrow_signed : o.narrow_unsigned, a.slot, b.slot, imm), type};
    }
    }
}

} // namespace heddle::litmus
