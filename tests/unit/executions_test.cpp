// The axioms and both searches on programs whose executions are known: the classic shapes of the literature, and counts on which
// independent tools agree.
#include "frontend/clang/frontend.hpp"
#include "search/dpor/explorer.hpp"
#include "search/reference/reference_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace heddle {
namespace {

using Counts = std::map<std::string, std::size_t>; ///< complete executions by model

/// A program whose main spawns `threads`, each the body of a function of its own. Threads of equal text may repeat.
std::string program_of(const std::string& globals, const std::vector<std::string>& threads) {
    std::string text =
        "#include <pthread.h>\n#include <stdatomic.h>\n"
        "#define RLX memory_order_relaxed\n#define ACQ memory_order_acquire\n#define REL memory_order_release\n"
        "#define SC memory_order_seq_cst\n#define LOAD(x, o) atomic_load_explicit(&x, o)\n"
        "#define STORE(x, v, o) atomic_store_explicit(&x, v, o)\n#define ADD(x, o) atomic_fetch_add_explicit(&x, 1, o)\n" +
        globals + "\n";
    std::string main = "int main(void) { pthread_t t;\n";
    for (std::size_t k = 0; k < threads.size(); ++k) {
        text += "static void *t" + std::to_string(k) + "(void *arg) { " + threads[k] + " return arg; }\n";
        main += "pthread_create(&t, 0, t" + std::to_string(k) + ", 0);\n";
    }
    return text + main + "return 0; }\n";
}

std::unique_ptr<Session> compile(const std::string& source) {
    const auto path = std::filesystem::temp_directory_path() / ("heddle-reference-" + std::to_string(getpid()) + ".c");
    std::ofstream(path) << source;
    const auto resources = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "heddle";
    auto program = clang_frontend::load({.files = {path.string()}, .flags = {}, .arguments = {}, .resources = resources});
    std::filesystem::remove(path);
    EXPECT_TRUE(program) << program.error().message;
    return program ? std::make_unique<Session>(std::move(*program)) : nullptr;
}

constexpr std::size_t kMostForReference = 24; ///< executions; it takes too long for more

/// Every model's number of complete executions, by both searches; no blocked ones, no traps.
void expect_counts(const std::string& source, const Counts& expected) {
    const auto session = compile(source);
    ASSERT_TRUE(session);
    for (const auto& [model, count] : expected) {
        const CheckResult d = explore(*session, {.model = model, .keep_going = true});
        EXPECT_EQ(d.reason, "") << model;
        EXPECT_EQ(d.complete, count) << model << "\n" << source;
        EXPECT_EQ(d.blocked, 0u) << model;
        EXPECT_EQ(d.dead_ends, 0u) << model << "\n" << source;
        for (const Violation& v : d.violations) {
            EXPECT_EQ(v.trap.kind, TrapKind::DataRace) << model << ": " << v.trap.message; // plain accesses race under rc11
        }
        if (count > kMostForReference) {
            continue;
        }
        const ReferenceResult r = reference_search(*session, *find_axioms(model));
        EXPECT_EQ(r.unsupported, std::nullopt) << model;
        EXPECT_EQ(r.complete.size(), count) << model << "\n" << source;
        EXPECT_TRUE(r.blocked.empty()) << model << ": " << *r.blocked.begin();
        EXPECT_TRUE(r.traps.empty()) << model << ": " << *r.traps.begin();
    }
}

// Of the last reads one is counted and the other runs into a trap: the leak of the one that is counted was not looked for.
TEST(Executions, ALeakIsSeenAlsoWhereTheLastReadIsOnlyCounted) {
    const auto session =
        compile("#include <assert.h>\n#include <stdlib.h>\n" +
                program_of("static atomic_int x;", {"int *volatile lost = malloc(4); *lost = 1; lost = 0; STORE(x, 1, RLX);",
                                                    "assert(LOAD(x, RLX) == 0);"}));
    ASSERT_TRUE(session);
    for (const bool counts : {true, false}) {
        const CheckResult r = explore(*session, {.keep_going = true, .tuning = {.count_last = counts}});
        std::set<TrapKind> kinds;
        for (const Violation& v : r.violations) {
            kinds.insert(v.trap.kind);
        }
        EXPECT_EQ(kinds, (std::set{TrapKind::Assertion, TrapKind::Leak})) << counts;
    }
}

Counts in_all(std::size_t n) { return {{"sc", n}, {"tso", n}, {"pso", n}, {"ra", n}, {"rc11", n}}; }

std::vector<std::string> repeated(std::size_t n, const std::string& body) { return std::vector<std::string>(n, body); }

const std::string kTwo = "static atomic_int x, y;";

TEST(Executions, StoreBuffering) {
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX); LOAD(y, RLX);", "STORE(y, 1, RLX); LOAD(x, RLX);"}),
                  {{"sc", 3}, {"tso", 4}, {"pso", 4}, {"ra", 4}, {"rc11", 4}});
    const std::string fence = " atomic_thread_fence(SC); ";
    expect_counts(
        program_of(kTwo, {"STORE(x, 1, RLX);" + fence + "LOAD(y, RLX);", "STORE(y, 1, RLX);" + fence + "LOAD(x, RLX);"}),
        {{"sc", 3}, {"tso", 3}, {"pso", 3}, {"ra", 4}, {"rc11", 3}});
    expect_counts(program_of(kTwo, {"STORE(x, 1, SC); LOAD(y, SC);", "STORE(y, 1, SC); LOAD(x, SC);"}),
                  {{"sc", 3}, {"tso", 3}, {"pso", 3}, {"rc11", 3}});
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX); __asm__ volatile(\"mfence\" ::: \"memory\"); LOAD(y, RLX);",
                                    "atomic_exchange_explicit(&y, 1, RLX); LOAD(x, RLX);"}),
                  {{"sc", 3}, {"tso", 3}, {"pso", 3}});
}

TEST(Executions, MessagePassing) {
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX); STORE(y, 1, RLX);", "LOAD(y, RLX); LOAD(x, RLX);"}),
                  {{"sc", 3}, {"tso", 3}, {"pso", 4}, {"ra", 3}, {"rc11", 4}});
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX); STORE(y, 1, REL);", "LOAD(y, ACQ); LOAD(x, RLX);"}), in_all(3));
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX); atomic_thread_fence(REL); STORE(y, 1, RLX);",
                                    "LOAD(y, RLX); atomic_thread_fence(ACQ); LOAD(x, RLX);"}),
                  in_all(3));
    // Through an update in the middle: the release sequence. Without the release the last read may also miss the message.
    expect_counts(
        program_of(kTwo, {"STORE(x, 1, RLX); STORE(y, 1, REL);", "ADD(y, RLX);", "if (LOAD(y, ACQ) == 2) LOAD(x, RLX);"}),
        in_all(6));
    expect_counts(
        program_of(kTwo, {"STORE(x, 1, RLX); STORE(y, 1, RLX);", "ADD(y, RLX);", "if (LOAD(y, ACQ) == 2) LOAD(x, RLX);"}),
        {{"sc", 6}, {"tso", 6}, {"ra", 6}, {"rc11", 7}});
}

TEST(Executions, LoadBufferingAndWrites) {
    expect_counts(program_of(kTwo, {"LOAD(x, RLX); STORE(y, 1, RLX);", "LOAD(y, RLX); STORE(x, 1, RLX);"}), in_all(3));
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX); STORE(y, 2, RLX);", "STORE(y, 1, RLX); STORE(x, 2, RLX);"}),
                  {{"sc", 3}, {"tso", 3}, {"pso", 4}, {"ra", 4}, {"rc11", 4}});
}

TEST(Executions, IndependentReads) {
    const auto iriw = [](const std::string& w, const std::string& r) {
        return program_of(kTwo, {"STORE(x, 1, " + w + ");", "STORE(y, 1, " + w + ");", "LOAD(x, " + r + "); LOAD(y, " + r + ");",
                                 "LOAD(y, " + r + "); LOAD(x, " + r + ");"});
    };
    expect_counts(iriw("REL", "ACQ"), {{"sc", 15}, {"tso", 15}, {"ra", 16}, {"rc11", 16}});
    expect_counts(iriw("SC", "SC"), {{"rc11", 15}});
}

TEST(Executions, Coherence) {
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX); STORE(x, 2, RLX);", "LOAD(x, RLX); LOAD(x, RLX);"}), in_all(6));
    expect_counts(program_of(kTwo, {"STORE(x, 1, RLX);", "STORE(x, 2, RLX);", "LOAD(x, RLX);"}),
                  in_all(6)); // Fig. 9 of the POWER paper
}

// The table of counts that independent tools agree on (../shared/facts/counts.md), the small sizes.
TEST(Executions, AgreedCounts) {
    auto readers = repeated(3, "LOAD(x, ACQ);");
    readers.push_back("STORE(x, 1, REL);");
    expect_counts(program_of(kTwo, readers), in_all(8));
    expect_counts(program_of(kTwo, repeated(3, "ADD(x, RLX);")), in_all(6));
    expect_counts(program_of(kTwo, repeated(2, "ADD(x, RLX); ADD(y, RLX);")), in_all(4));
    expect_counts(program_of(kTwo, {"STORE(x, 42, REL);", "ADD(x, RLX);", "ADD(x, RLX);"}), in_all(6));
    expect_counts(program_of(kTwo, {"STORE(x, 1, REL);", "STORE(x, 2, REL);", "STORE(x, 3, REL);", "LOAD(x, ACQ);"}), in_all(24));
    const auto cas = [](int from, int to) {
        return "int e = " + std::to_string(from) + "; atomic_compare_exchange_strong_explicit(&x, &e, " + std::to_string(to) +
               ", RLX, RLX);";
    };
    expect_counts(program_of(kTwo, {cas(0, 1), cas(1, 2), cas(2, 3)}), in_all(5));
    expect_counts(program_of(kTwo, {cas(0, 1) + " STORE(x, 3, REL);", cas(0, 1) + " STORE(x, 4, REL);"}), in_all(6));
    expect_counts(program_of("static atomic_int x = 1, y = 1;", {"int a = LOAD(x, ACQ), b = LOAD(y, ACQ); STORE(x, a + b, REL);",
                                                                 "int a = LOAD(x, ACQ), b = LOAD(y, ACQ); STORE(y, a + b, REL);",
                                                                 "if (LOAD(x, ACQ) <= 3) LOAD(y, ACQ);"}),
                  in_all(11));
}

TEST(Executions, LargerAgreedCounts) {
    expect_counts(program_of(kTwo, repeated(3, "ADD(x, RLX); ADD(y, RLX);")), in_all(36));
    expect_counts(program_of(kTwo, repeated(5, "ADD(x, RLX);")), in_all(120));
    std::vector<std::string> rotating;
    for (int k = 1; k <= 5; ++k) {
        rotating.push_back("int e = " + std::to_string(k - 1) + "; atomic_compare_exchange_strong_explicit(&x, &e, " +
                           std::to_string(k) + ", RLX, RLX);");
    }
    expect_counts(program_of(kTwo, rotating), in_all(43));
    const std::string fib = "for (int i = 0; i < 2; i++) { int a = LOAD(x, ACQ), b = LOAD(y, ACQ); STORE(";
    expect_counts(program_of("static atomic_int x = 1, y = 1;",
                             {fib + "x, a + b, REL); }", fib + "y, a + b, REL); }", "if (LOAD(x, ACQ) <= 8) LOAD(y, ACQ);"}),
                  {{"sc", 140}, {"tso", 153}, {"ra", 153}, {"rc11", 153}});
    const std::string globals = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int c;";
    expect_counts(program_of(globals, repeated(4, "pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m);")), in_all(24));
}

TEST(Executions, Locks) {
    const std::string globals = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int c;";
    expect_counts(program_of(globals, repeated(3, "pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m);")), in_all(6));
    // Two locks in opposite orders: the two that run one after the other, and one in which both wait.
    const auto session = compile(
        program_of("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
                   {"pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                    "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"}));
    const ReferenceResult r = reference_search(*session, *find_axioms("rc11"));
    EXPECT_EQ(r.complete.size(), 2u);
    EXPECT_EQ(r.blocked.size(), 1u);
}

TEST(Executions, ModelsAreOrdered) {
    const auto session =
        compile(program_of("static atomic_int x, y, z;", {"STORE(x, 1, RLX); STORE(y, 1, RLX); LOAD(z, RLX);",
                                                          "STORE(z, 1, RLX); LOAD(y, RLX); LOAD(x, RLX);", "ADD(x, RLX);"}));
    std::map<std::string, std::set<std::string>> found;
    for (const Axioms& a : program_order_axioms()) {
        found[std::string(a.name)] = reference_search(*session, a).complete;
        EXPECT_FALSE(found[std::string(a.name)].empty());
    }
    const auto within = [&](const char* small, const char* large) {
        EXPECT_TRUE(std::ranges::includes(found[large], found[small])) << small << " in " << large;
        EXPECT_LT(found[small].size(), found[large].size());
    };
    within("sc", "tso");
    within("tso", "pso");
    within("sc", "ra");
    within("ra", "rc11");
}

TEST(Executions, TrapsAndAssertions) {
    const auto session =
        compile(program_of("#include <assert.h>\nstatic atomic_int x, y;",
                           {"STORE(x, 1, RLX); STORE(y, 1, RLX);", "if (LOAD(y, RLX)) assert(LOAD(x, RLX) == 1);"}));
    EXPECT_TRUE(reference_search(*session, *find_axioms("tso")).traps.empty());
    EXPECT_EQ(reference_search(*session, *find_axioms("pso")).traps.size(), 1u);
    EXPECT_EQ(reference_search(*session, *find_axioms("rc11")).traps.size(), 1u);
}

} // namespace
} // namespace heddle
