#include "frontend/litmus/main_function.hpp"

#include "frontend/litmus/thread_builder.hpp"

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

using Kind = Proposition::Kind;

/// A constant that holds the text and a zero byte.
Address add_text(Program& program, const std::string& text) {
    Global g;
    g.name = "message";
    g.size = text.size() + 1;
    g.constant = true;
    g.runtime = true;
    g.init.assign(text.begin(), text.end());
    g.init.push_back(0);
    g.address = make_static_address(AddressKind::Constant, 0, span_of(g.size, 1).offset);
    program.globals.push_back(g);
    return g.address;
}

/// The proposition's value, 0 or 1, from the values of the observables.
Slot evaluate(ThreadBuilder& code, const Proposition& p, const std::vector<Slot>& observed) {
    std::vector<Slot> values;
    for (const Proposition::Node& n : p.nodes) {
        switch (n.kind) {
        case Kind::True:
        case Kind::False:
            values.push_back(code.constant(n.kind == Kind::True ? 1 : 0));
            break;
        case Kind::Equal:
            values.push_back(code.equal(observed[n.left], code.constant(n.value)));
            break;
        case Kind::NotEqual:
            values.push_back(code.negate_bit(code.equal(observed[n.left], code.constant(n.value))));
            break;
        case Kind::EqualObservables:
            values.push_back(code.equal(observed[n.left], observed[n.right]));
            break;
        case Kind::And:
            values.push_back(code.bit_and(values[n.left], values[n.right]));
            break;
        case Kind::Or:
            values.push_back(code.bit_or(values[n.left], values[n.right]));
            break;
        case Kind::Implies:
            values.push_back(code.bit_or(code.negate_bit(values[n.left]), values[n.right]));
            break;
        case Kind::Not:
            values.push_back(code.negate_bit(values[n.left]));
            break;
        }
    }
    return values.back();
}

Function make_main(const LitmusTest& test, PlaceId question, Address message) {
    ThreadBuilder code("main", 0, 0);
    code.set_place(question);
    std::vector<Slot> ids;
    for (const Thread& t : test.threads) {
        const Address start = make_static_address(AddressKind::Function, t.function.index, 0);
        ids.push_back(code.builtin(Builtin::Spawn, {code.constant(start), code.constant(0)}));
    }
    for (const Slot id : ids) {
        code.builtin(Builtin::Join, {id});
    }
    std::vector<Slot> observed;
    for (const Observable& o : test.observables) {
        observed.push_back(code.load(code.constant(o.address), o.size, access(Order::NonAtomic)));
    }
    const Slot holds = evaluate(code, test.condition, observed);
    Slot wanted = test.quantifier == Quantifier::Forall ? code.negate_bit(holds) : holds;
    if (test.filter) {
        wanted = code.bit_and(wanted, evaluate(code, *test.filter, observed));
    }
    const ThreadBuilder::Label found = code.label();
    code.branch(wanted, found);
    code.builtin(Builtin::Exit, {code.constant(0)});
    code.emit(Op::Unreachable, 0, 0, 0, 0);
    code.bind(found);
    code.builtin(Builtin::Fail, {code.constant(static_cast<std::uint64_t>(TrapKind::Assertion)), code.constant(message)});
    code.emit(Op::Unreachable, 0, 0, 0, 0);
    return code.finish();
}

Function make_thread_main() {
    ThreadBuilder code("thread_main", 2, 0);
    const Slot result = code.call_pointer(0, {1}, 1);
    code.builtin(Builtin::ThreadExit, {result});
    code.emit(Op::Unreachable, 0, 0, 0, 0);
    Function f = code.finish();
    f.runtime = true;
    return f;
}

} // namespace

void add_main(LitmusTest& test, PlaceId question) {
    Program& p = test.program;
    const std::string found = test.quantifier == Quantifier::Forall
                                  ? fmt::format("a state that contradicts `{}` is reachable", test.condition_text)
                                  : fmt::format("the state of `{}` is reachable", test.condition_text);
    const Address message = add_text(p, found);
    p.start = FunctionId(static_cast<std::uint32_t>(p.functions.size()));
    p.functions.push_back(make_main(test, question, message));
    p.functions.back().place = question;
    p.thread_main = FunctionId(static_cast<std::uint32_t>(p.functions.size()));
    p.functions.push_back(make_thread_main());
}

} // namespace heddle::litmus
