// Objects of random programs: what is wrong with their lives is the same whatever equivalence is asked for.
#include "campaign.hpp"

#include "search/dpor/explorer.hpp"
#include "search/value/value_explorer.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

namespace heddle {
namespace {

namespace shapes = testing_support::shapes;
using testing_support::assemble;
using testing_support::Comparison;
using testing_support::Contest;
using testing_support::programs;
using testing_support::RandomProgram;
using testing_support::Shape;

std::string wrong_with(const RandomProgram& program, const std::string& model, Equivalence equivalence) {
    Session session(assemble(program));
    const CheckOptions options{.model = model, .equivalence = equivalence, .keep_going = true};
    const CheckResult r = equivalence == Equivalence::Value ? explore_by_value(session, options) : explore(session, options);
    return fmt::format("{} {}\n", r.reason, fmt::join(testing_support::told(session.program, r.violations), ", "));
}

Comparison compare(const RandomProgram& program, const std::string& model, Equivalence equivalence) {
    const std::string wanted = wrong_with(program, model, Equivalence::Trace);
    const std::string found = wrong_with(program, model, equivalence);
    return {.wrong = wanted == found ? "" : "wanted: " + wanted + "found:  " + found, .executions = 1};
}

void expect_agreement(const Shape& shape, std::uint64_t count) {
    std::vector<Contest> contests;
    for (const char* model : {"sc", "tso", "pso", "ra", "rc11"}) {
        contests.push_back({.name = fmt::format("{} rf", model),
                            .compare = [model](const RandomProgram& p) { return compare(p, model, Equivalence::Rf); }});
    }
    for (const char* model : {"sc", "tso", "pso"}) {
        contests.push_back({.name = fmt::format("{} value", model),
                            .compare = [model](const RandomProgram& p) { return compare(p, model, Equivalence::Value); }});
    }
    testing_support::expect_agreement(shape, count, contests);
}

TEST(Lifetimes, TwoThreads) { expect_agreement({.threads = 2, .operations = 4, .locations = 1, .heap = true}, programs(150)); }
TEST(Lifetimes, ThreeThreads) { expect_agreement(shapes::kObjectsOfThreeThreads, programs(150)); }
TEST(Lifetimes, Waiting) { expect_agreement(shapes::kObjectsAndWaiting, programs(150)); }
TEST(Lifetimes, Spawning) { expect_agreement(shapes::kObjectsAndSpawning, programs(100)); }

} // namespace
} // namespace heddle
