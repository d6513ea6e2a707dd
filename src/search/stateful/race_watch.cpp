#include "search/stateful/race_watch.hpp"

#include "property/races.hpp"
#include "search/stateful/stepper.hpp"

#include <algorithm>

namespace heddle::stateful {

RaceWatch::RaceWatch(Machine& machine, Threads& threads, ObjectTables& tables, Findings& findings, Independence* independence,
                     bool by_place)
    : machine_(machine), threads_(threads), tables_(tables), findings_(findings), independence_(independence),
      by_place_(by_place) {}

void RaceWatch::access(World& w, const Standing& s, const RaceRecord& access) {
    w.races.access(access, by_place_, [&](const RaceRecord& earlier) {
        const auto racer = [](const RaceRecord& r) {
            return Racer{.thread = ThreadId(r.thread), .atomic = r.atomic, .reads = !r.writes};
        };
        const Address common = std::max(access.address, earlier.address);
        const Address end = std::min(access.address + access.size, earlier.address + earlier.size);
        Trap trap =
            machine_.trap_here(s.state, TrapKind::DataRace,
                               race_text(racer(access), racer(earlier), name_of(tables_[w.objects].objects, common, end - common),
                                         to_string(machine_.program(), earlier.place)));
        findings_.wrong(std::move(trap), ThreadId(access.thread), {}, {.later = access.place, .earlier = &earlier});
    });
}

void RaceWatch::reads(World& w, std::uint32_t t, const Standing& s, Order order) {
    const Action& a = s.action;
    std::uint32_t from_memory = (1u << a.size) - 1;
    for (const PendingStore& p : w.pending.all()) { // nobody learns from what he wrote himself and others have not seen
        for (unsigned byte = 0; p.thread == t && byte < a.size; ++byte) {
            from_memory &= p.overlaps(a.address + byte, 1) ? ~(1u << byte) : ~0u;
        }
    }
    w.races.read(t, a.address, a.size, order, from_memory);
    access(w, s, {.address = a.address, .thread = t, .place = a.place, .size = a.size, .atomic = order != Order::NonAtomic});
}

RaceState::MessageId RaceWatch::writes(World& w, std::uint32_t t, const Standing& s, Order order, bool update) {
    const Action& a = s.action;
    access(w, s,
           {.address = a.address,
            .thread = t,
            .place = a.place,
            .size = a.size,
            .writes = true,
            .atomic = order != Order::NonAtomic});
    return w.races.message_of_write(t, a.address, a.size, order, update);
}

void RaceWatch::settle(World& w) {
    lives_.clear();
    for (const PartId t : w.threads) {
        const ThreadPhase phase = threads_.at(t, w.objects).phase;
        lives_.push_back(phase == ThreadPhase::Running ? RaceState::Life::Runs
                         : phase == ThreadPhase::Done  ? RaceState::Life::Ended
                                                       : RaceState::Life::Gone);
    }
    w.races.settle(lives_, w.pending, by_place_,
                   [&](std::uint32_t u, const RaceRecord& r) { return !independence_ || independence_->may_race(w, u, r); });
}

} // namespace heddle::stateful
