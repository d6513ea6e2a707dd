// The DPOR search against the reference search on random programs: the same executions, each once.
#include "campaign.hpp"
#include "search/dpor/explorer.hpp"
#include "search/reference/reference_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <regex>
#include <set>

namespace heddle {
namespace {

namespace shapes = testing_support::shapes;
using testing_support::any_operation;
using testing_support::assemble;
using testing_support::Comparison;
using testing_support::Contest;
using testing_support::difference;
using testing_support::has_failed_retry;
using testing_support::Operation;
using testing_support::programs;
using testing_support::random_program;
using testing_support::RandomProgram;
using testing_support::Shape;
using testing_support::told;
using testing_support::with_spinning_on_one;
using testing_support::with_strangers;
using testing_support::with_waiting_iterations;

constexpr std::size_t kTooLarge = 200'000; ///< partial executions: such a program would take the time of hundreds

/// How the text of an execution begins in which an iteration of a loop has failed.
const std::string kFailedRetry = "failed: ";

Comparison compare(const RandomProgram& program, const Axioms& axioms, Equivalence equivalence) {
    Session session(assemble(program));
    std::vector<std::string> complete;
    std::vector<std::string> blocked;
    Lessons lessons = testing_support::cuts_of(program);
    const CheckResult found = explore(
        session, {.model = std::string(axioms.name), .equivalence = equivalence, .keep_going = true},
        [&](const std::string& text, bool is_blocked) { (is_blocked ? blocked : complete).push_back(text); }, &lessons);
    Session for_reference(assemble(program, false, true)); // a loop that spins means a wait, a whole its halves
    const ReferenceResult expected =
        reference_search(for_reference, axioms, kTooLarge, [&](const Execution& x, std::span<const Value>) {
            Execution seen = x;
            const bool failed = has_failed_retry(program, seen);
            std::erase_if(seen.coherence, [&](const auto& location) {
                return equivalence == Equivalence::Rf && !lessons.tracked.contains(location.first);
            });
            return (failed ? kFailedRetry : "") + canonical(seen);
        });
    if (expected.unsupported) {
        return testing_support::no_oracle(*expected.unsupported);
    }
    Comparison result{.executions = complete.size() + blocked.size()};
    if (found.verdict == Verdict::Unsupported || found.verdict == Verdict::OutOfBudget) {
        result.wrong = "no result: " + found.reason;
        return result;
    }
    // Deadlocks are told by `blocked`; races are no business of the reference.
    std::vector<Violation> violations = found.violations;
    std::erase_if(violations, [](const Violation& v) {
        return v.trap.kind == TrapKind::Deadlock || v.trap.kind == TrapKind::Liveness || v.trap.kind == TrapKind::DataRace;
    });
    const auto retries = [](Operation::Again again) {
        return [again](const Operation& o) { return o.kind == Operation::Kind::Retry && o.again == again; };
    };
    // The reference search knows one iteration of a loop only. If that one fails, it should have done another.
    std::set<std::string> expected_blocked = expected.blocked;
    std::erase_if(expected_blocked, [&](const std::string& text) { return text.contains(kFailedRetry); });
    const bool waits_for_several = any_operation(program, retries(Operation::Again::Until));
    if (!waits_for_several) {
        result.wrong += difference("blocked", expected_blocked, blocked);
    }
    result.wrong += difference("complete", expected.complete, complete) +
                    difference("violations", told(session.program, expected.violations), told(session.program, violations));
    // Loops of which an iteration that fails might race, or read what is freed, are read by read (explorer_failures.cpp).
    const auto is_judged = [](const Operation& o) { return o.order == Order::NonAtomic || o.kind == Operation::Kind::Free; };
    const bool left_alone = any_operation(program, [](const Operation& o) { return o.kind == Operation::Kind::Retry; }) &&
                            axioms.races_are_errors && any_operation(program, is_judged);
    if (found.dead_ends > 0 && !waits_for_several && !left_alone) {
        result.wrong += fmt::format("{} dead ends\n", found.dead_ends);
    }
    return result;
}

/// One program in so many is also explored under rf.
constexpr std::uint64_t kRfEvery = 2;

std::vector<Contest> contests_of(const Axioms& axioms) {
    std::vector<Contest> contests;
    for (const Equivalence e : {Equivalence::Trace, Equivalence::Rf}) {
        contests.push_back({.name = fmt::format("{} {}", axioms.name, e == Equivalence::Rf ? "rf" : "trace"),
                            .compare = [&axioms, e](const RandomProgram& p) { return compare(p, axioms, e); },
                            .every = e == Equivalence::Rf ? kRfEvery : 1});
    }
    return contests;
}

void expect_agreement(const Shape& shape, std::uint64_t count) {
    std::vector<Contest> contests;
    for (const Axioms& axioms : program_order_axioms()) {
        std::ranges::move(contests_of(axioms), std::back_inserter(contests));
    }
    testing_support::expect_agreement(shape, count, contests);
}

/// Many programs under one model, for what the search does under each.
void expect_agreement_under_sc(const Shape& shape, std::uint64_t count) {
    testing_support::expect_agreement(shape, count, contests_of(program_order_axioms().front()));
}

/// Many programs under rc11, with coherence open: where relaxed accesses race beside seq_cst ones (model/psc_coherence.hpp).
void expect_agreement_about_psc(const Shape& shape, std::uint64_t count) {
    const Axioms& rc11 = *find_axioms("rc11");
    testing_support::expect_agreement(shape, count, {{.name = "rc11 rf", .compare = [&](const RandomProgram& p) {
                                                          return compare(p, rc11, Equivalence::Rf);
                                                      }}});
}

TEST(Dpor, RelaxedBesideSeqCst) {
    expect_agreement_about_psc({.threads = 3, .operations = 3, .mixed = true}, programs(400));
    expect_agreement_about_psc({.threads = 2, .operations = 5, .mixed = true}, programs(400));
}
TEST(Dpor, RelaxedBesideSeqCstInFourThreads) {
    expect_agreement_about_psc({.threads = 4, .operations = 2, .mixed = true}, programs(400));
}
TEST(Dpor, RelaxedUpdatesBesideSeqCst) {
    expect_agreement_about_psc({.threads = 3, .operations = 3, .mixed = true, .updates = true}, programs(300));
}
/// Without fences coherences are had from others by moving writes (model/rf_model_moving.cpp).
TEST(Dpor, RelaxedBesideSeqCstWithoutFences) {
    expect_agreement_about_psc({.threads = 3, .operations = 3, .mild = true, .mixed = true}, programs(200));
    expect_agreement_about_psc({.threads = 3, .operations = 3, .locations = 1, .mild = true, .mixed = true}, programs(100));
    expect_agreement_about_psc({.threads = 4, .operations = 2, .mild = true, .mixed = true}, programs(100));
    expect_agreement_about_psc({.threads = 2, .operations = 6, .mild = true, .mixed = true}, programs(100));
}
TEST(Dpor, WaitingBesideSeqCst) {
    expect_agreement_about_psc({.threads = 3, .operations = 3, .waits = true, .control = true, .joins = true, .mixed = true},
                               programs(300));
}

TEST(Dpor, TwoThreads) { expect_agreement(shapes::kTwoThreads, programs(500)); }
TEST(Dpor, TwoLongThreads) { expect_agreement(shapes::kTwoLongThreads, programs(250)); }
TEST(Dpor, OneLocation) { expect_agreement(shapes::kOneLocation, programs(300)); }
TEST(Dpor, ThreeThreads) { expect_agreement(shapes::kThreeThreads, programs(600)); }
TEST(Dpor, ThreeLongThreads) { expect_agreement(shapes::kThreeLongThreads, programs(200)); }
TEST(Dpor, FourThreads) { expect_agreement(shapes::kFourThreads, programs(600)); }
TEST(Dpor, TwoThreadsThatWait) { expect_agreement(shapes::kTwoThreadsThatWait, programs(600)); }
TEST(Dpor, ThreeThreadsThatWait) { expect_agreement(shapes::kThreeThreadsThatWait, programs(600)); }
TEST(Dpor, FourThreadsThatWait) { expect_agreement(shapes::kFourThreadsThatWait, programs(600)); }
TEST(Dpor, WaitingForOneLocation) { expect_agreement(shapes::kWaitingForOneLocation, programs(500)); }
TEST(Dpor, FourWaitingForOneLocation) {
    expect_agreement({.threads = 4, .operations = 1, .locations = 1, .waits = true}, programs(500));
}
TEST(Dpor, Joining) { expect_agreement(shapes::kJoining, programs(500)); }
TEST(Dpor, JoiningAndWaiting) { expect_agreement(shapes::kJoiningAndWaiting, programs(500)); }
TEST(Dpor, AccessesInPieces) { expect_agreement(shapes::kAccessesInPieces, programs(400)); }
TEST(Dpor, ThreeThreadsInPieces) { expect_agreement(shapes::kThreeThreadsInPieces, programs(400)); }
TEST(Dpor, Spawning) { expect_agreement(shapes::kSpawning, programs(500)); }

TEST(Dpor, TryingAgain) { expect_agreement(shapes::kTryingAgain, programs(400)); }
TEST(Dpor, ThreeTryingAgain) { expect_agreement(shapes::kThreeTryingAgain, programs(400)); }
TEST(Dpor, TryingAgainAndWaiting) { expect_agreement(shapes::kTryingAgainAndWaiting, programs(300)); }
TEST(Dpor, FourTryingAgain) { expect_agreement({.threads = 4, .operations = 1, .retries = true}, programs(300)); }

TEST(Dpor, FewKinds) { expect_agreement_under_sc(shapes::kFewKinds, programs(12'000)); }
TEST(Dpor, FewKindsInFourThreads) { expect_agreement_under_sc(shapes::kFewKindsInFourThreads, programs(3'000)); }
TEST(Dpor, FewKindsTryingAgain) { expect_agreement_under_sc(shapes::kFewKindsTryingAgain, programs(3'000)); }
TEST(Dpor, FewKindsUnderAllModels) {
    expect_agreement(shapes::kFewKinds, programs(500));
    expect_agreement(shapes::kFewKindsTryingAgain, programs(300));
}

TEST(Dpor, Objects) { expect_agreement(shapes::kObjects, programs(200)); }
TEST(Dpor, ObjectsOfThreeThreads) { expect_agreement(shapes::kObjectsOfThreeThreads, programs(200)); }
TEST(Dpor, ObjectsAndWaiting) { expect_agreement(shapes::kObjectsAndWaiting, programs(200)); }
TEST(Dpor, ObjectsAndSpawning) { expect_agreement(shapes::kObjectsAndSpawning, programs(150)); }

// --- loops that wait, an iteration at a time -------------------------------------------------------------------------------------------------

/// The loops of the program, as if it had been learnt that their iterations are to be done as a whole.
Lessons with_whole_loops(const Program& program, Lessons lessons) {
    for (const Function& f : program.functions) {
        for (std::uint32_t k = 0; k < f.loops.size(); ++k) {
            lessons.whole.insert({&f, k});
        }
    }
    return lessons;
}

/// Are all Retries of the program loops that wait, and look at nothing plain?
bool retries_wait(const RandomProgram& program) {
    const auto tries_again = [](const Operation& o) {
        const bool judged = std::ranges::any_of(o.body, [](const Operation& x) { return x.order == Order::NonAtomic; });
        return o.kind == Operation::Kind::Retry && (o.again < Operation::Again::Until || judged);
    };
    return !any_operation(program, tries_again);
}

/// An execution of the reference search in which threads have failed in their only iteration, without these iterations: then the threads wait at
/// the heads of their loops. Nothing if one of them has not read the latest writes: it should have tried again.
std::optional<Execution> without_failed(const Execution& x, const RandomProgram& program) {
    std::set<std::size_t> gone;
    std::set<Address> markers;
    for (std::size_t length = 1; length <= testing_support::kLongestIteration; ++length) {
        const Address marker = testing_support::failed_retry(program, length);
        const auto marks = x.coherence.find(marker);
        for (const std::size_t mark : marks == x.coherence.end() ? std::vector<std::size_t>() : marks->second) {
            markers.insert(marker);
            gone.insert(mark);
            if (x.events[mark].kind == EventKind::Init) {
                continue;
            }
            std::size_t left = length;
            for (std::size_t k = x.events.size(); k-- > 0 && left > 0;) {
                const Event& e = x.events[k];
                if (e.thread != x.events[mark].thread || e.index >= x.events[mark].index || e.kind == EventKind::Init) {
                    continue;
                }
                if (e.is_read() && x.coherence.at(e.location).back() != e.source) {
                    return std::nullopt;
                }
                gone.insert(k);
                --left;
            }
        }
    }
    Execution rest;
    std::vector<std::size_t> number(x.events.size());
    for (std::size_t k = 0; k < x.events.size(); ++k) {
        number[k] = rest.events.size();
        if (!gone.contains(k)) {
            rest.events.push_back(x.events[k]);
        }
    }
    for (Event& e : rest.events) {
        for (auto* const other : {&e.source, &e.update_read}) {
            if (*other) {
                *other = number[**other];
            }
        }
    }
    for (const auto& [location, writes] : x.coherence) {
        for (const std::size_t w : writes) {
            if (!markers.contains(location)) {
                rest.coherence[location].push_back(number[w]);
            }
        }
    }
    return rest;
}

/// The executions in which threads wait at the heads of their loops, according to the reference search. A location that is not in `tracked`, if there is one, has its coherence open.
ReferenceResult waiting_at_heads(const RandomProgram& program, const Axioms& axioms, const std::set<Address>* tracked) {
    Session session(assemble(program, false, true));
    ReferenceResult result =
        reference_search(session, axioms, kTooLarge, [&](const Execution& x, std::span<const Value>) -> std::string {
            std::optional<Execution> rest = has_failed_retry(program, x) ? without_failed(x, program) : x;
            if (rest && tracked) {
                std::erase_if(rest->coherence, [&](const auto& location) { return !tracked->contains(location.first); });
            }
            return rest ? canonical(*rest) : kFailedRetry;
        });
    result.blocked.erase(kFailedRetry);
    return result;
}

/// Loops that wait are done as a whole from the first attempt on; if they stay so, blocked executions are those of the reference search too, and no
/// exploration ends with nothing.
Comparison compare_waiting_at_heads(const RandomProgram& program, const Axioms& axioms, std::size_t& waiting,
                                    Equivalence equivalence = Equivalence::Trace, bool spins = false, bool scattered = false) {
    Session session(assemble(program));
    std::vector<std::string> complete;
    std::vector<std::string> blocked;
    Lessons lessons = with_whole_loops(session.program, testing_support::cuts_of(program));
    if (scattered) { // else a loop is taken to wait for one location until it has led to a dead end, and threads may be blocked in its middle
        lessons.scattered = lessons.whole;
    }
    const CheckResult found = explore(
        session, {.model = std::string(axioms.name), .equivalence = equivalence, .keep_going = true},
        [&](const std::string& text, bool is_blocked) { (is_blocked ? blocked : complete).push_back(text); }, &lessons);
    const ReferenceResult expected =
        waiting_at_heads(program, axioms, equivalence == Equivalence::Rf ? &lessons.tracked : nullptr);
    if (expected.unsupported) {
        return testing_support::no_oracle(*expected.unsupported);
    }
    Comparison result{.executions = complete.size() + blocked.size()};
    result.wrong += difference("complete", expected.complete, complete);
    if (lessons.waiting.empty() && retries_wait(program)) {
        waiting += lessons.awaiting.empty() ? 0 : 1;
        result.wrong += difference("blocked", expected.blocked, blocked) +
                        (found.dead_ends > 0 ? fmt::format("{} dead ends\n", found.dead_ends) : "");
    }
    if (spins && !(lessons.waiting.empty() && lessons.scattered.empty())) {
        result.wrong += "a loop on one location is not taken for one\n";
    }
    return result;
}

void expect_waiting_at_heads(const Shape& shape, std::uint64_t count) {
    std::size_t waiting = 0;
    std::vector<Contest> contests;
    for (const Axioms& axioms : program_order_axioms()) {
        contests.push_back({.name = std::string(axioms.name), .compare = [&axioms, &waiting](const RandomProgram& p) {
                                return compare_waiting_at_heads(p, axioms, waiting);
                            }});
    }
    testing_support::expect_agreement(shape, count, contests);
    EXPECT_GT(waiting, count / 20); // else this says little
}

void expect_spinning(std::uint64_t count, Equivalence equivalence) {
    std::size_t waiting = 0;
    std::vector<Contest> contests;
    for (const Axioms& axioms : program_order_axioms()) {
        contests.push_back({.name = fmt::format("{} {}", axioms.name, equivalence == Equivalence::Rf ? "rf" : "trace"),
                            .compare = [&axioms, &waiting, equivalence](const RandomProgram& p) {
                                return compare_waiting_at_heads(p, axioms, waiting, equivalence, true);
                            }});
    }
    testing_support::expect_agreement(with_spinning_on_one, count, contests);
    EXPECT_GT(waiting, count); // else this says little
}

TEST(Dpor, SpinningOnOneLocation) { expect_spinning(programs(600), Equivalence::Trace); }
TEST(Dpor, SpinningOnOneLocationUnderRf) { expect_spinning(programs(300), Equivalence::Rf); }
TEST(Dpor, WaitingForACombination) {
    std::size_t waiting = 0;
    for (std::uint64_t seed = 0; seed < programs(400); ++seed) {
        const RandomProgram program = with_waiting_iterations(seed);
        for (const Axioms& axioms : program_order_axioms()) {
            EXPECT_EQ(compare_waiting_at_heads(program, axioms, waiting).wrong, "")
                << "seed " << seed << " under " << axioms.name << "\n"
                << to_text(program);
        }
    }
    EXPECT_GT(waiting, programs(400));
}
/// Where writers know nothing of each other such loops are read by read (explorer_awaits.cpp).
TEST(Dpor, WaitingForStrangers) {
    std::size_t waiting = 0;
    for (std::uint64_t seed = 0; seed < programs(300); ++seed) {
        const RandomProgram program = with_strangers(seed);
        for (const Axioms& axioms : program_order_axioms()) {
            EXPECT_EQ(compare_waiting_at_heads(program, axioms, waiting, Equivalence::Trace, false, true).wrong, "")
                << "seed " << seed << " under " << axioms.name << "\n"
                << to_text(program);
        }
    }
}
TEST(Dpor, WaitingAtHeads) { expect_waiting_at_heads(shapes::kTryingAgain, programs(400)); }
TEST(Dpor, ThreeWaitingAtHeads) { expect_waiting_at_heads(shapes::kThreeTryingAgain, programs(200)); }
TEST(Dpor, FewKindsWaitingAtHeads) { expect_waiting_at_heads(shapes::kFewKindsTryingAgain, programs(500)); }

// --- what makes it fast must not change what it finds ----------------------------------------------------------------------------------------

/// Everything that a check says, as text, the witnesses apart. Without foresight explorations that end with nothing are more, and what is found is not:
/// these are told or not.
std::string told(const RandomProgram& program, CheckOptions options, bool dead_ends = true) {
    Session session(assemble(program));
    options.keep_going = true;
    const CheckResult r = explore(session, options);
    std::set<std::string> violations; // workers find them in any order
    for (const Violation& v : r.violations) {
        std::vector<std::uint32_t> places; // of a race: of both accesses, whichever was noticed first
        for (const std::size_t k : v.about) {
            places.push_back(v.witness.events[k].place.index);
        }
        if (v.trap.kind != TrapKind::DataRace) {
            places = {v.trap.stack.front().index};
        }
        std::ranges::sort(places);
        violations.insert(fmt::format(" {} {}", word_of(v.trap.kind), fmt::join(places, " ")));
    }
    return fmt::format("{} complete {} blocked {} dead ends {}{}", word_of(r.verdict), r.complete, r.blocked,
                       dead_ends ? r.dead_ends : 0, fmt::join(violations, ""));
}

/// At which of its two accesses a race is told depends on which came first in the search; at which of its reads, or at how many of them, a loop is said to wait, on how it is explored.
std::string without_reads_of_loops(const std::string& text) {
    static const std::regex kOpen("dead ends [0-9]+|(data-race|liveness) [0-9]+");
    static const std::regex kAgain("( liveness)+");
    return std::regex_replace(std::regex_replace(text, kOpen, "$1"), kAgain, " liveness");
}

TEST(Tuning, ChangesNothing) {
    const std::vector<std::pair<std::string, Tuning>> positions = {
        {"no steps remembered", {.remember_steps = false}},
        {"last accesses built", {.count_last = false}},
        {"reads before a last write built", {.count_pairs = false}},
        {"last runs built", {.count_runs = false}},
        {"last revisits built", {.count_revisits = false}},
        {"reads built before what the last write revisits is known", {.revisits_of_reads = 0}},
        {"however much the last write revisits, that is known before its read is there", {.revisits_of_reads = 100}},
        {"reads before last reads built", {.count_reads = false}},
        {"each last write looks back by itself", {.share_walks = false}},
        {"neither", {.remember_steps = false, .count_last = false}},
        {"all writes in a table", {.few_writes = 0}},
        {"revisits looked for everywhere", {.narrow_revisits = false}},
        {"a frame for each event", {.share_frames = false}},
        {"who waits is asked about at each step", {.remember_idle = false}},
        {"every thread has its end", {.ends_for_joiners = false}},
        {"updates are tried", {.foresee_updates = false}},
        {"failed iterations are asked about at each end", {.remember_failures = false}},
        {"main has events from its start", {.skip_prologue = false}},
        {"cycles of seq_cst are looked for", {.keep_sc_order = false}},
    };
    const std::vector<std::pair<std::string, Tuning>> positions_of_rf = {
        {"the axioms decide where coherence is open", {.try_the_graph = false, .saturate = false}},
        {"the graph's coherence and the axioms decide", {.saturate = false}},
        {"what must be decides", {.try_the_graph = false}},
        {"a coherence is looked for even if there is but one", {.ask_the_model = false}},
        {"the axioms are asked even if there is but one", {.ask_the_model = false, .try_the_graph = false, .saturate = false}},
        {"no blocks of writes", {.use_blocks = false, .try_the_graph = false}},
        {"no coherence is kept", {.keep_witness = false}},
        {"sc and the axioms decide under rc11", {.search_psc = false}},
        {"no coherence is had from another by moving a write", {.move_writes = false}},
        {"what can be the latest is looked for", {.foresee_latest = false}},
        {"what can be read is known once it is read", {.foresee_reads = false}},
        {"each location that is waited on starts the search again", {.learn_more = false, .learn_in_place = false}},
        {"the search starts again once a location is waited on", {.learn_in_place = false}},
    };
    const std::vector<Shape> shapes = {
        shapes::kThreeThreads,
        shapes::kThreeThreadsThatWait,
        {.threads = 2, .operations = 3, .control = true, .joins = true},
        shapes::kSpawning,
        shapes::kObjects,
        shapes::kObjectsAndWaiting,
        shapes::kObjectsAndSpawning,
        shapes::kFewKinds,
        shapes::kFewKindsInFourThreads,
        shapes::kOneLocation,
        shapes::kTwoLongThreads,
        {.threads = 3, .operations = 3, .mixed = true},
        {.threads = 3, .operations = 3, .mild = true, .mixed = true},
        {.threads = 2, .operations = 5, .mild = true, .mixed = true},
        {.threads = 3, .operations = 3, .mixed = true, .updates = true}, // an odd number: each of them under rf and under trace
    };
    for (std::uint64_t seed = 0; seed < programs(220); ++seed) {
        const RandomProgram program = random_program(seed, shapes[seed % shapes.size()]);
        for (const Axioms& axioms : program_order_axioms()) {
            const CheckOptions usual{.model = std::string(axioms.name),
                                     .equivalence = seed % kRfEvery == 0 ? Equivalence::Rf : Equivalence::Trace};
            const std::string expected = told(program, usual);
            const auto compare = [&](const auto& some) {
                for (const auto& [name, tuning] : some) {
                    CheckOptions options = usual;
                    options.tuning = tuning;
                    EXPECT_EQ(told(program, options, tuning.foresee_updates), expected)
                        << name << " under " << axioms.name << "\n"
                        << to_text(program);
                }
            };
            compare(positions);
            if (usual.equivalence == Equivalence::Rf) {
                compare(positions_of_rf);
            }
            CheckOptions shared = usual;
            shared.jobs = 3;
            shared.tuning.look_every = 1;
            shared.tuning.alone = std::chrono::milliseconds(0);
            EXPECT_EQ(told(program, shared), expected) << "three workers under " << axioms.name << "\n" << to_text(program);
        }
    }
}

/// What the last accesses lead to is counted under rf in more ways than random programs of all kinds have: these have loads, stores and updates only.
TEST(Tuning, CountedUnderRf) {
    const std::vector<Shape> shapes = {
        {.threads = 3, .operations = 2, .mild = true},
        {.threads = 3, .operations = 2, .locations = 1, .mild = true},
        {.threads = 4, .operations = 2, .few = true},
        {.threads = 3, .operations = 3, .few = true},
        {.threads = 3, .operations = 3, .mixed = true}, // relaxed accesses that race beside seq_cst ones
        {.threads = 3, .operations = 3, .mild = true, .mixed = true},
    };
    for (std::uint64_t seed = 0; seed < programs(2'000); ++seed) {
        const RandomProgram program = random_program(seed, shapes[seed % shapes.size()]);
        for (const Axioms& axioms : program_order_axioms()) {
            const CheckOptions usual{.model = std::string(axioms.name), .equivalence = Equivalence::Rf};
            CheckOptions built = usual;
            built.tuning.count_last = false;
            EXPECT_EQ(told(program, usual), told(program, built)) << "seed " << seed << " under " << axioms.name << "\n"
                                                                  << to_text(program);
        }
    }
}

/// Whoever takes over a part of the search makes the choices that lead there again, and must find the same options, whatever the first one had seen before (crew.hpp). Here every choice but
/// the first of its frame is taken over, by the one worker that there is, so that this does not depend on who comes when.
TEST(Tuning, PartsAreFoundAgain) {
    const std::vector<Shape> shapes = {
        shapes::kTryingAgain,
        shapes::kThreeTryingAgain,
        {.threads = 3, .operations = 3},
        {.threads = 3, .operations = 3, .waits = true, .control = true},
        {.threads = 3, .operations = 3, .updates = true},
        {.threads = 3, .operations = 3, .few = true},
        {.control = true, .joins = true, .nests = true, .heap = true},
        {.threads = 3, .operations = 2, .mixed = true},
        {.threads = 3, .operations = 3, .mild = true, .mixed = true},
    };
    const auto make = [&](std::uint64_t seed) {
        return seed % 5 == 0  ? with_waiting_iterations(seed)
               : seed % 5 < 3 ? with_spinning_on_one(seed)
                              : random_program(seed, shapes[seed / 5 % shapes.size()]);
    };
    for (std::uint64_t seed = 0; seed < programs(900); ++seed) {
        const RandomProgram program = make(seed);
        for (const Axioms& axioms : program_order_axioms()) {
            const CheckOptions usual{.model = std::string(axioms.name),
                                     .equivalence = seed % kRfEvery == 0 ? Equivalence::Rf : Equivalence::Trace};
            CheckOptions parts = usual;
            parts.tuning.look_every = 1;
            parts.tuning.alone = std::chrono::milliseconds(0);
            parts.tuning.give_all = true;
            EXPECT_EQ(without_reads_of_loops(told(program, parts)), without_reads_of_loops(told(program, usual)))
                << "seed " << seed << " under " << axioms.name << "\n"
                << to_text(program);
        }
    }
}

/// What was explored before it was learnt that a location is waited on counts if nothing would have been another way.
TEST(Tuning, LearntInPlace) {
    const std::vector<Shape> shapes = {
        shapes::kTryingAgain,
        shapes::kThreeTryingAgain,
        shapes::kTwoThreadsThatWait,
        shapes::kThreeThreadsThatWait,
        {.threads = 3, .operations = 3, .waits = true, .control = true},
        {.threads = 3, .operations = 3, .locations = 1, .waits = true, .updates = true},
    };
    for (std::uint64_t seed = 0; seed < programs(900); ++seed) {
        const RandomProgram program = seed % 5 == 0   ? with_waiting_iterations(seed)
                                      : seed % 5 == 1 ? with_spinning_on_one(seed)
                                                      : random_program(seed, shapes[seed / 5 % shapes.size()]);
        for (const Axioms& axioms : program_order_axioms()) {
            const CheckOptions usual{.model = std::string(axioms.name), .equivalence = Equivalence::Rf};
            CheckOptions again = usual;
            again.tuning.learn_in_place = false;
            EXPECT_EQ(without_reads_of_loops(told(program, usual)), without_reads_of_loops(told(program, again)))
                << "seed " << seed << " under " << axioms.name << "\n"
                << to_text(program);
        }
    }
}

/// Iterations as a whole change only how many explorations end with nothing.
TEST(Tuning, IterationsAsAWhole) {
    const auto rest = without_reads_of_loops;
    for (std::uint64_t seed = 0; seed < programs(300); ++seed) {
        const RandomProgram program =
            seed % 3 == 2 ? (seed % 2 == 0 ? with_waiting_iterations(seed) : with_spinning_on_one(seed))
                          : random_program(seed, seed % 3 == 0 ? shapes::kTryingAgain : shapes::kThreeTryingAgain);
        for (const Axioms& axioms : program_order_axioms()) {
            const CheckOptions usual{.model = std::string(axioms.name)};
            CheckOptions read_by_read = usual;
            read_by_read.tuning.whole_iterations = false;
            const std::string expected = told(program, usual);
            CheckOptions tries = usual;
            tries.tuning.foresee_ends = false;
            EXPECT_EQ(told(program, tries), expected) << "iterations are tried to their end, " << axioms.name << "\n"
                                                      << to_text(program);
            CheckOptions adds = usual;
            adds.tuning.foresee_iterations = false;
            EXPECT_EQ(told(program, adds), expected) << "iterations are tried with events, " << axioms.name << "\n"
                                                     << to_text(program);
            CheckOptions one_by_one = usual;
            one_by_one.tuning.learn_together = false;
            // A loop that is taken for one that tries again may have no dead ends then.
            EXPECT_EQ(rest(told(program, one_by_one)), rest(expected)) << "each loop learnt by itself, " << axioms.name << "\n"
                                                                       << to_text(program);
            CheckOptions builds = usual;
            builds.tuning.count_last = false;
            EXPECT_EQ(told(program, builds), expected) << "last accesses built, " << axioms.name << "\n" << to_text(program);
            CheckOptions waits_at_reads = usual;
            waits_at_reads.tuning.await_iterations = false;
            EXPECT_EQ(rest(told(program, waits_at_reads)), rest(expected)) << "no waiting at heads, " << axioms.name << "\n"
                                                                           << to_text(program);
            CheckOptions no_strangers = usual;
            no_strangers.tuning.await_strangers = false;
            EXPECT_EQ(rest(told(program, no_strangers)), rest(expected)) << "no strangers, " << axioms.name << "\n"
                                                                         << to_text(program);
            EXPECT_EQ(rest(told(program, read_by_read)), rest(expected)) << axioms.name << "\n" << to_text(program);
            read_by_read.tuning.count_last = false;
            EXPECT_EQ(rest(told(program, read_by_read)), rest(expected)) << "nothing counted, " << axioms.name << "\n"
                                                                         << to_text(program);
            CheckOptions shared = usual;
            shared.jobs = 3;
            shared.tuning.look_every = 1;
            shared.tuning.alone = std::chrono::milliseconds(0);
            EXPECT_EQ(rest(told(program, shared)), rest(expected)) << "three workers, " << axioms.name << "\n"
                                                                   << to_text(program);
        }
    }
}

/// Under rf they are foreseen while there is but one coherence.
TEST(Tuning, IterationsForeseenUnderRf) {
    const std::vector<Shape> shapes = {shapes::kTryingAgain, shapes::kThreeTryingAgain, shapes::kFewKindsTryingAgain};
    for (std::uint64_t seed = 0; seed < programs(6'000); ++seed) {
        const RandomProgram program = random_program(seed, shapes[seed % shapes.size()]);
        for (const std::string model : {"ra", "rc11"}) {
            const CheckOptions usual{.model = model, .equivalence = Equivalence::Rf};
            CheckOptions adds = usual;
            adds.tuning.foresee_iterations = false;
            EXPECT_EQ(told(program, adds), told(program, usual)) << "seed " << seed << " under " << model << "\n"
                                                                 << to_text(program);
        }
    }
}

/// What an iteration that fails races with is told whatever is done as a whole and whatever is remembered.
TEST(Tuning, IterationsThatFail) {
    const auto races = [](const RandomProgram& program, const CheckOptions& options) {
        return told(program, options).contains("data-race");
    };
    for (std::uint64_t seed = 0; seed < programs(1'000); ++seed) {
        const RandomProgram program = testing_support::with_failing_iterations(seed);
        const CheckOptions usual{.model = "rc11"};
        CheckOptions forgetful = usual;
        forgetful.tuning.remember_failures = false;
        CheckOptions read_by_read = usual;
        read_by_read.tuning.whole_iterations = false;
        const bool expected = races(program, read_by_read);
        EXPECT_EQ(races(program, usual), expected) << to_text(program);
        EXPECT_EQ(races(program, forgetful), expected) << to_text(program);
    }
}

// --- disagreements found, as small as they get ---------------------------------------------------------------------------------------------

using Kind = Operation::Kind;
using testing_support::Operations;

Operation load(std::uint8_t location) { return {.kind = Kind::Load, .location = location}; }
Operation store(std::uint8_t location, std::uint8_t value = 1) {
    return {.kind = Kind::Store, .location = location, .value = value};
}
Operation wait_load(Wait wait, std::uint8_t operand) { return {.kind = Kind::WaitLoad, .wait = wait, .operand = operand}; }
Operation wait_rmw(RmwOp rmw, Wait wait, std::uint8_t operand) {
    return {.kind = Kind::WaitRmw, .rmw = rmw, .wait = wait, .operand = operand};
}
const Operation kLock{.kind = Kind::Lock};
const Operation kTryLock{.kind = Kind::TryLock};
const Operation kUnlock{.kind = Kind::Unlock};

RandomProgram program_of(std::initializer_list<Operations> threads) {
    RandomProgram p;
    for (const Operations& operations : threads) {
        p.threads.push_back({.operations = operations});
    }
    return p;
}

std::string disagreements(const RandomProgram& program) {
    std::string all;
    for (const Axioms& axioms : program_order_axioms()) {
        for (const Equivalence e : {Equivalence::Trace, Equivalence::Rf}) {
            const std::string wrong = compare(program, axioms, e).wrong;
            all += wrong.empty() ? "" : fmt::format("under {} {}\n{}", axioms.name, e == Equivalence::Rf ? "rf" : "trace", wrong);
        }
    }
    return all.empty() ? "" : to_text(program) + all;
}

// The write that revisits thread 0's load keeps the Spawn but not the Begin of the thread spawned, which then never runs.
TEST(Disagreements, ARevisitLosesTheThreadThatTheWriterSpawned) {
    RandomProgram p = program_of({{load(0)}, {load(0), store(0)}, {load(0)}});
    p.threads[2].spawned_after = 1;
    EXPECT_EQ(disagreements(p), "");
}

// Thread 0 waits for the lock, goes on in place, and is then revisited at its load: never found.
TEST(Disagreements, ARevisitOfAReadBeforeAWaitThatWentOn) {
    EXPECT_EQ(disagreements(program_of({{load(1), wait_load(Wait::GreaterEqual, 2)}, {store(0, 2), store(1)}})),
              ""); // just a message passed
    EXPECT_EQ(disagreements(program_of({{load(0), kLock}, {kLock, kUnlock, store(0)}})), "");
}

// The writer itself has waited and gone on: its store is missing, or done twice.
TEST(Disagreements, ARevisitByAThreadThatWaitedAndWentOn) {
    RandomProgram exchange = program_of({{load(1)}, {wait_rmw(RmwOp::Xchg, Wait::GreaterEqual, 1), store(1)}, {store(0)}});
    EXPECT_EQ(disagreements(exchange), "");
    EXPECT_EQ(disagreements(program_of({{load(0)}, {kLock, store(0)}, {kLock, kUnlock}})), "");
    EXPECT_EQ(disagreements(program_of({{load(0)}, {kLock, store(0)}, {kTryLock, kUnlock}})), "");
}

// Blocked executions are found several times when more than one write takes a read's chance away.
TEST(Disagreements, SeveralWritesTakeAChanceAway) {
    EXPECT_EQ(disagreements(program_of({{wait_load(Wait::LessEqual, 0)}, {store(0)}, {store(0)}})), "");
    EXPECT_EQ(
        disagreements(program_of({{wait_rmw(RmwOp::Xchg, Wait::Less, 1)}, {store(0)}, {{.kind = Kind::Rmw, .rmw = RmwOp::Add}}})),
        "");
    EXPECT_EQ(disagreements(program_of({{wait_rmw(RmwOp::Xchg, Wait::GreaterEqual, 2)}, {store(0, 2), store(0)}, {store(0)}})),
              "");
    EXPECT_EQ(disagreements(program_of({{wait_load(Wait::Less, 1)}, {wait_rmw(RmwOp::Add, Wait::NotEqual, 1)}, {store(0)}})), "");
}

// One write takes the chance away, and another that knows nothing of it gives one back: explorations ended with nothing.
TEST(Disagreements, AChanceTakenAwayAndGivenBack) {
    EXPECT_EQ(disagreements(program_of({{wait_load(Wait::GreaterEqual, 1)}, {store(0, 1)}, {store(0, 0)}, {store(0, 1)}})), "");
    EXPECT_EQ(disagreements(program_of({{wait_load(Wait::Less, 1)}, {store(0, 1)}, {store(0, 0), store(0, 1)}, {store(0, 0)}})),
              "");
}

// Two threads wait for the same store. The lower one goes on and writes what the other has read before it began to wait: that other must be able to read it, although
// it has not had its turn since.
TEST(Disagreements, ARevisitOfAReadBeforeAWaitThatCouldGoOn) {
    const Operation wait{.kind = Kind::WaitLoad, .wait = Wait::NotEqual, .location = 1};
    EXPECT_EQ(disagreements(program_of({{wait, store(0)}, {load(0), wait}, {store(1)}})), "");
    // The same with a loop whose condition reads both.
    Operation both = {.kind = Kind::Retry, .wait = Wait::NotEqual, .again = Operation::Again::Until, .body = {load(1)}};
    EXPECT_EQ(disagreements(program_of({{both, store(0)}, {both}, {store(1)}})), "");
}

// Under rf: reading the lock orders the two stores, and that decides what the load would canonically read.
TEST(Disagreements, AReadOrdersWritesElsewhere) {
    EXPECT_EQ(disagreements(program_of({{kLock, store(0), load(0)}, {store(0), kLock}})), "");
}

// Under rf: one fence is enough for the model to ask about psc, and it took the order of an open location in the graph for its coherence. Found by the search
// by values, which uses the same model.
TEST(Disagreements, AFenceBesideAnOpenLocation) {
    const Operation fence{.kind = Kind::Fence, .order = Order::SeqCst};
    const Operation add{.kind = Kind::Rmw, .rmw = RmwOp::Add};
    EXPECT_EQ(disagreements(program_of({{store(1), store(0, 0)}, {add, fence, load(0), load(1)}})), "");
}

Operation retry(Operation::Again again) { return {.kind = Kind::Retry, .again = again}; }

// Iterations done as a whole: reading two writes that know nothing of each other.
TEST(Disagreements, TwoNewSourcesOfOneIteration) {
    EXPECT_EQ(disagreements(program_of({{retry(Operation::Again::Same)}, {retry(Operation::Again::Exchange)}, {store(0)}})), "");
}

// A loop waits for one location. The write of 1, which the iteration reads in between, takes its chance away, although together with the write of 0 after it, which was there first, it does not.
TEST(Disagreements, AWriteBetweenTheReadsOfAnIteration) {
    const Operation spin{.kind = Kind::Retry, .again = Operation::Again::Pair, .pairs = 1, .body = {load(0), load(0)}};
    const RandomProgram p = program_of({{spin}, {store(0)}, {store(0, 0)}});
    std::size_t waiting = 0;
    for (const Axioms& axioms : program_order_axioms()) {
        EXPECT_EQ(compare_waiting_at_heads(p, axioms, waiting, Equivalence::Trace, true).wrong, "") << axioms.name;
        EXPECT_EQ(compare_waiting_at_heads(p, axioms, waiting, Equivalence::Rf, true).wrong, "") << axioms.name;
    }
    EXPECT_GT(waiting, 0u);
}

const Operation kAlloc{.kind = Kind::Alloc};
const Operation kFree{.kind = Kind::Free};
const Operation kPut{.kind = Kind::Put};
const Operation kPutNull{.kind = Kind::Put, .pointer = 1};
const Operation kTake{.kind = Kind::Take};

// Under rf: which of the two stores is the latest decides whether the object is lost, and only one of the two was asked about.
TEST(Disagreements, CoherenceDecidesWhatLeaks) {
    RandomProgram p = program_of({{kPutNull}, {kAlloc, kPut}});
    p.shelves = 1;
    EXPECT_EQ(disagreements(p), "");
}

// Of two frees of one object only the first added was known; when that one was cut away the object was said to leak.
TEST(Disagreements, TheFirstOfTwoFreesIsCutAway) {
    RandomProgram p = program_of({{kTake, kFree}, {kAlloc, kPut, kFree, kPutNull}});
    p.shelves = 1;
    EXPECT_EQ(disagreements(p), "");
}

// What is undefined was taken for a value that the thread waits on, and nothing was wrong with that.
TEST(Disagreements, AThreadWaitsForAnUndefinedValue) {
    const Operation undefined{.kind = Kind::Alloc, .zeroed = false};
    const Operation wait{.kind = Kind::WaitLoad, .wait = Wait::GreaterEqual, .operand = 2, .through = 0};
    EXPECT_EQ(disagreements(program_of({{undefined, wait}})), "");
    RandomProgram p = program_of({{undefined, kPut, wait}, {kTake, {.kind = Kind::Store, .value = 2, .through = 0}}});
    p.shelves = 1;
    EXPECT_EQ(disagreements(p), "");
    const CheckResult r = explore(*std::make_unique<Session>(assemble(p)), {.model = "sc", .keep_going = true});
    EXPECT_TRUE(std::ranges::any_of(r.violations, [](const Violation& v) { return v.trap.message == kUninitializedLock; }));
}

} // namespace
} // namespace heddle
