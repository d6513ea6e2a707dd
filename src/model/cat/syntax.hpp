// The syntax of cat as a tree: what the parser makes and the resolver reads.
#pragma once

#include "support/diagnostic.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle::cat {

/// Where something stands in a file.
struct Place {
    std::shared_ptr<const std::string> file;
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

/// "file:line:column"
std::string text_of(const Place& place);

/// Thrown by lexer, parser and resolver, caught by Model::load and by cat's own `try`: it never leaves this folder.
struct Failure {
    Diagnostic diagnostic;
    bool unknown_name = false; ///< what `try ... with` guards against
};

[[noreturn]] void fail(const Place& place, const std::string& message);
[[noreturn]] void fail_unsupported(const Place& place, const std::string& what);

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

enum class ExprKind : std::uint8_t {
    Name,     ///< `name`
    Tag,      ///< 'name
    Empty,    ///< 0 or {}
    Universe, ///< _
    Unary,    ///< `name` is one of ~ + * ? ^-1
    Binary,   ///< `name` is one of | ++ ; \ & *
    ToId,     ///< [e]
    Call,     ///< parts: function, argument
    Tuple,
    SetOf,    ///< {e, ...}
    Function, ///< fun pattern -> parts[0]
    Let,      ///< bindings in parts[0]
    Try,      ///< parts: tried, otherwise
    If,       ///< parts: then, else
    Match,    ///< parts[0] against `arms`
};

/// What a definition or a parameter binds: one name, or a tuple of names.
struct Pattern {
    Place place;
    std::vector<std::string> names;
    bool tuple = false;
};

struct Binding {
    Pattern target;
    ExprRef body; ///< `let f x = e` is bound to the Function already
};

/// A condition of `if`: variants by name, and the comparisons of cat.
struct Condition {
    enum class Kind : std::uint8_t { Variant, Not, And, Or } kind = Kind::Variant;
    Place place;
    std::string variant;
    std::vector<Condition> parts;
};

struct Arm {
    std::string tag; ///< "_": any
    ExprRef body;
};

struct Expr {
    ExprKind kind = ExprKind::Empty;
    Place place;
    std::string name{};
    std::vector<ExprRef> parts{};
    Pattern pattern{};
    std::vector<Binding> bindings{};
    bool recursive = false;
    Condition condition{};
    std::vector<Arm> arms{};
};

enum class CheckKind : std::uint8_t { Acyclic, Irreflexive, Empty };

/// What a failing check means.
enum class Purpose : std::uint8_t {
    Require,         ///< the execution is not consistent
    Flag,            ///< the other way round: a check that holds raises the flag
    UndefinedUnless, ///< the behaviour of the program is undefined
    Assert,          ///< the model was not meant for this execution
};

enum class StatementKind : std::uint8_t { Let, Check, Include, Procedure, Call, Enum, If, WithFrom, Ignored };

struct Statement {
    StatementKind kind = StatementKind::Ignored;
    Place place;
    std::string name{}; ///< of a check, a procedure, an included file, an enumeration; the variable of `with`
    std::vector<Binding> bindings{};
    bool recursive = false;
    CheckKind check = CheckKind::Acyclic;
    Purpose purpose = Purpose::Require;
    bool negated = false;
    ExprRef expr{}; ///< checked; the argument of a call; where `with` takes from
    Pattern pattern{};
    std::vector<Statement> body{}, otherwise{}; ///< of a procedure, of `if`
    std::vector<std::string> tags{};
    Condition condition{};
};

struct File {
    std::string title; ///< empty: none
    std::vector<Statement> statements;
};

} // namespace heddle::cat
