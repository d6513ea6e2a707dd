// Random programs themselves: the generator, the text, the shrinker.
#include "random_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace heddle::testing_support {
namespace {

using Kind = Operation::Kind;

constexpr Shape kEverything{.threads = 4,
                            .operations = 4,
                            .locations = 3,
                            .waits = true,
                            .control = true,
                            .joins = true,
                            .nests = true,
                            .heap = true,
                            .retries = true};

std::size_t operations_in(const RandomProgram& p) {
    std::size_t n = 0;
    any_operation(p, [&](const Operation&) {
        ++n;
        return false;
    });
    return n;
}

TEST(RandomProgram, IsWhatTheSeedSays) {
    EXPECT_EQ(random_program(7, kEverything), random_program(7, kEverything));
    EXPECT_NE(random_program(7, kEverything), random_program(8, kEverything));
}

TEST(RandomProgram, HasEveryKindOfOperation) {
    std::set<Kind> kinds;
    std::set<Order> orders;
    std::set<Wait> waits;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        any_operation(random_program(seed, kEverything), [&](const Operation& o) {
            kinds.insert(o.kind);
            orders.insert(o.order);
            waits.insert(o.wait);
            return false;
        });
    }
    EXPECT_EQ(kinds.size(), static_cast<std::size_t>(Kind::Same)); // all but sections, which stateful_test.cpp puts in
    EXPECT_EQ(orders.size(), static_cast<std::size_t>(Order::SeqCst) + 1);
    EXPECT_GE(waits.size(), 6u);
}

TEST(RandomProgram, PrintsAndAssembles) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const RandomProgram p = random_program(seed, kEverything);
        EXPECT_EQ(assemble(p).functions.size(), 2 + p.threads.size());
        EXPECT_GE(std::ranges::count(to_text(p), '\n'), static_cast<std::ptrdiff_t>(operations_in(p) + p.threads.size()));
    }
    const RandomProgram p{.locations = 2,
                          .threads = {{.operations = {{.kind = Kind::Load, .order = Order::Acquire, .location = 1},
                                                      {.kind = Kind::If, .value = 1, .body = {{.kind = Kind::Store}}}}},
                                      {.operations = {{.kind = Kind::Fence, .order = Order::SeqCst}}, .spawned_after = 1}},
                          .joins = true,
                          .after_join = {{.kind = Kind::CompareExchange, .order = Order::SeqCst, .stores_last = true}}};
    EXPECT_EQ(to_text(p), "thread 0\n  last = load g1 acquire\n  if last == 1\n    store g0 1 relaxed\n"
                          "thread 1, spawned by thread 0 after 1 operations\n  fence seq_cst\n"
                          "main, after joining those it spawned\n  last = cas g0 0 -> last seq_cst\n");
    const RandomProgram q{.shelves = 1,
                          .threads = {{.operations = {{.kind = Kind::Alloc, .pointer = 1, .zeroed = false},
                                                      {.kind = Kind::Store, .through = 1},
                                                      {.kind = Kind::Put, .order = Order::Release, .pointer = 1},
                                                      {.kind = Kind::Take, .pointer = 0, .through = 1, .guarded = false},
                                                      {.kind = Kind::Offer, .order = Order::SeqCst, .pointer = 1},
                                                      {.kind = Kind::Free}}}}};
    EXPECT_EQ(to_text(q), "thread 0\n  p1 = alloc, undefined\n  store p1->data 1 relaxed\n  store shelf0 p1 release\n"
                          "  p0 = load p1->link even if null relaxed\n  last = cas shelf0 p0 -> p1 seq_cst\n  free p0\n");
}

TEST(RandomProgram, ShrinksToWhatMatters) {
    const auto is_seq_cst_store = [](const Operation& o) { return o.kind == Kind::Store && o.order == Order::SeqCst; };
    const auto is_spin = [](const Operation& o) { return o.kind == Kind::Spin; };
    // Two things that have to be there, wherever they are: in a branch, in a thread, in main.
    const auto fails = [&](const RandomProgram& p) { return any_operation(p, is_seq_cst_store) && any_operation(p, is_spin); };
    unsigned tried = 0;
    for (std::uint64_t seed = 0; seed < 900; ++seed) {
        const RandomProgram p = random_program(seed, kEverything);
        if (!fails(p)) {
            continue;
        }
        ++tried;
        const RandomProgram least = shrink(p, fails);
        EXPECT_TRUE(fails(least));
        EXPECT_EQ(operations_in(least), 2u) << to_text(least);
        EXPECT_LE(least.threads.size(), 2u) << to_text(least);
        EXPECT_FALSE(any_operation(least, [](const Operation& o) {
            return o.by_address || o.stores_last || o.location != 0 || (o.kind == Kind::Spin && o.order != Order::Relaxed);
        })) << to_text(least);
        EXPECT_EQ(shrink(least, fails), least);
    }
    EXPECT_GT(tried, 20u);
}

TEST(RandomProgram, ShrinksNothingThatMatters) {
    const RandomProgram p = random_program(3, kEverything);
    EXPECT_EQ(shrink(p, [&](const RandomProgram& q) { return q == p; }), p);
    // When anything fails, nothing but one empty thread is left.
    EXPECT_EQ(shrink(p, [](const RandomProgram&) { return true; }),
              (RandomProgram{.locations = 3, .threads = {{.operations = {}}}}));
}

} // namespace
} // namespace heddle::testing_support
