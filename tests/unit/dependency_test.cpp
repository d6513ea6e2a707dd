// The DPOR search against the enumeration of executions under models with dependencies (POWER, ARMv8): the same executions, each once.
#include "campaign.hpp"

#include "model/axioms.hpp"
#include "program/compile_atomics.hpp"
#include "program/verify.hpp"
#include "search/dpor/explorer.hpp"
#include "search/enumerate/enumerate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace heddle {
namespace {

using testing_support::assemble;
using testing_support::Comparison;
using testing_support::Contest;
using testing_support::programs;
using testing_support::RandomProgram;
using testing_support::Shape;

Program compiled(const RandomProgram& program, const Axioms& axioms) {
    Program p = assemble(program, false, true);
    compile_atomics(p, axioms.architecture);
    EXPECT_TRUE(verify(p).empty());
    return p;
}

Comparison compare(const RandomProgram& program, const Axioms& axioms, const Tuning& tuning) {
    Session for_enumeration(compiled(program, axioms));
    std::vector<std::string> wanted;
    const auto judge = judge_by(axioms);
    const EnumerateOptions options{.paths = {.depends_on_updates = axioms.depends_on_updates(),
                                             .max_paths = 3000,
                                             .gives_up = [asked = 0]() mutable { return ++asked > 5; }},
                                   .observed = {}};
    const EnumerateResult enumerated =
        enumerate(for_enumeration.program, for_enumeration.names, *judge, options, [&](const EnumeratedExecution& e) {
            if (!e.trap) {
                wanted.push_back(canonical(e.execution));
            }
        });
    if (enumerated.unsupported) {
        return testing_support::no_oracle(*enumerated.unsupported);
    }
    Session session(compiled(program, axioms));
    std::vector<std::string> found;
    const CheckResult result = explore(session, {.model = std::string(axioms.name), .keep_going = true, .tuning = tuning},
                                       [&](const std::string& text, bool blocked) {
                                           if (!blocked) {
                                               found.push_back(text);
                                           }
                                       });
    std::set<std::string> expected(wanted.begin(), wanted.end());
    // Where the verdict says that executions may be left out, they may be.
    const bool left_out =
        std::ranges::any_of(result.assumptions, [](const Assumption& a) { return a.kind == "update-in-one-piece"; });
    if (left_out) {
        std::erase_if(expected, [&](const std::string& x) { return std::ranges::find(found, x) == found.end(); });
    }
    Comparison comparison{.wrong = testing_support::difference("complete", expected, found), .executions = found.size()};
    if (result.dead_ends > 0) {
        comparison.wrong += fmt::format("{} dead ends\n", result.dead_ends);
    }
    return comparison;
}

void expect_agreement(const Shape& shape, std::uint64_t count, const Tuning& tuning = {}, std::uint64_t few = 5) {
    std::vector<Contest> contests;
    for (const Axioms& axioms : all_axioms()) {
        if (axioms.is_processor()) {
            contests.push_back({.name = std::string(axioms.name),
                                .compare = [&axioms, tuning](const RandomProgram& p) { return compare(p, axioms, tuning); }});
        }
    }
    testing_support::expect_agreement(shape, count, contests, few);
}

TEST(Dependencies, TwoThreads) { expect_agreement({.threads = 2, .operations = 3}, programs(150)); }
TEST(Dependencies, ThreeLocations) { expect_agreement({.threads = 2, .operations = 3, .locations = 3}, programs(100)); }
TEST(Dependencies, TwoLongThreads) { expect_agreement({.threads = 2, .operations = 4, .control = true}, programs(60)); }
TEST(Dependencies, ThreeThreads) { expect_agreement({.threads = 3, .operations = 2, .control = true}, programs(100)); }
TEST(Dependencies, OneLocation) {
    expect_agreement({.threads = 3, .operations = 2, .locations = 1, .control = true}, programs(60));
}
TEST(Dependencies, Waiting) { expect_agreement({.threads = 2, .operations = 3, .waits = true, .control = true}, programs(100)); }
TEST(Dependencies, FewKinds) { expect_agreement(testing_support::shapes::kFewKinds, programs(300)); }
TEST(Dependencies, Joining) {
    expect_agreement({.threads = 2, .operations = 2, .waits = true, .control = true, .joins = true}, programs(100));
}
TEST(Dependencies, Forwarding) {
    expect_agreement({.threads = 2, .operations = 4, .locations = 3, .chains = true}, programs(150));
}
// On ARMv8 what follows an update need not wait for its write. (Additions in a row are what the enumeration is slowest at.)
TEST(Dependencies, Updates) { expect_agreement({.threads = 2, .operations = 3, .updates = true}, programs(150), {}, 3); }
TEST(Dependencies, UpdatesOfThreeLocations) {
    expect_agreement({.threads = 2, .operations = 4, .locations = 3, .control = true, .updates = true}, programs(60), {}, 3);
}
TEST(Dependencies, UpdatesByThree) {
    expect_agreement({.threads = 3, .operations = 2, .locations = 3, .updates = true}, programs(100));
}
TEST(Dependencies, UpdatesAndWaiting) {
    expect_agreement({.threads = 2, .operations = 3, .waits = true, .joins = true, .updates = true}, programs(60), {}, 3);
}
TEST(Dependencies, ChainsOfUpdates) {
    expect_agreement({.threads = 2, .operations = 3, .locations = 3, .updates = true, .chains = true}, programs(150));
}
TEST(Dependencies, ChainsOfUpdatesByThree) {
    expect_agreement({.threads = 3, .operations = 1, .locations = 3, .updates = true, .chains = true}, programs(100));
}
TEST(Dependencies, ForwardingByThree) {
    expect_agreement({.threads = 3, .operations = 2, .locations = 2, .chains = true}, programs(60));
}
// Who accesses what after its end, and what leaks, the enumeration does not know: executions only.
TEST(Dependencies, Objects) { expect_agreement(testing_support::shapes::kObjects, programs(80)); }
TEST(Dependencies, ObjectsOfThreeThreads) { expect_agreement(testing_support::shapes::kObjectsOfThreeThreads, programs(60)); }
TEST(Dependencies, ObjectsAndWaiting) { expect_agreement(testing_support::shapes::kObjectsAndWaiting, programs(60)); }
TEST(Dependencies, Spawning) {
    expect_agreement({.threads = 3, .operations = 2, .control = true, .joins = true, .nests = true}, programs(60));
}

/// Compares one program, told in full.
void expect_agreement(const RandomProgram& program) {
    for (const Axioms& axioms : all_axioms()) {
        if (axioms.is_processor()) {
            const Comparison result = compare(program, axioms, {});
            EXPECT_FALSE(result.too_large);
            EXPECT_EQ(result.wrong, "") << axioms.name << "\n" << to_text(program);
        }
    }
}

/// The store of thread 1's update cannot come before what thread 0 stores as long as the load before it reads 2; another thread, which the update's read leads
/// to, lets it read 1. In any order of the threads.
TEST(Dependencies, UpdateWhoseStoreHasNoPlaceAtFirst) {
    using Kind = testing_support::Operation::Kind;
    const testing_support::RandomThread overtakes{
        .operations = {{.kind = Kind::Store, .location = 0, .value = 5},
                       {.kind = Kind::Store, .order = Order::Release, .location = 1, .value = 2}}};
    const testing_support::RandomThread updates{
        .operations = {{.kind = Kind::Load, .location = 1},
                       {.kind = Kind::Rmw, .order = Order::Release, .rmw = RmwOp::Add, .location = 0, .value = 1},
                       {.kind = Kind::Store, .location = 2, .stores_last = true}}};
    const testing_support::RandomThread answers{
        .operations = {{.kind = Kind::Load, .location = 2}, {.kind = Kind::Store, .location = 1, .stores_last = true}}};
    std::vector<testing_support::RandomThread> threads{overtakes, updates, answers};
    for (const auto& order : std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
        RandomProgram program{.locations = 3, .threads = {}};
        for (const int k : order) {
            program.threads.push_back(threads[k]);
        }
        expect_agreement(program);
    }
}

/// Thread 0's update takes what thread 1's reads before that is known to be read: it is cut away when thread 1's last store revisits the first load. (Shrunk.)
TEST(Dependencies, UpdateThatIsTakenAtFirst) {
    using Kind = testing_support::Operation::Kind;
    const testing_support::RandomThread takes{
        .operations = {{.kind = Kind::Load, .location = 0}, {.kind = Kind::Rmw, .rmw = RmwOp::Add, .location = 1}}};
    testing_support::RandomThread updates{.operations = {{.kind = Kind::Load, .location = 2},
                                                         {.kind = Kind::Rmw, .order = Order::AcqRel, .location = 1},
                                                         {.kind = Kind::Store, .location = 0}}};
    expect_agreement(RandomProgram{.locations = 3, .threads = {takes, updates}});
    // The store that is not there yet is forwarded to another update's read.
    updates.operations.insert(updates.operations.end() - 1, {.kind = Kind::CompareExchange, .location = 1});
    expect_agreement(RandomProgram{.locations = 3, .threads = {takes, updates}});
}

/// As in UpdateWhoseStoreHasNoPlaceAtFirst, but the store has a place at first, and what thread 3 then reads of g2 is refused because of it. Thread 0's load is revisited by what rests on that; only
/// then may thread 2's first load read 0, with which there would be no cycle. This one is not found, and the verdict says so.
TEST(Dependencies, SaysWhereAnExecutionMayBeMissing) {
    using Kind = testing_support::Operation::Kind;
    const RandomProgram program{
        .locations = 5,
        .threads = {{.operations = {{.kind = Kind::Load, .location = 4}, {.kind = Kind::Store, .location = 0, .value = 5}}},
                    {.operations = {{.kind = Kind::Store, .location = 2, .value = 1},
                                    {.kind = Kind::Store, .order = Order::Release, .location = 1, .value = 2}}},
                    {.operations = {{.kind = Kind::Load, .location = 1},
                                    {.kind = Kind::Rmw, .order = Order::Release, .rmw = RmwOp::Xchg, .location = 0, .value = 1},
                                    {.kind = Kind::Store, .location = 3, .stores_last = true}}},
                    {.operations = {{.kind = Kind::Load, .order = Order::Acquire, .location = 3},
                                    {.kind = Kind::Load, .order = Order::Acquire, .location = 0},
                                    {.kind = Kind::Load, .location = 2},
                                    {.kind = Kind::Store, .location = 4, .stores_last = true}}}}};
    expect_agreement(program);
    const Axioms& armv8 = *find_axioms("armv8");
    Session session(compiled(program, armv8));
    const CheckResult result = explore(session, {.model = "armv8"});
    EXPECT_TRUE(std::ranges::any_of(result.assumptions, [](const Assumption& a) { return a.kind == "update-in-one-piece"; }));
    EXPECT_EQ(result.verdict, Verdict::Unsupported);
}

// What makes it fast must not change what it finds.
TEST(Dependencies, PlainWays) {
    const Shape shape{.threads = 2, .operations = 3, .waits = true, .control = true, .joins = true};
    expect_agreement(shape, programs(60), {.judge_cycles = false});
    expect_agreement(shape, programs(60), {.follow_fences = false});
    expect_agreement(shape, programs(30), {.remember_steps = false});
    expect_agreement(shape, programs(30), {.narrow_revisits = false});
    expect_agreement(shape, programs(30), {.share_frames = false});
    expect_agreement(shape, programs(30), {.ends_for_joiners = false});
    expect_agreement(shape, programs(30), {.skip_prologue = false});
    expect_agreement(shape, programs(30), {.look_every = 1, .alone = std::chrono::milliseconds(0), .give_all = true});
    const Shape updates{.threads = 3, .operations = 1, .locations = 3, .updates = true, .chains = true};
    expect_agreement(updates, programs(60), {.foresee_updates = false});
    expect_agreement(updates, programs(60), {.judge_cycles = false});
}

} // namespace
} // namespace heddle
