// Calls, returns, the builtins of the runtime, the end of a thread; actions, their completion, and traps.
#include "machine/interpreter.hpp"

#include "support/check.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

using u64 = std::uint64_t;

} // namespace

// --- calls --------------------------------------------------------------------------------------------------------------------------------

Interpreter::Next Interpreter::call(const Instr& i, FunctionId callee, unsigned args, unsigned results) {
    const Function& function = program_.function(callee);
    Frame& caller = frame();
    const Slot* operands = caller.function->operands.data() + i.y();
    Shadow shadow = caller.shadow == Shadow::UndefAndDeps ? Shadow::UndefAndDeps : Shadow::Plain;
    for (unsigned k = 0; k < args && shadow == Shadow::Plain; ++k) {
        if (undef(operands[k]) != 0) {
            shadow = Shadow::Undef;
        }
    }
    Ref<Frame> fresh = Frame::make(function, shadow);
    Frame& f = *fresh;
    f.total_bytes = caller.total_bytes + f.bytes;
    f.region_base = caller.region_base + caller.function->local_regions;
    if (f.total_bytes + thread_.stack_bytes > machine_.options().max_stack_bytes ||
        f.region_base + function.local_regions > kMaxRegions) {
        return trap(TrapKind::StackOverflow, fmt::format("the call of {} overflows the stack of {} bytes", function.name,
                                                         machine_.options().max_stack_bytes));
    }
    for (unsigned k = 0; k < args; ++k) {
        f.slots()[k] = caller.slots()[operands[k]];
        if (shadow != Shadow::Plain) {
            f.undef()[k] = undef(operands[k]);
        }
        if (shadow == Shadow::UndefAndDeps) {
            f.slot_deps()[k] = deps(operands[k]);
        }
    }
    f.stack_mark = static_cast<std::uint32_t>(thread_.memory->stack.size());
    f.result_slot = i.dst;
    f.result_count = static_cast<std::uint16_t>(results);
    f.parent = std::move(thread_.top);
    thread_.top = std::move(fresh);
    return Next::Go;
}

Interpreter::Next Interpreter::call_pointer(const Instr& i) {
    if (undef(i.a) != 0) {
        return trap_undefined("which function is called");
    }
    const Address target = slot(i.a);
    if (target == 0) {
        return trap(TrapKind::NullDereference, "call through a null pointer");
    }
    const bool good = kind_of(target) == AddressKind::Function && target % kRegionSize == 0 &&
                      static_region_of(target) < program_.functions.size();
    if (!good) {
        return trap(TrapKind::BadCall, fmt::format("call through a pointer that is not a function's ({:#x})", target));
    }
    const FunctionId callee(static_region_of(target));
    const Function& function = program_.function(callee);
    const unsigned args = i.b;
    const unsigned wanted = i.dst == kNoSlot ? 0 : i.x();
    if (function.params != args || function.results < wanted) {
        return trap(TrapKind::BadCall, fmt::format("call of {} through a pointer to a function of another type", function.name));
    }
    if (machine_.options().dependencies) {
        thread_.control = machine_.deps().unite(thread_.control, deps(i.a));
    }
    return call(i, callee, args, wanted);
}

Interpreter::Next Interpreter::ret(const Instr& i) {
    if (thread_.memory->stack.size() > frame().stack_mark) {
        return end_stack_objects(frame().stack_mark);
    }
    Ref<Frame> ended = std::move(thread_.top);
    Frame& from = *ended;
    if (!from.parent) {
        // Only the two entry functions of the runtime have no caller, and they end by builtins.
        thread_.exiting = true;
        thread_.top = std::move(ended);
        return Next::Go;
    }
    if (ended->shared()) {
        thread_.top = from.parent;
    } else {
        thread_.top = std::move(from.parent);
    }
    if (thread_.top->shared()) {
        thread_.top = Frame::copy(frame(), frame().shadow);
    }
    const Slot* operands = from.function->operands.data() + i.y();
    for (unsigned k = 0; k < from.result_count; ++k) {
        const Slot s = operands[k];
        set(static_cast<Slot>(from.result_slot + k), from.slots()[s], from.shadow == Shadow::Plain ? 0 : from.undef()[s],
            from.shadow == Shadow::UndefAndDeps ? from.slot_deps()[s] : 0);
    }
    advance();
    return Next::Go;
}

// --- builtins -----------------------------------------------------------------------------------------------------------------------------

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
        return emit();
    }
    case Builtin::Free:
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
            trap_undefined("what is printed");
            return std::nullopt;
        }
        if (!size && *view.bytes == 0) {
            break;
        }
        text.push_back(static_cast<char>(*view.bytes));
    }
    return text;
}

// --- the end of a thread --------------------------------------------------------------------------------------------------------------------

Interpreter::Next Interpreter::exit_thread() {
    if (thread_.top) {
        if (!thread_.memory->stack.empty()) {
            return end_stack_objects(0);
        }
        // Thread-local variables that escaped end with their thread; private ones with its state.
        for (std::size_t k = 0; k < thread_.memory->thread_locals.size(); ++k) {
            const Address address = thread_.memory->thread_locals[k];
            if (address != 0 && kind_of(address) == AddressKind::Heap) {
                Action& a = act(ActionKind::Free);
                a.address = address;
                a.object = ObjectKind::ThreadLocal;
                return emit();
            }
        }
        thread_.top = {};
    }
    act(ActionKind::Done).value = thread_.result;
    return Next::Stop;
}

void Interpreter::complete_exit() {
    if (!thread_.memory->stack.empty()) {
        forget_stack_object();
        return;
    }
    auto& variables = own_memory().thread_locals;
    const auto at = std::ranges::find_if(variables, [](Address a) { return a != 0 && kind_of(a) == AddressKind::Heap; });
    HEDDLE_CHECK(at != variables.end(), "a thread on its way out was resumed without cause");
    *at = 0;
}

// --- actions ----------------------------------------------------------------------------------------------------------------------------------

Action& Interpreter::act(ActionKind kind) {
    if (std::exchange(acted_, true)) {
        *action_ = Action{};
    }
    action_->kind = kind;
    action_->place = machine_.place(thread_);
    action_->deps.control = thread_.control;
    return *action_;
}

Interpreter::Next Interpreter::emit() {
    if (!direct_) {
        return Next::Stop;
    }
    const auto outcome = action_->kind == ActionKind::Yield ? std::optional<Value>(Value{}) : direct_->perform(*action_);
    if (!outcome) {
        return Next::Stop;
    }
    complete(*outcome);
    return Next::Go;
}

void Interpreter::complete(const Value& outcome) {
    HEDDLE_CHECK(thread_.top, "a thread that has ended was resumed");
    if (thread_.top->shared()) {
        thread_.top = Frame::copy(frame(), frame().shadow);
    }
    const DepSet read = machine_.options().dependencies && !direct_ ? machine_.deps().single(thread_.actions) : 0;
    const Instr& i = frame().instr();
    if (thread_.exiting) {
        complete_exit();
    } else {
        switch (i.op) {
        case Op::Load:
            set_value(i.dst, outcome, i.e(), read);
            advance();
            break;
        case Op::Rmw:
            set_value(i.dst, outcome, i.c() * 8u, read);
            advance();
            break;
        case Op::CmpXchg: {
            const unsigned size = i.e();
            const Value expected = value_of(i.b, size);
            const bool success = outcome.lo == expected.lo && outcome.hi == expected.hi;
            set_value(i.dst, outcome, size * 8, read);
            if (i.dst != kNoSlot) {
                set(static_cast<Slot>(i.dst + (size > 8 ? 2 : 1)), success, outcome.defined() ? 0 : 1, read);
            }
            advance();
            break;
        }
        case Op::Store:
        case Op::Fence:
            advance();
            break;
        case Op::MemCpy:
        case Op::MemMove:
        case Op::MemSet:
            complete_bytes(i, outcome);
            break;
        case Op::Alloca: {
            const u64 size = slot(i.a);
            const Address address = *next_stack_address(size, i.x());
            take_stack_address(address, size, i.x());
            set(i.dst, address, 0, 0);
            advance();
            break;
        }
        case Op::Ret:
        case Op::StackRestore:
            forget_stack_object();
            break;
        case Op::TlsAddr: {
            const ThreadLocal& t = program_.thread_locals[i.imm];
            const Address address = *next_heap_address(t.size, t.align);
            take_heap_address(address, t.size, t.align);
            own_memory().thread_locals[i.imm] = address;
            break;
        }
        case Op::Builtin:
            complete_builtin(i, outcome, read);
            break;
        default:
            HEDDLE_CHECK(false, "a thread that stands at no action was resumed");
        }
    }
    if (!direct_) {
        ++thread_.actions;
    }
}

void Interpreter::complete_builtin(const Instr& i, const Value& outcome, DepSet read) {
    switch (static_cast<Builtin>(i.x())) {
    case Builtin::Alloc: {
        const u64 size = slot(argument(i, 0));
        const u64 align = std::max<u64>(slot(argument(i, 1)), 1);
        const Address address = *next_heap_address(size, align);
        take_heap_address(address, size, align);
        set(i.dst, address, 0, 0);
        break;
    }
    case Builtin::Spawn:
        ++thread_.spawned;
        set(i.dst, outcome.lo, 0, 0);
        break;
    case Builtin::WaitLoad:
    case Builtin::WaitRmw:
    case Builtin::TryLock:
        set(i.dst, outcome.lo, outcome.undef_lo, read);
        break;
    case Builtin::Join:
    case Builtin::Choose:
    case Builtin::Nondet:
        set(i.dst, outcome.lo, outcome.undef_lo, 0);
        break;
    default:
        break;
    }
    advance();
}

// --- traps ------------------------------------------------------------------------------------------------------------------------------------

Interpreter::Next Interpreter::trap(TrapKind kind, std::string message, std::optional<ObjectNote> object) {
    act(ActionKind::Trap);
    Trap t = machine_.trap_here(thread_, kind, std::move(message));
    t.object = std::move(object);
    action_->trap = std::make_shared<const Trap>(std::move(t));
    return Next::Stop;
}

Interpreter::Next Interpreter::trap_fault() { return trap(fault_->kind, std::move(fault_->message), std::move(fault_->object)); }

Interpreter::Next Interpreter::trap_undefined(const char* what) {
    return trap(TrapKind::UninitializedRead, fmt::format("an uninitialised value decides {}", what));
}

} // namespace heddle
