// The search by values against the reference search on random programs: the same vectors of values read, each once.
#include "campaign.hpp"

#include "search/reference/reference_search.hpp"
#include "search/value/value_explorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

namespace heddle {
namespace {

namespace shapes = testing_support::shapes;
using testing_support::any_operation;
using testing_support::assemble;
using testing_support::Comparison;
using testing_support::Contest;
using testing_support::difference;
using testing_support::Operation;
using testing_support::programs;
using testing_support::RandomProgram;
using testing_support::Shape;
using testing_support::told;

constexpr std::size_t kTooLarge = 200'000;
constexpr std::array kModels{"sc", "tso", "pso"};

/// The vector of values of an execution, as ValueExplorer writes it.
std::string vector_of(const Execution& x, std::span<const Value> values) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> texts;
    for (std::size_t e = 0; e < x.events.size(); ++e) {
        const Event& event = x.events[e];
        const auto at = std::pair(event.thread.index, event.index);
        if (event.is_read()) {
            texts[at] = fmt::format("{}:{} ", event.thread.index, text_of(values[e]));
        } else if (event.kind == EventKind::Choose) {
            texts[at] = fmt::format("{}:choice {} ", event.thread.index, event.chosen);
        }
    }
    std::string all;
    for (const auto& [at, text] : texts) {
        all += text;
    }
    return all;
}

Comparison compare(const RandomProgram& program, const std::string& model) {
    Session session(assemble(program));
    std::vector<std::string> complete;
    std::vector<std::string> blocked;
    Lessons lessons = testing_support::cuts_of(program);
    const bool halves = testing_support::has_parts(program);
    const CheckResult found = explore_by_value(
        session, {.model = model, .equivalence = Equivalence::Value, .keep_going = true},
        [&](const std::string& text, bool is_blocked) { (is_blocked ? blocked : complete).push_back(text); }, &lessons);
    Session for_reference(assemble(program, false, true)); // a loop that spins means a wait, a whole its halves
    const ReferenceResult expected =
        reference_search(for_reference, *find_axioms(model), kTooLarge, [&](const Execution& x, std::span<const Value> values) {
            std::vector<Value> seen(values.begin(), values.end());
            for (Value& v : seen) {
                v.lo &= halves ? mask_of_bits(32) : ~std::uint64_t{0}; // a half is stored with what is above it
            }
            return vector_of(x, seen);
        });
    if (expected.unsupported) {
        return testing_support::no_oracle(*expected.unsupported);
    }
    if (found.verdict == Verdict::Unsupported || found.verdict == Verdict::OutOfBudget) {
        return {.wrong = "no result: " + found.reason};
    }
    std::vector<Violation> violations = found.violations; // deadlocks are told by `blocked`
    std::erase_if(violations,
                  [](const Violation& v) { return v.trap.kind == TrapKind::Deadlock || v.trap.kind == TrapKind::Liveness; });
    Comparison result{.wrong =
                          difference("complete", expected.complete, complete) + difference("blocked", expected.blocked, blocked) +
                          difference("violations", told(session.program, expected.violations), told(session.program, violations)),
                      .executions = complete.size() + blocked.size()};
    if (found.complete != complete.size() || found.blocked != blocked.size() || found.redundant != 0) {
        result.wrong +=
            fmt::format("counted {} complete, {} blocked, {} redundant\n", found.complete, found.blocked, found.redundant);
    }
    return result;
}

void expect_agreement(const Shape& shape, std::uint64_t count) {
    std::vector<Contest> contests;
    for (const char* model : kModels) {
        contests.push_back({.name = model, .compare = [model](const RandomProgram& p) { return compare(p, model); }});
    }
    testing_support::expect_agreement(shape, count, contests);
}

/// Two threads of one or two operations on location 0 each: what random programs were shrunk to.
RandomProgram two_threads(std::vector<Operation> first, std::vector<Operation> second) {
    return {.locations = 1, .threads = {{.operations = std::move(first)}, {.operations = std::move(second)}}};
}

using Kind = Operation::Kind;
const Operation kSwap{.kind = Kind::Rmw, .rmw = RmwOp::Xchg, .value = 1};

TEST(ValueSearch, ShrunkPrograms) {
    const std::vector<std::pair<const char*, RandomProgram>> programs = {
        {"an update takes a value away that the next write gives back",
         two_threads({kSwap}, {{.kind = Kind::Rmw, .rmw = RmwOp::Add, .value = 1}, {.kind = Kind::Store, .stores_last = true}})},
        {"an update keeps another from writing, so nobody else seems to write",
         two_threads({kSwap}, {{.kind = Kind::CompareExchange, .value = 1, .expected = 0}})},
        {"a thread that waits for ever does not seem to use what it waits for",
         two_threads({kSwap}, {{.kind = Kind::WaitRmw, .rmw = RmwOp::Add, .wait = Wait::Equal, .value = 1, .operand = 0}})},
        {"a lock that is taken back by somebody else",
         two_threads({{.kind = Kind::Lock}}, {{.kind = Kind::TryLock}, {.kind = Kind::Unlock}})},
        {"a thread that does nothing is joined", // beyond the end of what threads have done: found by the sanitizer only
         {.locations = 1,
          .threads = {{.operations = {}}},
          .joins = true,
          .after_join = {{.kind = Kind::Load}, {.kind = Kind::CompareExchange, .value = 1, .expected = 1}}}},
        {"a write that nobody else reads overtakes a seq_cst one",
         two_threads({{.kind = Kind::Store, .order = Order::SeqCst, .value = 2}, {.kind = Kind::Store, .value = 1}},
                     {{.kind = Kind::WaitRmw, .rmw = RmwOp::Xchg, .wait = Wait::Less, .value = 1, .operand = 2}})},
    };
    for (const auto& [what, program] : programs) {
        for (const char* model : kModels) {
            EXPECT_EQ(compare(program, model).wrong, "") << what << " under " << model;
        }
    }
}

TEST(ValueSearch, TwoThreads) { expect_agreement(shapes::kTwoThreads, programs(200)); }
TEST(ValueSearch, TwoLongThreads) { expect_agreement(shapes::kTwoLongThreads, programs(150)); }
TEST(ValueSearch, OneLocation) { expect_agreement(shapes::kOneLocation, programs(150)); }
TEST(ValueSearch, ThreeThreads) { expect_agreement(shapes::kThreeThreads, programs(200)); }
TEST(ValueSearch, ThreeLongThreads) { expect_agreement(shapes::kThreeLongThreads, programs(150)); }
TEST(ValueSearch, FourThreads) { expect_agreement(shapes::kFourThreads, programs(200)); }
TEST(ValueSearch, TwoThreadsThatWait) { expect_agreement(shapes::kTwoThreadsThatWait, programs(200)); }
TEST(ValueSearch, ThreeThreadsThatWait) { expect_agreement(shapes::kThreeThreadsThatWait, programs(200)); }
TEST(ValueSearch, FourThreadsThatWait) { expect_agreement(shapes::kFourThreadsThatWait, programs(200)); }
TEST(ValueSearch, WaitingForOneLocation) { expect_agreement(shapes::kWaitingForOneLocation, programs(200)); }
TEST(ValueSearch, Joining) { expect_agreement(shapes::kJoining, programs(150)); }
TEST(ValueSearch, JoiningAndWaiting) { expect_agreement(shapes::kJoiningAndWaiting, programs(150)); }
TEST(ValueSearch, AccessesInPieces) { expect_agreement(shapes::kAccessesInPieces, programs(150)); }
TEST(ValueSearch, ThreeThreadsInPieces) { expect_agreement(shapes::kThreeThreadsInPieces, programs(150)); }
TEST(ValueSearch, Spawning) { expect_agreement(shapes::kSpawning, programs(150)); }
TEST(ValueSearch, Objects) { expect_agreement(shapes::kObjects, programs(150)); }
TEST(ValueSearch, ObjectsOfThreeThreads) { expect_agreement(shapes::kObjectsOfThreeThreads, programs(150)); }
TEST(ValueSearch, ObjectsAndWaiting) { expect_agreement(shapes::kObjectsAndWaiting, programs(150)); }
TEST(ValueSearch, ObjectsAndSpawning) { expect_agreement(shapes::kObjectsAndSpawning, programs(100)); }

} // namespace
} // namespace heddle
