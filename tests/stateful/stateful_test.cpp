// The search over states against the DPOR search, and against itself with each of its optimisations off, on random programs.
// HEDDLE_STATEFUL_PROGRAMS is the number of programs a shape and model.
#include "random_program.hpp"
#include "search/dpor/explorer.hpp"
#include "search/stateful/stateful_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>

namespace heddle {
namespace {

using testing_support::assemble;
using testing_support::Operation;
using testing_support::random_program;
using testing_support::RandomProgram;
using testing_support::Shape;
using Kind = Operation::Kind;

constexpr std::array<const char*, 3> kModels{"sc", "tso", "pso"};

std::uint64_t programs(std::uint64_t usual) {
    const char* asked = std::getenv("HEDDLE_STATEFUL_PROGRAMS");
    return asked ? std::strtoull(asked, nullptr, 10) : usual;
}

/// What both searches can say of a program.
struct Found {
    std::set<std::string> memories; ///< at the end
    std::set<std::string> kinds;    ///< of violations
    bool blocks = false;
    std::string reason;
    std::set<std::string> messages{}; ///< for the reader only
    friend bool operator==(const Found& a, const Found& b) {
        return a.memories == b.memories && a.kinds == b.kinds && a.blocks == b.blocks && a.reason == b.reason;
    }
};

std::string to_text(const Found& f) {
    return fmt::format("memories {}\nviolations {} blocks {} {}\n{}", fmt::join(f.memories, " | "), fmt::join(f.kinds, " "),
                       f.blocks, f.reason, fmt::join(f.messages, "\n"));
}

Found told(const CheckResult& r, std::set<std::string> memories) {
    Found f{.memories = std::move(memories), .kinds = {}, .blocks = r.blocked > 0, .reason = r.reason, .messages = {}};
    for (const Violation& v : r.violations) {
        f.kinds.insert(std::string(word_of(v.trap.kind)));
        f.messages.insert(v.trap.message);
    }
    return f;
}

CheckOptions asking(const std::string& model, std::set<std::string>& memories) {
    CheckOptions options{.model = model, .keep_going = true};
    options.tuning.count_last_reads = false;
    options.final_memory = [&](const std::string& text) { memories.insert(text); };
    return options;
}

Found by_dpor(const RandomProgram& program, const std::string& model) {
    Session session(assemble(program));
    std::set<std::string> memories;
    const CheckResult r = explore(session, asking(model, memories));
    return told(r, memories);
}

struct Switches {
    bool delayed = true;
    bool collapse = true;
    std::uint64_t buffer = 0;
    bool hashes = false;
};

Found by_states(const RandomProgram& program, const std::string& model, const Switches& with = {},
                std::uint64_t* states = nullptr) {
    // The DPOR search takes a plain access to bytes that are also accessed in halves for one access a half.
    Session session(assemble(program, true, true));
    std::set<std::string> memories;
    CheckOptions options = asking(model, memories);
    options.tuning.delayed_flushing = with.delayed;
    options.tuning.collapse_local = with.collapse;
    options.buffer = with.buffer;
    options.hash_compaction = with.hashes;
    const CheckResult r = explore_states(session, options);
    if (states) {
        *states = r.states;
    }
    return told(r, memories);
}

/// What a thread has read last is in memory at the end, in a location of its own; with `every`, all that it has read.
RandomProgram remembering(RandomProgram p, bool every) {
    std::uint8_t next = p.locations;
    const auto remember = [&] {
        return Operation{.kind = Kind::Store, .order = Order::Relaxed, .location = next++, .stores_last = true};
    };
    for (auto& t : p.threads) {
        for (std::size_t k = 0; every && k < t.operations.size(); ++k) {
            const Kind kind = t.operations[k].kind;
            if (kind == Kind::Load || kind == Kind::Rmw || kind == Kind::CompareExchange) {
                t.operations.insert(t.operations.begin() + static_cast<std::ptrdiff_t>(k) + 1, remember());
                ++k;
            }
        }
        t.operations.push_back(remember());
    }
    p.locations = next;
    return p;
}

void expect_same(std::uint64_t seed, const RandomProgram& program, const std::string& model,
                 const std::function<bool(const RandomProgram&)>& differs) {
    if (!differs(program)) {
        return;
    }
    const RandomProgram least = remembering(shrink(program, differs), false);
    ADD_FAILURE() << "seed " << seed << " under " << model << "\n"
                  << to_text(least) << "dpor:   " << to_text(by_dpor(least, model))
                  << "\nstates: " << to_text(by_states(least, model))
                  << "\nwithout delay: " << to_text(by_states(least, model, {.delayed = false}));
}

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all = {
        {.threads = 2, .operations = 3, .locations = 2},
        {.threads = 2, .operations = 4, .locations = 2, .control = true},
        {.threads = 3, .operations = 2, .locations = 2},
        {.threads = 4, .operations = 2, .locations = 2, .mild = true},
        {.threads = 2, .operations = 3, .locations = 2, .waits = true},
        {.threads = 3, .operations = 2, .locations = 2, .waits = true, .control = true},
        {.threads = 2, .operations = 3, .locations = 2, .waits = true, .control = true, .joins = true},
        {.threads = 3, .operations = 2, .locations = 2, .waits = true, .nests = true},
        {.threads = 2, .operations = 3, .locations = 2, .parts = true},
        {.threads = 3, .operations = 2, .locations = 1, .parts = true},
    };
    return all;
}

class Stateful : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, Stateful, testing::ValuesIn(kModels), [](const auto& info) { return std::string(info.param); });

TEST_P(Stateful, FindsWhatDporFinds) {
    const std::string model = GetParam();
    for (const Shape& shape : shapes()) {
        for (std::uint64_t seed = 0; seed < programs(100) && !HasFailure(); ++seed) {
            const bool every = !shape.parts && seed % 2 == 0;
            expect_same(seed, random_program(seed, shape), model, [&](const RandomProgram& p) {
                const RandomProgram q = shape.parts ? p : remembering(p, every);
                return by_dpor(q, model) != by_states(q, model);
            });
        }
    }
}

TEST_P(Stateful, FindsTheSameWithoutItsOptimisations) {
    const std::string model = GetParam();
    for (const Shape& shape : shapes()) {
        for (std::uint64_t seed = 0; seed < programs(25) && !HasFailure(); ++seed) {
            for (const Switches& with :
                 {Switches{.delayed = false}, Switches{.collapse = false}, Switches{.hashes = true}, Switches{.buffer = 50}}) {
                expect_same(seed, random_program(seed, shape), model, [&](const RandomProgram& p) {
                    const RandomProgram q = remembering(p, false);
                    return by_states(q, model, with) != by_states(q, model);
                });
            }
        }
    }
}

TEST_P(Stateful, BoundedBuffersAreThoseOfTheMachine) {
    const std::string model = GetParam();
    for (const Shape& shape : shapes()) {
        for (std::uint64_t seed = 0; seed < programs(25) && !HasFailure(); ++seed) {
            for (const std::uint64_t buffer : {1, 2}) {
                expect_same(seed, random_program(seed, shape), model, [&](const RandomProgram& p) {
                    const RandomProgram q = remembering(p, false);
                    return by_states(q, model, {.delayed = false, .buffer = buffer}) != by_states(q, model, {.buffer = buffer});
                });
            }
        }
    }
}

TEST_P(Stateful, FindsAsManyStatesWithHashesOnly) {
    const std::string model = GetParam();
    for (std::uint64_t seed = 0; seed < programs(25); ++seed) {
        const RandomProgram p = random_program(seed, shapes()[seed % shapes().size()]);
        std::uint64_t exact = 0;
        std::uint64_t compacted = 0;
        static_cast<void>(by_states(p, model, {}, &exact));
        static_cast<void>(by_states(p, model, {.hashes = true}, &compacted));
        EXPECT_EQ(exact, compacted) << to_text(p);
    }
}

} // namespace
} // namespace heddle
