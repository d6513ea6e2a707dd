#include "search/prologue/prologue.hpp"

namespace heddle {

Prologue run_prologue(Machine& machine) {
    Prologue p{.main = machine.start_main(), .memory = Memory(machine.program())};
    for (;;) {
        const Action a = machine.run(p.main, p.memory);
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
