#include "campaign.hpp"

#include "assembler.hpp"
#include "search/enumerate/enumerate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <random>

namespace heddle::testing_support {

std::string difference(const std::string& what, const std::set<std::string>& wanted, const std::vector<std::string>& found) {
    const std::set<std::string> distinct(found.begin(), found.end());
    if (distinct == wanted && distinct.size() == found.size()) {
        return "";
    }
    std::string text = fmt::format("{}: {} wanted, {} found, {} distinct\n", what, wanted.size(), found.size(), distinct.size());
    const auto list = [&](const char* word, const std::set<std::string>& these, const std::set<std::string>& without) {
        std::vector<std::string> only;
        std::ranges::set_difference(these, without, std::back_inserter(only));
        for (std::size_t k = 0; k < std::min<std::size_t>(only.size(), 3); ++k) {
            text += fmt::format("  {}: {}\n", word, only[k]);
        }
    };
    for (const std::string& one : distinct) {
        if (std::ranges::count(found, one) > 1) {
            text += fmt::format("  repeated: {}\n", one);
        }
    }
    list("missing", wanted, distinct);
    list("wrong", distinct, wanted);
    return text;
}

std::set<std::string> told(const Program& program, const std::vector<Violation>& violations) {
    std::set<std::string> all;
    for (const Violation& v : violations) {
        const std::string kind(word_of(v.trap.kind));
        switch (v.trap.kind) {
        case TrapKind::Leak:
        case TrapKind::Deadlock:
        case TrapKind::Liveness:
        case TrapKind::DoubleFree:
            all.insert(kind);
            break;
        default:
            all.insert(fmt::format("{} at {}", kind, to_string(program, v.trap.stack.front())));
        }
    }
    return all;
}

bool has_failed_retry(const RandomProgram& program, const Execution& x) {
    for (std::size_t length = 1; length <= kLongestIteration; ++length) {
        if (x.coherence.contains(failed_retry(program, length))) {
            return true;
        }
    }
    return false;
}

bool has_parts(const RandomProgram& program) {
    return any_operation(program, [](const Operation& o) { return o.part != Operation::Part::All; });
}

Lessons cuts_of(const RandomProgram& program) {
    Lessons lessons;
    for (unsigned k = 0; has_parts(program) && k <= program.locations; ++k) {
        lessons.cuts[global_address(k)].insert(4);
    }
    return lessons;
}

Comparison no_oracle(const std::string& unsupported) {
    const bool too_large = unsupported.starts_with("more than") || unsupported == kStopped;
    return {.wrong = too_large ? "" : "the oracle: " + unsupported, .too_large = too_large};
}

RandomProgram with_failing_iterations(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::uint64_t n) { return static_cast<std::uint8_t>(random() % n); };
    using Kind = Operation::Kind;
    constexpr std::uint8_t kQuiet = 2;
    constexpr std::uint8_t kData = 3;
    const Operation plain_load{.kind = Kind::Load, .order = Order::NonAtomic, .location = kData};
    const Operation plain_store{.kind = Kind::Store, .order = Order::NonAtomic, .location = kData};
    RandomProgram program{.locations = 4, .threads = {{.operations = {{.kind = Kind::Store, .location = kQuiet}}}, {}, {}}};
    auto& writer = program.threads[1].operations;
    for (int k = 0; k < 3; ++k) {
        writer.push_back({.kind = Kind::Store,
                          .order = pick(2) == 0 ? Order::Relaxed : Order::Release,
                          .location = pick(2),
                          .value = pick(3)});
    }
    const Operations unless_quiet{{.kind = Kind::Load, .location = kQuiet},
                                  {.kind = Kind::If, .value = 0, .body = {plain_store}}};
    writer.insert(writer.begin() + pick(4), unless_quiet.begin(), unless_quiet.end());
    Operation loop{.kind = Kind::Retry,
                   .order = pick(2) == 0 ? Order::Relaxed : Order::Acquire,
                   .wait = pick(2) == 0 ? Wait::NotEqual : Wait::Equal,
                   .again = pick(4) == 0 ? Operation::Again::Same : Operation::Again::Until,
                   .location = pick(2),
                   .operand = pick(3),
                   .body = {plain_load}};
    loop.body.insert(loop.body.begin() + pick(2), {.kind = Kind::Load,
                                                   .order = pick(2) == 0 ? Order::Relaxed : Order::Acquire,
                                                   .location = static_cast<std::uint8_t>(1 - loop.location)});
    program.threads[2].operations = {loop};
    std::ranges::shuffle(program.threads, random);
    return program;
}

RandomProgram with_late_conflicts(std::uint64_t seed) {
    RandomProgram program = with_failing_iterations(seed);
    std::mt19937_64 random(seed);
    const auto pick = [&](std::uint64_t n) { return static_cast<std::uint8_t>(random() % n); };
    using Kind = Operation::Kind;
    for (RandomThread& thread : program.threads) {
        for (Operation& o : thread.operations) {
            if (o.kind == Kind::If) {
                o.value = pick(2);
                o.body.front().value = pick(3) == 0 ? 0 : 1;
            }
            for (Operation& inner : o.body) {
                if (o.kind == Kind::Retry && inner.order == Order::NonAtomic) {
                    inner.order = pick(4) == 0 ? Order::NonAtomic : Order::Relaxed;
                    inner.by_address = pick(2) == 0;
                    inner.location = static_cast<std::uint8_t>(inner.location - (inner.by_address ? 1 : 0));
                }
            }
        }
    }
    return program;
}

RandomProgram made_sequential(RandomProgram program) {
    const std::function<void(Operations&)> change = [&](Operations& operations) {
        std::erase_if(operations, [](const Operation& o) { return o.kind == Operation::Kind::Fence; });
        for (Operation& o : operations) {
            o.order = o.order == Order::NonAtomic ? o.order : Order::SeqCst;
            change(o.body);
        }
    };
    std::ranges::for_each(program.threads, [&](RandomThread& thread) { change(thread.operations); });
    change(program.after_join);
    return program;
}

std::uint64_t programs(std::uint64_t usual) {
    const char* const wish = std::getenv("HEDDLE_RANDOM_PROGRAMS");
    return wish ? std::strtoull(wish, nullptr, 10) : std::getenv("HEDDLE_LONG_TESTS") ? 20 * usual : usual;
}

void expect_agreement(const Shape& shape, std::uint64_t count, const std::vector<Contest>& contests, std::uint64_t few) {
    expect_agreement([&](std::uint64_t seed) { return random_program(seed, shape); }, count, contests, few);
}

void expect_agreement(const std::function<RandomProgram(std::uint64_t)>& make, std::uint64_t count,
                      const std::vector<Contest>& contests, std::uint64_t few) {
    constexpr std::uint64_t kEnoughFailures = 3; // to see what they have in common
    std::uint64_t failures = 0;
    std::uint64_t pairs = 0;
    std::uint64_t too_large = 0;
    std::uint64_t executions = 0;
    for (std::uint64_t seed = 0; seed < count && failures < kEnoughFailures; ++seed) {
        const RandomProgram program = make(seed);
        for (const Contest& contest : contests) {
            if (seed % contest.every != 0) {
                continue;
            }
            const Comparison result = contest.compare(program);
            ++pairs;
            too_large += result.too_large ? 1 : 0;
            executions += result.executions;
            if (!result.wrong.empty()) {
                ++failures;
                const RandomProgram least =
                    shrink(program, [&](const RandomProgram& p) { return !contest.compare(p).wrong.empty(); });
                const std::string why = contest.compare(least).wrong;
                ADD_FAILURE() << fmt::format("seed {} under {}\n{}{}", seed, contest.name, to_text(least),
                                             why.empty() ? "not always; in full and at first:\n" + to_text(program) + result.wrong
                                                         : why);
            }
        }
    }
    ::testing::Test::RecordProperty("pairs", static_cast<int>(pairs));
    if (std::getenv("HEDDLE_RANDOM_STATISTICS")) {
        fmt::print("{} pairs, {} too large, {} executions, {} wrong\n", pairs, too_large, executions, failures);
    }
    EXPECT_LT(too_large, pairs / few + 2);
    EXPECT_GT(executions, pairs / 4); // else next to nothing was compared: of races, about every second pair has one
}

} // namespace heddle::testing_support
