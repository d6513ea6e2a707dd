// Data races by the search over states: the same as the DPOR search's, on random programs; and of programs that do not end.
#include "campaign.hpp"
#include "model/axioms.hpp"
#include "random_program.hpp"
#include "search/dpor/explorer.hpp"
#include "search/stateful/stateful_search.hpp"
#include "support/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>

namespace heddle {
namespace {

using testing_support::assemble;
using testing_support::Comparison;
using testing_support::Contest;
using testing_support::expect_agreement;
using testing_support::Operation;
using testing_support::Operations;
using testing_support::programs;
using testing_support::RandomProgram;
using testing_support::Shape;
using Kind = Operation::Kind;

constexpr std::array<const char*, 3> kModels{"sc", "tso", "pso"};

struct Races {
    std::set<std::string> pairs; ///< of places
    bool goes_on = false;        ///< something is wrong with which the DPOR search goes on, and the other does not
    bool wrong = false;          ///< something else than a race is
    std::string bad_witness;     ///< what is wrong with how a race was told
    std::uint64_t states = 0;
};

/// The race as the axioms' happens-before sees it in the witness: the second definition, in which clocks have no part. Empty: it is one.
std::string fault_of(const Violation& v) {
    if (v.about.size() != 2) {
        return "it does not say which accesses race";
    }
    Execution x;
    std::vector<std::uint8_t> sizes;
    for (const WitnessEvent& e : v.witness.events) {
        x.events.push_back(e.event);
        sizes.push_back(e.size);
    }
    for (const auto& order : v.witness.coherence) {
        x.coherence[x.events[order.front()].location] = order;
    }
    for (const Event& e : x.events) {
        if (e.kind == EventKind::Init && !x.coherence.contains(e.location)) {
            x.coherence[e.location] = {static_cast<std::size_t>(&e - x.events.data())};
        }
    }
    const std::size_t a = v.about[0], b = v.about[1];
    const Event &one = x.events[a], &other = x.events[b];
    const bool overlap = one.location < other.location + sizes[b] && other.location < one.location + sizes[a];
    if (!one.is_access() || !other.is_access() || one.thread == other.thread || (one.is_read() && other.is_read()) ||
        (one.order != Order::NonAtomic && other.order != Order::NonAtomic) || !overlap) {
        return "the accesses do not conflict";
    }
    const Relation hb = rc11_happens_before(x, Relations(x));
    return hb.contains(a, b) || hb.contains(b, a) ? "one of the accesses happens before the other" : "";
}

CheckOptions asking(const std::string& model) { return {.model = model, .races = true, .keep_going = true}; }

Races run(const Program& program, const CheckOptions& options, CheckResult (*search)(Session&, const CheckOptions&)) {
    Session session(program);
    Races found;
    CheckResult result;
    try {
        result = search(session, options);
    } catch (const InternalError& e) { // so that the program can be shrunk
        found.bad_witness = e.what();
        return found;
    }
    found.states = result.states;
    found.bad_witness = result.reason; // no search may give up
    for (const Violation& v : result.violations) {
        if (v.trap.kind != TrapKind::DataRace) {
            found.wrong = true;
            found.goes_on = found.goes_on || v.trap.kind == TrapKind::UseAfterFree || v.trap.kind == TrapKind::UseAfterReturn ||
                            v.trap.kind == TrapKind::DoubleFree || v.trap.message == kUninitializedLock;
            continue;
        }
        const std::string fault = fault_of(v);
        if (!fault.empty()) {
            found.bad_witness = fmt::format("{}: {}", v.trap.message, fault);
            continue;
        }
        std::array<std::string, 2> places;
        for (std::size_t k = 0; k < 2; ++k) {
            places[k] = to_string(session.program, v.witness.events[v.about[k]].place);
        }
        std::ranges::sort(places);
        found.pairs.insert(fmt::format("{} and {}", places[0], places[1]));
    }
    return found;
}

Races by_dpor(const RandomProgram& p, const std::string& model) {
    return run(assemble(p), asking(model), [](Session& s, const CheckOptions& o) { return explore(s, o); });
}

Races by_states(const RandomProgram& p, const CheckOptions& options) { return run(assemble(p), options, explore_states); }

std::string told(const char* who, const Races& r) {
    return fmt::format("{}: {}{}{}\n", who, fmt::join(r.pairs, ", "), r.wrong ? " and more" : "", r.bad_witness);
}

/// From an access to an object that has ended only the DPOR search goes on; so it may find more then. It does not build the iterations of a loop in the
/// code that fail, so it does not find races of their reads: then it may find less. (That they are races, `fault_of` says.)
Comparison compared(const RandomProgram& p, const Races& dpor, const Races& states) {
    const bool spins = any_operation(p, [](const Operation& o) { return o.kind == Kind::Spin; });
    const bool goes_on = dpor.goes_on || states.goes_on;
    const bool alike = (spins || std::ranges::includes(dpor.pairs, states.pairs)) &&
                       (goes_on || std::ranges::includes(states.pairs, dpor.pairs));
    return {.wrong = alike && states.bad_witness.empty() && dpor.bad_witness.empty()
                         ? ""
                         : told("wanted", dpor) + told("found", states),
            .executions = goes_on ? 0u : 1u};
}

/// The first location is accessed plainly, the others atomically: so programs do not race everywhere, and hand over what is in the first.
RandomProgram disciplined(RandomProgram p) {
    p.locations = std::max<std::uint8_t>(p.locations, 2);
    const std::function<void(Operations&)> change = [&](Operations& all) {
        for (Operation& o : all) {
            const bool plain = o.location == 0 && !o.through;
            switch (o.kind) {
            case Kind::Load:
                o.order = plain ? Order::NonAtomic : o.order == Order::NonAtomic ? Order::Acquire : o.order;
                o.by_address = false;
                break;
            case Kind::Store:
                o.order = plain ? Order::NonAtomic : o.order == Order::NonAtomic ? Order::Release : o.order;
                o.by_address = false;
                break;
            case Kind::Rmw:
            case Kind::CompareExchange:
            case Kind::WaitLoad:
            case Kind::WaitRmw:
            case Kind::Spin:
                o.location = std::max<std::uint8_t>(o.location, 1);
                o.by_address = false;
                o.order = o.order == Order::NonAtomic ? Order::Acquire : o.order;
                break;
            default:
                break;
            }
            change(o.body);
        }
    };
    for (auto& t : p.threads) {
        change(t.operations);
    }
    change(p.after_join);
    return p;
}

const std::array<Shape, 15> kShapes{{
    {.threads = 2, .operations = 3, .locations = 2},
    {.threads = 2, .operations = 5, .locations = 2, .control = true},
    {.threads = 2, .operations = 6, .locations = 2},
    {.threads = 3, .operations = 3, .locations = 2},
    {.threads = 3, .operations = 3, .locations = 2, .control = true},
    {.threads = 2, .operations = 4, .locations = 2, .waits = true},
    {.threads = 3, .operations = 3, .locations = 2, .waits = true, .control = true},
    testing_support::shapes::kJoiningAndWaiting,
    {.threads = 3, .operations = 2, .locations = 2, .waits = true, .joins = true, .nests = true},
    {.threads = 2, .operations = 3, .locations = 1, .parts = true},
    testing_support::shapes::kObjects,
    {.threads = 2, .operations = 5, .locations = 1, .control = true, .heap = true},
    testing_support::shapes::kObjectsOfThreeThreads,
    testing_support::shapes::kObjectsAndWaiting,
    testing_support::shapes::kObjectsAndSpawning,
}};

class StatefulRaces : public testing::TestWithParam<std::size_t> {
  protected:
    static void contest(std::uint64_t count, const std::function<Comparison(const RandomProgram&, const std::string&)>& compare) {
        std::vector<Contest> contests;
        for (const char* model : kModels) {
            contests.push_back({.name = model, .compare = [=](const RandomProgram& p) { return compare(p, model); }});
        }
        expect_agreement(kShapes.at(GetParam()), count, contests);
    }
};
INSTANTIATE_TEST_SUITE_P(Shapes, StatefulRaces, testing::Range<std::size_t>(0, kShapes.size()));

TEST_P(StatefulRaces, AreThoseOfDpor) {
    contest(programs(60), [](const RandomProgram& p, const std::string& model) {
        return compared(p, by_dpor(p, model), by_states(p, asking(model)));
    });
}

/// Loops in the code as what they mean, so that there are no iterations that fail.
RandomProgram waiting(RandomProgram p) {
    for (auto& t : p.threads) {
        for (Operation& o : t.operations) {
            o.kind = o.kind == Kind::Spin ? Kind::WaitLoad : o.kind;
        }
    }
    return p;
}

TEST_P(StatefulRaces, AreThoseOfDporWhereDataIsHandedOver) {
    contest(programs(60), [](const RandomProgram& p, const std::string& model) {
        const RandomProgram q = waiting(disciplined(p));
        return compared(q, by_dpor(q, model), by_states(q, asking(model)));
    });
}

/// Each option of the search, and stopping at the first violation.
TEST_P(StatefulRaces, DoNotDependOnHowTheyAreLookedFor) {
    contest(programs(20), [](const RandomProgram& p, const std::string& model) {
        Comparison all;
        const RandomProgram q = disciplined(p);
        const Races usual = by_states(q, asking(model));
        const auto expect_no_change = [&](const char* what, const std::function<void(CheckOptions&)>& change,
                                          bool same_states = false) {
            CheckOptions other = asking(model);
            change(other);
            const Races found = by_states(q, other);
            const bool alike =
                other.keep_going ? found.pairs == usual.pairs : usual.wrong || found.pairs.empty() == usual.pairs.empty();
            all.executions += 1;
            if (!alike || !found.bad_witness.empty() || (same_states && found.states != usual.states)) {
                all.wrong += told("usually", usual) + told(what, found);
            }
        };
        expect_no_change("first only", [](CheckOptions& o) { o.keep_going = false; });
        expect_no_change("flushes as steps", [](CheckOptions& o) { o.tuning.delayed_flushing = false; });
        expect_no_change("every action a step", [](CheckOptions& o) { o.tuning.collapse_local = false; });
        expect_no_change("no reduction", [](CheckOptions& o) { o.tuning.partial_order = false; });
        expect_no_change("no private objects", [](CheckOptions& o) { o.tuning.private_objects = false; });
        expect_no_change("hashes", [](CheckOptions& o) { o.hash_compaction = true; }, true);
        expect_no_change("nothing remembered", [](CheckOptions& o) { o.tuning.remember_moves = false; }, true);
        const auto two_workers = [](CheckOptions& o) {
            o.jobs = 2;
            o.tuning.share_from = 1;
        };
        expect_no_change("two workers", two_workers, true);
        return all;
    });
}

// --- by hand -------------------------------------------------------------------------------------------------------------------------------

Operation load(std::uint8_t location, Order order) { return {.kind = Kind::Load, .order = order, .location = location}; }
Operation store(std::uint8_t location, Order order) { return {.kind = Kind::Store, .order = order, .location = location}; }
Operation fence(Order order) { return {.kind = Kind::Fence, .order = order}; }

/// One thread writes g0 plainly and then does `sends`; the other does `receives` and, if it has read 1 last, reads g0 plainly.
RandomProgram handing_over(Operations sends, Operations receives) {
    sends.insert(sends.begin(), store(0, Order::NonAtomic));
    receives.push_back({.kind = Kind::If, .value = 1, .body = {load(0, Order::NonAtomic)}});
    return {.locations = 3, .threads = {{.operations = std::move(sends)}, {.operations = std::move(receives)}}};
}

void expect_races(const RandomProgram& p, bool races) {
    for (const char* model : kModels) {
        EXPECT_EQ(!by_states(p, asking(model)).pairs.empty(), races) << model << "\n" << to_text(p);
        EXPECT_EQ(by_states(p, asking(model)).pairs, by_dpor(p, model).pairs) << model << "\n" << to_text(p);
    }
}

TEST(StatefulRacesByHand, SynchronisationIsByOrdersNotByTheMachine) {
    expect_races(handing_over({store(1, Order::Release)}, {load(1, Order::Acquire)}), false);
    expect_races(handing_over({store(1, Order::Relaxed)}, {load(1, Order::Acquire)}), true);
    expect_races(handing_over({store(1, Order::Release)}, {load(1, Order::Relaxed)}), true);
}

TEST(StatefulRacesByHand, FencesMakeRelaxedAccessesSynchronise) {
    expect_races(
        handing_over({fence(Order::Release), store(1, Order::Relaxed)}, {load(1, Order::Relaxed), fence(Order::Acquire)}), false);
    expect_races(
        handing_over({store(1, Order::Relaxed), fence(Order::Release)}, {load(1, Order::Relaxed), fence(Order::Acquire)}), true);
    expect_races(
        handing_over({fence(Order::Release), store(1, Order::Relaxed)}, {fence(Order::Acquire), load(1, Order::Relaxed)}), true);
}

TEST(StatefulRacesByHand, AReleaseSequenceGoesThroughUpdates) {
    const Operation exchange{.kind = Kind::CompareExchange, .order = Order::Relaxed, .location = 1, .value = 2, .expected = 1};
    RandomProgram p = handing_over({store(1, Order::Release)}, {load(1, Order::Acquire)});
    p.threads[1].operations.back().value = 2;
    p.threads.push_back({.operations = {exchange}});
    expect_races(p, false);
    p.threads[2].operations = {load(1, Order::Relaxed), {.kind = Kind::If, .value = 1, .body = {store(1, Order::Relaxed)}}};
    p.threads[2].operations[1].body[0].value = 2;
    expect_races(p, true);
}

TEST(StatefulRacesByHand, ALaterStoreOfTheThreadEndsTheReleaseSequence) {
    // As of C++20. Whoever reads the first store, which is a release, learns of the data; who reads the second does not.
    RandomProgram p = handing_over({store(1, Order::Release), store(1, Order::Relaxed)}, {load(1, Order::Acquire)});
    expect_races(p, true); // both store 1
    p.threads[0].operations[2].value = 2;
    expect_races(p, false);
    p.threads[1].operations.back().value = 2;
    expect_races(p, true);
}

TEST(StatefulRacesByHand, WhatWasWrittenWhileAnObjectWasPrivateIsRemembered) {
    const auto handing = [](Order order) {
        return RandomProgram{.locations = 1,
                             .shelves = 1,
                             .threads = {{.operations = {{.kind = Kind::Alloc},
                                                         {.kind = Kind::Store, .order = Order::NonAtomic, .through = 0},
                                                         {.kind = Kind::Put, .order = order}}},
                                         {.operations = {{.kind = Kind::Take, .order = Order::Acquire},
                                                         {.kind = Kind::Load, .order = Order::NonAtomic, .through = 0}}}}};
    };
    expect_races(handing(Order::Release), false);
    expect_races(handing(Order::Relaxed), true);
}

TEST(StatefulRacesByHand, CostNothingWhereNobodyRaces) {
    // Locks in turns: whoever has the lock knows all, so there is nothing more to remember than who does not.
    const Operations section{{.kind = Kind::Lock}, load(0, Order::NonAtomic), store(0, Order::NonAtomic), {.kind = Kind::Unlock}};
    const RandomProgram p{.locations = 1, .threads = {{.operations = section}, {.operations = section}, {.operations = section}}};
    for (const char* model : kModels) {
        CheckOptions plain = asking(model);
        plain.races = false;
        const Races with = by_states(p, asking(model));
        EXPECT_TRUE(with.pairs.empty());
        EXPECT_LE(with.states, 4 * by_states(p, plain).states) << model;
    }
}

} // namespace
} // namespace heddle
