#include "frontend/litmus/c_lower.hpp"

#include "support/check.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

using Expression = CExpression;
using Statement = CStatement;

void add_variable(std::map<std::string, CVariable>& all, const std::string& name, const CVariable& v, const Source& source) {
    const auto [it, fresh] = all.try_emplace(name, v);
    if (!fresh && (it->second.type.bits() != v.type.bits() || is_pointer(it->second.type) != is_pointer(v.type))) {
        source.unsupported(v.at, fmt::format("a second declaration of `{}` in this thread, with another type,", name));
    }
}

void for_each_part(const Statement& s, const std::function<void(const Statement&)>& visit) {
    visit(s);
    for (const CStatementPtr& part : s.parts) {
        if (part) {
            for_each_part(*part, visit);
        }
    }
}

} // namespace

std::map<std::string, CVariable> variables_of(const CThread& thread, const Source& source) {
    std::map<std::string, CVariable> all;
    for (const CParameter& p : thread.parameters) {
        add_variable(all, p.name, {p.type, p.at}, source);
    }
    for_each_part(*thread.body, [&](const Statement& s) {
        if (s.kind == Statement::Kind::Declare) {
            add_variable(all, s.name, {s.type, s.at}, source);
        }
    });
    for_each_part(*thread.body, [&](const Statement& s) {
        if (s.kind == Statement::Kind::Assign && s.target->kind == Expression::Kind::Name) {
            all.try_emplace(s.target->name, CVariable{long_type(), s.target->at});
        }
    });
    return all;
}

CLowering::CLowering(TestBuilder& test, unsigned number, CDialect dialect, unsigned unroll)
    : test_(test), source_(test.source()), number_(number), dialect_(dialect), unroll_(unroll),
      code_(fmt::format("P{}", number), 1, unroll), arithmetic_(code_, source_) {}

Function CLowering::run(const CThread& thread) {
    declare(thread);
    statement(*thread.body);
    leave_registers();
    code_.ret({code_.constant(0)});
    return code_.finish();
}

void CLowering::declare(const CThread& thread) {
    for (const auto& [name, v] : variables_of(thread, source_)) {
        std::uint64_t start = 0;
        const bool is_parameter = std::ranges::find(thread.parameters, name, &CParameter::name) != thread.parameters.end();
        if (is_parameter) {
            start = test_.location(name).address;
        }
        for (const InitRegister& r : test_.frame().registers) { // { 0:r1=5; }
            if (r.thread == number_ && r.name == name && r.value) {
                start = test_.value_of(*r.value);
            }
        }
        const unsigned bits = v.type.bits();
        const Slot slot = code_.variable(bits < 64 ? start & ((std::uint64_t{1} << bits) - 1) : start);
        if (slots_of(v.type) == 2) {
            code_.variable(0);
        }
        variables_.emplace(name, CValue{slot, v.type});
    }
}

void CLowering::leave_registers() {
    for (const FinalRegister& r : test_.final_registers(number_)) {
        const auto known = variables_.find(r.name);
        HEDDLE_CHECK(known != variables_.end(), "a register of C that is no variable is observed");
        const CValue& v = known->second;
        const Slot shown = v.type.bits() < 64 ? code_.sign_extend(v.slot, v.type.bits()) : v.slot;
        code_.store(code_.constant(r.address), shown, 8, access(Order::NonAtomic));
    }
}

// --- statements -----------------------------------------------------------------------------------------------------------------------------------

void CLowering::statement(const Statement& s) {
    code_.set_place(test_.place(s.at, number_));
    switch (s.kind) {
    case Statement::Kind::Declare:
        if (s.value) {
            const CValue& variable = variables_.at(s.name);
            arithmetic_.move(variable.slot, arithmetic_.convert(value(*s.value), variable.type));
        }
        return;
    case Statement::Kind::Assign:
        return assign(s);
    case Statement::Kind::Evaluate:
        value_or_nothing(*s.value);
        return;
    case Statement::Kind::If:
        return branch(
            *s.value, [&] { statement(*s.parts[0]); },
            [&] {
                if (s.parts.size() > 1) {
                    statement(*s.parts[1]);
                }
            });
    case Statement::Kind::While:
        return loop(s, 0);
    case Statement::Kind::DoWhile:
        statement(*s.parts[0]);
        return loop(s, 1);
    case Statement::Kind::For:
        if (s.parts[1]) {
            statement(*s.parts[1]);
        }
        return loop(s, 0);
    case Statement::Kind::Block:
        for (const CStatementPtr& part : s.parts) {
            statement(*part);
        }
    }
}

void CLowering::assign(const Statement& s) {
    if (s.target->kind == Expression::Kind::Name) {
        const CValue to = variable(*s.target);
        return arithmetic_.move(to.slot, arithmetic_.convert(value(*s.value), to.type));
    }
    const Location to = location(*s.target);
    store(to, value(*s.value), Order::NonAtomic);
}

void CLowering::without_control(const std::function<void()>& body) {
    const Slot mark = code_.slot();
    code_.emit(Op::ControlMark, mark, 0, 0, 0);
    body();
    code_.emit(Op::ControlEnd, 0, mark, 0, 0);
}

void CLowering::branch(const Expression& condition, const std::function<void()>& yes, const std::function<void()>& no) {
    without_control([&] {
        const Slot holds = arithmetic_.truth(value(condition));
        const ThreadBuilder::Label then = code_.label();
        const ThreadBuilder::Label end = code_.label();
        code_.branch(holds, then);
        no();
        code_.jump(end);
        code_.bind(then);
        yes();
        code_.bind(end);
    });
}

void CLowering::loop(const Statement& s, unsigned entered) {
    const auto again = [&] {
        if (entered >= unroll_) {
            test_.note_loop();
            code_.builtin(Builtin::Assume, {code_.constant(0)});
            return;
        }
        statement(*s.parts[0]);
        if (s.kind == Statement::Kind::For && s.parts[2]) {
            statement(*s.parts[2]);
        }
        loop(s, entered + 1);
    };
    code_.set_place(test_.place(s.at, number_));
    if (s.value) {
        branch(*s.value, again, [] {});
    } else {
        again();
    }
}

// --- expressions ----------------------------------------------------------------------------------------------------------------------------------

CValue CLowering::value(const Expression& e) {
    const auto v = value_or_nothing(e);
    if (!v) {
        source_.fail(e.at, fmt::format("`{}` gives no value", e.name));
    }
    return *v;
}

std::optional<CValue> CLowering::value_or_nothing(const Expression& e) {
    switch (e.kind) {
    case Expression::Kind::Number:
        return arithmetic_.number(e.number, e.type);
    case Expression::Kind::Name:
        return variable(e);
    case Expression::Kind::Unary:
        return unary(e);
    case Expression::Kind::Binary:
        if (e.binary == CBinary::And || e.binary == CBinary::Or) {
            return logical(e);
        } else {
            const CValue left = value(*e.operands[0]);
            const CValue right = value(*e.operands[1]);
            return arithmetic_.binary(e.binary, left, right, e.at);
        }
    case Expression::Kind::Conditional:
        return conditional(e);
    case Expression::Kind::Cast: {
        const CValue v = value(*e.operands[0]);
        return e.type.size == 0 && !is_pointer(e.type) ? std::nullopt
                                                       : std::optional(arithmetic_.convert(v, e.type)); // (void) drops it
    }
    case Expression::Kind::Index: {
        const Location from = location(e);
        return load(from, Order::NonAtomic);
    }
    case Expression::Kind::Call:
    case Expression::Kind::Method:
        return call(e);
    }
    return std::nullopt;
}

CValue CLowering::variable(const Expression& e) {
    const auto known = variables_.find(e.name);
    if (known == variables_.end()) {
        source_.fail(e.at, fmt::format("`{}` is neither a parameter nor a local variable of this thread", e.name));
    }
    return known->second;
}

CValue CLowering::unary(const Expression& e) {
    const Expression& operand = *e.operands[0];
    switch (e.unary) {
    case CUnary::Dereference: {
        const Location from = location(e);
        return load(from, Order::NonAtomic);
    }
    case CUnary::AddressOf: {
        if (operand.kind == Expression::Kind::Name) {
            source_.unsupported(e.at, fmt::format("the address of the local variable `{}`", operand.name));
        }
        const Location of = location(operand);
        return {of.address, pointer_to(of.type)};
    }
    default:
        return arithmetic_.unary(e.unary, value(operand));
    }
}

bool CLowering::is_pure(const Expression& e) {
    const bool accesses = e.kind == Expression::Kind::Call || e.kind == Expression::Kind::Method ||
                          e.kind == Expression::Kind::Index ||
                          (e.kind == Expression::Kind::Unary && e.unary == CUnary::Dereference);
    return !accesses && std::ranges::all_of(e.operands, [](const CExpressionPtr& part) { return is_pure(*part); });
}

CValue CLowering::logical(const Expression& e) {
    const bool is_and = e.binary == CBinary::And;
    const Op op = is_and ? Op::And : Op::Or;
    const Slot left = arithmetic_.truth(value(*e.operands[0]));
    if (is_pure(*e.operands[1])) {
        return CArithmetic::of_truth(code_.compute(op, left, arithmetic_.truth(value(*e.operands[1])), 0));
    }
    // The right side is accessed only if the left has not decided.
    const Slot result = code_.slot();
    without_control([&] {
        const ThreadBuilder::Label decided = code_.label();
        code_.move(result, left);
        code_.branch(is_and ? code_.negate_bit(left) : left, decided);
        code_.emit(op, result, left, arithmetic_.truth(value(*e.operands[1])), 0);
        code_.bind(decided);
    });
    return CArithmetic::of_truth(result);
}

CValue CLowering::conditional(const Expression& e) {
    const Slot holds = arithmetic_.truth(value(*e.operands[0]));
    if (!is_pure(*e.operands[1]) || !is_pure(*e.operands[2])) {
        source_.unsupported(e.at, "`?` with an access to memory behind it");
    }
    CValue yes = value(*e.operands[1]);
    CValue no = value(*e.operands[2]);
    const CType type = yes.type.bits() >= no.type.bits() ? yes.type : no.type;
    if (slots_of(type) == 2) {
        source_.unsupported(e.at, "`?` of 128 bits");
    }
    yes = arithmetic_.convert(yes, type);
    no = arithmetic_.convert(no, type);
    return {code_.select(holds, yes.slot, no.slot), type};
}

// --- memory ---------------------------------------------------------------------------------------------------------------------------------------

CLowering::Location CLowering::pointed_at(const CValue& pointer, const Expression& e) {
    const CType type = pointee_of(pointer.type);
    if (bytes_of(pointer.type) != 8) {
        source_.fail(e.at, "what is dereferenced here is too small for an address");
    }
    if (bytes_of(type) == 0) {
        source_.fail(e.at, "a pointer to void is dereferenced");
    }
    return {pointer.slot, type};
}

CLowering::Location CLowering::location(const Expression& e) {
    if (e.kind == Expression::Kind::Unary && e.unary == CUnary::Dereference) {
        return pointed_at(value(*e.operands[0]), e);
    }
    if (e.kind == Expression::Kind::Index) {
        const CValue base = value(*e.operands[0]);
        return pointed_at(arithmetic_.element(base, value(*e.operands[1])), e);
    }
    source_.fail(e.at, "a location, such as `*x`, was expected");
}

CValue CLowering::load(const Location& from, Order order) {
    const Slot dst = code_.slot(slots_of(from.type));
    const auto bytes = static_cast<std::uint16_t>(bytes_of(from.type));
    code_.emit(Op::Load, dst, from.address, 0,
               Instr::pack(bytes, access(order), static_cast<std::uint16_t>(from.type.bits()), 0));
    return {dst, from.type};
}

void CLowering::store(const Location& to, const CValue& v, Order order) {
    code_.store(to.address, arithmetic_.convert(v, to.type).slot, bytes_of(to.type), access(order));
}

} // namespace heddle::litmus
