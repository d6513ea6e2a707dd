#include "search/stateful/replay.hpp"

#include "search/conclude/names.hpp"
#include "search/stateful/state_hashes.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace heddle::stateful {
namespace {

/// What is wrong on the way was reported when it was found. But what `awaited` tells of is recognised.
class Recognition final : public Findings {
  public:
    Recognition(const Log*& log, bool by_place) : log_(log), by_place_(by_place) {}
    const Sighting* awaited = nullptr; ///< null: nothing, or it has come
    // Of what has come:
    std::vector<Happened> happened{}; ///< in the step, up to it
    Trap trap{};
    std::optional<RaceRecord> earlier{};

    void wrong(Trap found, ThreadId thread, std::vector<Violation::Other> /*also*/, const Race& race) override {
        if (awaited && thread == awaited->violation.thread && found.kind == awaited->violation.trap.kind &&
            found.stack == awaited->violation.trap.stack && is_same(race)) {
            awaited = nullptr;
            happened = log_->entries;
            trap = std::move(found);
            earlier = race.earlier ? std::optional(*race.earlier) : std::nullopt;
        }
    }
    void stop(Verdict, std::string, PlaceId) override {}
    void doubt(Verdict, std::string, PlaceId) override {}
    void assume(Assumption) override {}

  private:
    /// Where places are not kept, whichever race comes first is one that was meant.
    [[nodiscard]] bool is_same(const Race& race) const {
        return !race.earlier || (race.later == awaited->places[0] && (!by_place_ || race.earlier->place == awaited->places[1]));
    }
    const Log*& log_;
    const bool by_place_;
};

/// The objects that know `address`, if any do: those of `before` or of `after`.
const Objects& objects_with(Stepper& stepper, Address address, const World& before, const World& after) {
    const Objects& objects = stepper.objects(before).objects;
    return objects.find(address) ? objects : stepper.objects(after).objects;
}

} // namespace

// --- telling -------------------------------------------------------------------------------------------------------------------------------

void Teller::begin(const World& world) {
    first_ = world;
    add({.event = {.kind = EventKind::Begin}}, ThreadId(0));
}

std::size_t Teller::add(WitnessEvent e, ThreadId thread) {
    e.event.thread = thread;
    e.event.index = next_index_[thread.index]++;
    events_.push_back(std::move(e));
    return events_.size() - 1;
}

Teller::Place& Teller::place(Stepper& stepper, const Action& a, const World& before, const World& after) {
    const auto [it, fresh] = places_.try_emplace(a.address);
    Place& p = it->second;
    if (fresh) {
        p.init = {.event = {.kind = EventKind::Init, .location = a.address}, .size = a.size};
        if (const Object* o = stepper.objects(first_).objects.find(a.address); o && o->alive) {
            p.init.value = stepper.memory().load(first_, a.address, a.size);
        } else if (const auto made = made_.upper_bound(a.address); made != made_.begin() && !std::prev(made)->second.zeroed) {
            p.init.value.undef_lo = mask_of_bits(std::min<unsigned>(a.size, 8) * 8u);
        }
        name_access(p.init, objects_with(stepper, a.address, before, after));
    }
    return p;
}

void Teller::tell(Stepper& stepper, const Happened& h, const World& before, const World& after) {
    const Action& a = h.action;
    switch (h.kind) {
    case Happened::Kind::Reaches: {
        const std::size_t e = stores_.at(*h.tag);
        const WitnessEvent& w = events_[e];
        for (Address byte = w.event.location; byte < w.event.location + w.size; ++byte) {
            bytes_[byte] = e;
        }
        places_.at(w.event.location).writes.push_back(e);
        return;
    }
    case Happened::Kind::Other:
        return other(stepper, h, before, after);
    default:
        break;
    }
    place(stepper, a, before, after);
    const bool reads = h.kind == Happened::Kind::Read;
    const bool succeeds = reads && effect_of_read(a, h.value).written.has_value();
    WitnessEvent e{.event = {.kind = reads ? EventKind::Read : EventKind::Write,
                             .order = reads      ? order_of_read(a, succeeds)
                                      : h.update ? order_of_write(a)
                                                 : a.order,
                             .update = h.update},
                   .place = a.place,
                   .value = h.value,
                   .size = a.size,
                   .lock = a.kind == ActionKind::Lock || a.kind == ActionKind::Unlock};
    e.event.location = a.address;
    name_access(e, objects_with(stepper, a.address, before, after));
    if (reads) {
        if (h.tag) {
            e.event.source = stores_.at(*h.tag);
        } else {
            for (Address byte = a.address; byte < a.address + a.size; ++byte) {
                if (const auto at = bytes_.find(byte); at != bytes_.end()) {
                    e.event.source = std::max(e.event.source.value_or(0), at->second);
                }
            }
        }
        last_read_[h.thread.index] = add(std::move(e), h.thread);
        return;
    }
    if (h.update) {
        e.event.update_read = last_read_.at(h.thread.index);
    }
    stores_[*h.tag] = add(std::move(e), h.thread);
}

void Teller::other(Stepper& stepper, const Happened& h, const World& before, const World& after) {
    const Action& a = h.action;
    WitnessEvent e{.place = a.place, .value = h.value};
    switch (a.kind) {
    case ActionKind::Fence:
        e.event.kind = EventKind::Fence;
        e.event.order = a.order;
        e.event.fence = a.fence;
        break;
    case ActionKind::Spawn:
        e.event.kind = EventKind::Spawn;
        e.event.other = h.other;
        add(std::move(e), h.thread);
        add({.event = {.kind = EventKind::Begin}, .place = a.place}, h.other);
        return;
    case ActionKind::Join:
        e.event.kind = EventKind::Join;
        e.event.other = h.other;
        break;
    case ActionKind::Alloc:
    case ActionKind::Free:
        e.event.kind = a.kind == ActionKind::Alloc ? EventKind::Alloc : EventKind::Free;
        e.event.location = a.address;
        e.name = name_of(a.kind == ActionKind::Alloc ? objects_with(stepper, a.address, after, before)
                                                     : objects_with(stepper, a.address, before, after),
                         a.address);
        if (a.kind == ActionKind::Alloc) {
            made_[a.address] = a;
        }
        break;
    case ActionKind::Choose:
    case ActionKind::Nondet:
        e.event.kind = EventKind::Choose;
        e.event.chosen = h.value.lo;
        break;
    default:
        e.event.kind = EventKind::End;
    }
    add(std::move(e), h.thread);
}

std::size_t Teller::last(std::uint32_t thread, const RaceRecord* access) const {
    for (std::size_t k = events_.size(); k-- > 0;) {
        const WitnessEvent& e = events_[k];
        const bool is_it = !access || ((e.event.kind == EventKind::Write) == access->writes && e.place == access->place &&
                                       e.event.location == access->address && e.size == access->size &&
                                       (access->writes || e.event.kind == EventKind::Read));
        if (e.event.thread.index == thread && is_it) {
            return k;
        }
    }
    internal_error(__FILE__, __LINE__, "an access that was told of is not there");
}

Witness Teller::finish(std::vector<std::size_t>& about) {
    Witness w;
    std::map<Address, std::size_t> inits;
    for (const auto& [address, p] : places_) {
        inits[address] = w.events.size();
        w.events.push_back(p.init);
    }
    const std::size_t shift = w.events.size();
    std::ranges::for_each(about, [&](std::size_t& k) { k += shift; });
    std::map<Address, std::vector<std::size_t>> unwritten; // stores that have not reached memory
    for (std::size_t k = 0; k < events_.size(); ++k) {
        WitnessEvent& e = events_[k];
        if (e.event.kind == EventKind::Read) {
            e.event.source = e.event.source ? *e.event.source + shift : inits.at(e.event.location);
        }
        if (e.event.update_read) {
            *e.event.update_read += shift;
        }
        if (e.event.kind == EventKind::Write &&
            std::ranges::find(places_.at(e.event.location).writes, k) == places_.at(e.event.location).writes.end()) {
            unwritten[e.event.location].push_back(k);
        }
        w.events.push_back(std::move(e));
    }
    for (auto& [address, p] : places_) {
        p.writes.insert(p.writes.end(), unwritten[address].begin(), unwritten[address].end());
        if (!p.writes.empty()) {
            auto& co = w.coherence.emplace_back(1, inits.at(address));
            std::ranges::transform(p.writes, std::back_inserter(co), [&](std::size_t k) { return k + shift; });
        }
    }
    return w;
}

// --- the path ------------------------------------------------------------------------------------------------------------------------------

void replay(Session& session, const CheckOptions& options, Buffer buffer, Parts& parts, const StateSet& states,
            Sighting& sighting) {
    std::vector<StateSet::Id> path;
    for (StateSet::Id id = sighting.at; id != StateSet::kNone; id = states.parent(id)) {
        path.push_back(id);
    }
    std::ranges::reverse(path);
    const Log* log = nullptr;
    Recognition findings(log, parts.races_by_place);
    Stepper stepper(session, options, buffer, parts, findings);
    stepper.prepare({});
    log = &stepper.log();
    stepper.log().on = true;
    Teller teller;
    World at;
    const auto each_step = [&](std::size_t k, const Stepper::Emit& emit) {
        stepper.log().entries.clear();
        if (k == 0) {
            stepper.initial(emit);
        } else {
            stepper.successors(at, emit);
        }
    };
    const auto go = [&](std::size_t k, World next, const std::vector<Happened>& happened) {
        if (k == 0) {
            teller.begin(next);
            at = next;
        }
        for (const Happened& h : happened) {
            teller.tell(stepper, h, at, next);
        }
        at = std::move(next);
    };
    PackScratch scratch;
    StateHashes hashes(parts);
    for (std::size_t k = 0; k < path.size(); ++k) {
        bool found = false;
        World next;
        std::vector<Happened> happened;
        each_step(k, [&](World& world) {
            if (found) {
                return;
            }
            World canonical = world;
            stepper.canonicalise(canonical);
            const Packed packed = pack(parts, stepper.locals(), canonical, scratch);
            found = states.is_compacted() ? hashes.of(packed) == states.hash(path[k]) : packed == states.state(path[k]);
            if (found) {
                next = world;
                stepper.settle_races(next); // what was forgotten here was so in the search, whatever is known of the future later
                happened = stepper.log().entries;
            }
        });
        HEDDLE_CHECK(found, "a state that its parent does not lead to");
        go(k, std::move(next), happened);
    }
    Violation& violation = sighting.violation;
    if (sighting.in_step) {
        std::optional<World> next; // one in which all that the step made up to there is known
        findings.awaited = &sighting;
        each_step(path.size(), [&](World& world) {
            if (!findings.awaited && !next) {
                next = world;
            }
        });
        HEDDLE_CHECK(!findings.awaited, "what is wrong does not happen again");
        go(path.size(), next ? std::move(*next) : at, findings.happened);
        violation.trap = std::move(findings.trap);
        if (findings.earlier) {
            violation.about = {teller.last(violation.thread.index), teller.last(findings.earlier->thread, &*findings.earlier)};
        }
    }
    violation.witness = teller.finish(violation.about);
    name_conditions(violation);
}

} // namespace heddle::stateful
