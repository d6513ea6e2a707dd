// The search over states against the DPOR search, and against itself with each of its optimisations off, on random programs.
#include "campaign.hpp"
#include "random_program.hpp"
#include "search/dpor/explorer.hpp"
#include "search/stateful/stateful_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace heddle {
namespace {

using testing_support::assemble;
using testing_support::Comparison;
using testing_support::Contest;
using testing_support::expect_agreement;
using testing_support::Operation;
using testing_support::Operations;
using testing_support::programs;
using testing_support::random_program;
using testing_support::RandomProgram;
using testing_support::Shape;
using Kind = Operation::Kind;

constexpr std::array<const char*, 3> kModels{"sc", "tso", "pso"};

/// What both searches can say of a program.
struct Found {
    std::set<std::string> memories; ///< at the end
    std::set<std::string> wrong;    ///< violations: the kind and, if it is one operation's, where
    bool dpor_goes_on = false;      ///< some of them are such that the DPOR search goes on after them
    bool blocks = false;
    std::string reason;
    std::uint64_t states = 0;
};

std::string to_text(const Found& f) {
    return fmt::format("memories {}\nviolations {}\n{} {}\n", fmt::join(f.memories, " | "), fmt::join(f.wrong, ", "),
                       f.blocks ? "may block" : "does not block", f.reason);
}

CheckOptions asking(const std::string& model) {
    CheckOptions options{.model = model, .keep_going = true};
    options.tuning.count_last = false;
    return options;
}

/// The objects that are pointed to numbered in the order of their addresses: the search over states forgets objects.
std::string with_objects_numbered(const std::string& memory) {
    std::map<std::uint64_t, std::vector<std::size_t>> pointers; // to where they stand
    std::string text = memory;
    for (std::size_t at = 0; at + 17 <= text.size(); at += 17) { // bytes as two digits each, the lowest first
        std::uint64_t word = 0;
        for (std::size_t byte = 8; byte-- > 0;) {
            word = word << 8 | std::strtoull(text.substr(at + 2 * byte, 2).c_str(), nullptr, 16);
        }
        if (kind_of(word) == AddressKind::Heap || kind_of(word) == AddressKind::Stack) {
            pointers[word].push_back(at);
        }
    }
    std::map<std::pair<AddressKind, std::uint32_t>, unsigned> next;
    for (const auto& [word, places] : pointers) {
        const unsigned number = next[{kind_of(word), thread_of(word).index}]++;
        for (const std::size_t at : places) {
            text.replace(
                at, 16,
                fmt::format("{}{:2}.{:<12}", kind_of(word) == AddressKind::Heap ? 'h' : 's', thread_of(word).index, number));
        }
    }
    return text;
}

Found run(const Program& program, CheckOptions options, CheckResult (*search)(Session&, const CheckOptions&)) {
    Session session(program);
    Found f;
    if (options.jobs == 1) {
        options.final_memory = [&](const std::string& text) { f.memories.insert(with_objects_numbered(text)); };
    }
    const CheckResult r = search(session, options);
    f.blocks = r.blocked > 0;
    f.reason = r.reason;
    f.states = r.states;
    f.wrong = testing_support::told(session.program, r.violations);
    for (const Violation& v : r.violations) {
        f.dpor_goes_on = f.dpor_goes_on || v.trap.kind == TrapKind::UseAfterFree || v.trap.kind == TrapKind::UseAfterReturn ||
                         v.trap.kind == TrapKind::DoubleFree || v.trap.message == kUninitializedLock;
    }
    return f;
}

Found by_dpor(const RandomProgram& program, const std::string& model) {
    return run(assemble(program), asking(model), [](Session& s, const CheckOptions& o) { return explore(s, o); });
}

Found by_states(const RandomProgram& program, const CheckOptions& options, bool halves = false) {
    return run(assemble(program, true, halves), options, explore_states);
}

/// The DPOR search takes a plain access to bytes that are also accessed in halves for one access a half. So does what is compared with it: `halves` of
/// assemble, for all locations or for none. False: some locations of the program are accessed in halves, and others only as a whole.
bool can_be_compared(const RandomProgram& p, bool& halves) {
    using Part = Operation::Part;
    const auto accesses = [&](std::uint8_t location, Part part) {
        return any_operation(p, [&](const Operation& o) { return (o.location == location || o.by_address) && o.part == part; });
    };
    bool whole = false;
    halves = false;
    for (std::uint8_t l = 0; l < p.locations; ++l) {
        const bool in_halves = accesses(l, Part::Low) || accesses(l, Part::High);
        halves = halves || in_halves;
        whole = whole || (accesses(l, Part::Whole) && !in_halves);
    }
    return !(halves && whole) && !(halves && any_operation(p, [](const Operation& o) { return o.by_address; }));
}

Comparison compared(Found wanted, Found found) {
    // A store to an object that ends meanwhile is an access to what has ended, which stops its thread, or a store that comes too late, which does not: both are
    // reported as the same, and the reduction may see to it that only the second happens (independence.hpp).
    if (wanted.dpor_goes_on && found.dpor_goes_on) {
        wanted.blocks = found.blocks = false;
    }
    const std::string one = to_text(wanted);
    const std::string other = to_text(found);
    return {.wrong = one == other ? "" : "wanted: " + one + "found:  " + other, .executions = 1 + wanted.memories.size()};
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

const std::array<Shape, 16> kShapes{{
    {.threads = 2, .operations = 3, .locations = 2},
    {.threads = 2, .operations = 4, .locations = 2, .control = true},
    {.threads = 3, .operations = 2, .locations = 2},
    {.threads = 2, .operations = 3, .locations = 2, .waits = true},
    {.threads = 3, .operations = 2, .locations = 2, .waits = true, .control = true},
    testing_support::shapes::kJoiningAndWaiting,
    {.threads = 3, .operations = 2, .locations = 2, .waits = true, .nests = true},
    {.threads = 2, .operations = 3, .locations = 1, .parts = true},
    {.threads = 3, .operations = 1, .locations = 1, .parts = true},
    testing_support::shapes::kObjects,
    {.threads = 2, .operations = 4, .locations = 1, .control = true, .heap = true},
    testing_support::shapes::kObjectsOfThreeThreads,
    testing_support::shapes::kObjectsAndWaiting,
    testing_support::shapes::kObjectsAndSpawning,
    testing_support::shapes::kFewKinds,
    testing_support::shapes::kFewKindsTryingAgain,
}};

class Stateful : public testing::TestWithParam<std::size_t> {
  protected:
    [[nodiscard]] const Shape& shape() const { return kShapes.at(GetParam()); }
    /// Programs of the shape, under each model; what becomes of them is up to `compare`.
    void contest(std::uint64_t count, const std::function<Comparison(const RandomProgram&, const std::string&)>& compare) const {
        std::vector<Contest> contests;
        for (const char* model : kModels) {
            contests.push_back({.name = model, .compare = [=](const RandomProgram& p) { return compare(p, model); }});
        }
        expect_agreement(shape(), count, contests);
    }
    /// In programs with parts, each access to a remembered value would be one more whose size matters.
    [[nodiscard]] RandomProgram remember(const RandomProgram& p, bool every) const {
        return shape().parts ? p : remembering(p, every);
    }
};
INSTANTIATE_TEST_SUITE_P(Shapes, Stateful, testing::Range<std::size_t>(0, kShapes.size()));

/// An access to an object that has ended, or a wait for an undefined value, is the end of its thread in the search over states. The DPOR search tells of
/// it and goes on (what it may yet revisit need not have it): what such a thread does next, and what follows from that, only the DPOR search finds. So
/// both find that something is wrong, and all that the search over states finds the DPOR search finds too.
Comparison alike_until_wrong(const Found& dpor, const Found& states) {
    std::set<std::string> only;
    std::ranges::set_difference(states.wrong, dpor.wrong, std::inserter(only, only.end()));
    const bool same = dpor.dpor_goes_on == states.dpor_goes_on && only.empty() && dpor.reason == states.reason;
    return {.wrong = same ? "" : "wanted: " + to_text(dpor) + "found:  " + to_text(states), .executions = 1};
}

Comparison like_dpor(const RandomProgram& p, const std::string& model) {
    bool halves = false;
    if (!can_be_compared(p, halves)) {
        return {}; // the harness sees to it that most are compared
    }
    const Found dpor = by_dpor(p, model);
    const Found states = by_states(p, asking(model), halves);
    return dpor.dpor_goes_on || states.dpor_goes_on ? alike_until_wrong(dpor, states) : compared(dpor, states);
}

TEST_P(Stateful, FindsWhatDporFinds) {
    contest(programs(100),
            [&](const RandomProgram& p, const std::string& model) { return like_dpor(remember(p, false), model); });
}

TEST_P(Stateful, FindsWhatDporFindsOfEveryRead) {
    contest(programs(30), [&](const RandomProgram& p, const std::string& model) { return like_dpor(remember(p, true), model); });
}

/// `change` turns something off, or takes another way, that must not matter. Accesses of different sizes are single accesses here.
void expect_no_change(const RandomProgram& p, const std::string& model, Comparison& result,
                      const std::function<void(CheckOptions&)>& change) {
    CheckOptions other = asking(model);
    change(other);
    Found usual = by_states(p, asking(model));
    if (other.jobs > 1) {
        usual.memories.clear(); // not watched then
    }
    const Comparison c = compared(usual, by_states(p, other));
    result.executions += c.executions;
    result.wrong += c.wrong;
}

TEST_P(Stateful, FindsTheSameWithoutItsOptimisations) {
    contest(programs(30), [&](const RandomProgram& p, const std::string& model) {
        Comparison all;
        const RandomProgram q = remember(p, false);
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.delayed_flushing = false; });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.collapse_local = false; });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.partial_order = false; });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.private_objects = false; });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.remember_moves = false; });
        expect_no_change(q, model, all, [](CheckOptions& o) {
            o.hash_compaction = true;
            o.tuning.collect_from = 0;
        });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.forget_from = 3; });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.buffer = 50; });
        return all;
    });
}

TEST_P(Stateful, BoundedBuffersAreThoseOfTheMachine) {
    contest(programs(30), [&](const RandomProgram& p, const std::string& model) {
        Comparison all;
        for (const std::uint64_t buffer : {1, 2}) {
            CheckOptions delayed = asking(model);
            delayed.buffer = buffer;
            CheckOptions plain = delayed;
            plain.tuning.delayed_flushing = false;
            const Comparison c = compared(by_states(p, plain), by_states(p, delayed));
            all.executions += c.executions;
            all.wrong += c.wrong;
        }
        return all;
    });
}

TEST_P(Stateful, CountsTheSameStatesWhateverWayTheyAreKept) {
    contest(programs(20), [&](const RandomProgram& p, const std::string& model) {
        CheckOptions hashes = asking(model);
        hashes.hash_compaction = true;
        hashes.tuning.collect_from = 0;
        CheckOptions workers = asking(model);
        workers.jobs = 2;
        workers.tuning.share_from = 1;
        workers.tuning.forget_from = 5;
        CheckOptions forgetful = asking(model);
        forgetful.tuning.remember_moves = false;
        forgetful.tuning.forget_from = 1;
        const std::uint64_t usual = by_states(p, asking(model)).states;
        const std::uint64_t compacted = by_states(p, hashes).states;
        const std::uint64_t shared = by_states(p, workers).states;
        const std::uint64_t worked_out = by_states(p, forgetful).states;
        return Comparison{.wrong = usual == compacted && usual == shared && usual == worked_out
                                       ? ""
                                       : fmt::format("{} states, {} hashes, {} by two workers, {} with nothing remembered", usual,
                                                     compacted, shared, worked_out),
                          .executions = 1};
    });
}

/// Some threads do all they do in one atomic section, some all but what they do first, and some have none.
RandomProgram with_sections(RandomProgram p) {
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
        Operations& all = p.threads[t].operations;
        const std::size_t which = (t + all.size()) % 3;
        if (which == 2 || all.size() < 2) {
            continue;
        }
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(which);
        const Operation section{.kind = Kind::Section, .body = Operations(first, all.end())};
        all.erase(first, all.end());
        all.push_back(section);
    }
    return p;
}

TEST_P(Stateful, AtomicSectionsAreThoseOfTheMachine) {
    contest(programs(60), [&](const RandomProgram& p, const std::string& model) {
        Comparison all;
        const RandomProgram q = with_sections(remember(p, true));
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.delayed_flushing = false; });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.partial_order = false; });
        expect_no_change(q, model, all, [](CheckOptions& o) { o.tuning.remember_moves = false; });
        return all;
    });
}

// --- what is wrong with marks alone (pending_stores.hpp) ------------------------------------------------------------------------------------

Operation store(std::uint8_t location, std::uint8_t value) {
    return {.kind = Kind::Store, .order = Order::Relaxed, .location = location, .value = value};
}

TEST(StatefulOrders, StoresOfTwoBuffersKeepTheirOrders) {
    // 2+2W: g0 = 1; g1 = 1 against g1 = 2; g0 = 2. That both first stores win is forbidden on tso and allowed on pso.
    const RandomProgram p{.locations = 2,
                          .threads = {{.operations = {store(0, 1), store(1, 1)}}, {.operations = {store(1, 2), store(0, 2)}}}};
    for (const char* model : kModels) {
        const std::size_t expected = std::string(model) == "pso" ? 4 : 3;
        EXPECT_EQ(by_states(p, asking(model)).memories.size(), expected) << model;
    }
}

TEST(StatefulOrders, AStoreComesAfterWhatItsThreadHasSeen) {
    // S: g0 = 2; g1 = 1 against a thread that reads g1 and then stores g0 = 1 if it has read 1: the last value of g0 is then 1 on tso.
    const RandomProgram p = remembering({.locations = 2,
                                         .threads = {{.operations = {store(0, 2), store(1, 1)}},
                                                     {.operations = {{.kind = Kind::Load, .order = Order::Relaxed, .location = 1},
                                                                     {.kind = Kind::If, .value = 1, .body = {store(0, 1)}}}}}},
                                        false);
    for (const char* model : kModels) {
        const std::size_t expected = std::string(model) == "pso" ? 3 : 2;
        EXPECT_EQ(by_states(p, asking(model)).memories.size(), expected) << model;
        EXPECT_EQ(to_text(by_states(p, asking(model))), to_text(by_dpor(p, model))) << model;
    }
}

// --- what a lock keeps others from (independence.hpp) ---------------------------------------------------------------------------------------

TEST(StatefulReduction, ALockKeepsNobodyOutIfOthersReleaseIt) {
    // The second thread sees that the first holds the lock, releases it, and writes what the first reads.
    const Operation lock{.kind = Kind::Lock}, unlock{.kind = Kind::Unlock};
    const auto load = [](std::uint8_t location) {
        return Operation{.kind = Kind::Load, .order = Order::Relaxed, .location = location};
    };
    const RandomProgram p = remembering({.locations = 2,
                                         .threads = {{.operations = {lock, store(1, 1), load(0), unlock}},
                                                     {.operations = {load(1), unlock, lock, store(0, 1), unlock}}}},
                                        false);
    for (const char* model : kModels) {
        EXPECT_EQ(to_text(by_states(p, asking(model))), to_text(by_dpor(p, model))) << model;
    }
}

TEST(StatefulReduction, ACriticalSectionIsOneStep) {
    const std::vector<Operation> section{{.kind = Kind::Lock},
                                         {.kind = Kind::Rmw, .order = Order::Relaxed, .rmw = RmwOp::Add, .location = 0},
                                         {.kind = Kind::Rmw, .order = Order::Relaxed, .rmw = RmwOp::Add, .location = 0},
                                         {.kind = Kind::Unlock}};
    const RandomProgram p{.locations = 1, .threads = {{.operations = section}, {.operations = section}}};
    CheckOptions plain = asking("sc");
    plain.tuning.partial_order = false;
    EXPECT_EQ(by_states(p, asking("sc")).states, 2u); // after one of the two, the other is alone
    EXPECT_GT(by_states(p, plain).states, 15u);
}

// --- objects -------------------------------------------------------------------------------------------------------------------------------

TEST(StatefulObjects, AStoreThatMustWaitIsNotLost) {
    // The seq_cst store is to an object that nobody else can reach, and was taken for a local step, although it waits for the buffer to drain. The
    // state from which it could not be done was forgotten, and all that comes after it.
    const RandomProgram p{
        .locations = 1,
        .threads = {
            {.operations = {{.kind = Kind::Alloc}, store(0, 1), {.kind = Kind::Store, .order = Order::SeqCst, .through = 0}}}}};
    CheckOptions plain = asking("tso");
    plain.tuning.delayed_flushing = false;
    EXPECT_EQ(to_text(by_states(p, plain)), to_text(by_dpor(p, "tso")));
    EXPECT_EQ(by_states(p, plain).wrong, std::set<std::string>{"leak"});
}

TEST(StatefulObjects, StoresToPrivateObjectsGoToMemoryAtOnce) {
    // With the store in a buffer, and another thread in the middle of something, there would be states with it and without.
    const auto states_of = [](unsigned stores) {
        RandomProgram p{.locations = 1,
                        .threads = {{.operations = {{.kind = Kind::Alloc}}}, {.operations = {store(0, 1), store(0, 2)}}}};
        for (unsigned k = 0; k < stores; ++k) {
            p.threads[0].operations.push_back({.kind = Kind::Store, .through = 0});
        }
        return by_states(p, asking("tso")).states;
    };
    EXPECT_EQ(states_of(3), states_of(0));
}

// --- budgets -------------------------------------------------------------------------------------------------------------------------------

TEST(StatefulBudgets, AreKept) {
    RandomProgram p{.locations = 3, .threads = {}};
    for (std::uint8_t t = 0; t < 4; ++t) {
        p.threads.push_back({.operations = {store(0, t), store(1, t), store(2, t), store(0, t), store(1, t)}});
    }
    CheckOptions options = asking("sc");
    Session session(assemble(p));
    const CheckResult all = explore_states(session, asking("sc"));
    EXPECT_EQ(all.verdict, Verdict::Safe);
    options.max_memory_mb = 1;
    const CheckResult some = explore_states(session, options);
    EXPECT_EQ(some.verdict, Verdict::OutOfBudget);
    EXPECT_EQ(some.reason, "--max-memory 1 MB");
    EXPECT_LT(some.states, all.states);
    EXPECT_GT(some.states, 0u);
}

} // namespace
} // namespace heddle
