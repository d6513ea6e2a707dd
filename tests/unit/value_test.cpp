// The search by values against the reference search on random programs: the same vectors of values read, each once.
#include "campaign.hpp"

#include "search/dpor/explorer.hpp"
#include "search/reference/reference_search.hpp"
#include "search/value/value_explorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

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
using testing_support::random_program;
using testing_support::RandomProgram;
using testing_support::Shape;
using testing_support::told;

constexpr std::size_t kTooLarge = 200'000;
/// What saves work, and must not change what is found.
struct Saving {
    bool Tuning::* tuning;
    const char* name;
};
/// A model, and how histories are realized under it.
struct Way {
    const char* model;
    bool machine;                  ///< by running one (ra, rc11: also by running x86), or by building executions
    std::vector<Saving> without{}; ///< what is switched off
    [[nodiscard]] std::string name() const {
        std::string text = fmt::format("{}{}", model, machine ? "" : ", by executions");
        for (const Saving& s : without) {
            text += fmt::format(", without {}", s.name);
        }
        return text;
    }
};
constexpr Saving kForcedCases{&Tuning::forced_cases, "forced_cases"};
const std::vector<Way> kWays{{"sc", true},
                             {"tso", true},
                             {"pso", true},
                             {"sc", false},
                             {"tso", false},
                             {"pso", false},
                             {"ra", false, {kForcedCases}}, // else hardly any execution is built
                             {"rc11", false, {kForcedCases}},
                             {"ra", true},
                             {"rc11", true}};

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

Comparison compare(const RandomProgram& program, const Way& way) {
    const std::string model = way.model;
    Session session(assemble(program));
    std::vector<std::string> complete;
    std::vector<std::string> blocked;
    Lessons lessons = testing_support::cuts_of(program);
    const bool halves = testing_support::has_parts(program);
    CheckOptions options{.model = model, .equivalence = Equivalence::Value, .keep_going = true};
    options.tuning.run_the_machine = way.machine;
    for (const Saving& s : way.without) {
        options.tuning.*s.tuning = false;
    }
    const CheckResult found = explore_by_value(
        session, options, [&](const std::string& text, bool is_blocked) { (is_blocked ? blocked : complete).push_back(text); },
        &lessons);
    Session for_reference(assemble(program, false, true)); // a loop that spins means a wait, a whole its halves
    const std::string failed_retry = "failed: "; // how the text of an execution begins in which an iteration of a loop has failed
    ReferenceResult expected =
        reference_search(for_reference, *find_axioms(model), kTooLarge, [&](const Execution& x, std::span<const Value> values) {
            std::vector<Value> seen(values.begin(), values.end());
            for (Value& v : seen) {
                v.lo &= halves ? mask_of_bits(32) : ~std::uint64_t{0}; // a half is stored with what is above it
            }
            return (testing_support::has_failed_retry(program, x) ? failed_retry : "") + vector_of(x, seen);
        });
    // The reference search knows one iteration of a loop only. If that one fails, it should have done another; and of one that may wait for several things it
    // knows less.
    std::erase_if(expected.blocked, [&](const std::string& text) { return text.starts_with(failed_retry); });
    if (any_operation(
            program, [](const Operation& o) { return o.kind == Operation::Kind::Retry && o.again == Operation::Again::Until; })) {
        expected.blocked = {blocked.begin(), blocked.end()};
    }
    if (expected.unsupported) {
        return testing_support::no_oracle(*expected.unsupported);
    }
    if (found.verdict == Verdict::Unsupported || found.verdict == Verdict::OutOfBudget) {
        return {.wrong = "no result: " + found.reason};
    }
    std::vector<Violation> violations = found.violations; // deadlocks are told by `blocked`; races are another test's business
    std::erase_if(violations, [](const Violation& v) {
        return v.trap.kind == TrapKind::Deadlock || v.trap.kind == TrapKind::Liveness || v.trap.kind == TrapKind::DataRace;
    });
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

constexpr Saving kCertainOrder{&Tuning::certain_order, "certain_order"};
constexpr Saving kForcedOrder{&Tuning::forced_order, "forced_order"};
constexpr Saving kKnownRun{&Tuning::keep_run, "keep_run"};
constexpr Saving kBorrowedRuns{&Tuning::borrow_runs, "borrow_runs"};
constexpr Saving kKnownExecution{&Tuning::keep_execution, "keep_execution"};
constexpr Saving kSettledReads{&Tuning::settled_reads, "settled_reads"};
constexpr Saving kForesight{&Tuning::foresight, "foresight"};
constexpr Saving kWholeIterations{&Tuning::whole_iterations, "whole_iterations"};
constexpr std::array kSavings{Saving{&Tuning::quick_answers, "quick_answers"},
                              Saving{&Tuning::quick_news, "quick_news"},
                              kKnownRun,
                              kForcedOrder,
                              Saving{&Tuning::keep_forced, "keep_forced"},
                              Saving{&Tuning::remember_outlook, "remember_outlook"},
                              Saving{&Tuning::quick_runs, "quick_runs"},
                              Saving{&Tuning::forced_runs, "forced_runs"},
                              kForesight,
                              kWholeIterations,
                              Saving{&Tuning::know_by_place, "know_by_place"},
                              Saving{&Tuning::look_around, "look_around"},
                              Saving{&Tuning::certain_first, "certain_first"}};

/// Each by itself, and those together of which one hides what the other would have said.
std::vector<Way> ways_without_savings() {
    std::vector<Way> ways;
    for (const char* model : {"sc", "tso", "pso"}) {
        for (const Saving& s : kSavings) {
            ways.push_back({model, true, {s}});
        }
        ways.push_back({model, true, {kForcedOrder, kCertainOrder}});
        ways.push_back({model, true, {kForcedOrder, kKnownRun}});
        ways.push_back({model, true, {kForesight, kKnownRun}});
        ways.push_back({model, true, {kSettledReads, kKnownRun}});
        ways.push_back({model, true, {kSavings.begin(), kSavings.end()}});
        ways.back().without.push_back(kCertainOrder);
    }
    for (const char* model : {"ra", "rc11"}) {
        ways.push_back({model, true, {kKnownExecution}});
        ways.push_back({model, true, {kForcedCases}});
        ways.push_back({model, true, {kKnownExecution, kKnownRun}});
        ways.push_back({model, true, {kForcedCases, kKnownExecution}});
        ways.push_back({model, true, {kForcedCases, kKnownExecution, kBorrowedRuns}});
        ways.push_back({model, true, {kKnownExecution, Saving{&Tuning::keep_forced, "keep_forced"}}});
        ways.push_back({model, true, {kSettledReads}});
        ways.push_back({model, true, {kSettledReads, kKnownExecution, kKnownRun}});
        ways.push_back({model, false, {kForcedOrder}});
        ways.push_back({model, false, {kForcedOrder, kCertainOrder}});
        ways.push_back({model, false, {Saving{&Tuning::keep_forced, "keep_forced"}}});
        ways.push_back({model, true, {kBorrowedRuns}});
        ways.push_back({model, true, {kForcedOrder}});
        ways.push_back({model, true, {kKnownRun}});
        ways.push_back({model, true, {kSavings.begin(), kSavings.end()}});
        ways.back().without.insert(ways.back().without.end(), {kCertainOrder, kForcedCases, kKnownExecution});
        ways.push_back({model, false, {kCertainOrder}});
        ways.push_back({model, false, {kForesight}});
        ways.push_back({model, false, {kWholeIterations}});
    }
    return ways;
}

void expect_agreement(const Shape& shape, std::uint64_t count, std::span<const Way> ways = kWays) {
    std::vector<Contest> contests;
    for (const Way& way : ways) {
        contests.push_back({.name = way.name(), .compare = [way](const RandomProgram& p) { return compare(p, way); }});
    }
    testing_support::expect_agreement(shape, count, contests);
}

/// The pairs of places that race.
std::set<std::string> races_of(const CheckResult& result) {
    std::set<std::string> pairs;
    for (const Violation& v : result.violations) {
        if (v.trap.kind == TrapKind::DataRace) {
            const auto place = [&](std::size_t k) { return v.witness.events.at(v.about.at(k)).place.index; };
            pairs.insert(fmt::format("{} {}", std::min(place(0), place(1)), std::max(place(0), place(1))));
        }
    }
    return pairs;
}

/// The same races as the search over traces finds, which sees every execution: where loops try again, of a program with one iteration of them, after which a thread blocks if it has failed. (In a loop,
/// that search does not ask about the read that fails, unless somewhere the thread waits for good.)
Comparison compare_races(const RandomProgram& program, const std::string& model, bool Tuning::* without = nullptr) {
    CheckOptions options{.model = model, .races = true, .keep_going = true};
    const bool tries_again = any_operation(program, [](const Operation& o) { return o.kind == Operation::Kind::Retry; });
    Session for_traces(assemble(program, !tries_again));
    const std::set<std::string> wanted = races_of(explore(for_traces, options));
    options.equivalence = Equivalence::Value;
    if (without) {
        options.tuning.*without = false;
    }
    Session session(assemble(program));
    return {.wrong = difference("races", wanted, races_of(explore_by_value(session, options))), .executions = wanted.size()};
}

std::vector<Contest> contests_of_races() {
    std::vector<Contest> contests;
    for (const char* model : {"sc", "tso", "pso", "ra", "rc11"}) {
        contests.push_back({.name = model, .compare = [model](const RandomProgram& p) { return compare_races(p, model); }});
        contests.push_back(
            {.name = fmt::format("{}, read by read", model),
             .compare = [model](const RandomProgram& p) { return compare_races(p, model, &Tuning::whole_iterations); },
             .every = 4});
        contests.push_back({.name = fmt::format("{}, executions built to look for races", model),
                            .compare = [model](const RandomProgram& p) { return compare_races(p, model, &Tuning::quick_races); },
                            .every = 4});
        contests.push_back({.name = fmt::format("{}, without cases", model),
                            .compare = [model](const RandomProgram& p) { return compare_races(p, model, &Tuning::race_cases); },
                            .every = 4});
        contests.push_back(
            {.name = fmt::format("{}, every iteration that fails asked about", model),
             .compare = [model](const RandomProgram& p) { return compare_races(p, model, &Tuning::quick_failures); },
             .every = 4});
        contests.push_back(
            {.name = fmt::format("{}, whether iterations that fail are harmless is found for each history", model),
             .compare = [model](const RandomProgram& p) { return compare_races(p, model, &Tuning::harmless_failures); },
             .every = 4});
        contests.push_back(
            {.name = fmt::format("{}, without asking first what was stored once", model),
             .compare = [model](const RandomProgram& p) { return compare_races(p, model, &Tuning::certain_races); },
             .every = 4});
    }
    return contests;
}

void expect_the_same_races(const Shape& shape, std::uint64_t count) {
    testing_support::expect_agreement(shape, count, contests_of_races());
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
        {"an update stores what somebody has read, who can then have read it from there",
         {.locations = 1,
          .threads = {{.operations = {{.kind = Kind::Store, .value = 2}}},
                      {.operations = {{.kind = Kind::Store, .value = 1}, {.kind = Kind::Load}}},
                      {.operations = {{.kind = Kind::Load}, {.kind = Kind::Rmw, .rmw = RmwOp::Xchg, .value = 2}}}}}},
        {"an update stores what somebody has read, and its iteration is possible with that only as a whole",
         two_threads({{.kind = Kind::Store, .value = 1}, {.kind = Kind::Rmw, .rmw = RmwOp::Add, .value = 1}},
                     {{.kind = Kind::Store, .value = 2}, {.kind = Kind::Retry, .value = 2, .body = {{.kind = Kind::Load}}}})},
        {"what a thread finds in its own buffer reaches memory after it was read",
         {.locations = 2,
          .threads = {{.operations = {{.kind = Kind::Load, .location = 1}, {.kind = Kind::Load}}},
                      {.operations = {{.kind = Kind::Store, .value = 1},
                                      {.kind = Kind::Load},
                                      {.kind = Kind::Store, .location = 1, .value = 1}}}}}},
        {"what orders the stores leaves a read nothing but what needs that read",
         {.locations = 2,
          .threads = {{.operations = {{.kind = Kind::Load}, {.kind = Kind::Store, .location = 1, .value = 1}}},
                      {.operations = {{.kind = Kind::Store, .location = 1, .value = 2},
                                      {.kind = Kind::Load, .location = 1},
                                      {.kind = Kind::Store, .value = 1}}},
                      {.operations = {{.kind = Kind::Store, .location = 1, .value = 1}, {.kind = Kind::Load, .location = 1}}}}}},
        {"a seq_cst read finds what a relaxed write has put behind a seq_cst one, which does not order it and that one for "
         "anybody",
         {.locations = 2,
          .threads = {{.operations = {{.kind = Kind::Store, .order = Order::SeqCst, .location = 1, .value = 1},
                                      {.kind = Kind::Store, .order = Order::SeqCst, .value = 1},
                                      {.kind = Kind::Store, .order = Order::Relaxed, .value = 2}}},
                      {.operations = {{.kind = Kind::Load, .order = Order::SeqCst},
                                      {.kind = Kind::Load, .order = Order::SeqCst, .location = 1}}}}}},
    };
    for (const auto& [what, program] : programs) {
        for (const Way& way : kWays) {
            EXPECT_EQ(compare(program, way).wrong, "") << what << " under " << way.name();
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
TEST(ValueSearch, RelaxedBesideSeqCst) {
    expect_agreement({.threads = 3, .operations = 3, .mixed = true}, programs(100));
    expect_agreement({.threads = 2, .operations = 5, .locations = 1, .mixed = true}, programs(100));
    expect_agreement({.threads = 2, .operations = 4, .mixed = true}, programs(200));
}
TEST(ValueSearch, FewKinds) { expect_agreement(shapes::kFewKinds, programs(500)); }
TEST(ValueSearch, FewKindsInFourThreads) { expect_agreement(shapes::kFewKindsInFourThreads, programs(200)); }
TEST(ValueSearch, Objects) { expect_agreement(shapes::kObjects, programs(150)); }
TEST(ValueSearch, ObjectsOfThreeThreads) { expect_agreement(shapes::kObjectsOfThreeThreads, programs(150)); }
TEST(ValueSearch, ObjectsAndWaiting) { expect_agreement(shapes::kObjectsAndWaiting, programs(150)); }
TEST(ValueSearch, ObjectsAndSpawning) { expect_agreement(shapes::kObjectsAndSpawning, programs(100)); }

TEST(ValueSearch, TryingAgain) { expect_agreement(shapes::kTryingAgain, programs(200)); }
TEST(ValueSearch, ThreeTryingAgain) { expect_agreement(shapes::kThreeTryingAgain, programs(200)); }
TEST(ValueSearch, FourTryingAgain) { expect_agreement({.threads = 4, .operations = 1, .retries = true}, programs(150)); }
TEST(ValueSearch, TryingAgainAndWaiting) { expect_agreement(shapes::kTryingAgainAndWaiting, programs(150)); }
TEST(ValueSearch, FewKindsTryingAgain) { expect_agreement(shapes::kFewKindsTryingAgain, programs(300)); }
TEST(ValueSearch, ObjectsAndTryingAgain) {
    expect_agreement({.threads = 3, .operations = 2, .locations = 1, .heap = true, .retries = true}, programs(100));
}

TEST(ValueSearch, WithoutSavings) {
    const std::vector<Way> ways = ways_without_savings();
    expect_agreement(shapes::kOneLocation, programs(100), ways);
    expect_agreement(shapes::kThreeThreads, programs(100), ways);
    expect_agreement(shapes::kThreeThreadsThatWait, programs(100), ways);
    expect_agreement(shapes::kThreeTryingAgain, programs(100), ways);
}

TEST(ValueSearch, RacesOfTwoThreads) { expect_the_same_races({.threads = 2, .operations = 4, .control = true}, programs(150)); }
TEST(ValueSearch, RacesOfThreeThreads) { expect_the_same_races({.threads = 3, .operations = 2, .control = true}, programs(150)); }
TEST(ValueSearch, RacesOfThreadsThatWait) {
    expect_the_same_races({.threads = 3, .operations = 2, .waits = true, .joins = true}, programs(150));
}
TEST(ValueSearch, RacesOfThreadsThatTryAgain) { expect_the_same_races(shapes::kTryingAgain, programs(150)); }
TEST(ValueSearch, RacesOfThreeThreadsThatTryAgain) { expect_the_same_races(shapes::kThreeTryingAgain, programs(150)); }
TEST(ValueSearch, RacesOfIterationsThatFail) {
    testing_support::expect_agreement(testing_support::with_failing_iterations, programs(300), contests_of_races());
}
TEST(ValueSearch, RacesOfIterationsThatFailLate) {
    testing_support::expect_agreement(testing_support::with_late_conflicts, programs(1'000), contests_of_races());
}
// Programs that are explored as if under sc: some operation mostly shows that they cannot be, or a race does.
TEST(ValueSearch, SequentialPrograms) {
    const std::vector<Way> ways{{"rc11", true}, {"rc11", true, {Saving{&Tuning::as_if_sc, "as_if_sc"}}}};
    const auto expect_agreement_of = [&](const Shape& shape, std::uint64_t count) {
        std::vector<Contest> contests;
        for (const Way& way : ways) {
            contests.push_back({.name = way.name(), .compare = [way](const RandomProgram& p) { return compare(p, way); }});
        }
        testing_support::expect_agreement(
            [&](std::uint64_t seed) { return testing_support::made_sequential(random_program(seed, shape)); }, count, contests);
    };
    expect_agreement_of(shapes::kTwoLongThreads, programs(300));
    expect_agreement_of(shapes::kThreeThreads, programs(300));
    expect_agreement_of(shapes::kThreeThreadsThatWait, programs(300));
    expect_agreement_of(shapes::kThreeTryingAgain, programs(300));
    expect_agreement_of(shapes::kJoining, programs(150));
    expect_agreement_of(shapes::kSpawning, programs(150));
}
TEST(ValueSearch, RacesOfSequentialPrograms) {
    for (const Shape& shape :
         {shapes::kTwoLongThreads, shapes::kThreeThreadsThatWait, shapes::kThreeTryingAgain, shapes::kJoining,
          Shape{.threads = 3, .operations = 3, .locations = 2, .waits = true, .control = true}}) {
        testing_support::expect_agreement(
            [&](std::uint64_t seed) { return testing_support::made_sequential(random_program(seed, shape)); }, programs(300),
            {{.name = "rc11", .compare = [](const RandomProgram& p) { return compare_races(p, "rc11"); }}});
    }
    for (const auto make : {testing_support::with_failing_iterations, testing_support::with_late_conflicts}) {
        testing_support::expect_agreement(
            [&](std::uint64_t seed) { return testing_support::made_sequential(make(seed)); }, programs(300),
            {{.name = "rc11", .compare = [](const RandomProgram& p) { return compare_races(p, "rc11"); }}});
    }
}
TEST(ValueSearch, RacesInPieces) {
    expect_the_same_races({.threads = 2, .operations = 3, .locations = 1, .parts = true}, programs(100));
}

} // namespace
} // namespace heddle
