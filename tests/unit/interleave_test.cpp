// The interleaving of a witness: it keeps what it must, and no read is stale that need not be.
#include "report/interleave.hpp"
#include "witness_builder.hpp"

#include "graph/execution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using namespace heddle;
using heddle::testing_support::WitnessBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::size_t number_of_stale_reads(const Witness& w) { return stale_reads(w, interleave(w)).size(); }

/// Every event but the Inits once; program order, reads-from, spawns and joins kept; updates in one piece.
void expect_lawful(const Witness& w, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> position(w.events.size(), 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        ASSERT_EQ(position[order[k]], 0U) << "twice: " << order[k];
        ASSERT_NE(w.events[order[k]].event.kind, EventKind::Init);
        position[order[k]] = k + 1;
    }
    Execution x;
    for (std::size_t e = 0; e < w.events.size(); ++e) {
        x.events.push_back(w.events[e].event);
        ASSERT_EQ(position[e] == 0, w.events[e].event.kind == EventKind::Init) << e;
    }
    const Relations relations(x);
    (relations.po | relations.rf | relations.threads).for_each([&](std::size_t a, std::size_t b) {
        EXPECT_LT(position[a], position[b]) << a << " before " << b;
    });
    relations.rmw.for_each([&](std::size_t r, std::size_t write) { EXPECT_EQ(position[r] + 1, position[write]); });
}

TEST(Interleave, ReordersUntilNoReadIsStale) {
    // The witness has the write before the read of what it overwrites; sequentially consistent the other way round.
    WitnessBuilder b("x");
    const std::size_t w = b.write(1, 'x', 1);
    const std::size_t r = b.read_initial(2, 'x');
    EXPECT_THAT(interleave(b.build()), ElementsAre(r, w));
    EXPECT_EQ(number_of_stale_reads(b.build()), 0U);
}

TEST(Interleave, LoadBufferingHasOneEarlyReadAndNoStaleOne) {
    WitnessBuilder b("xy");
    const std::size_t from_second = b.read_initial(1, 'x');
    const std::size_t y = b.write(1, 'y', 1);
    const std::size_t from_first = b.read(2, 'y', y);
    const std::size_t x = b.write(2, 'x', 1);
    b[from_second].event.source = x;
    const Witness w = b.build();
    const std::vector<std::size_t> order = interleave(w);
    EXPECT_THAT(order, ElementsAre(from_second, y, from_first, x));
    EXPECT_THAT(early_reads(w, order), ElementsAre(from_second));
    EXPECT_THAT(stale_reads(w, order), IsEmpty());
}

TEST(Interleave, NothingIsEarlyUnlessItMustBe) {
    // Told the wrong way round, and acyclic.
    WitnessBuilder b("x");
    const std::size_t r = b.read_initial(1, 'x');
    const std::size_t w = b.write(2, 'x', 1);
    b[r].event.source = w;
    EXPECT_THAT(interleave(b.build()), ElementsAre(w, r));
    EXPECT_THAT(early_reads(b.build(), interleave(b.build())), IsEmpty());
}

TEST(Interleave, StoreBufferingHasOneStaleRead) {
    WitnessBuilder b("xy");
    b.write(1, 'x', 1);
    b.read_initial(1, 'y');
    const std::size_t y = b.write(2, 'y', 1);
    b.read_initial(2, 'x');
    const Witness w = b.build();
    const std::vector<std::size_t> order = interleave(w);
    expect_lawful(w, order);
    const auto stale = stale_reads(w, order);
    ASSERT_THAT(stale, SizeIs(1));
    EXPECT_EQ(w.events[stale.begin()->first].event.thread, ThreadId(2));
    EXPECT_EQ(w.events[stale.begin()->second].event.thread, ThreadId(1));
    EXPECT_NE(stale.begin()->second, y);
}

TEST(Interleave, WritesAreHeldBackForReaders) {
    // Store buffering makes one stale read unavoidable; the reads of z, which the witness has behind its write, need not be.
    WitnessBuilder b("xyz");
    b.write(3, 'z', 1);
    b.write(1, 'x', 1);
    b.read_initial(1, 'y');
    b.write(2, 'y', 1);
    b.read_initial(2, 'x');
    b.read_initial(4, 'z');
    b.read_initial(4, 'z');
    expect_lawful(b.build(), interleave(b.build()));
    EXPECT_EQ(number_of_stale_reads(b.build()), 1U);
}

TEST(Interleave, StaleMessagePassing) {
    // The flag is seen, the data is not: one stale read in any order.
    WitnessBuilder b("df");
    const std::size_t d = b.write(1, 'd', 1);
    const std::size_t f = b.write(1, 'f', 1);
    b.read(2, 'f', f);
    const std::size_t r = b.read_initial(2, 'd');
    const Witness w = b.build();
    EXPECT_THAT(stale_reads(w, interleave(w)), ElementsAre(std::pair(r, d)));
}

TEST(Interleave, FollowsCoherenceNotTheWitness) {
    WitnessBuilder b("x");
    const std::size_t one = b.write(1, 'x', 1);
    const std::size_t two = b.write(2, 'x', 2);
    const std::size_t r = b.read(1, 'x', one);
    b.coherence('x') = {b.init('x'), two, one};
    EXPECT_THAT(interleave(b.build()), ElementsAre(two, one, r));
}

TEST(Interleave, UpdatesStayInOnePiece) {
    WitnessBuilder b("x");
    const std::size_t first = b.update(1, 'x', b.init('x'), 1);
    b.update(2, 'x', first + 1, 2);
    b.read_initial(3, 'x'); // must come before the first update, which reads the same
    const Witness w = b.build();
    expect_lawful(w, interleave(w));
    EXPECT_EQ(number_of_stale_reads(w), 0U);
}

TEST(Interleave, ThreadsBeginAndEndInOrder) {
    WitnessBuilder b("x");
    b.other(0, EventKind::Begin);
    b.other(0, EventKind::Spawn, 1);
    b.other(1, EventKind::Begin);
    const std::size_t w = b.write(1, 'x', 1);
    b.other(1, EventKind::End);
    b.other(0, EventKind::Join, 1);
    b.read(0, 'x', w);
    expect_lawful(b.build(), interleave(b.build()));
}

TEST(Interleave, ObjectsAreFreedAfterTheirUse) {
    // Nothing but the witness's own order keeps thread 1's access before the free.
    WitnessBuilder b("xy");
    const std::size_t first = b.write(0, 'y', 1);
    const std::size_t use = b.write(1, 'x', 1);
    const std::size_t freed = b.object(0, EventKind::Free, WitnessBuilder::address('x'), "x");
    EXPECT_THAT(interleave(b.build()), ElementsAre(first, use, freed));
    // It gives way to a reader of what thread 1 overwrites.
    b.read_initial(0, 'x');
    EXPECT_EQ(number_of_stale_reads(b.build()), 0U);
}

TEST(Interleave, OfNothingIsNothing) { EXPECT_THAT(interleave(Witness{}), IsEmpty()); }

/// Random programs run under sequential consistency, then told in a scrambled order that still extends program order and reads-from.
class RandomWitness {
  public:
    explicit RandomWitness(unsigned seed) : random_(seed) {}

    Witness make() {
        const std::string names = "xyz";
        WitnessBuilder b(names);
        std::map<char, std::size_t> latest;
        for (const char name : names) {
            latest[name] = b.init(name);
        }
        for (int step = 0; step < 24; ++step) {
            const unsigned thread = pick(3);
            const char name = names[pick(3)];
            switch (pick(3)) {
            case 0:
                latest[name] = b.write(thread, name, 1 + pick(9));
                break;
            case 1:
                b.read(thread, name, latest[name]);
                break;
            default:
                latest[name] = b.update(thread, name, latest[name], 1 + pick(9)) + 1;
            }
        }
        return scrambled(b.build());
    }

  private:
    unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

    /// Another order of the same events: at each step some event whose predecessors are there.
    Witness scrambled(const Witness& from) {
        std::vector<std::size_t> place(from.events.size());
        std::vector<bool> done(from.events.size());
        Witness to;
        const auto ready = [&](std::size_t e) {
            const Event& event = from.events[e].event;
            for (std::size_t p = 0; p < e; ++p) {
                if (!done[p] && from.events[p].event.kind != EventKind::Init && from.events[p].event.thread == event.thread) {
                    return false;
                }
            }
            return !event.source || done[*event.source];
        };
        while (to.events.size() < from.events.size()) {
            const bool inits = to.events.size() < 3;
            const std::size_t e = inits ? to.events.size() : pick(static_cast<unsigned>(from.events.size()));
            if (done[e] || (!inits && !ready(e))) {
                continue;
            }
            done[e] = true;
            place[e] = to.events.size();
            to.events.push_back(from.events[e]);
            Event& event = to.events.back().event;
            event.source = event.source ? std::optional(place[*event.source]) : std::nullopt;
            event.update_read = event.update_read ? std::optional(place[*event.update_read]) : std::nullopt;
        }
        for (std::vector<std::size_t> writes : from.coherence) {
            std::ranges::transform(writes, writes.begin(), [&](std::size_t e) { return place[e]; });
            to.coherence.push_back(std::move(writes));
        }
        return to;
    }

    std::mt19937 random_;
};

TEST(Interleave, SequentiallyConsistentWitnessesHaveNoStaleRead) {
    std::size_t scrambled = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        const Witness w = RandomWitness(seed).make();
        const std::vector<std::size_t> order = interleave(w);
        expect_lawful(w, order);
        ASSERT_THAT(stale_reads(w, order), IsEmpty()) << "seed " << seed;
        std::vector<std::size_t> as_given(w.events.size() - 3);
        std::ranges::generate(as_given, [k = std::size_t{3}]() mutable { return k++; });
        scrambled += stale_reads(w, as_given).empty() ? 0 : 1;
    }
    EXPECT_GT(scrambled, 200U) << "the witnesses were no challenge";
}

TEST(Interleave, AnyReadsFromGivesALawfulOrder) {
    // Without the promise of coherence: the writes of each location in a random order.
    std::mt19937 random(7);
    for (unsigned seed = 0; seed < 100; ++seed) {
        Witness w = RandomWitness(seed).make();
        for (std::vector<std::size_t>& writes : w.coherence) {
            std::shuffle(writes.begin() + 1, writes.end(), random);
        }
        expect_lawful(w, interleave(w));
    }
}

} // namespace
