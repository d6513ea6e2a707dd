// Calls of the known functions (c_functions.hpp) in threads of C litmus tests.
#include "frontend/litmus/c_lower.hpp"

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

using Shape = CFunction::Shape;
using Result = CFunction::Result;

CBinary operator_of(RmwOp op) {
    switch (op) {
    case RmwOp::Sub:
        return CBinary::Subtract;
    case RmwOp::And:
        return CBinary::BitAnd;
    case RmwOp::Or:
        return CBinary::BitOr;
    case RmwOp::Xor:
        return CBinary::BitXor;
    default:
        return CBinary::Add;
    }
}

/// C lets the failure of a comparison be ordered as its success, but for the release.
Order failure_of(Order success) {
    return success == Order::AcqRel ? Order::Acquire : success == Order::Release ? Order::Relaxed : success;
}

} // namespace

void CLowering::check_order(const CFunction& f, Order order, const CExpression& call) const {
    const bool releases = order == Order::Release || order == Order::AcqRel;
    const bool acquires = order == Order::Acquire || order == Order::AcqRel;
    if ((f.shape == Shape::Load && releases) || (f.shape == Shape::Store && acquires)) {
        source_.fail(call.at, fmt::format("`{}` cannot be {}", call.name, word_of(order)));
    }
}

CLowering::Orders CLowering::orders_of(const CFunction& f, const CExpression& call, std::span<const CExpressionPtr> given) {
    Orders orders{f.order, f.failure_order};
    for (std::size_t k = 0; k < given.size(); ++k) {
        const auto order = given[k]->kind == CExpression::Kind::Name ? find_memory_order(given[k]->name) : std::nullopt;
        if (!order) {
            source_.fail(given[k]->at, "a memory order, such as `memory_order_relaxed`, was expected");
        }
        if (k == 0) {
            orders = {*order, failure_of(*order)};
        } else {
            orders.failure = *order;
        }
    }
    check_order(f, orders.success, call);
    return orders;
}

std::optional<CValue> CLowering::call(const CExpression& e) {
    const bool is_method = e.kind == CExpression::Kind::Method;
    const auto found = is_method ? find_c_method(e.name) : find_c_function(dialect_, e.name, e.tag);
    if (!found) {
        source_.unsupported(e.at, fmt::format("the {} `{}{}`", is_method ? "method" : "function", e.name,
                                              e.tag ? fmt::format("{{{}}}", *e.tag) : ""));
    }
    const CFunction& f = *found;
    const std::size_t arity = f.arity();
    const std::size_t least = arity + (f.method ? 0 : f.orders);
    const std::size_t most = arity + f.orders;
    if (e.operands.size() < least || e.operands.size() > most) {
        source_.fail(e.at, fmt::format("`{}` takes {} arguments, and has {}", e.name, most - (is_method ? 1 : 0),
                                       e.operands.size() - (is_method ? 1 : 0)));
    }
    const std::span given(e.operands);
    const Orders orders = orders_of(f, e, given.subspan(arity));
    if (f.shape == Shape::Fence) {
        code_.fence(orders.success, f.fence);
        return std::nullopt;
    }
    // Locations and operands are values before the access happens, in the order in which they are written.
    const std::size_t place = f.location_last ? arity - 1 : 0;
    std::optional<CValue> first;
    if (f.location_last && !f.operand_is_one) {
        first = value(*given[0]);
    }
    const Location at = f.location_is_value ? location(*given[place]) : pointed_at(value(*given[place]), *given[place]);
    switch (f.shape) {
    case Shape::Load:
        return load(at, orders.success);
    case Shape::Store:
    case Shape::StoreThenFence:
        store(at, value(*given[1]), orders.success);
        if (f.shape == Shape::StoreThenFence) {
            code_.fence(Order::SeqCst, f.fence);
        }
        return std::nullopt;
    case Shape::Lock:
    case Shape::TryLock: {
        const bool tries = f.shape == Shape::TryLock;
        Slot taken = 0;
        // Having got the lock decides nothing that C writes as an `if`.
        without_control([&] { taken = code_.builtin(tries ? Builtin::TryLock : Builtin::Lock, {at.address}); });
        return tries ? std::optional(CArithmetic::of_truth(taken)) : std::nullopt;
    }
    case Shape::Unlock:
        code_.builtin(Builtin::Unlock, {at.address});
        return std::nullopt;
    default:
        break;
    }
    check_updatable(at, e);
    if (f.shape == Shape::Update) {
        const CValue operand = f.operand_is_one ? arithmetic_.number(1, at.type) : first ? *first : value(*given[1]);
        return update(f, at, operand, orders.success, e);
    }
    if (f.shape == Shape::CompareExpected) {
        return compare_expected(f, at, *given[1], value(*given[2]), orders);
    }
    const CValue second = value(*given[1]);
    const CValue third = value(*given[2]);
    return f.shape == Shape::CompareValue ? compare_value(at, second, third, orders) : add_unless(at, second, third, orders);
}

void CLowering::check_updatable(const Location& at, const CExpression& call) const {
    if (slots_of(at.type) == 2) {
        source_.unsupported(call.at, fmt::format("`{}` of 128 bits", call.name));
    }
}

std::optional<CValue> CLowering::update(const CFunction& f, const Location& at, const CValue& operand, Order order,
                                        const CExpression& call) {
    const CValue by = arithmetic_.convert(operand, at.type);
    const std::uint16_t flags = access(order, f.result == Result::Nothing ? kNoReturn : std::uint16_t{0});
    const CValue old{code_.update(at.address, by.slot, bytes_of(at.type), f.op, flags), at.type};
    if (f.result == Result::Nothing) {
        return std::nullopt;
    }
    if (f.result == Result::Old) {
        return old;
    }
    const CValue fresh = arithmetic_.convert(arithmetic_.binary(operator_of(f.op), old, by, call.at), at.type);
    const CValue zero = arithmetic_.number(0, at.type);
    return f.result == Result::New         ? fresh
           : f.result == Result::NewIsZero ? arithmetic_.binary(CBinary::Equal, fresh, zero, call.at)
                                           : arithmetic_.binary(CBinary::Less, fresh, zero, call.at);
}

CValue CLowering::compare_value(const Location& at, const CValue& expected, const CValue& desired, const Orders& orders) {
    const Slot e = arithmetic_.convert(expected, at.type).slot;
    const Slot d = arithmetic_.convert(desired, at.type).slot;
    return {code_.compare_exchange(at.address, e, d, bytes_of(at.type), access(orders.success), orders.failure), at.type};
}

CValue CLowering::compare_expected(const CFunction& f, const Location& at, const CExpression& expected, const CValue& desired,
                                   const Orders& orders) {
    // The expected value is read before, and what was found instead is written after, as an ordinary variable; `&r0` may name a local one.
    const CExpression* local = expected.kind == CExpression::Kind::Unary && expected.unary == CUnary::AddressOf &&
                                       expected.operands[0]->kind == CExpression::Kind::Name
                                   ? expected.operands[0].get()
                                   : nullptr;
    const std::optional<Location> memory = local ? std::nullopt : std::optional(pointed_at(value(expected), expected));
    const CValue wanted = local ? variable(*local) : load(*memory, Order::NonAtomic);
    const Slot success = code_.slot();
    without_control([&] {
        const ThreadBuilder::Label failed = code_.label();
        const ThreadBuilder::Label end = code_.label();
        const Slot found = code_.slot();
        if (f.weak) {
            // It may fail though it finds the value that it wants: then it is a load of that value, and of no other, since failing for a reason is
            // what the exchange below does.
            const ThreadBuilder::Label tries = code_.label();
            code_.branch(code_.builtin(Builtin::Choose, {code_.constant(2)}), tries);
            const auto number = [this](auto n) { return code_.constant(static_cast<std::uint64_t>(n)); };
            code_.move(found, code_.builtin(Builtin::WaitLoad, {at.address, number(bytes_of(at.type)), number(orders.failure),
                                                                number(Wait::Equal), arithmetic_.convert(wanted, at.type).slot}));
            code_.move(success, code_.constant(0));
            code_.jump(failed);
            code_.bind(tries);
        }
        const CValue old = compare_value(at, wanted, desired, orders);
        code_.move(found, old.slot);
        code_.move(success, static_cast<Slot>(old.slot + 1));
        code_.branch(success, end);
        code_.bind(failed);
        const CValue instead{found, at.type};
        if (local) {
            arithmetic_.move(wanted.slot, arithmetic_.convert(instead, wanted.type));
        } else {
            store(*memory, instead, Order::NonAtomic);
        }
        code_.bind(end);
    });
    return CArithmetic::of_truth(success);
}

CValue CLowering::add_unless(const Location& at, const CValue& operand, const CValue& unless, const Orders& orders) {
    const Slot by = arithmetic_.convert(operand, at.type).slot;
    const Slot stop = arithmetic_.convert(unless, at.type).slot;
    const Slot old = code_.slot(2);
    const auto bytes = static_cast<std::uint16_t>(bytes_of(at.type));
    const auto failure = static_cast<std::uint16_t>(static_cast<unsigned>(orders.failure) | kUnless);
    code_.emit(Op::CmpXchg, old, at.address, stop, Instr::pack(by, access(orders.success), bytes, failure));
    return CArithmetic::of_truth(static_cast<Slot>(old + 1));
}

} // namespace heddle::litmus
