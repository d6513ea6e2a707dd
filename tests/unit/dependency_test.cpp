// The DPOR search against the enumeration of executions under models with dependencies (POWER, ARMv8): the same executions, each once.
#include "campaign.hpp"

#include "model/axioms.hpp"
#include "program/compile_atomics.hpp"
#include "program/verify.hpp"
#include "search/dpor/explorer.hpp"
#include "search/enumerate/enumerate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
    const bool left_out = std::ranges::any_of(
        result.assumptions, [](const Assumption& a) { return a.kind == "update-in-one-piece" || a.kind == "forwarded-read"; });
    if (left_out) {
        std::erase_if(expected, [&](const std::string& x) { return std::ranges::find(found, x) == found.end(); });
    }
    Comparison comparison{.wrong = testing_support::difference("complete", expected, found), .executions = found.size()};
    if (result.dead_ends > 0) {
        comparison.wrong += fmt::format("{} dead ends\n", result.dead_ends);
    }
    return comparison;
}

void expect_agreement(const Shape& shape, std::uint64_t count, const Tuning& tuning = {}) {
    std::vector<Contest> contests;
    for (const Axioms& axioms : all_axioms()) {
        if (axioms.is_processor()) {
            contests.push_back({.name = std::string(axioms.name),
                                .compare = [&axioms, tuning](const RandomProgram& p) { return compare(p, axioms, tuning); }});
        }
    }
    testing_support::expect_agreement(shape, count, contests, 5);
}

TEST(Dependencies, TwoThreads) { expect_agreement({.threads = 2, .operations = 3}, programs(150)); }
TEST(Dependencies, ThreeLocations) { expect_agreement({.threads = 2, .operations = 3, .locations = 3}, programs(100)); }
TEST(Dependencies, TwoLongThreads) { expect_agreement({.threads = 2, .operations = 4, .control = true}, programs(60)); }
TEST(Dependencies, ThreeThreads) { expect_agreement({.threads = 3, .operations = 2, .control = true}, programs(100)); }
TEST(Dependencies, OneLocation) {
    expect_agreement({.threads = 3, .operations = 2, .locations = 1, .control = true}, programs(60));
}
TEST(Dependencies, Waiting) { expect_agreement({.threads = 2, .operations = 3, .waits = true, .control = true}, programs(100)); }
TEST(Dependencies, Joining) {
    expect_agreement({.threads = 2, .operations = 2, .waits = true, .control = true, .joins = true}, programs(100));
}
TEST(Dependencies, Forwarding) {
    expect_agreement({.threads = 2, .operations = 4, .locations = 3, .chains = true}, programs(150));
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

// What makes it fast must not change what it finds.
TEST(Dependencies, PlainWays) {
    const Shape shape{.threads = 2, .operations = 3, .waits = true, .control = true, .joins = true};
    expect_agreement(shape, programs(60), {.judge_cycles = false});
    expect_agreement(shape, programs(30), {.remember_steps = false});
    expect_agreement(shape, programs(30), {.narrow_revisits = false});
    expect_agreement(shape, programs(30), {.share_frames = false});
    expect_agreement(shape, programs(30), {.ends_for_joiners = false});
    expect_agreement(shape, programs(30), {.skip_prologue = false});
}

} // namespace
} // namespace heddle
