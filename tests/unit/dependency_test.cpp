// The DPOR search against the enumeration of executions under models with dependencies (POWER, ARMv8): the same executions, each once.
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
using testing_support::Shape;
using testing_support::shrink;

struct Comparison {
    std::string wrong; ///< how they disagree; empty: they do not
    bool too_large = false;
    std::size_t executions = 0;
};

Program compiled(const RandomProgram& program, const Axioms& axioms) {
    Program p = assemble(program, false, true);
    compile_atomics(p, axioms.architecture);
    return p;
}

Comparison compare(const RandomProgram& program, const Axioms& axioms) {
    Session for_enumeration(compiled(program, axioms));
    std::vector<std::string> wanted;
    const auto judge = judge_by(axioms);
    const EnumerateOptions options{.paths = {.max_paths = 3000, .gives_up = [asked = 0]() mutable { return ++asked > 5; }},
                                   .observed = {}};
    const EnumerateResult enumerated =
        enumerate(for_enumeration.program, for_enumeration.names, *judge, options, [&](const EnumeratedExecution& e) {
            if (!e.trap) {
                wanted.push_back(canonical(e.execution));
            }
        });
    if (enumerated.unsupported) {
        const bool too_large = enumerated.unsupported->starts_with("more than") || *enumerated.unsupported == kStopped;
        return {.wrong = too_large ? "" : "the enumeration: " + *enumerated.unsupported, .too_large = too_large};
    }
    Session session(compiled(program, axioms));
    std::vector<std::string> found;
    const CheckResult result =
        explore(session, {.model = std::string(axioms.name), .keep_going = true}, [&](const std::string& text, bool blocked) {
            if (!blocked) {
                found.push_back(text);
            }
        });
    const std::set<std::string> expected(wanted.begin(), wanted.end());
    const std::set<std::string> distinct(found.begin(), found.end());
    Comparison comparison{.wrong = "", .executions = found.size()};
    if (distinct != expected || distinct.size() != found.size()) {
        comparison.wrong = fmt::format("{} wanted, {} found, {} distinct\n", expected.size(), found.size(), distinct.size());
        std::vector<std::string> only;
        std::ranges::set_symmetric_difference(expected, distinct, std::back_inserter(only));
        for (std::size_t k = 0; k < std::min<std::size_t>(only.size(), 3); ++k) {
            comparison.wrong += fmt::format("  {}: {}\n", distinct.contains(only[k]) ? "wrong" : "missing", only[k]);
        }
    }
    if (result.dead_ends > 0) {
        comparison.wrong += fmt::format("{} dead ends\n", result.dead_ends);
    }
    return comparison;
}

std::uint64_t programs(std::uint64_t usual) {
    const char* const wish = std::getenv("HEDDLE_RANDOM_PROGRAMS");
    return wish ? std::strtoull(wish, nullptr, 10) : std::getenv("HEDDLE_LONG_TESTS") ? 20 * usual : usual;
}

void expect_agreement(const Shape& shape, std::uint64_t count) {
    std::size_t too_large = 0;
    std::size_t executions = 0;
    unsigned failures = 0;
    for (std::uint64_t seed = 0; seed < count && failures < 2; ++seed) {
        const RandomProgram program = random_program(seed, shape);
        for (const Axioms& axioms : all_axioms()) {
            if (!axioms.is_processor()) {
                continue;
            }
            const Comparison result = compare(program, axioms);
            too_large += result.too_large ? 1 : 0;
            executions += result.executions;
            if (!result.wrong.empty()) {
                ++failures;
                const RandomProgram least =
                    shrink(program, [&](const RandomProgram& p) { return !compare(p, axioms).wrong.empty(); });
                ADD_FAILURE() << fmt::format("seed {} under {}\n{}{}", seed, axioms.name, to_text(least),
                                             compare(least, axioms).wrong);
            }
        }
    }
    if (std::getenv("HEDDLE_RANDOM_STATISTICS")) {
        fmt::print("{} programs, {} too large, {} executions\n", count, too_large, executions);
    }
    EXPECT_LT(too_large, count);
    EXPECT_GT(executions, count);
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
TEST(Dependencies, Spawning) {
    expect_agreement({.threads = 3, .operations = 2, .control = true, .joins = true, .nests = true}, programs(60));
}

} // namespace
} // namespace heddle
