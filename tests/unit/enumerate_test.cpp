// Enumerating executions against the reference search on random programs, and on small programs by hand.
#include "assembler.hpp"
#include "campaign.hpp"
#include "model/axioms.hpp"
#include "search/enumerate/enumerate.hpp"
#include "search/reference/reference_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using testing_support::assemble;
using testing_support::Assembler;
using testing_support::Comparison;
using testing_support::Contest;
using testing_support::global_address;
using testing_support::make_program;
using testing_support::programs;
using testing_support::RandomProgram;
using testing_support::Shape;

Comparison compare(const RandomProgram& program, const Axioms& axioms) {
    constexpr std::size_t kTooLarge = 50'000; // partial executions of the reference
    Session session(assemble(program, false, true));
    const ReferenceResult expected = reference_search(session, axioms, kTooLarge);
    if (expected.unsupported) {
        return testing_support::no_oracle(*expected.unsupported);
    }
    std::vector<std::string> found;
    const auto judge = judge_by(axioms);
    // Additions in a row make values, and paths, grow beyond what any enumeration can do.
    const EnumerateOptions options{.paths = {.max_paths = 3000, .gives_up = [asked = 0]() mutable { return ++asked > 5; }},
                                   .observed = {}};
    const auto keep = [&](const EnumeratedExecution& e) {
        if (!e.trap) {
            found.push_back(canonical(e.execution));
        }
    };
    const EnumerateResult result = enumerate(session.program, session.names, *judge, options, keep);
    if (result.unsupported) {
        return testing_support::no_oracle(*result.unsupported);
    }
    return {.wrong = testing_support::difference("complete", expected.complete, found), .executions = found.size()};
}

void expect_agreement(const Shape& shape, std::uint64_t count) {
    std::vector<Contest> contests;
    for (const Axioms& axioms : program_order_axioms()) {
        contests.push_back(
            {.name = std::string(axioms.name), .compare = [&axioms](const RandomProgram& p) { return compare(p, axioms); }});
    }
    testing_support::expect_agreement(shape, count, contests, 5);
}

TEST(Enumerate, TwoThreads) { expect_agreement({.threads = 2, .operations = 3, .locations = 3}, programs(150)); }
TEST(Enumerate, TwoLongThreads) { expect_agreement({.threads = 2, .operations = 4, .locations = 3}, programs(40)); }
TEST(Enumerate, ThreeThreads) { expect_agreement({.threads = 3, .operations = 2, .control = true}, programs(100)); }
TEST(Enumerate, OneLocation) { expect_agreement({.threads = 3, .operations = 2, .locations = 1, .control = true}, programs(30)); }
TEST(Enumerate, Waiting) { expect_agreement({.threads = 2, .operations = 3, .waits = true, .control = true}, programs(100)); }
TEST(Enumerate, Joining) {
    expect_agreement({.threads = 2, .operations = 2, .waits = true, .control = true, .joins = true}, programs(100));
}
TEST(Enumerate, Spawning) {
    expect_agreement({.threads = 3, .operations = 2, .control = true, .joins = true, .nests = true}, programs(100));
}

// --- by hand ---------------------------------------------------------------------------------------------------------------------------------

/// Accepts what is coherent, or everything.
class AnyJudge : public ExecutionJudge {
  public:
    explicit AnyJudge(bool coherent = true) : coherent_(coherent) {}
    bool begin(const Execution& x) override {
        ++begun;
        last = &x;
        return true;
    }
    bool choose_sources() override { return true; }
    bool choose_coherence() override { return true; }
    [[nodiscard]] bool implies_coherence() const override { return coherent_; }
    int begun = 0;
    const Execution* last = nullptr;

  private:
    bool coherent_;
};

struct Litmus {
    std::set<std::vector<std::uint64_t>> states; ///< of g0, g1, ...
    EnumerateResult result;
    Execution last;
};

/// Threads side by side over globals "g0", ...; from `first_register` on they are final registers.
Litmus run(std::vector<Function> threads, unsigned globals, unsigned first_register, ExecutionJudge& judge) {
    EnumerateOptions options;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        options.paths.threads.push_back(FunctionId(t));
    }
    options.paths.first_register = global_address(first_register);
    for (unsigned g = 0; g < globals; ++g) {
        options.observed.push_back({.address = global_address(g), .size = 8});
    }
    const Program program = make_program(std::move(threads), globals);
    ThreadNames names;
    Litmus found;
    found.result = enumerate(program, names, judge, options, [&](const EnumeratedExecution& e) {
        found.states.emplace(e.observed.begin(), e.observed.end());
        found.last = e.execution;
    });
    return found;
}

/// r = load g[from]; store g[to] = r + plus; g[keep] = r.
Function copier(unsigned from, unsigned to, std::uint64_t plus, unsigned keep) {
    Assembler f("copier");
    const Slot r = f.load(f.constant(global_address(from)), 8, Order::Relaxed);
    const Slot sum = f.slot();
    f.emit(Op::Add, sum, r, f.constant(plus), ~std::uint64_t{0});
    f.store(f.constant(global_address(to)), sum, 8, Order::Relaxed);
    f.store(f.constant(global_address(keep)), r, 8);
    f.emit(Op::Ret);
    return f.finish();
}

/// r = load g[from]; store g[to] = value; g[keep] = r.
Function load_then_store(unsigned from, unsigned to, std::uint64_t value, unsigned keep) {
    Assembler f("load_then_store");
    const Slot r = f.load(f.constant(global_address(from)), 8, Order::Relaxed);
    f.store(f.constant(global_address(to)), f.constant(value), 8, Order::Relaxed);
    f.store(f.constant(global_address(keep)), r, 8);
    f.emit(Op::Ret);
    return f.finish();
}

TEST(Enumerate, LoadBuffering) {
    AnyJudge judge;
    const Litmus found = run({load_then_store(0, 1, 1, 2), load_then_store(1, 0, 1, 3)}, 4, 2, judge);
    EXPECT_FALSE(found.result.unsupported);
    EXPECT_EQ(found.result.executions, 4u);
    EXPECT_THAT(found.states, UnorderedElementsAre(ElementsAre(1, 1, 0, 0), ElementsAre(1, 1, 0, 1), ElementsAre(1, 1, 1, 0),
                                                   ElementsAre(1, 1, 1, 1)));
    EXPECT_EQ(judge.begun, 1) << "paths that differ in values only are one shape";
}

TEST(Enumerate, ValuesThatGrowForEver) {
    AnyJudge judge;
    const Litmus found = run({copier(0, 1, 1, 2), copier(1, 0, 1, 3)}, 4, 2, judge);
    EXPECT_FALSE(found.result.unsupported);
    // No value can cause itself, so one of them reads 0.
    EXPECT_THAT(found.states, UnorderedElementsAre(ElementsAre(1, 1, 0, 0), ElementsAre(2, 1, 0, 1), ElementsAre(1, 2, 1, 0)));
    ASSERT_EQ(found.last.data.size(), 2u);
    for (const auto& [from, to] : found.last.data) {
        EXPECT_TRUE(found.last.events[from].is_read());
        EXPECT_EQ(found.last.events[to].kind, EventKind::Write);
    }
}

TEST(Enumerate, WithoutCoherenceEverythingIsOffered) {
    // One thread writes 1 and then reads: only coherence makes it read 1.
    Assembler f("f");
    const Slot x = f.constant(global_address(0));
    f.store(x, f.constant(1), 8, Order::Relaxed);
    const Slot r = f.load(x, 8, Order::Relaxed);
    f.store(f.constant(global_address(1)), r, 8);
    f.emit(Op::Ret);
    AnyJudge coherent;
    EXPECT_THAT(run({f.finish()}, 2, 1, coherent).states, UnorderedElementsAre(ElementsAre(1, 1)));
    AnyJudge incoherent(false);
    EXPECT_THAT(run({f.finish()}, 2, 1, incoherent).states, UnorderedElementsAre(ElementsAre(1, 0), ElementsAre(1, 1)));
}

TEST(Enumerate, ConditionalStoresBelongToTheirLoads) {
    Assembler f("f");
    const Slot x = f.constant(global_address(0));
    const Slot r = f.load(x, 8, Order::Relaxed);
    f.at(f.here() - 1).imm |= std::uint64_t{kExclusive} << 16;
    f.store(x, f.constant(1), 8, Order::Relaxed);
    f.at(f.here() - 1).imm |= std::uint64_t{kExclusive} << 16;
    f.store(f.constant(global_address(1)), r, 8);
    f.emit(Op::Ret);
    AnyJudge judge;
    const Litmus found = run({f.finish()}, 2, 1, judge);
    ASSERT_EQ(found.result.executions, 1u);
    ASSERT_EQ(found.last.events.size(), 3u);
    EXPECT_EQ(found.last.events[2].update_read, 1u);
}

/// Hands the numbers 1 to n back and forth: writes k to g[to] and waits for it in g[from], or the other way round.
Function player(unsigned from, unsigned to, std::uint64_t n, bool first) {
    Assembler f("player");
    const auto wait = [&](std::uint64_t k) {
        f.builtin(Builtin::WaitLoad,
                  {f.constant(global_address(from)), f.constant(8), f.constant(static_cast<std::uint64_t>(Order::Relaxed)),
                   f.constant(static_cast<std::uint64_t>(Wait::Equal)), f.constant(k)});
    };
    for (std::uint64_t k = 1; k <= n; ++k) {
        if (!first) {
            wait(k);
        }
        f.store(f.constant(global_address(to)), f.constant(k), 8, Order::Relaxed);
        if (first) {
            wait(k);
        }
    }
    f.emit(Op::Ret);
    return f.finish();
}

TEST(Enumerate, PathsThatWaitAreFollowedToTheirEnd) {
    AnyJudge judge; // no path of the first rounds comes to an end
    const Litmus found = run({player(1, 0, 4, true), player(0, 1, 4, false)}, 2, 2, judge);
    EXPECT_FALSE(found.result.unsupported);
    EXPECT_THAT(found.states, UnorderedElementsAre(ElementsAre(4, 4)));
}

TEST(Enumerate, ACutPathIsRememberedAndNotCounted) {
    Assembler f("f");
    const Slot r = f.load(f.constant(global_address(0)), 8, Order::Relaxed);
    f.builtin(Builtin::Assume, {r});
    f.emit(Op::Ret);
    Assembler g("g");
    g.store(g.constant(global_address(0)), g.constant(1), 8, Order::Relaxed);
    g.emit(Op::Ret);
    AnyJudge judge;
    const Litmus found = run({f.finish(), g.finish()}, 1, 1, judge);
    EXPECT_TRUE(found.result.cut);
    EXPECT_EQ(found.result.executions, 1u);
}

} // namespace
} // namespace heddle
