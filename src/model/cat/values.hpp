// What expressions of cat stand for while a model is resolved, and the scopes that names are looked up in.
#pragma once

#include "model/cat/code.hpp"
#include "model/cat/syntax.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cat {

struct ScopeEntry;
/// Definitions, innermost first. Shared: a function keeps the scope that it was defined in.
using Scope = std::shared_ptr<const ScopeEntry>;

enum class Type : std::uint8_t { Unknown, Set, Relation };

enum class Primitive : std::uint8_t { Domain, Range, ToId, TagToEvents };

inline std::optional<Primitive> find_primitive(std::string_view name) {
    return name == "domain"       ? std::optional(Primitive::Domain)
           : name == "range"      ? std::optional(Primitive::Range)
           : name == "toid"       ? std::optional(Primitive::ToId)
           : name == "tag2events" ? std::optional(Primitive::TagToEvents)
                                  : std::nullopt;
}

struct Value {
    enum class Kind : std::uint8_t {
        Empty, ///< of either type: 0
        Set,
        Relation,
        Function,
        Primitive,
        Procedure,
        Tag,
        Tags,
        Tuple,
    };
    Kind kind = Kind::Empty;
    NodeId node = 0;                                   ///< of Set and Relation
    Primitive primitive = Primitive::Domain;           ///< of Primitive
    std::shared_ptr<const Expr> function{};            ///< of Function
    const Statement* statement = nullptr;              ///< of Procedure
    Scope scope{};                                     ///< of Function and Procedure
    std::vector<std::string> names{};                  ///< of Tag (one) and Tags
    std::shared_ptr<const std::vector<Value>> parts{}; ///< of Tuple

    static Value empty() { return {}; }
    static Value of_node(NodeId node, bool set) { return {.kind = set ? Kind::Set : Kind::Relation, .node = node}; }
    static Value of_primitive(Primitive p) { return {.kind = Kind::Primitive, .primitive = p}; }
    static Value closure(const Expr& function, Scope scope) {
        return {.kind = Kind::Function, .function = std::make_shared<const Expr>(function), .scope = std::move(scope)};
    }
    static Value procedure(const Statement& statement, Scope scope) {
        return {.kind = Kind::Procedure, .statement = &statement, .scope = std::move(scope)};
    }
    static Value tag(std::string name) { return {.kind = Kind::Tag, .names = {std::move(name)}}; }
    static Value tags(std::vector<std::string> names) { return {.kind = Kind::Tags, .names = std::move(names)}; }
    static Value tuple(std::vector<Value> parts) {
        return {.kind = Kind::Tuple, .parts = std::make_shared<const std::vector<Value>>(std::move(parts))};
    }

    /// "a relation", for messages.
    [[nodiscard]] std::string describe() const {
        switch (kind) {
        case Kind::Empty:
            return "the empty set";
        case Kind::Set:
            return "a set of events";
        case Kind::Relation:
            return "a relation";
        case Kind::Function:
        case Kind::Primitive:
            return "a function";
        case Kind::Procedure:
            return "a procedure";
        case Kind::Tag:
            return "a tag";
        case Kind::Tags:
            return "a set of tags";
        case Kind::Tuple:
            return "a tuple";
        }
        return "a value";
    }
};

struct ScopeEntry {
    std::string name;
    Value value;
    Scope outer;
};

inline Scope with(Scope outer, std::string name, Value value) {
    return std::make_shared<const ScopeEntry>(ScopeEntry{std::move(name), std::move(value), std::move(outer)});
}

} // namespace heddle::cat
