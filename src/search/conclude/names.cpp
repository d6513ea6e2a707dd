#include "search/conclude/names.hpp"

#include <algorithm>
#include <ranges>

namespace heddle {

void name_access(WitnessEvent& e, const Objects& objects) {
    const Address address = e.event.location;
    e.name = name_of(objects, address, e.size);
    if (const Object* o = objects.find(address)) {
        e.owner = objects.program().layouts.owner(o->layout, address - o->base, e.size);
    }
    if (e.size == sizeof(Address) && e.value.defined()) {
        e.pointee = pointer_name(objects, e.value.lo);
    }
}

void name_conditions(Violation& violation) {
    const auto& events = violation.witness.events;
    const auto complete = [&](Trap& trap, ThreadId thread) {
        if (trap.kind != TrapKind::Deadlock || !trap.message.ends_with(kNobodyWakes)) {
            return;
        }
        const auto backwards = std::views::reverse(events);
        const auto last = std::ranges::find_if(backwards, [&](const WitnessEvent& e) {
            return e.event.is_access() && e.event.kind != EventKind::Init && e.event.thread == thread &&
                   e.owner == PartOwner::Condition && e.place == trap.stack.front();
        });
        if (last != backwards.end()) {
            trap.message += " (" + last->name + ")";
        }
    };
    complete(violation.trap, violation.thread);
    for (Violation::Other& other : violation.also) {
        complete(other.trap, other.thread);
    }
}

} // namespace heddle
