#include "model/cat/resolver.hpp"

#include "model/cat/parser.hpp"
#include "model/cat/prelude.hpp"
#include "model/cat/values.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace heddle::cat {
namespace {

constexpr std::size_t kMaxDepth =
    500; ///< of functions that call functions: nobody writes more, so it is a function that calls itself

/// "acquire" to "Acquire": the set of the events with a tag.
std::string set_of_tag(std::string tag) {
    tag[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(tag[0])));
    return tag;
}

class Resolver {
  public:
    explicit Resolver(const Includer& include) : include_(include) {}

    Resolved run(const Source& model) {
        execute(parsed(Source{"(built in)", std::string(kPrelude)}));
        const File& file = parsed(model);
        execute(file);
        return {file.title, builder_.finish()};
    }

  private:
    // --- statements

    const File& parsed(const Source& source) {
        const auto name = std::make_shared<const std::string>(source.name);
        files_.push_back(std::make_unique<File>(parse(source.text, name)));
        return *files_.back();
    }

    void execute(const File& file) {
        for (const Statement& s : file.statements) {
            execute(s);
        }
    }

    void execute(const Statement& s) {
        switch (s.kind) {
        case StatementKind::Let:
            scope_ = s.recursive ? bind_recursive(s.bindings, s.place, scope_) : bind(s.bindings, scope_);
            break;
        case StatementKind::Check:
            check(s);
            break;
        case StatementKind::Include:
            included(s);
            break;
        case StatementKind::Procedure:
            scope_ = with(scope_, s.name, Value::procedure(s, scope_));
            break;
        case StatementKind::Call:
            call_procedure(s);
            break;
        case StatementKind::Enum:
            scope_ = with(scope_, s.name, Value::tags(s.tags));
            break;
        case StatementKind::If:
            for (const Statement& inner : holds(s.condition) ? s.body : s.otherwise) {
                execute(inner);
            }
            break;
        case StatementKind::WithFrom:
            if (s.name != "co") { // co is chosen by whoever enumerates executions
                fail_unsupported(s.place, fmt::format("choosing \"{}\" with \"with ... from\"", s.name));
            }
            break;
        case StatementKind::Ignored:
            break;
        }
    }

    void check(const Statement& s) {
        const Value v = evaluate(*s.expr, scope_);
        NodeId node = 0;
        if (s.check == CheckKind::Empty && v.kind == Value::Kind::Set) {
            node = v.node;
        } else {
            node = relation(v, s.expr->place);
        }
        const std::string name = s.name.empty() ? fmt::format("the check at {}", text_of(s.place)) : s.name;
        builder_.add({s.check, s.purpose, s.negated, node, name, s.place});
    }

    void included(const Statement& s) {
        if (std::ranges::find(kBuiltIn, s.name) != std::end(kBuiltIn)) {
            return;
        }
        const Source source = include_(s.name, s.place);
        if (included_.insert(source.name).second) { // a second time it would only repeat its checks
            execute(parsed(source));
        }
    }

    void call_procedure(const Statement& s) {
        const Value p = lookup(s.name, s.place, scope_);
        if (p.kind != Value::Kind::Procedure) {
            fail(s.place, fmt::format("\"{}\" is {}; expected a procedure", s.name, p.describe()));
        }
        const Scope outer = scope_;
        scope_ = matched(p.statement->pattern, evaluate(*s.expr, outer), p.scope);
        for (const Statement& inner : p.statement->body) {
            execute(inner);
        }
        scope_ = outer;
    }

    static bool holds(const Condition& c) {
        switch (c.kind) {
        case Condition::Kind::Not:
            return !holds(c.parts[0]);
        case Condition::Kind::And:
            return holds(c.parts[0]) && holds(c.parts[1]);
        case Condition::Kind::Or:
            return holds(c.parts[0]) || holds(c.parts[1]);
        default:
            return false; // Heddle has no variants: the models without extensions
        }
    }

    // --- definitions

    Scope bind(const std::vector<Binding>& bindings, const Scope& scope) {
        Scope inner = scope;
        for (const Binding& b : bindings) {
            inner = matched(b.target, evaluate(*b.body, scope), inner);
        }
        return inner;
    }

    static Scope matched(const Pattern& p, const Value& v, Scope scope) {
        if (!p.tuple) {
            return with(scope, p.names.front(), v);
        }
        const std::size_t given = v.kind == Value::Kind::Tuple ? v.parts->size() : 1;
        if (given != p.names.size()) {
            fail(p.place, fmt::format("expected {} values, found {}", p.names.size(), given));
        }
        for (std::size_t k = 0; k < given; ++k) {
            scope = with(scope, p.names[k], (*v.parts)[k]);
        }
        return scope;
    }

    Scope bind_recursive(const std::vector<Binding>& bindings, const Place& place, const Scope& scope) {
        for (const Binding& b : bindings) {
            if (b.target.tuple || b.body->kind == ExprKind::Function) {
                fail_unsupported(place, "a recursive function");
            }
        }
        const std::map<std::string, Type> types = types_of_recursive(bindings, scope);
        const GroupId group = builder_.open_group();
        Scope inner = scope;
        for (const Binding& b : bindings) {
            const bool set = types.at(b.target.names.front()) == Type::Set;
            inner = with(inner, b.target.names.front(), Value::of_node(builder_.variable(group, set), set));
        }
        std::vector<NodeId> bodies;
        for (const Binding& b : bindings) {
            const Value v = evaluate(*b.body, inner);
            const bool set = types.at(b.target.names.front()) == Type::Set;
            bodies.push_back(set ? set_node(v, b.body->place) : relation(v, b.body->place));
        }
        builder_.close_group(group, std::move(bodies));
        Scope outer = scope;
        for (std::size_t k = 0; k < bindings.size(); ++k) {
            const NodeId node = builder_.fixpoint(group, k);
            outer = with(outer, bindings[k].target.names.front(), Value::of_node(node, builder_.is_set(node)));
        }
        return outer;
    }

    // --- types of recursive names: a variable must be known to be a set or a relation before its definition is read

    std::map<std::string, Type> types_of_recursive(const std::vector<Binding>& bindings, const Scope& scope) {
        std::map<std::string, Type> types;
        for (const Binding& b : bindings) {
            types[b.target.names.front()] = Type::Unknown;
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (const Binding& b : bindings) {
                Type& known = types[b.target.names.front()];
                const Type found = known == Type::Unknown ? type_of(*b.body, scope, types) : known;
                changed |= found != known;
                known = found;
            }
        }
        return types;
    }

    Type type_of(const Expr& e, const Scope& scope, const std::map<std::string, Type>& types) {
        switch (e.kind) {
        case ExprKind::Name: {
            if (const auto it = types.find(e.name); it != types.end()) {
                return it->second;
            }
            const Value v = lookup(e.name, e.place, scope);
            return v.kind == Value::Kind::Set ? Type::Set : v.kind == Value::Kind::Relation ? Type::Relation : Type::Unknown;
        }
        case ExprKind::Universe:
            return Type::Set;
        case ExprKind::ToId:
            return Type::Relation;
        case ExprKind::Unary:
            return e.name == "~" ? type_of(*e.parts[0], scope, types) : Type::Relation;
        case ExprKind::Binary: {
            if (e.name == ";" || e.name == "*") {
                return Type::Relation;
            }
            const Type left = type_of(*e.parts[0], scope, types);
            return left != Type::Unknown ? left : type_of(*e.parts[1], scope, types);
        }
        case ExprKind::Call:
            return type_of_call(e, scope, types);
        case ExprKind::If:
            return type_of(*e.parts[holds(e.condition) ? 0 : 1], scope, types);
        case ExprKind::Let: {
            std::map<std::string, Type> inner = types;
            for (const Binding& b : e.bindings) {
                for (const std::string& n : b.target.names) {
                    inner[n] = b.target.tuple ? Type::Unknown : type_of(*b.body, scope, inner);
                }
            }
            return type_of(*e.parts[0], scope, inner);
        }
        default:
            return Type::Unknown;
        }
    }

    Type type_of_call(const Expr& e, const Scope& scope, const std::map<std::string, Type>& types) {
        if (e.parts[0]->kind != ExprKind::Name || types.contains(e.parts[0]->name)) {
            return Type::Unknown;
        }
        const Value f = lookup(e.parts[0]->name, e.place, scope);
        if (f.kind == Value::Kind::Primitive) {
            return f.primitive == Primitive::ToId ? Type::Relation : Type::Set;
        }
        if (f.kind != Value::Kind::Function) {
            return Type::Unknown;
        }
        std::map<std::string, Type> inner;
        for (const std::string& n : f.function->pattern.names) {
            inner[n] = Type::Unknown;
        }
        return type_of(*f.function->parts[0], f.scope, inner);
    }

    // --- expressions

    Value lookup(const std::string& name, const Place& place, const Scope& scope) {
        for (const ScopeEntry* s = scope.get(); s != nullptr; s = s->outer.get()) {
            if (s->name == name) {
                return s->value;
            }
        }
        if (const auto r = find_relation(name)) {
            return Value::of_node(builder_.base(*r), false);
        }
        if (const auto s = find_set(name)) {
            return Value::of_node(builder_.base_set(*s), true);
        }
        if (const auto p = find_primitive(name)) {
            return Value::of_primitive(*p);
        }
        if (is_known_unsupported(name)) {
            throw Failure{{Diagnostic::Kind::Unsupported, fmt::format("{}: \"{}\" is not supported", text_of(place), name)},
                          true};
        }
        throw Failure{{Diagnostic::Kind::BadInput,
                       fmt::format("{}: \"{}\" is not defined here, and no architecture has it", text_of(place), name)},
                      true};
    }

    Value evaluate(const Expr& e, const Scope& scope) {
        switch (e.kind) {
        case ExprKind::Name:
            return lookup(e.name, e.place, scope);
        case ExprKind::Tag:
            return Value::tag(e.name);
        case ExprKind::Empty:
            return Value::empty();
        case ExprKind::Universe:
            return Value::of_node(builder_.all(true), true);
        case ExprKind::Unary:
            return unary(e, evaluate(*e.parts[0], scope));
        case ExprKind::Binary:
            return binary(e, evaluate(*e.parts[0], scope), evaluate(*e.parts[1], scope));
        case ExprKind::ToId:
            return Value::of_node(builder_.unary(Op::Identity, set_node(evaluate(*e.parts[0], scope), e.parts[0]->place)), false);
        case ExprKind::Call:
            return call(evaluate(*e.parts[0], scope), evaluate(*e.parts[1], scope), e);
        case ExprKind::Tuple: {
            std::vector<Value> parts;
            for (const ExprRef& p : e.parts) {
                parts.push_back(evaluate(*p, scope));
            }
            return Value::tuple(std::move(parts));
        }
        case ExprKind::SetOf:
            return set_of(e, scope);
        case ExprKind::Function:
            return Value::closure(e, scope);
        case ExprKind::Let:
            return evaluate(*e.parts[0], e.recursive ? bind_recursive(e.bindings, e.place, scope) : bind(e.bindings, scope));
        case ExprKind::Try:
            return tried(e, scope);
        case ExprKind::If:
            return evaluate(*e.parts[holds(e.condition) ? 0 : 1], scope);
        case ExprKind::Match:
            return match(e, scope);
        }
        fail(e.place, "expected an expression");
    }

    Value tried(const Expr& e, const Scope& scope) {
        const std::size_t depth = depth_;
        try {
            return evaluate(*e.parts[0], scope);
        } catch (const Failure& f) {
            if (!f.unknown_name) {
                throw;
            }
            depth_ = depth; // the calls that were left
            return evaluate(*e.parts[1], scope);
        }
    }

    Value match(const Expr& e, const Scope& scope) {
        const Value v = evaluate(*e.parts[0], scope);
        if (v.kind != Value::Kind::Tag) {
            fail_unsupported(e.place, fmt::format("matching {}", v.describe()));
        }
        for (const Arm& arm : e.arms) {
            if (arm.tag == "_" || arm.tag == v.names.front()) {
                return evaluate(*arm.body, scope);
            }
        }
        fail(e.place, fmt::format("no arm for the tag '{}", v.names.front()));
    }

    Value set_of(const Expr& e, const Scope& scope) {
        std::vector<std::string> tags;
        for (const ExprRef& p : e.parts) {
            const Value v = evaluate(*p, scope);
            if (v.kind != Value::Kind::Tag) {
                fail_unsupported(p->place, fmt::format("a set with {} as an element", v.describe()));
            }
            tags.push_back(v.names.front());
        }
        return Value::tags(std::move(tags));
    }

    Value unary(const Expr& e, const Value& v) {
        if (e.name == "~") {
            if (v.kind == Value::Kind::Set) {
                return Value::of_node(builder_.unary(Op::Not, v.node), true);
            }
            return Value::of_node(builder_.unary(Op::Not, relation(v, e.parts[0]->place)), false);
        }
        const Op op = e.name == "+" ? Op::Plus : e.name == "*" ? Op::Star : e.name == "?" ? Op::Maybe : Op::Inverse;
        return Value::of_node(builder_.unary(op, relation(v, e.parts[0]->place)), false);
    }

    Value binary(const Expr& e, const Value& a, const Value& b) {
        const Place& left = e.parts[0]->place;
        const Place& right = e.parts[1]->place;
        if (e.name == ";") {
            return Value::of_node(builder_.binary(Op::Sequence, relation(a, left), relation(b, right)), false);
        }
        if (e.name == "*") {
            return Value::of_node(builder_.binary(Op::Product, set_node(a, left), set_node(b, right)), false);
        }
        if (e.name == "++" && a.kind == Value::Kind::Relation) {
            fail_unsupported(e.place, "a set of relations");
        }
        if (a.kind == Value::Kind::Empty && b.kind == Value::Kind::Empty) {
            return Value::empty();
        }
        if (a.kind == Value::Kind::Tags || b.kind == Value::Kind::Tags) {
            fail_unsupported(e.place, "an operator on sets of tags");
        }
        const bool set = a.kind == Value::Kind::Set || b.kind == Value::Kind::Set;
        if (set && (a.kind == Value::Kind::Relation || b.kind == Value::Kind::Relation)) {
            fail(e.place, fmt::format("\"{}\" is between {} and {}; expected two sets or two relations", e.name, a.describe(),
                                      b.describe()));
        }
        const Op op = e.name == "&" ? Op::Inter : e.name == "\\" ? Op::Diff : Op::Union;
        const NodeId x = set ? set_node(a, left) : relation(a, left);
        const NodeId y = set ? set_node(b, right) : relation(b, right);
        return Value::of_node(builder_.binary(op, x, y), set);
    }

    Value call(const Value& f, const Value& argument, const Expr& e) {
        if (f.kind == Value::Kind::Primitive) {
            return call_primitive(f.primitive, argument, e);
        }
        if (f.kind != Value::Kind::Function) {
            fail(e.place, fmt::format("this is {}; expected a function", f.describe()));
        }
        if (++depth_ > kMaxDepth) {
            fail_unsupported(e.place, "a function that calls itself");
        }
        const Value result = evaluate(*f.function->parts[0], matched(f.function->pattern, argument, f.scope));
        --depth_;
        return result;
    }

    Value call_primitive(Primitive p, const Value& argument, const Expr& e) {
        const Place& place = e.parts[1]->place;
        switch (p) {
        case Primitive::Domain:
        case Primitive::Range:
            return Value::of_node(builder_.unary(p == Primitive::Domain ? Op::Domain : Op::Range, relation(argument, place)),
                                  true);
        case Primitive::ToId:
            return Value::of_node(builder_.unary(Op::Identity, set_node(argument, place)), false);
        case Primitive::TagToEvents:
            break;
        }
        if (argument.kind != Value::Kind::Tag) {
            fail(place, fmt::format("this is {}; expected a tag", argument.describe()));
        }
        const auto set = find_set(set_of_tag(argument.names.front()));
        if (!set) {
            fail_unsupported(place, fmt::format("the tag '{}", argument.names.front()));
        }
        return Value::of_node(builder_.base_set(*set), true);
    }

    NodeId relation(const Value& v, const Place& place) {
        if (v.kind == Value::Kind::Empty) {
            return builder_.empty(false);
        }
        if (v.kind != Value::Kind::Relation) {
            fail(place, fmt::format("this is {}; expected a relation", v.describe()));
        }
        return v.node;
    }

    NodeId set_node(const Value& v, const Place& place) {
        if (v.kind == Value::Kind::Empty) {
            return builder_.empty(true);
        }
        if (v.kind != Value::Kind::Set) {
            fail(place, fmt::format("this is {}; expected a set of events", v.describe()));
        }
        return v.node;
    }

    const Includer& include_;
    CodeBuilder builder_;
    Scope scope_;
    std::vector<std::unique_ptr<File>> files_; ///< procedures point into them
    std::set<std::string> included_;
    std::size_t depth_ = 0;
};

} // namespace

Resolved resolve(const Source& model, const Includer& include) { return Resolver(include).run(model); }

} // namespace heddle::cat
