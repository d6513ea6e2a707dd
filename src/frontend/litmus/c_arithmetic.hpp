// CArithmetic: C's conversions and operators on values in slots.
//
// Every result is computed from exactly the slots of its operands, so that the machine finds the syntactic dependencies: (r1 ^ r1) depends on r1,
// though it is always 0. Constants are not folded, for the same reason.
#pragma once

#include "frontend/litmus/c_ast.hpp"
#include "frontend/litmus/thread_builder.hpp"

namespace heddle::litmus {

struct CValue {
    Slot slot = 0; ///< the first of two when the type is wider than 64 bits
    CType type;
};

class CArithmetic {
  public:
    CArithmetic(ThreadBuilder& code, const Source& source) : code_(code), source_(source) {}

    CValue number(std::uint64_t value, const CType& type);
    CValue convert(const CValue& value, const CType& to);
    /// 1 if the value is not zero, else 0.
    Slot truth(const CValue& value);
    /// A truth as C has it: an int.
    static CValue of_truth(Slot truth) { return {truth, int_type()}; }

    /// Negate, Not and Complement.
    CValue unary(CUnary op, const CValue& value);
    /// All but the logical And and Or, which may leave out their right side. `at` is for messages.
    CValue binary(CBinary op, const CValue& left, const CValue& right, std::size_t at);
    /// The address of the element `index` of what `pointer` points at.
    CValue element(const CValue& pointer, const CValue& index);

    /// Copies to `to`, which has as many slots.
    void move(Slot to, const CValue& value);

  private:
    Slot compute(Op op, Slot a, Slot b, std::uint64_t imm, const CType& type);
    CValue widen(const CValue& value, const CType& to);
    CValue compare(CBinary op, CValue left, CValue right);
    CValue pointer_arithmetic(CBinary op, const CValue& left, const CValue& right, std::size_t at);
    CValue bitwise(Op op, const CValue& left, const CValue& right);

    ThreadBuilder& code_;
    const Source& source_;
};

} // namespace heddle::litmus
