// What must hold between the executions of related programs and of related models: on random programs too large for the reference search.
#include "campaign.hpp"
#include "model/axioms.hpp"
#include "model/registry.hpp"
#include "search/dpor/explorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace heddle {
namespace {

using testing_support::assemble;
using testing_support::Operation;
using testing_support::Operations;
using testing_support::programs;
using testing_support::random_program;
using testing_support::RandomProgram;
using testing_support::Shape;
using testing_support::shrink;
using Kind = Operation::Kind;

constexpr std::uint64_t kTooMany = 5'000; ///< executions

struct Found {
    std::set<std::string> complete;
    std::uint64_t executions = 0; ///< complete ones, counted
    std::uint64_t blocked = 0;
};

/// Nothing when there are too many.
std::optional<Found> find(const RandomProgram& program, std::string_view model) {
    Session session(assemble(program));
    Found found;
    const CheckResult result =
        explore(session, {.model = std::string(model), .races = false, .keep_going = true, .max_executions = kTooMany},
                [&](const std::string& text, bool blocked) {
                    if (!blocked) {
                        found.complete.insert(text);
                    }
                });
    found.executions = result.complete;
    found.blocked = result.blocked;
    return result.verdict == Verdict::OutOfBudget ? std::nullopt : std::optional(std::move(found));
}

/// Tells of the program, made as small as it gets, when `wrong` says that something is.
void expect_right(std::uint64_t seed, const RandomProgram& program, const std::function<bool(const RandomProgram&)>& wrong,
                  std::string_view what) {
    if (wrong(program)) {
        ADD_FAILURE() << "seed " << seed << ", " << what << "\n" << to_text(shrink(program, wrong));
    }
}

// --- the order of threads ------------------------------------------------------------------------------------------------------------------

/// Is the number of executions another when the threads are spawned in another order?
bool order_of_threads_matters(const RandomProgram& program, std::string_view model) {
    const auto first = find(program, model);
    RandomProgram other = program;
    std::ranges::reverse(other.threads);
    const auto reversed = find(other, model);
    std::ranges::rotate(other.threads, other.threads.begin() + 1);
    const auto rotated = find(other, model);
    const auto differ = [](const auto& a, const auto& b) {
        return a && b && (a->executions != b->executions || a->blocked != b->blocked);
    };
    return differ(first, reversed) || differ(first, rotated) || first.has_value() != reversed.has_value();
}

void expect_no_order_of_threads(const Shape& shape, std::uint64_t count) {
    for (std::uint64_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
        for (const Axioms& a : program_order_axioms()) {
            expect_right(
                seed, random_program(seed, shape), [&](const RandomProgram& p) { return order_of_threads_matters(p, a.name); },
                a.name);
        }
    }
}

TEST(SearchProperties, TheOrderOfThreadsDoesNotMatter) {
    expect_no_order_of_threads({.threads = 3, .operations = 3, .locations = 2, .control = true}, programs(200));
}
TEST(SearchProperties, TheOrderOfJoinedThreadsDoesNotMatter) {
    expect_no_order_of_threads({.threads = 3, .operations = 3, .locations = 3, .control = true, .joins = true}, programs(200));
}
TEST(SearchProperties, TheOrderOfManyThreadsDoesNotMatter) {
    expect_no_order_of_threads({.threads = 4, .operations = 2, .locations = 3}, programs(150));
}

TEST(SearchProperties, TheOrderOfWaitingThreadsDoesNotMatter) {
    expect_no_order_of_threads({.threads = 3, .operations = 3, .locations = 2, .waits = true}, programs(100));
}
TEST(SearchProperties, TheOrderOfThreadsThatTryAgainDoesNotMatter) {
    expect_no_order_of_threads({.threads = 3, .operations = 2, .locations = 3, .retries = true}, programs(100));
    expect_no_order_of_threads({.threads = 3, .operations = 2, .locations = 2, .waits = true, .retries = true}, programs(100));
}

// --- models --------------------------------------------------------------------------------------------------------------------------------

struct Inclusion {
    std::string_view smaller;
    std::string_view larger;
};

void expect_inclusions(const Shape& shape, std::uint64_t count, const std::vector<Inclusion>& inclusions) {
    for (std::uint64_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
        for (const auto& [smaller, larger] : inclusions) {
            const auto wrong = [&](const RandomProgram& p) {
                const auto few = find(p, smaller);
                const auto many = find(p, larger);
                return few && many && !std::ranges::includes(many->complete, few->complete);
            };
            expect_right(seed, random_program(seed, shape), wrong, fmt::format("{} within {}", smaller, larger));
        }
    }
}

TEST(SearchProperties, StrongerModelsAreWithinWeakerOnes) {
    expect_inclusions({.threads = 3, .operations = 3, .locations = 2, .control = true}, programs(250),
                      {{"sc", "tso"}, {"tso", "pso"}, {"sc", "ra"}, {"sc", "rc11"}});
}

// Where ra's reading of every access as release or acquire makes it no weaker: without seq_cst.
TEST(SearchProperties, ReleaseAcquireIsBetween) {
    expect_inclusions({.threads = 3, .operations = 3, .locations = 3, .mild = true}, programs(250),
                      {{"ra", "rc11"}, {"tso", "ra"}});
}

/// What the search by values relies on (ModelEntry::allows).
TEST(SearchProperties, ModelsAllowWhatTheirMachineDoes) {
    std::vector<Inclusion> inclusions;
    for (const ModelEntry& larger : all_models()) {
        for (const ModelEntry& smaller : all_models()) {
            if (larger.allows && smaller.buffer == larger.allows && smaller.name != larger.name) {
                inclusions.push_back({smaller.name, larger.name});
            }
        }
    }
    EXPECT_EQ(inclusions.size(), 2u); // tso within ra and rc11
    expect_inclusions({.threads = 3, .operations = 3, .locations = 2, .control = true}, programs(250), inclusions);
    expect_inclusions({.threads = 3, .operations = 3, .locations = 3, .joins = true}, programs(150), inclusions);
    expect_inclusions({.threads = 2, .operations = 4, .locations = 2, .waits = true}, programs(150), inclusions);
}

// --- orders and fences -----------------------------------------------------------------------------------------------------------------------

/// The next stronger order that such an operation can have.
std::optional<Order> stronger(const Operation& o) {
    const bool reads = o.kind == Kind::Load;
    const bool updates = o.kind == Kind::Rmw || o.kind == Kind::CompareExchange;
    if (!reads && !updates && o.kind != Kind::Store) {
        return std::nullopt;
    }
    switch (o.order) {
    case Order::NonAtomic:
        return Order::Relaxed;
    case Order::Relaxed:
        return reads ? Order::Acquire : Order::Release;
    case Order::Acquire:
    case Order::Release:
        return updates ? Order::AcqRel : Order::SeqCst;
    case Order::AcqRel:
        return Order::SeqCst;
    default:
        return std::nullopt;
    }
}

/// One change that leaves the accesses as they are and orders them no less: the `n`-th of all.
std::optional<RandomProgram> strengthened(RandomProgram p, std::size_t n) {
    for (auto& thread : p.threads) {
        Operations& all = thread.operations;
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (const auto order = stronger(all[at]); order && n-- == 0) {
                all[at].order = *order;
                return p;
            }
            for (const Order order : {Order::Acquire, Order::Release, Order::SeqCst}) {
                if (n-- == 0) {
                    all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), {.kind = Kind::Fence, .order = order});
                    return p;
                }
            }
        }
    }
    return std::nullopt;
}

/// Is there a way to strengthen the program that adds executions?
bool strengthening_adds(const RandomProgram& program, std::string_view model, std::size_t first, std::size_t step) {
    const auto all = find(program, model);
    if (!all) {
        return false;
    }
    for (std::size_t n = first;; n += step) {
        const auto next = strengthened(program, n);
        if (!next) {
            return false;
        }
        const auto found = find(*next, model);
        if (!found || !std::ranges::includes(all->complete, found->complete)) {
            return true;
        }
    }
}

void expect_strengthening_adds_nothing(const Shape& shape, std::uint64_t count) {
    for (std::uint64_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
        for (const Axioms& a : program_order_axioms()) {
            const RandomProgram program = random_program(seed, shape);
            if (strengthening_adds(program, a.name, seed % 4, 4)) { // a few of the ways are enough for one program
                expect_right(seed, program, [&](const RandomProgram& p) { return strengthening_adds(p, a.name, 0, 1); }, a.name);
            }
        }
    }
}

TEST(SearchProperties, StrongerOrdersAndFencesAddNothing) {
    expect_strengthening_adds_nothing({.threads = 3, .operations = 2, .locations = 2, .control = true}, programs(250));
}
TEST(SearchProperties, StrongerOrdersAndFencesAddNothingToLongThreads) {
    expect_strengthening_adds_nothing({.threads = 2, .operations = 5, .locations = 3}, programs(250));
}

} // namespace
} // namespace heddle
