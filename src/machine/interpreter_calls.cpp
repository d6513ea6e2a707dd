// Calls, returns, the end of a thread; actions, their completion, and traps.
#include "machine/interpreter.hpp"

#include "program/slot_uses.hpp"

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
        // What a thread starts at (the entry functions of the runtime end by builtins; functions of litmus tests return).
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

/// A head of a loop that stops the thread. The counter moves only when the action completes: running a thread again gives the same again.
Interpreter::Next Interpreter::loop_head(const Instr& i) {
    if (slot(i.dst) > iterations_) {
        act(ActionKind::Block).reason = BlockReason::LoopBound;
    } else {
        act(ActionKind::Loop).count = slot(i.dst) + 1;
    }
    return Next::Stop;
}

Action& Interpreter::act(ActionKind kind) {
    if (std::exchange(acted_, true)) {
        *action_ = Action{};
    }
    action_->kind = kind;
    action_->place = machine_.place(thread_);
    action_->deps.control = thread_.control;
    action_->deps.earlier_addresses = thread_.addresses;
    return *action_;
}

Interpreter::Next Interpreter::emit() {
    // To make many large objects takes long, and the driver has budgets to look at.
    constexpr u64 kLarge = 1 << 20;
    if (!direct_ || (action_->kind == ActionKind::Alloc && action_->count >= kLarge)) {
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
    note_address(i);
    if ((i.op == Op::Load || i.op == Op::Rmw || i.op == Op::CmpXchg) && (i.d() & kDecides) != 0) {
        thread_.control = machine_.deps().unite(thread_.control, read);
        if (i.op == Op::CmpXchg) { // and what it compares with
            thread_.control = machine_.deps().unite(thread_.control, deps_of(i.b, i.e()));
        }
    }
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
            const bool equal = outcome.lo == expected.lo && outcome.hi == expected.hi;
            const bool success = equal != ((i.f() & kUnless) != 0);
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
        case Op::Loop:
            ++frame().slots()[i.dst];
            advance();
            break;
        default:
            complete_division(i);
        }
    }
    if (!direct_) {
        ++thread_.actions;
    }
}

/// The access has happened, or is one of many: what comes later comes after its address was known.
void Interpreter::note_address(const Instr& i) {
    if (!machine_.options().dependencies) {
        return;
    }
    DepSet d = 0;
    switch (i.op) {
    case Op::MemCpy:
    case Op::MemMove:
        d = machine_.deps().unite(deps(i.a), machine_.deps().unite(deps(i.b), deps(i.c())));
        break;
    case Op::MemSet:
        d = machine_.deps().unite(deps(i.a), deps(i.c()));
        break;
    case Op::Alloca: // its size says where the next object goes
    case Op::Load:
    case Op::Store:
    case Op::Rmw:
    case Op::CmpXchg:
        d = deps(i.a);
        break;
    case Op::Builtin:
        if (i.a > 0) {
            d = deps(argument(i, 0)); // of those that access memory; for the others it does no harm
        }
        break;
    default:
        break;
    }
    thread_.addresses = machine_.deps().unite(thread_.addresses, d);
}

/// Of one that failed, with Action::in_passing.
void Interpreter::complete_division(const Instr& i) {
    HEDDLE_CHECK(divides(i.op), "a thread that stands at no action was resumed");
    DepSet d = 0;
    for (const SlotUse& use : slot_uses(i).all()) {
        for (unsigned k = 0; k < (use.writes ? 0u : use.count); ++k) {
            d = machine_.deps().unite(d, deps(static_cast<Slot>(slot_in(i, use.field) + k)));
        }
    }
    for (const SlotUse& use : slot_uses(i).all()) {
        for (unsigned k = 0; k < (use.writes ? use.count : 0u); ++k) {
            set(static_cast<Slot>(slot_in(i, use.field) + k), 0, 0, d);
        }
    }
    advance();
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
    case Builtin::Lock:
    case Builtin::WaitLoad:
    case Builtin::WaitRmw:
    case Builtin::TryLock:
        thread_.control = machine_.deps().unite(thread_.control, read); // what it reads decides how it goes on
        if (static_cast<Builtin>(i.x()) != Builtin::Lock) {
            set(i.dst, outcome.lo, outcome.undef_lo, read);
        }
        break;
    case Builtin::
        Choose: // no read, but what depends on it cannot be without it; it may stand for the success of a conditional store
    case Builtin::Nondet:
        set(i.dst, outcome.lo, outcome.undef_lo, read);
        break;
    case Builtin::Join:
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

Interpreter::Next Interpreter::trap_in_passing(TrapKind kind, std::string message) {
    const Next next = trap(kind, std::move(message));
    action_->in_passing = machine_.options().dependencies && !direct_;
    return next;
}

Interpreter::Next Interpreter::trap_fault() { return trap(fault_->kind, std::move(fault_->message), std::move(fault_->object)); }

Interpreter::Next Interpreter::trap_undefined(const char* what) {
    return trap(TrapKind::UninitializedRead, fmt::format("an uninitialised value decides {}", what));
}

Interpreter::Next Interpreter::trap_undefined_in_passing(const char* what) {
    return trap_in_passing(TrapKind::UninitializedRead, fmt::format("an uninitialised value decides {}", what));
}

} // namespace heddle
