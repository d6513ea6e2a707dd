// The search by values against the reference search on random programs: the same vectors of values read, none missing.
#include "random_program.hpp"
#include "search/reference/reference_search.hpp"
#include "search/value/value_explorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <set>

namespace heddle {
namespace {

using testing_support::any_operation;
using testing_support::assemble;
using testing_support::Operation;
using testing_support::random_program;
using testing_support::RandomProgram;
using testing_support::Shape;
using testing_support::shrink;

constexpr std::size_t kTooLarge = 200'000;
constexpr std::array kModels{"sc", "tso", "pso"};

using Texts = std::set<std::string>;

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

struct Comparison {
    std::string wrong; ///< how the searches disagree; empty: they do not
    bool too_large = false;
    std::size_t classes = 0;
    std::size_t found = 0;
    std::size_t dead_ends = 0;
};

std::string difference(const std::string& what, const Texts& expected, const Texts& found) {
    std::string text;
    const auto list = [&](const char* word, const Texts& these, const Texts& without) {
        std::vector<std::string> only;
        std::ranges::set_difference(these, without, std::back_inserter(only));
        for (std::size_t k = 0; k < std::min<std::size_t>(only.size(), 3); ++k) {
            text += fmt::format("  {} {}: {}\n", word, what, only[k]);
        }
    };
    list("missing", expected, found);
    list("wrong", found, expected);
    return text;
}

Comparison compare(const RandomProgram& program, const std::string& model) {
    Session session(assemble(program));
    std::vector<std::string> complete;
    std::vector<std::string> blocked;
    Lessons lessons;
    if (any_operation(program, [](const Operation& o) { return o.part != Operation::Part::All; })) {
        for (const Global& g : session.program.globals) {
            lessons.cuts[g.address].insert(4); // what the reference is given; that it is learnt is another test's business
        }
    }
    const CheckResult found = explore_by_value(
        session, {.model = model, .equivalence = Equivalence::Value, .keep_going = true},
        [&](const std::string& text, bool is_blocked) { (is_blocked ? blocked : complete).push_back(text); }, &lessons);
    Session for_reference(assemble(program, false, true)); // a loop that spins means a wait, a whole its halves
    const ReferenceResult expected =
        reference_search(for_reference, *find_axioms(model), kTooLarge, [&](const Execution& x, std::span<const Value> values) {
            std::vector<Value> seen(values.begin(), values.end());
            for (Value& v : seen) {
                v.lo &= lessons.cuts.empty() ? ~std::uint64_t{0} : mask_of_bits(32); // a half is stored with what is above it
            }
            return vector_of(x, seen);
        });
    if (expected.unsupported) {
        const bool too_large = expected.unsupported->starts_with("more than");
        return {.wrong = too_large ? "" : "the reference: " + *expected.unsupported, .too_large = too_large};
    }
    if (found.verdict == Verdict::Unsupported || found.verdict == Verdict::OutOfBudget) {
        return {.wrong = "no result: " + found.reason};
    }
    Texts traps;
    for (const Violation& v : found.violations) {
        const TrapKind kind = v.trap.kind;
        if (kind != TrapKind::Deadlock && kind != TrapKind::Liveness) { // they are told by `blocked`
            traps.insert(fmt::format("{} at {}", word_of(kind), to_string(session.program, v.trap.stack.front())));
        }
    }
    const Texts distinct_complete(complete.begin(), complete.end());
    const Texts distinct_blocked(blocked.begin(), blocked.end());
    Comparison result{.wrong = difference("complete", expected.complete, distinct_complete) +
                               difference("blocked", expected.blocked, distinct_blocked) +
                               difference("traps", expected.traps, traps),
                      .classes = expected.complete.size() + expected.blocked.size(),
                      .found = complete.size() + blocked.size(),
                      .dead_ends = found.dead_ends};
    if (found.complete != distinct_complete.size() || found.blocked != distinct_blocked.size() ||
        found.complete + found.blocked + found.redundant != complete.size() + blocked.size()) {
        result.wrong +=
            fmt::format("counted {} complete, {} blocked, {} redundant; there were {} and {} distinct ones\n", found.complete,
                        found.blocked, found.redundant, distinct_complete.size(), distinct_blocked.size());
    }
    return result;
}

std::string disagreement(std::uint64_t seed, const RandomProgram& program, const std::string& model) {
    const RandomProgram least = shrink(program, [&](const RandomProgram& p) { return !compare(p, model).wrong.empty(); });
    return fmt::format("seed {} under {}\n{}{}", seed, model, to_text(least), compare(least, model).wrong);
}

std::uint64_t programs(std::uint64_t usual) {
    const char* const wish = std::getenv("HEDDLE_RANDOM_PROGRAMS");
    return wish ? std::strtoull(wish, nullptr, 10) : std::getenv("HEDDLE_LONG_TESTS") ? 20 * usual : usual;
}

void expect_agreement(const Shape& shape, std::uint64_t count) {
    constexpr std::uint64_t kEnoughFailures = 3;
    std::uint64_t failures = 0;
    std::uint64_t pairs = 0;
    std::uint64_t too_large = 0;
    std::uint64_t classes = 0;
    std::uint64_t found = 0;
    std::uint64_t dead_ends = 0;
    for (std::uint64_t seed = 0; seed < count && failures < kEnoughFailures; ++seed) {
        const RandomProgram program = random_program(seed, shape);
        for (const char* model : kModels) {
            const Comparison c = compare(program, model);
            failures += c.wrong.empty() ? 0 : 1;
            if (!c.wrong.empty()) {
                ADD_FAILURE() << disagreement(seed, program, model);
            }
            ++pairs;
            too_large += c.too_large ? 1 : 0;
            classes += c.classes;
            found += c.too_large ? 0 : c.found;
            dead_ends += c.too_large ? 0 : c.dead_ends;
        }
    }
    if (std::getenv("HEDDLE_RANDOM_STATISTICS") != nullptr) {
        fmt::print("{} pairs, {} too large, {} classes, {} executions, {} dead ends\n", pairs, too_large, classes, found,
                   dead_ends);
    }
    EXPECT_LT(too_large, pairs / 20 + 2);
    EXPECT_LE(found, classes + classes / 50 + 2) << "too many are repeated";
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

TEST(ValueSearch, TwoThreads) { expect_agreement({.threads = 2, .operations = 4}, programs(200)); }
TEST(ValueSearch, TwoLongThreads) { expect_agreement({.threads = 2, .operations = 5, .control = true}, programs(150)); }
TEST(ValueSearch, OneLocation) {
    expect_agreement({.threads = 3, .operations = 2, .locations = 1, .control = true}, programs(150));
}
TEST(ValueSearch, ThreeThreads) { expect_agreement({.threads = 3, .operations = 2, .control = true}, programs(200)); }
TEST(ValueSearch, ThreeLongThreads) { expect_agreement({.threads = 3, .operations = 3, .locations = 3}, programs(150)); }
TEST(ValueSearch, FourThreads) { expect_agreement({.threads = 4, .operations = 1, .control = true}, programs(200)); }
TEST(ValueSearch, TwoThreadsThatWait) {
    expect_agreement({.threads = 2, .operations = 4, .waits = true, .control = true}, programs(200));
}
TEST(ValueSearch, ThreeThreadsThatWait) { expect_agreement({.threads = 3, .operations = 2, .waits = true}, programs(200)); }
TEST(ValueSearch, FourThreadsThatWait) { expect_agreement({.threads = 4, .operations = 1, .waits = true}, programs(200)); }
TEST(ValueSearch, WaitingForOneLocation) {
    expect_agreement({.threads = 3, .operations = 2, .locations = 1, .waits = true}, programs(200));
}
TEST(ValueSearch, Joining) { expect_agreement({.threads = 3, .operations = 2, .control = true, .joins = true}, programs(150)); }
TEST(ValueSearch, JoiningAndWaiting) {
    expect_agreement({.threads = 2, .operations = 3, .waits = true, .control = true, .joins = true}, programs(150));
}
TEST(ValueSearch, AccessesInPieces) { expect_agreement({.threads = 2, .operations = 3, .parts = true}, programs(150)); }
TEST(ValueSearch, ThreeThreadsInPieces) {
    expect_agreement({.threads = 3, .operations = 1, .locations = 1, .joins = true, .parts = true}, programs(150));
}
TEST(ValueSearch, Spawning) {
    expect_agreement({.threads = 3, .operations = 2, .control = true, .joins = true, .nests = true}, programs(150));
}

} // namespace
} // namespace heddle
