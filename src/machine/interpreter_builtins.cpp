// The builtins of the runtime library (program/builtin.hpp): what each asks of the machine, as an action or at once.
#include "machine/interpreter.hpp"

#include "support/check.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

using u64 = std::uint64_t;

} // namespace

Interpreter::Next Interpreter::builtin(const Instr& i) {
    const auto id = static_cast<Builtin>(i.x());
    // What a thread is given or leaves behind may be undefined; every other argument decides something.
    const unsigned decisive = id == Builtin::Spawn ? 1 : id == Builtin::ThreadExit ? 0 : i.a;
    for (unsigned k = 0; k < decisive; ++k) {
        if (undef(argument(i, k)) != 0) {
            return trap_undefined("an argument of a library function");
        }
    }
    switch (id) {
    case Builtin::Alloc:
    case Builtin::Free:
    case Builtin::ObjectSize:
    case Builtin::Output:
        return builtin_memory(i, id);
    case Builtin::Lock:
    case Builtin::TryLock:
    case Builtin::Unlock:
    case Builtin::WaitLoad:
    case Builtin::WaitRmw:
        return builtin_wait(i, id);
    case Builtin::Self:
    case Builtin::SpuriousWakeups:
    case Builtin::Assume:
    case Builtin::Choose:
    case Builtin::Nondet:
    case Builtin::Fail:
        return builtin_value(i, id);
    default:
        return builtin_thread(i, id);
    }
}

Interpreter::Next Interpreter::builtin_memory(const Instr& i, Builtin id) {
    const u64 first = slot(argument(i, 0));
    switch (id) {
    case Builtin::Alloc: {
        const u64 align = std::max<u64>(slot(argument(i, 1)), 1);
        if (first > machine_.options().max_object_bytes) {
            return trap(TrapKind::OutOfBudget, fmt::format("an allocation of {} bytes; Heddle's limit is {} bytes for one object",
                                                           first, machine_.options().max_object_bytes));
        }
        if (align > kMaxAlign) {
            return trap(TrapKind::Unsupported, fmt::format("an allocation aligned to {} bytes (at most {})", align, kMaxAlign));
        }
        if (!prepare_alloc(next_heap_address(first, align), first, align, ObjectKind::Heap)) {
            return Next::Stop;
        }
        action_->zeroed = slot(argument(i, 2)) != 0;
        action_->deps.data = machine_.deps().unite(deps(argument(i, 0)), deps(argument(i, 1)));
        return emit();
    }
    case Builtin::Free:
        // free branches on the pointer; whether anything is freed depends on it.
        thread_.control = machine_.deps().unite(thread_.control, deps(argument(i, 0)));
        if (first == 0) {
            advance();
            return Next::Go;
        }
        if (auto bad = objects_->release_fault(first)) {
            fault(std::move(*bad));
            return trap_fault();
        }
        act(ActionKind::Free).address = first;
        action_->deps.address = deps(argument(i, 0));
        return emit();
    case Builtin::ObjectSize:
        if (auto bad = objects_->release_fault(first)) {
            fault(std::move(*bad));
            return trap_fault();
        }
        note_address(i);
        set(i.dst, objects_->find(first)->size, 0, deps(argument(i, 0)));
        advance();
        return Next::Go;
    default: {
        const auto text = private_text(slot(argument(i, 1)), slot(argument(i, 2)));
        if (!text) {
            return Next::Stop;
        }
        Action& a = act(ActionKind::Output);
        a.count = first;
        a.text = std::make_shared<const std::string>(*text);
        return Next::Stop;
    }
    }
}

Interpreter::Next Interpreter::builtin_wait(const Instr& i, Builtin id) {
    const Address address = slot(argument(i, 0));
    const bool waits = id == Builtin::WaitLoad || id == Builtin::WaitRmw;
    const auto size = static_cast<std::uint8_t>(waits ? slot(argument(i, 1)) : 4);
    View view;
    const Reach where = reach(address, size, id != Builtin::WaitLoad, true, view);
    if (where == Reach::Fault) {
        return trap_fault();
    }
    DepSet d = 0;
    const Value old = where == Reach::Here ? load_view(view, size, d) : Value{};
    if (id != Builtin::Unlock && !old.defined()) {
        return trap(TrapKind::UninitializedRead, kUninitializedLock);
    }
    Action& a = act(id == Builtin::WaitLoad  ? ActionKind::Load
                    : id == Builtin::WaitRmw ? ActionKind::Rmw
                    : id == Builtin::Unlock  ? ActionKind::Unlock
                                             : ActionKind::Lock);
    a.address = address;
    a.size = size;
    a.deps.address = deps(argument(i, 0));
    if (waits) {
        const unsigned condition = id == Builtin::WaitLoad ? 3 : 5;
        a.order = static_cast<Order>(slot(argument(i, 2)));
        a.wait = static_cast<Wait>(slot(argument(i, condition)));
        a.wait_operand = slot(argument(i, condition + 1)) & mask_of_bits(size * 8u);
        if (id == Builtin::WaitRmw) {
            a.rmw = static_cast<RmwOp>(slot(argument(i, 3)));
            a.value.lo = slot(argument(i, 4)) & mask_of_bits(size * 8u);
            a.deps.data = deps(argument(i, 4));
        }
    } else {
        a.order = id == Builtin::Unlock ? Order::Release : Order::Acquire;
        a.value.lo = id == Builtin::Unlock ? 0 : thread_.id.index + 1;
        a.try_only = id == Builtin::TryLock;
    }
    // A lock or flag that no other thread can reach: nothing to see, and if it must wait it waits for ever.
    if (kind_of(address) == AddressKind::Local || kind_of(address) == AddressKind::Block) {
        const bool lock = a.kind == ActionKind::Lock;
        if (lock ? old.lo != 0 && !a.try_only : !satisfied(a, old)) {
            a.kind = ActionKind::Block;
            a.reason = BlockReason::Lock;
            return Next::Stop;
        }
        const bool taken = lock && old.lo == 0;
        if (taken || a.kind == ActionKind::Unlock) {
            store_view(view, size, a.value, 0);
        } else if (a.kind == ActionKind::Rmw) {
            store_view(view, size, *updated(a, old), d);
        }
        set(i.dst, lock ? u64{taken} : old.lo, 0, d);
        advance();
        return Next::Go;
    }
    return emit();
}

Interpreter::Next Interpreter::builtin_value(const Instr& i, Builtin id) {
    switch (id) {
    case Builtin::Self:
        set(i.dst, thread_.id.index, 0, 0);
        break;
    case Builtin::SpuriousWakeups:
        set(i.dst, machine_.options().spurious_wakeups ? 1 : 0, 0, 0);
        break;
    case Builtin::Assume:
        thread_.control = machine_.deps().unite(thread_.control, deps(argument(i, 0)));
        if (slot(argument(i, 0)) == 0) {
            act(ActionKind::Block);
            return Next::Stop;
        }
        break;
    case Builtin::Choose:
        if (slot(argument(i, 0)) == 0) {
            return trap(TrapKind::Assertion, "a choice among zero possibilities");
        }
        [[fallthrough]];
    case Builtin::Nondet:
        act(id == Builtin::Choose ? ActionKind::Choose : ActionKind::Nondet).count = slot(argument(i, 0));
        action_->deps.data = deps(argument(i, 0));
        return Next::Stop;
    default: { // Fail
        const u64 kind = slot(argument(i, 0));
        HEDDLE_CHECK(kind <= static_cast<u64>(TrapKind::Deadlock), "the runtime failed with an unknown kind");
        const auto text = private_text(slot(argument(i, 1)), std::nullopt);
        return text ? trap(static_cast<TrapKind>(kind), *text) : Next::Stop;
    }
    }
    advance();
    return Next::Go;
}

Interpreter::Next Interpreter::builtin_thread(const Instr& i, Builtin id) {
    switch (id) {
    case Builtin::Spawn: {
        const Address target = slot(argument(i, 0));
        if (kind_of(target) != AddressKind::Function || static_region_of(target) >= program_.functions.size() ||
            target % kRegionSize != 0) {
            return trap(TrapKind::BadCall, "a thread is started at an address that is not a function's");
        }
        const Function& function = program_.function(FunctionId(static_region_of(target)));
        if (function.params != 1) {
            return trap(TrapKind::BadCall,
                        fmt::format("a thread is started in {}, which does not take one argument", function.name));
        }
        Action& a = act(ActionKind::Spawn);
        a.address = target;
        a.value = value_of(argument(i, 1), 8);
        a.count = thread_.spawned;
        return Next::Stop;
    }
    case Builtin::Join:
    case Builtin::Detach:
        act(id == Builtin::Join ? ActionKind::Join : ActionKind::Detach).value.lo = slot(argument(i, 0));
        return Next::Stop;
    case Builtin::ThreadExit:
        thread_.result = value_of(argument(i, 0), 8);
        thread_.exiting = true;
        return Next::Go;
    case Builtin::Exit:
        act(ActionKind::Exit).count = slot(argument(i, 0));
        return Next::Stop;
    case Builtin::Yield:
        act(ActionKind::Yield);
        return direct_ ? emit() : Next::Stop;
    case Builtin::AtomicBegin:
    case Builtin::AtomicEnd:
        act(id == Builtin::AtomicBegin ? ActionKind::AtomicBegin : ActionKind::AtomicEnd);
        return Next::Stop;
    default:
        HEDDLE_CHECK(false, "unknown builtin");
    }
}

/// `size` bytes (or up to a zero byte) of memory that can be read without an action. Nothing, and a trap, when it cannot.
std::optional<std::string> Interpreter::private_text(Address address, std::optional<u64> size) {
    std::string text;
    for (Address at = address; !size || at < address + *size; ++at) {
        View view;
        switch (reach(at, 1, false, false, view)) {
        case Reach::Fault:
            trap_fault();
            return std::nullopt;
        case Reach::Elsewhere:
            trap(TrapKind::Unsupported, "a message of the runtime in shared memory");
            return std::nullopt;
        case Reach::Here:
            break;
        }
        if (view.undef && *view.undef != 0) {
            trap_undefined_in_passing("what is printed");
            return std::nullopt;
        }
        if (!size && *view.bytes == 0) {
            break;
        }
        text.push_back(static_cast<char>(*view.bytes));
    }
    return text;
}

} // namespace heddle
