#include "search/reference/lifetimes.hpp"

#include <algorithm>

namespace heddle {

std::vector<LifetimeFault> lifetime_faults(const Execution& x, const Axioms& axioms, const Objects& objects) {
    std::vector<LifetimeFault> faults;
    const auto& events = x.events;
    if (std::ranges::none_of(events, [](const Event& e) { return e.kind == EventKind::Free; })) {
        return faults;
    }
    const Relations r(x);
    const Relation order = axioms.order(x, r);
    const Relation before = (axioms.coherence_orders ? order | r.co | r.fr : order).closure();
    for (std::size_t f = 0; f < events.size(); ++f) {
        if (events[f].kind != EventKind::Free) {
            continue;
        }
        const Object* const object = objects.find(events[f].location);
        for (std::size_t e = 0; e < events.size(); ++e) {
            const Event& other = events[e];
            if (other.kind == EventKind::Free && e != f && other.location == events[f].location) {
                faults.push_back({TrapKind::DoubleFree, e});
            }
            if (!(other.kind == EventKind::Read || other.kind == EventKind::Write) || objects.find(other.location) != object) {
                continue;
            }
            const bool good = other.thread == events[f].thread ? r.po.contains(e, f) : before.contains(e, f);
            if (!good) {
                faults.push_back({object->kind == ObjectKind::Stack ? TrapKind::UseAfterReturn : TrapKind::UseAfterFree, e});
            }
        }
    }
    return faults;
}

} // namespace heddle
