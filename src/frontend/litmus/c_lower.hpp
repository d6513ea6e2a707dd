// CLowering: one thread of a C litmus test as a function of the Program.
//
// Parameters and local variables are slots; a parameter starts as the address of its location. An expression becomes instructions on the slots that
// it names, so data and address dependencies are the syntactic ones. `if` is a branch, and in C, unlike in assembly, the control dependency ends
// where the two ways meet (Op::ControlEnd): herd's kernel tests "R-Ok" have a write behind an `if` that the condition does not order.
//
// An access that is written without a function, as `*x`, is plain, also where x points at an atomic type (in C it would be seq_cst): so it is in
// herd, which takes types for comments.
//
// Loops are unrolled in place, as herd does: the body stands there `unroll` times, each inside the `if` of the one before, and whoever would
// enter it once more is cut off.
#pragma once

#include "frontend/litmus/c_arithmetic.hpp"
#include "frontend/litmus/c_ast.hpp"
#include "frontend/litmus/c_functions.hpp"
#include "frontend/litmus/test_builder.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace heddle::litmus {

struct CVariable {
    CType type;
    std::size_t at = 0; ///< where it is declared
};

/// The parameters and local variables of a thread. Herd's tests need not declare a variable that they assign to; it has then 64 bits, so that an
/// address fits. Fails when a name is declared with different types.
std::map<std::string, CVariable> variables_of(const CThread& thread, const Source& source);

class CLowering {
  public:
    CLowering(TestBuilder& test, unsigned number, CDialect dialect, unsigned unroll);

    Function run(const CThread& thread);

  private:
    /// Memory that an expression names: where, and as what it is accessed.
    struct Location {
        Slot address = 0;
        CType type;
    };

    void declare(const CThread& thread);
    void leave_registers();

    // Statements.
    void statement(const CStatement& s);
    void assign(const CStatement& s);
    void branch(const CExpression& condition, const std::function<void()>& yes, const std::function<void()>& no);
    /// What is left of a loop whose body was entered `entered` times.
    void loop(const CStatement& s, unsigned entered);

    // Expressions.
    CValue value(const CExpression& e);
    /// The same of a call that may give nothing.
    std::optional<CValue> value_or_nothing(const CExpression& e);
    CValue unary(const CExpression& e);
    CValue logical(const CExpression& e);
    CValue conditional(const CExpression& e);
    CValue variable(const CExpression& e);
    Location location(const CExpression& e);
    Location pointed_at(const CValue& pointer, const CExpression& e);
    CValue load(const Location& from, Order order);
    void store(const Location& to, const CValue& v, Order order);
    /// Are all of its values there already, so that it can be computed whether it is needed or not?
    static bool is_pure(const CExpression& e);

    // Calls (c_calls.cpp).
    struct Orders {
        Order success;
        Order failure;
    };
    std::optional<CValue> call(const CExpression& e);
    Orders orders_of(const CFunction& f, const CExpression& call, std::span<const CExpressionPtr> given);
    void check_order(const CFunction& f, Order order, const CExpression& call) const;
    std::optional<CValue> update(const CFunction& f, const Location& at, const CValue& operand, Order order,
                                 const CExpression& call);
    CValue compare_value(const Location& at, const CValue& expected, const CValue& desired, const Orders& orders);
    CValue compare_expected(const CFunction& f, const Location& at, const CExpression& expected, const CValue& desired,
                            const Orders& orders);
    CValue add_unless(const Location& at, const CValue& operand, const CValue& unless, const Orders& orders);
    /// `at` must be a cell that updates can handle.
    void check_updatable(const Location& at, const CExpression& call) const;
    /// Does `body` without making anything behind it depend on the branches inside.
    void without_control(const std::function<void()>& body);

    TestBuilder& test_;
    const Source& source_;
    unsigned number_;
    CDialect dialect_;
    unsigned unroll_;
    unsigned bodies_ = 0; ///< of loops, so far
    ThreadBuilder code_;
    CArithmetic arithmetic_;
    std::map<std::string, CValue> variables_;
};

} // namespace heddle::litmus
