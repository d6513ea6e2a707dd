// The DPOR search under processors' models against the enumeration of executions: random programs, the same executions, each once.
#include "model/axioms.hpp"
#include "program/compile_atomics.hpp"
#include "random_program.hpp"
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
using testing_support::random_program;
using testing_support::RandomProgram;
using testing_support::shrink;

struct Comparison {
    std::string wrong; ///< how they disagree; empty: they do not
    bool too_large = false;
    std::size_t executions = 0;
};

Comparison compare(const RandomProgram& program, const Axioms& axioms) {
    Program compiled = assemble(program, false, true);
    compile_atomics(compiled, axioms.architecture);
    Session session(std::move(compiled));
    std::set<std::string> wanted;
    const auto judge = judge_by(axioms);
    const EnumerateOptions options{.paths = {.max_paths = 2000, .gives_up = [asked = 0]() mutable { return ++asked > 4; }},
                                   .observed = {}};
    const EnumerateResult result = enumerate(session.program, session.names, *judge, options, [&](const EnumeratedExecution& e) {
        if (!e.trap) {
            wanted.insert(canonical(e.execution));
        }
    });
    if (result.unsupported) {
        const bool too_large = result.unsupported->starts_with("more than") || *result.unsupported == kStopped;
        return {.wrong = too_large ? "" : "the enumeration: " + *result.unsupported, .too_large = too_large};
    }
    std::vector<std::string> found;
    const CheckResult checked =
        explore(session, {.model = std::string(axioms.name), .keep_going = true},
                [&](const std::string& text, bool is_blocked) { is_blocked ? void() : found.push_back(text); });
    if (checked.verdict == Verdict::Unsupported || checked.verdict == Verdict::OutOfBudget) {
        return {.wrong = "no result: " + checked.reason};
    }
    const std::set<std::string> distinct(found.begin(), found.end());
    if (distinct == wanted && distinct.size() == found.size()) {
        return {.wrong = "", .executions = found.size()};
    }
    std::string wrong = fmt::format("{} wanted, {} found, {} distinct\n", wanted.size(), found.size(), distinct.size());
    std::vector<std::string> only;
    std::ranges::set_symmetric_difference(wanted, distinct, std::back_inserter(only));
    for (std::size_t k = 0; k < std::min<std::size_t>(only.size(), 3); ++k) {
        wrong += fmt::format("  {}: {}\n", distinct.contains(only[k]) ? "wrong" : "missing", only[k]);
    }
    return {.wrong = wrong, .executions = found.size()};
}

void expect_agreement(const testing_support::Shape& shape, std::uint64_t usual) {
    const char* const wish = std::getenv("HEDDLE_RANDOM_PROGRAMS");
    const std::uint64_t count = wish ? std::strtoull(wish, nullptr, 10) : std::getenv("HEDDLE_LONG_TESTS") ? 20 * usual : usual;
    std::size_t too_large = 0;
    std::size_t executions = 0;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        const RandomProgram program = random_program(seed, shape);
        for (const Axioms& axioms : all_axioms()) {
            if (axioms.architecture == Architecture::C) {
                continue; // enumerate_test.cpp
            }
            const Comparison result = compare(program, axioms);
            too_large += result.too_large ? 1 : 0;
            executions += result.executions;
            if (!result.wrong.empty()) {
                const RandomProgram least =
                    shrink(program, [&](const RandomProgram& p) { return !compare(p, axioms).wrong.empty(); });
                FAIL() << fmt::format("seed {} under {}\n{}{}", seed, axioms.name, to_text(least), compare(least, axioms).wrong);
            }
        }
    }
    if (std::getenv("HEDDLE_RANDOM_STATISTICS")) {
        fmt::print("{} programs, {} too large, {} executions\n", count, too_large, executions);
    }
    EXPECT_LT(too_large, count / 2 + 2);
    EXPECT_GT(executions, count);
}

TEST(EnumerateHardware, TwoThreads) { expect_agreement({.threads = 2, .operations = 3, .locations = 3}, 100); }
TEST(EnumerateHardware, ThreeThreads) { expect_agreement({.threads = 3, .operations = 2, .control = true}, 60); }
TEST(EnumerateHardware, Waiting) { expect_agreement({.threads = 2, .operations = 3, .waits = true, .control = true}, 60); }
TEST(EnumerateHardware, Joining) { expect_agreement({.threads = 2, .operations = 2, .control = true, .joins = true}, 60); }

} // namespace
} // namespace heddle
