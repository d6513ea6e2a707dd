// The bodies of C litmus tests as trees: threads, statements, expressions, types.
//
// Herd's C is a small language: a thread has parameters, which are the addresses of locations, and local variables, which are its registers;
// there are no functions but the known ones (c_functions.hpp), no structs, no gotos. A name stands for the same variable in all of a thread,
// whatever block declares it: final states show "0:r1" without asking for a block.
#pragma once

#include "frontend/litmus/c_types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::litmus {

enum class CUnary : std::uint8_t { Negate, Not, Complement, Dereference, AddressOf };

enum class CBinary : std::uint8_t {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
};

struct CExpression;
using CExpressionPtr = std::unique_ptr<CExpression>;

struct CExpression {
    enum class Kind : std::uint8_t { Number, Name, Unary, Binary, Conditional, Cast, Index, Call, Method };
    Kind kind = Kind::Number;
    std::size_t at = 0; ///< offset in the source
    CUnary unary = CUnary::Negate;
    CBinary binary = CBinary::Add;
    std::uint64_t number = 0;             ///< of Number
    CType type;                           ///< of Cast, and of Number
    std::string name;                     ///< of Name, Call, Method
    std::optional<std::string> tag;       ///< of Call: what herd's primitives have in braces, as in __xchg{acquire}(x, 1)
    std::vector<CExpressionPtr> operands; ///< of Method the object first
};

struct CStatement;
using CStatementPtr = std::unique_ptr<CStatement>;

struct CStatement {
    enum class Kind : std::uint8_t { Declare, Assign, Evaluate, If, While, DoWhile, For, Block };
    Kind kind = Kind::Block;
    std::size_t at = 0;    ///< offset in the source
    CType type;            ///< of Declare
    std::string name;      ///< of Declare
    CExpressionPtr target; ///< of Assign
    CExpressionPtr value;  ///< of Declare (if it initialises), Assign, Evaluate; the condition of If and loops (if For has one)
    std::vector<CStatementPtr>
        parts; ///< of Block its statements; of If one or two; of loops the body; of For the body, start and step (null: none)
};

struct CParameter {
    std::size_t at = 0; ///< offset in the source
    CType type;         ///< a pointer to the location
    std::string name;
};

struct CThread {
    std::size_t at = 0; ///< offset in the source
    std::vector<CParameter> parameters;
    CStatementPtr body;
};

} // namespace heddle::litmus
