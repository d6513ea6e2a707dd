// The functions of the compiler's atomic library, which clang calls for accesses that it does not expand: the sized ones (__atomic_load_8) and the
// ones with a size argument. Both become the instructions that they stand for.
#include "frontend/clang/lower.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

namespace heddle::clang_frontend {

namespace {

std::optional<std::uint64_t> constant_argument(const llvm::CallBase& call, unsigned i) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i));
    return number ? std::optional(number->getZExtValue()) : std::nullopt;
}

/// C's memory_order as an argument; nothing when it is not a constant.
std::optional<Order> order_argument(const llvm::CallBase& call, unsigned i) {
    static constexpr Order orders[] = {Order::Relaxed, Order::Acquire, Order::Acquire,
                                       Order::Release, Order::AcqRel,  Order::SeqCst};
    const auto number = constant_argument(call, i);
    return number && *number < std::size(orders) ? std::optional(orders[*number]) : std::nullopt;
}

std::optional<RmwOp> fetch_op(llvm::StringRef name) {
    return llvm::StringSwitch<std::optional<RmwOp>>(name)
        .Case("exchange", RmwOp::Xchg)
        .Case("fetch_add", RmwOp::Add)
        .Case("fetch_sub", RmwOp::Sub)
        .Case("fetch_and", RmwOp::And)
        .Case("fetch_or", RmwOp::Or)
        .Case("fetch_xor", RmwOp::Xor)
        .Case("fetch_nand", RmwOp::Nand)
        .Default(std::nullopt);
}

/// One call: its operation, its size, and where its arguments stand. The generic form has the size first and values by address.
class AtomicCall {
  public:
    AtomicCall(FunctionContext& to, const llvm::CallBase& call, llvm::StringRef operation, unsigned bytes, bool generic)
        : to_(to), call_(call), operation_(operation), bytes_(static_cast<std::uint16_t>(bytes)), generic_(generic) {}

    /// False: not the shape that the library defines, or an order that is not constant.
    bool lower() {
        if (operation_ == "load") {
            return load();
        }
        if (operation_ == "store") {
            return store();
        }
        if (operation_ == "compare_exchange") {
            return compare_exchange();
        }
        const auto op = fetch_op(operation_);
        return op && (!generic_ || *op == RmwOp::Xchg) && update(*op);
    }

  private:
    [[nodiscard]] const llvm::Value& argument(unsigned i) const { return *call_.getArgOperand(i + (generic_ ? 1 : 0)); }
    [[nodiscard]] std::optional<Order> order(unsigned i) const { return order_argument(call_, i + (generic_ ? 1 : 0)); }
    [[nodiscard]] bool has_arguments(unsigned count) const { return call_.arg_size() == count + (generic_ ? 1 : 0); }
    [[nodiscard]] unsigned slots() const { return bytes_ > 8 ? 2 : 1; }

    /// The value given as argument i: itself, or what it points to.
    std::optional<Slot> value(unsigned i) {
        if (generic_) {
            return loaded(argument(i));
        }
        const Slots list = to_.operand(argument(i));
        return list.size() == slots() ? std::optional(list.front()) : std::nullopt;
    }
    Slot loaded(const llvm::Value& pointer) {
        const Slot slot = to_.scratch(slots());
        to_.load(slot, to_.place_of(pointer), 0, bytes_, bytes_ * 8u, 0);
        return slot;
    }
    /// The result of the operation: the call's, or stored where the last pointer says.
    bool deliver(Slot result, const llvm::Value* pointer) {
        if (pointer) {
            to_.store(result, to_.place_of(*pointer), 0, bytes_, 0);
        } else if (to_.shape(call_).slots == slots()) {
            to_.rename(call_, slots() == 2 ? Slots{result, slot_after(result, 1)} : Slots{result});
        } else {
            return false;
        }
        return true;
    }

    bool load() {
        const unsigned pointers = generic_ ? 2 : 1;
        if (!has_arguments(pointers + 1) || !order(pointers)) {
            return false;
        }
        const Slot result = to_.scratch(slots());
        to_.code.emit(
            Op::Load, result, to_.single(argument(0)), 0,
            Instr::pack(bytes_, static_cast<std::uint16_t>(*order(pointers)), static_cast<std::uint16_t>(bytes_ * 8), 0));
        return deliver(result, generic_ ? &argument(1) : nullptr);
    }

    bool store() {
        if (!has_arguments(3) || !order(2)) {
            return false;
        }
        const auto stored = value(1);
        if (!stored) {
            return false;
        }
        to_.code.emit(Op::Store, 0, to_.single(argument(0)), *stored,
                      Instr::pack(bytes_, static_cast<std::uint16_t>(*order(2)), 0, 0));
        return true;
    }

    bool update(RmwOp op) {
        const unsigned last = generic_ ? 3 : 2;
        if (!has_arguments(last + 1) || !order(last)) {
            return false;
        }
        const auto operand = value(1);
        if (!operand) {
            return false;
        }
        const Slot old = to_.scratch(slots());
        to_.code.emit(Op::Rmw, old, to_.single(argument(0)), *operand,
                      Instr::pack(bytes_, static_cast<std::uint16_t>(*order(last)), static_cast<std::uint16_t>(op), 0));
        return deliver(old, generic_ ? &argument(2) : nullptr);
    }

    bool compare_exchange() {
        if (!has_arguments(5) || !order(3) || !order(4) || to_.shape(call_).slots != 1) {
            return false;
        }
        const auto desired = value(2);
        if (!desired) {
            return false;
        }
        const Slot expected = loaded(argument(1));
        const Slot old = to_.scratch(slots() + 1);
        const Slot success = slot_after(old, slots());
        to_.code.emit(
            Op::CmpXchg, old, to_.single(argument(0)), expected,
            Instr::pack(*desired, static_cast<std::uint16_t>(*order(3)), bytes_, static_cast<std::uint16_t>(*order(4))));
        const Label failed = to_.code.make_label();
        const Label done = to_.code.make_label();
        to_.code.branch(Op::Br, 0, success, 0, done, failed);
        to_.code.put(failed);
        to_.store(old, to_.place_of(argument(1)), 0, bytes_, 0);
        to_.code.put(done);
        to_.rename(call_, {success});
        return true;
    }

    FunctionContext& to_;
    const llvm::CallBase& call_;
    llvm::StringRef operation_;
    std::uint16_t bytes_;
    bool generic_;
};

bool is_atomic_size(std::uint64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

} // namespace

bool lower_atomic_call(FunctionContext& to, const llvm::CallBase& call, llvm::StringRef name) {
    llvm::StringRef operation = name;
    if (!operation.consume_front("__atomic_")) {
        return false;
    }
    if (operation == "is_lock_free" && call.arg_size() == 2) {
        const auto bytes = constant_argument(call, 0);
        if (bytes) {
            to.rename(call, {to.constant(is_atomic_size(*bytes) ? 1 : 0)});
        }
        return bytes.has_value();
    }
    const auto [word, suffix] = operation.rsplit('_');
    std::uint64_t bytes = 0;
    const bool generic = !llvm::to_integer(suffix, bytes);
    if (generic) {
        const bool known =
            operation == "load" || operation == "store" || operation == "exchange" || operation == "compare_exchange";
        if (!known || call.arg_size() < 4) {
            return false;
        }
        const auto size = constant_argument(call, 0);
        bytes = size.value_or(0);
    } else {
        operation = word;
    }
    if (!is_atomic_size(bytes)) {
        lower_unsupported(to, call, "an atomic access of an object that is not 1, 2, 4, 8 or 16 bytes large");
    } else if (!AtomicCall(to, call, operation, static_cast<unsigned>(bytes), generic).lower()) {
        lower_unsupported(to, call, "call of '" + name.str() + "' with a memory order that is not constant");
    }
    return true;
}

} // namespace heddle::clang_frontend
