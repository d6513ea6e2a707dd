// `heddle check` on what strains it: programs without threads or with hundreds, loops without end, long executions, budgets, ctrl-C. Each must
// end by itself, soon, with a verdict that does not claim more than was explored.
#include "cli/exit_code.hpp"
#include "paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace heddle::cli;
using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

struct Answer {
    int exit = -1; ///< -1: ended by a signal; 124: not ended after a minute and a half
    std::string text;
    json result; ///< what --json wrote; null when it wrote nothing

    [[nodiscard]] std::string verdict() const { return result.is_null() ? "" : result.at("verdict").get<std::string>(); }
    [[nodiscard]] std::string reason() const { return result.at("reason").at("message").get<std::string>(); }
    [[nodiscard]] std::string place() const { return result.at("reason").at("place").get<std::string>(); }
    [[nodiscard]] std::uint64_t complete() const { return result.at("executions").at("complete").get<std::uint64_t>(); }
    [[nodiscard]] double seconds() const { return result.at("stats").at("seconds").get<double>(); }
    [[nodiscard]] std::uint64_t megabytes() const { return result.at("stats").at("peak_memory_kb").get<std::uint64_t>() / 1024; }
};

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class CheckLimits : public testing::Test {
  protected:
    CheckLimits() { fs::create_directories(folder_); }
    ~CheckLimits() override { fs::remove_all(folder_); }
    CheckLimits(const CheckLimits&) = delete;
    CheckLimits& operator=(const CheckLimits&) = delete;

    /// Checks the program `text`. `watcher` is put before the command line: something that runs another command.
    [[nodiscard]] Answer check(const std::string& text, const std::string& options = "",
                               const std::string& watcher = "timeout 90") const {
        std::ofstream(folder_ / "p.c") << text;
        fs::remove(folder_ / "p.json");
        const int status = std::system(("cd '" + folder_.string() + "' && " + watcher + " '" + heddle::test::heddle_binary() +
                                        "' check p.c --json p.json " + options + " >p.txt 2>&1 </dev/null")
                                           .c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder_ / "p.txt"),
                json::parse(contents(folder_ / "p.json"), nullptr, false)};
    }

  private:
    fs::path folder_ = fs::temp_directory_path() / ("heddle-limits-test-" + std::to_string(getpid()));
};

const std::string kThreads = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\nstatic atomic_int x;\n";

/// main, which starts `n` threads in f, each with its number, and joins them.
std::string starts(int n) {
    const std::string count = std::to_string(n);
    return "int main(void) {\n"
           "    pthread_t t[" +
           count +
           "];\n"
           "    for (int i = 0; i < " +
           count +
           "; i++) pthread_create(&t[i], 0, f, (void *)(intptr_t)i);\n"
           "    for (int i = 0; i < " +
           count +
           "; i++) pthread_join(t[i], 0);\n"
           "    return 0;\n}\n";
}

/// More executions than anybody will ever see.
std::string huge() {
    return kThreads +
           "static void *f(void *p) { for (int i = 0; i < 8; i++) atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); return "
           "p; }\n" +
           starts(8);
}

TEST_F(CheckLimits, NoThreads) {
    const Answer a = check("#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); return 0; }\n");
    EXPECT_EQ(a.exit, kExitSafe) << a.text;
    EXPECT_EQ(a.complete(), 1U);
    EXPECT_EQ(check("#include <assert.h>\nint x;\nint main(void) { assert(x == 1); return 0; }\n").exit, kExitViolation);
}

TEST_F(CheckLimits, BruteForceOnALoopWithoutEnd) {
    const Answer a = check(kThreads + "static void *f(void *p) { while (!x) { } return p; }\n" + starts(1),
                           "--model sc --search reference --timeout 20");
    EXPECT_EQ(a.exit, kExitOutOfBudget) << a.text;
    EXPECT_THAT(a.text, HasSubstr("a loop without end?"));
}

TEST_F(CheckLimits, NoMain) {
    const Answer a = check("int f(void) { return 1; }\n");
    EXPECT_EQ(a.exit, kExitBadUsage);
    EXPECT_THAT(a.text, HasSubstr("no function main"));
}

TEST_F(CheckLimits, TwoHundredThreadsThatKeepToThemselves) {
    const std::string program = kThreads +
                                "static atomic_int own[200];\n"
                                "static void *f(void *p) { int i = (int)(intptr_t)p; own[i] = i; own[i] += 1; return p; }\n" +
                                starts(200);
    for (const char* model : {"sc", "tso", "pso", "ra", "rc11"}) {
        const Answer a = check(program, std::string("--model ") + model);
        EXPECT_EQ(a.exit, kExitSafe) << model << "\n" << a.text;
        EXPECT_EQ(a.complete(), 1U) << model;
    }
}

TEST_F(CheckLimits, TwoHundredThreadsAtOneCounter) {
    const Answer a =
        check(kThreads + "static void *f(void *p) { atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); return p; }\n" +
                  starts(200),
              "--max-executions 1000");
    EXPECT_EQ(a.exit, kExitOutOfBudget) << a.text;
    EXPECT_EQ(a.complete(), 1000U);
    EXPECT_THAT(a.reason(), HasSubstr("--max-executions"));
    EXPECT_LT(a.megabytes(), 1500U);
}

TEST_F(CheckLimits, AnEndlessLoopThatWritesIsNamed) {
    for (const char* type : {"atomic_int", "int"}) {
        const Answer a = check(kThreads + "static " + type +
                                   " y;\nstatic void *f(void *p) {\n    while (1)\n        y++;\n    return p;\n}\n" + starts(1),
                               "--timeout 60");
        EXPECT_EQ(a.exit, kExitOutOfBudget) << type << a.text;
        EXPECT_THAT(a.reason(), HasSubstr("--unroll")) << type;
        EXPECT_THAT(a.place(), HasSubstr("p.c:7:")) << type;
        EXPECT_LT(a.megabytes(), 1500U) << type;
    }
}

TEST_F(CheckLimits, AnEndlessLoopThatOnlyComputesIsNamed) {
    const Answer a =
        check(kThreads +
                  "static void *f(void *p) {\n    unsigned k = 0;\n    x = 1;\n    while (1)\n        k = k * 3 + 1;\n"
                  "    return (void *)(intptr_t)(k + (p != 0));\n}\n" +
                  starts(1),
              "--timeout 60");
    EXPECT_EQ(a.exit, kExitOutOfBudget) << a.text;
    EXPECT_THAT(a.place(), HasSubstr("p.c:8:"));
}

TEST_F(CheckLimits, AnEndlessLoopBeforeAnyThread) {
    for (const char* program :
         {"int main(void) { volatile unsigned k = 0; while (1) k++; }\n", "unsigned x; int main(void) { while (1) x++; }\n"}) {
        const Answer a = check(program, "--timeout 60");
        EXPECT_EQ(a.exit, kExitOutOfBudget) << program << a.text;
        EXPECT_THAT(a.place(), HasSubstr("p.c:1:")) << program;
    }
}

TEST_F(CheckLimits, AHundredThousandEvents) {
    const Answer a = check(kThreads +
                               "static atomic_int y;\n"
                               "static void *f(void *p) {\n"
                               "    if (p) { y = 1; return p; }\n"
                               "    for (int i = 0; i < 50000; i++) { x = i; int r = x; (void)r; }\n"
                               "    return p;\n}\n" +
                               starts(2),
                           "--timeout 20 --max-memory 2000");
    EXPECT_THAT(a.exit, AnyOf(int{kExitSafe}, int{kExitOutOfBudget})) << a.text;
    EXPECT_LT(a.seconds(), 30);
    EXPECT_LT(a.megabytes(), 2500U);
}

// Each event of these was once compared with all that are like it before: they took minutes.
TEST_F(CheckLimits, ManyOfAKindInOneThread) {
    for (const char* body :
         {"for (int i = 0; i < 60000; ++i) { if (atomic_load(&x)) return p; }",
          "for (int i = 0; i < 60000; ++i) { int e = 1; if (atomic_compare_exchange_strong(&x, &e, 2)) return p; }",
          "for (int i = 0; i < 30000; ++i) { volatile int* q = malloc(100); *q = i; free((void*)q); }"}) {
        const std::string program = "#include <stdlib.h>\n" + kThreads + "static void* f(void* p) { " + body +
                                    " return 0; }\n"
                                    "int main(void) { for (int i = 0; i < 2; ++i) { pthread_t t; pthread_create(&t, 0, f, &x);\n"
                                    "    pthread_join(t, 0); } return 0; }\n";
        for (const char* equivalence : {"trace", "rf"}) {
            const Answer a = check(program, std::string("--timeout 60 --equivalence ") + equivalence);
            EXPECT_EQ(a.verdict(), "Safe") << body << a.text;
            EXPECT_EQ(a.complete(), 1U) << body;
            EXPECT_LT(a.seconds(), 15) << body << equivalence;
        }
    }
}

// Under rf each location that somebody waits for started the search again.
TEST_F(CheckLimits, ManyMutexes) {
    const std::string program = kThreads +
                                "static pthread_mutex_t locks[6000];\n"
                                "static void* f(void* p) { for (int i = 0; i < 6000; ++i) {\n"
                                "    pthread_mutex_lock(&locks[i]); pthread_mutex_unlock(&locks[i]); } return p; }\n"
                                "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    const Answer a = check(program, "--timeout 60 --equivalence rf");
    EXPECT_EQ(a.verdict(), "Safe") << a.text;
    EXPECT_EQ(a.complete(), 1U);
    EXPECT_LT(a.seconds(), 5);
}

// Most of what was ever stored has been overwritten: a search that asks about it value by value, at each read, takes minutes for these.
TEST_F(CheckLimits, LongExecutionsByValue) {
    const std::string one_after_the_other =
        kThreads + "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static int counter;\n"
                   "static void* f(void* a) { for (int i = 0; i < 300; ++i) {\n"
                   "    pthread_mutex_lock(&lock); ++counter; pthread_mutex_unlock(&lock); } return a; }\n"
                   "int main(void) { for (int i = 0; i < 2; ++i) {\n"
                   "    pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); } return counter != 600; }\n";
    const std::string in_turns =
        kThreads +
        "static void* f(void* a) { const int odd = (int)(intptr_t)a; for (int i = odd; i < 600; i += 2) {\n"
        "    while (atomic_load(&x) != i) {} atomic_store(&x, i + 1); } return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, (void*)1); f(0); pthread_join(t, 0); return x != 600; }\n";
    for (const std::string& program : {one_after_the_other, in_turns}) {
        for (const char* model : {"tso", "rc11"}) {
            const Answer a = check(program, std::string("--equivalence value --model ") + model);
            EXPECT_EQ(a.verdict(), "Safe") << a.text;
            EXPECT_EQ(a.complete(), 1u);
            EXPECT_LT(a.seconds(), 10);
        }
    }
}

TEST_F(CheckLimits, DeepRecursion) {
    const std::string down = "static int down(int n) { volatile int pad = n; x = n; return n == 0 ? pad : down(n - 1) + pad; }\n"
                             "static void *f(void *p) { down(DEPTH); return p; }\n";
    const Answer deep = check(kThreads + "#define DEPTH 20000\n" + down + starts(1));
    EXPECT_EQ(deep.exit, kExitSafe) << deep.text;
    const Answer bottomless = check(kThreads +
                                    "static int down(volatile int *n) { volatile int m = *n + 1; return down(&m) + m; }\n"
                                    "static void *f(void *p) { volatile int z = 0; down(&z); return p; }\n" +
                                    starts(1));
    EXPECT_EQ(bottomless.exit, kExitViolation) << bottomless.text;
    EXPECT_EQ(bottomless.result.at("violations").at(0).at("kind"), "stack-overflow");
}

TEST_F(CheckLimits, Timeout) {
    const Answer a = check(huge(), "--timeout 1");
    EXPECT_EQ(a.exit, kExitOutOfBudget) << a.text;
    EXPECT_THAT(a.reason(), HasSubstr("--timeout"));
    EXPECT_GT(a.complete(), 0U);
    EXPECT_LT(a.seconds(), 5);
}

TEST_F(CheckLimits, MaxMemory) {
    const Answer a = check(huge(), "--max-memory 2 --timeout 60"); // less than Heddle has at its start
    EXPECT_EQ(a.exit, kExitOutOfBudget) << a.text;
    EXPECT_THAT(a.reason(), HasSubstr("--max-memory"));
    EXPECT_LT(a.seconds(), 5);
}

TEST_F(CheckLimits, BudgetsHoldBeforeAnyThread) {
    // What main does by itself is run at once, and here each object is 256 MB.
    const std::string program = "#include <stdlib.h>\nint main(void) { for (;;) { char *p = malloc(1 << 28); p[0] = 1; } }\n";
    for (const char* search : {"", " --equivalence rf", " --equivalence value", " --search reference", " --search stateful"}) {
        const Answer a = check(program, std::string("--model sc --timeout 2") + search);
        EXPECT_EQ(a.exit, kExitOutOfBudget) << search << a.text;
        EXPECT_LT(a.seconds(), 15) << search;
    }
    const Answer large = check(program, "--max-memory 500 --timeout 60");
    EXPECT_EQ(large.exit, kExitOutOfBudget) << large.text;
    EXPECT_THAT(large.reason(), HasSubstr("--max-memory"));
    EXPECT_LT(large.megabytes(), 3000U);
}

TEST_F(CheckLimits, MoreWorkersThanAnySystemStarts) {
    const Answer a = check("int main(void) { return 0; }\n", "-j 100000");
    EXPECT_EQ(a.exit, kExitBadUsage) << a.text;
    EXPECT_THAT(a.text, HasSubstr("no number from 1 to"));
}

TEST_F(CheckLimits, StatesOfALoopThatOnlyYieldsOrPrints) {
    // Neither is a step of the search over states, which looks at its budgets between steps.
    for (const char* body : {"sched_yield();", "puts(\"\");"}) {
        const Answer a = check("#include <sched.h>\n#include <stdio.h>\n" + kThreads + "static void *f(void *p) { for (;;) " +
                                   body + " }\n" + starts(2),
                               "--model sc --search stateful --timeout 20");
        EXPECT_THAT(a.exit, AnyOf(int{kExitViolation}, int{kExitOutOfBudget})) << body << a.text;
        EXPECT_LT(a.seconds(), 40) << body;
    }
}

TEST_F(CheckLimits, AnInterruptedSearchSaysWhatItHas) {
    // A shell's background jobs ignore SIGINT; timeout's child does not. The sanitized build needs a few seconds before it searches.
    const Answer a = check(huge(), "", "timeout --preserve-status -s INT -k 60 10");
    EXPECT_EQ(a.exit, kExitOutOfBudget) << a.text;
    EXPECT_EQ(a.reason(), "interrupted");
    EXPECT_GT(a.complete(), 0U);
    EXPECT_THAT(a.text, HasSubstr("covered so far"));
}

TEST_F(CheckLimits, SaysThatTheListOfViolationsIsNotComplete) {
    const std::string program =
        kThreads + "#include <assert.h>\nstatic void *f(void *p) { atomic_fetch_add(&x, 1); assert(x != 1); return p; }\n" +
        starts(4);
    const Answer stopped = check(program, "--model sc --keep-going --max-executions 3");
    EXPECT_EQ(stopped.verdict(), "Violation") << stopped.text;
    EXPECT_THAT(stopped.text, HasSubstr("stopped: --max-executions 3; there may be other violations"));
    EXPECT_THAT(check(program, "--model sc --keep-going").text, Not(HasSubstr("stopped")));
    EXPECT_THAT(check(program, "--model sc").text, Not(HasSubstr("stopped")));
}

TEST_F(CheckLimits, AThreadStoppedByItsJoinIsNoDeadlockBesides) {
    const std::string program = kThreads + "static pthread_t a, b;\nstatic void *f(void *p) { return p; }\n"
                                           "static void *g(void *p) { pthread_join(a, 0); return p; }\n"
                                           "int main(void) { pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
                                           "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
    for (const char* search : {"", "--equivalence rf", "--equivalence value", "--search stateful"}) {
        const Answer a = check(program, std::string("--model tso --keep-going ") + search);
        ASSERT_EQ(a.verdict(), "Violation") << search << a.text;
        for (const json& v : a.result.at("violations")) {
            EXPECT_EQ(v.at("kind"), "thread-misuse") << search;
        }
    }
}

} // namespace
