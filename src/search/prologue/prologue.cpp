#include "search/prologue/prologue.hpp"

namespace heddle {

namespace {

/// When to ask: asking costs more than most actions. An Alloc that the machine has not done by itself makes a large object.
bool takes_long(const Action& a, std::uint64_t actions) {
    constexpr std::uint64_t kOften = 1 << 12;
    return actions % kOften == 0 || a.kind == ActionKind::Alloc;
}

} // namespace

Prologue run_prologue(Machine& machine, const std::function<bool()>& gives_up) {
    Prologue p{.main = machine.start_main(), .memory = Memory(machine.program())};
    for (std::uint64_t actions = 1;; ++actions) {
        const Action a = machine.run(p.main, p.memory);
        if (gives_up && takes_long(a, actions) && gives_up()) {
            return p;
        }
        switch (a.kind) {
        case ActionKind::Load:
        case ActionKind::Store:
        case ActionKind::Rmw:
        case ActionKind::Fence:
        case ActionKind::Lock:
        case ActionKind::Unlock:
        case ActionKind::Alloc:
        case ActionKind::Free:
            // What waits, or finds an uninitialised lock, is for the search to judge.
            if (decides_by_value(a) && !p.memory.load(a.address, a.size).defined()) {
                return p;
            }
            if (const auto outcome = p.memory.perform(a)) {
                machine.resume(p.main, *outcome);
                break;
            }
            return p;
        case ActionKind::Output:
        case ActionKind::Yield:
            machine.resume(p.main, {});
            break;
        default:
            return p;
        }
    }
}

} // namespace heddle
