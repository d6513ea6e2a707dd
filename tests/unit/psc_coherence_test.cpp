// PscCoherence against the plain axioms over all coherences, on random graphs of seq_cst and other accesses.
#include "campaign.hpp"
#include "model/axioms.hpp"
#include "model/psc_coherence.hpp"
#include "model/saturated_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace heddle {
namespace {

using testing_support::programs;

struct GraphShape {
    std::size_t threads = 3;
    std::size_t accesses = 9; ///< at most
    std::size_t locations = 2;
    unsigned fences = 10;        ///< of a hundred events
    unsigned updates = 10;       ///< the same
    unsigned seq_cst = 60;       ///< of a hundred of them
    std::size_t most_writes = 4; ///< of a location: all their orders are tried
};

/// A graph that grows and shrinks at random, and those who follow it.
class RandomGraph {
  public:
    RandomGraph(std::uint64_t seed, const GraphShape& shape) : random_(seed), shape_(shape), given_(below(4) == 0) {
        for (std::size_t l = 0; l < shape.locations; ++l) {
            locations_.push_back(graph.location_of(0x1000 + 8 * l, 4));
        }
        for (std::uint32_t t = 0; t < shape.threads; ++t) {
            add({.kind = EventKind::Begin, .thread = ThreadId(t)});
        }
    }

    /// A fence, an access, or an update.
    void grow() {
        const ThreadId thread(static_cast<std::uint32_t>(below(shape_.threads)));
        if (chance(shape_.fences)) {
            add({.kind = EventKind::Fence,
                 .order = chance(80) ? Order::SeqCst : order({Order::Acquire, Order::Release, Order::AcqRel}),
                 .thread = thread});
            return;
        }
        const LocationId location = locations_[below(locations_.size())];
        const auto& co = graph.location(location).coherence;
        const bool may_write = co.size() <= shape_.most_writes;
        const bool update = may_write && chance(shape_.updates);
        EventId read = kNoEvent;
        if (update || !may_write || chance(50)) {
            read = add({.kind = EventKind::Read,
                        .order = order({Order::NonAtomic, Order::Relaxed, Order::Relaxed, Order::Acquire}),
                        .update = update,
                        .thread = thread,
                        .location = location,
                        .source = co[below(co.size())]});
        }
        if (update || read == kNoEvent) {
            add({.kind = EventKind::Write,
                 .order = update && graph[read].order == Order::SeqCst
                              ? Order::SeqCst
                              : order({Order::NonAtomic, Order::Relaxed, Order::Relaxed, Order::Release}),
                 .update = update,
                 .thread = thread,
                 .location = location,
                 .update_read = read,
                 .rank = static_cast<std::uint32_t>(1 + below(co.size()))});
        }
    }
    void shrink(std::size_t events) {
        for (; events > 0 && graph.size() > shape_.threads; --events) {
            graph.remove(graph.order().back());
        }
        if (graph[graph.order().back()].update && graph[graph.order().back()].is_read()) {
            graph.remove(graph.order().back());
        }
    }
    /// A part: what was added first, at random, without half of an update.
    std::size_t part() {
        std::size_t size = shape_.threads + below(graph.size() - shape_.threads + 1);
        while (size > shape_.threads && graph[graph.order()[size - 1]].update && graph[graph.order()[size - 1]].is_read()) {
            --size;
        }
        return size;
    }
    EventId add(GraphEvent e) {
        e.index = static_cast<std::uint32_t>(graph.thread(e.thread).size());
        const EventId id = graph.add(e);
        births.added(id, graph.slots());
        places.added(id, graph.slots());
        hb.added(id);
        return id;
    }
    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
    [[nodiscard]] bool is_given(LocationId l) const { return given_ && l == locations_.front(); }

    ExecutionGraph graph;
    HappensBefore hb{graph};
    Births births;
    Places places;

  private:
    bool chance(unsigned percent) { return below(100) < percent; }
    Order order(std::initializer_list<Order> others) {
        return chance(shape_.seq_cst) ? Order::SeqCst : others.begin()[below(others.size())];
    }
    std::mt19937_64 random_;
    GraphShape shape_;
    bool given_; ///< the coherence of the first location
    std::vector<LocationId> locations_;
};

/// The part made of the first `size` events, with the coherences of locations as the graph has them. `names`: of events.
Execution plain_part(const ExecutionGraph& graph, std::size_t size, std::vector<EventId>& names) {
    std::vector<bool> only(graph.slots());
    names.clear();
    for (std::uint32_t l = 0; l < graph.locations(); ++l) {
        only[graph.location(LocationId(l)).init.index] = true;
        names.push_back(graph.location(LocationId(l)).init);
    }
    for (const EventId e : events_in_order(graph)) {
        if (graph[e].stamp <= size) {
            only[e.index] = true;
            names.push_back(e);
        }
    }
    return to_execution(graph, &only);
}

/// Is the execution consistent with some order of the writes of those locations that are not given, `latest` the last of its own?
bool has_coherence(Execution x, const Axioms& axioms, const std::set<Address>& given, std::optional<std::size_t> latest) {
    std::vector<std::vector<std::size_t>*> open;
    for (auto& [location, writes] : x.coherence) {
        if (!given.contains(location)) {
            std::ranges::sort(writes.begin() + 1, writes.end());
            open.push_back(&writes);
        }
    }
    for (;;) {
        const bool is_last = !latest || x.coherence.at(x.events[*latest].location).back() == *latest;
        if (is_last && !axioms.broken(x)) {
            return true;
        }
        std::size_t k = 0;
        while (k < open.size() && !std::ranges::next_permutation(open[k]->begin() + 1, open[k]->end()).found) {
            ++k;
        }
        if (k == open.size()) {
            return false;
        }
    }
}

struct Answers {
    std::size_t yes = 0;
    std::size_t no = 0;
};

/// Asks about the whole, or about a part with a write of it as the latest.
void compare(RandomGraph& g, PscCoherence& search, bool whole, Answers& answers) {
    const Axioms& axioms = *find_axioms("rc11");
    const std::size_t size = whole ? g.graph.size() : g.part();
    std::vector<EventId> names;
    Execution x = plain_part(g.graph, size, names);
    ASSERT_EQ(x.events.size(), names.size());
    std::optional<std::size_t> latest;
    const std::size_t chosen = g.below(names.size());
    if (!whole && x.events[chosen].kind == EventKind::Write) {
        latest = chosen;
    }
    std::set<Address> given;
    for (std::uint32_t l = 0; l < g.graph.locations(); ++l) {
        if (g.is_given(LocationId(l))) {
            given.insert(g.graph.location(LocationId(l)).address);
        }
    }
    const bool expected = has_coherence(x, axioms, given, latest);
    ++(expected ? answers.yes : answers.no);
    const bool found = search.exists([&](EventId e) { return g.graph[e].stamp <= size; }, latest ? names[*latest] : kNoEvent);
    ASSERT_EQ(found, expected) << canonical(x);
    if (!found) {
        return;
    }
    if (whole) {
        search.remember();
    }
    search.for_each_location([&](LocationId l, std::span<const EventId> co) {
        auto& writes = x.coherence.at(g.graph.location(l).address);
        ASSERT_EQ(writes.size(), co.size());
        for (std::size_t k = 0; k < co.size(); ++k) {
            writes[k] = static_cast<std::size_t>(std::ranges::find(names, co[k]) - names.begin());
        }
    });
    EXPECT_EQ(axioms.broken(x).value_or("nothing"), "nothing") << canonical(x);
    EXPECT_TRUE(!latest || x.coherence.at(x.events[*latest].location).back() == *latest);
}

void expect_agreement(const GraphShape& shape, std::uint64_t graphs) {
    Answers answers;
    for (std::uint64_t seed = 0; seed < graphs; ++seed) {
        RandomGraph g(seed, shape);
        PscCoherence search(g.graph, g.hb, g.births, g.places, [&](LocationId l) { return g.is_given(l); });
        for (int round = 0; round < 3; ++round) {
            while (g.graph.size() < shape.threads + shape.accesses) {
                g.grow();
                if (g.graph.size() + 4 > shape.threads + shape.accesses) {
                    compare(g, search, true, answers);
                    compare(g, search, false, answers);
                }
                if (testing::Test::HasFatalFailure()) {
                    FAIL() << "seed " << seed;
                }
            }
            g.shrink(1 + g.below(shape.accesses));
        }
    }
    EXPECT_GT(answers.yes, (answers.yes + answers.no) / 20); // else this says little
    EXPECT_GT(answers.no, (answers.yes + answers.no) / 20);
}

TEST(PscCoherence, Accesses) { expect_agreement({.accesses = 8, .fences = 0, .updates = 0}, programs(400)); }
TEST(PscCoherence, RelaxedBeside) { expect_agreement({.accesses = 10, .fences = 0, .seq_cst = 40}, programs(400)); }
TEST(PscCoherence, Updates) { expect_agreement({.accesses = 8, .fences = 0, .updates = 40}, programs(400)); }
TEST(PscCoherence, Fences) { expect_agreement({.accesses = 9, .fences = 30, .updates = 5, .seq_cst = 40}, programs(400)); }
TEST(PscCoherence, FencesAndRelaxed) {
    expect_agreement({.threads = 4, .accesses = 10, .fences = 30, .seq_cst = 25}, programs(400));
}
TEST(PscCoherence, FencesAndOneWriteOfEach) {
    expect_agreement({.threads = 4, .accesses = 9, .fences = 25, .updates = 0, .seq_cst = 0, .most_writes = 1}, programs(2'000));
}
TEST(PscCoherence, OneLocation) { expect_agreement({.accesses = 8, .locations = 1, .fences = 20}, programs(300)); }
TEST(PscCoherence, ThreeLocations) {
    expect_agreement({.threads = 4, .accesses = 11, .locations = 3, .fences = 15, .seq_cst = 60, .most_writes = 3},
                     programs(200));
}

/// Independent reads of independent writes, relaxed, with fences between the reads: fr ; rf between two fences, each way.
TEST(PscCoherence, WhatIsReadBeforeAFence) {
    for (const bool stale : {false, true}) {
        RandomGraph g(0, {.threads = 4, .locations = 2});
        PscCoherence search(g.graph, g.hb, g.births, g.places, [](LocationId) { return false; });
        const auto add = [&](std::uint32_t thread, GraphEvent e) {
            e.thread = ThreadId(thread);
            return g.add(e);
        };
        const LocationId x(0);
        const LocationId y(1);
        const auto write = [&](std::uint32_t thread, LocationId l) {
            return add(thread, {.kind = EventKind::Write, .order = Order::Relaxed, .location = l, .rank = 1});
        };
        const auto read = [&](std::uint32_t thread, LocationId l, EventId source) {
            add(thread, {.kind = EventKind::Read, .order = Order::Relaxed, .location = l, .source = source});
        };
        const EventId of_x = write(0, x);
        const EventId of_y = write(1, y);
        read(2, x, of_x);
        add(2, {.kind = EventKind::Fence, .order = Order::SeqCst});
        read(2, y, g.graph.location(y).init);
        read(3, y, of_y);
        add(3, {.kind = EventKind::Fence, .order = Order::SeqCst});
        read(3, x, stale ? g.graph.location(x).init : of_x);
        EXPECT_EQ(search.exists([](EventId) { return true; }), !stale);
    }
}

} // namespace
} // namespace heddle
