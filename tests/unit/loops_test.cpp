// What the machine tells of loops: which have a head, bounds, iterations as actions, and iterations that changed nothing.
#include "frontend/clang/frontend.hpp"
#include "machine/iteration.hpp"
#include "machine/machine.hpp"
#include "program/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace heddle {
namespace {

const std::vector<std::string> kLevels = {"-O0", "-O1", "-O2"};
const std::vector<std::string> kExtremes = {"-O0", "-O2"}; ///< for the many: clang takes time

Program compile(const std::string& text, const std::string& level = "-O0") {
    const auto path = std::filesystem::temp_directory_path() / ("heddle-loops-" + std::to_string(getpid()) + ".c");
    std::ofstream(path)
        << "#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
           "#define _mm_pause() __builtin_ia32_pause()\n#define NOINLINE __attribute__((noinline))\n"
           "atomic_int x, y; int plain; void *keep; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
           "#line 1\n"
        << text;
    const auto resources = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "heddle";
    auto program = clang_frontend::load({.files = {path.string()}, .flags = {level}, .arguments = {}, .resources = resources});
    std::filesystem::remove(path);
    EXPECT_TRUE(program) << program.error().message << "\n" << text;
    return program ? std::move(*program) : Program{};
}

/// The number of loops with a head in the user's functions.
std::size_t heads(const Program& program) {
    std::size_t count = 0;
    for (const Function& f : program.functions) {
        count += static_cast<std::size_t>(std::ranges::count(f.code, Op::Loop, &Instr::op));
        EXPECT_TRUE(!f.runtime || f.loops.empty()) << f.name;
    }
    return count;
}

std::vector<const Loop*> loops_of(const Program& program) {
    std::vector<const Loop*> all;
    for (const Function& f : program.functions) {
        for (const Loop& loop : f.loops) {
            all.push_back(&loop);
        }
    }
    return all;
}

/// The main thread of a program, alone.
struct Alone {
    explicit Alone(Program p, Machine::Options options = {.loops = true})
        : program(std::move(p)), machine(program, options), memory(program), thread(machine.start_main()) {}

    /// Up to the next iteration of a loop, or something that is not simply carried out.
    Action next() {
        for (;;) {
            Action a = machine.run(thread, memory.objects());
            if (a.kind == ActionKind::Yield || a.kind == ActionKind::Output) {
                machine.resume(thread, {});
                continue;
            }
            const bool simple = a.kind == ActionKind::Load || a.kind == ActionKind::Store || a.kind == ActionKind::Rmw ||
                                a.kind == ActionKind::Fence || a.kind == ActionKind::Alloc || a.kind == ActionKind::Free ||
                                a.kind == ActionKind::Lock || a.kind == ActionKind::Unlock;
            const auto outcome = simple ? memory.perform(a) : std::nullopt;
            if (!outcome) {
                return a;
            }
            machine.resume(thread, *outcome);
        }
    }
    /// The same, and past the iteration's begin.
    Action pass() {
        const Action a = next();
        if (a.kind == ActionKind::Loop) {
            machine.resume(thread, {});
        }
        return a;
    }
    [[nodiscard]] std::uint32_t line(const Action& a) const { return program.places[a.place.index].line; }

    Program program;
    Machine machine;
    Memory memory;
    ThreadState thread;
};

/// Of a program that ends up in an endless loop: does an iteration of it, later than the first few, change nothing?
bool settles(const std::string& text, const std::string& level) {
    Alone alone(compile(text, level));
    for (int first = 0; first < 3; ++first) {
        EXPECT_EQ(alone.pass().kind, ActionKind::Loop) << level << "\n" << text;
    }
    Action a = alone.next();
    const auto head = loop_head(alone.thread);
    std::vector<ThreadState> arrivals;
    for (int passed = 0; a.kind == ActionKind::Loop && passed < 64 && arrivals.size() < 3; ++passed) {
        if (loop_head(alone.thread) == head) {
            arrivals.push_back(alone.thread);
        }
        alone.machine.resume(alone.thread, {});
        a = alone.next();
    }
    EXPECT_EQ(arrivals.size(), 3u) << level << "\n" << text;
    if (arrivals.size() < 3) {
        return false;
    }
    EXPECT_TRUE(same_iteration(arrivals[2], arrivals[2]));
    const bool same = same_iteration(arrivals[0], arrivals[1]);
    EXPECT_EQ(same, same_iteration(arrivals[1], arrivals[2])) << level << "\n" << text;
    return same;
}

void expect_settles(const std::string& text) {
    for (const std::string& level : kExtremes) {
        EXPECT_TRUE(settles(text, level)) << level << "\n" << text;
    }
}

void expect_changes(const std::string& text) {
    for (const std::string& level : kExtremes) {
        EXPECT_FALSE(settles(text, level)) << level << "\n" << text;
    }
}

TEST(Loops, ConstantNumbersOfIterationsHaveNoHead) {
    for (const std::string& level : kLevels) {
        EXPECT_EQ(heads(compile("static void *t(void *a) { return a; }\n"
                                "int main(void) { pthread_t h[3];\n"
                                "for (int i = 0; i < 3; i++) pthread_create(&h[i], 0, t, 0);\n"
                                "for (int i = 0; i < 3; i++) pthread_join(h[i], 0);\n"
                                "int i = 5; while (i-- > 0) atomic_fetch_add(&x, 1);\n"
                                "do { atomic_store(&x, i); i += 2; } while (i < 7);\n return 0; }",
                                level)),
                  0u)
            << level;
    }
}

TEST(Loops, OthersHave) {
    for (const std::string& level : kLevels) {
        EXPECT_EQ(heads(compile("int main(void) { while (atomic_load(&x) == 0)\n;\n return 0; }", level)), 1u) << level;
    }
    // Nested; the optimiser makes more of them out of these.
    EXPECT_EQ(
        heads(compile("int main(void) { int n = atomic_load(&x); for (int i = 0; i < n; i++) { while (atomic_load(&y) == i) ; "
                      "for (int k = 0; k < 2; k++) atomic_store(&y, k); } return 0; }")),
        2u);
}

TEST(Loops, ThoseThatOnlyComputeAreNoActions) {
    // It ends for certain: mere computation.
    EXPECT_EQ(heads(compile("NOINLINE unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s = s * 3 + i; "
                            "return s; } int main(void) { return f(plain) == 1; }")),
              0u);
    // It may not.
    const Program program =
        compile("NOINLINE unsigned f(unsigned n) { while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2; return n; }\n"
                "int main(void) { return f(6) != 1; }");
    ASSERT_EQ(heads(program), 1u);
    EXPECT_FALSE(loops_of(program).front()->acts);
    Alone alone(program, {.loops = true});
    EXPECT_EQ(alone.next().kind, ActionKind::Exit);
    Alone bounded(program, {.unroll = 3});
    const Action cut = bounded.next();
    EXPECT_EQ(cut.kind, ActionKind::Block);
    EXPECT_EQ(cut.reason, BlockReason::LoopBound);
}

TEST(Loops, TheVerifierLooksAtHeads) {
    Program program = compile("int main(void) { while (atomic_load(&x) == 0) ; return 0; }");
    EXPECT_TRUE(verify(program).empty());
    for (Function& f : program.functions) {
        f.loops.resize(f.loops.size() * 2); // loops without a head
    }
    EXPECT_FALSE(verify(program).empty());
    for (Function& f : program.functions) {
        f.loops.clear(); // heads without a loop
    }
    EXPECT_FALSE(verify(program).empty());
}

TEST(Loops, GotosMakeLoopsToo) {
    // Two ways in: an irreducible cycle.
    const std::string text = "int main(void) { if (atomic_load(&x)) goto second;\n"
                             "first: atomic_fetch_add(&y, 1);\n"
                             "second: if (atomic_load(&y) < 100) goto first;\n return 0; }";
    Alone alone(compile(text), {.unroll = 10, .patience = 1000});
    ASSERT_GE(heads(alone.program), 1u);
    const Action cut = alone.next();
    EXPECT_EQ(cut.kind, ActionKind::Block);
    EXPECT_EQ(cut.reason, BlockReason::LoopBound);
}

TEST(Loops, IterationsAreActionsAndRunningAgainGivesTheSame) {
    Alone alone(compile("int main(void) {\n while (atomic_load(&x) < 2)\n  atomic_fetch_add(&x, 1);\n return 0; }"));
    for (std::uint64_t n = 1; n <= 3; ++n) {
        const Action a = alone.next();
        ASSERT_EQ(a.kind, ActionKind::Loop);
        EXPECT_EQ(a.count, n);
        EXPECT_EQ(alone.line(a), 2u);
        const Action again = alone.machine.run(alone.thread, alone.memory.objects());
        EXPECT_EQ(again.kind, ActionKind::Loop);
        EXPECT_EQ(again.count, n);
        const auto head = loop_head(alone.thread);
        ASSERT_TRUE(head);
        EXPECT_EQ(head->function->name, "main");
        EXPECT_EQ(head->loop, 0u);
        EXPECT_EQ(head->depth, depth(alone.thread));
        alone.machine.resume(alone.thread, {});
    }
    EXPECT_EQ(alone.next().kind, ActionKind::Exit);
    EXPECT_EQ(loop_head(alone.thread), std::nullopt);
}

TEST(Loops, WithoutTheOptionAndAloneTheyAreNot) {
    const Program program = compile("int main(void) { while (atomic_load(&x) < 5) atomic_fetch_add(&x, 1); return 0; }");
    Alone plain(program, {});
    EXPECT_EQ(plain.next().kind, ActionKind::Exit);
    Alone direct(program, {.loops = true});
    EXPECT_EQ(direct.machine.run(direct.thread, direct.memory).kind, ActionKind::Exit);
    Alone bounded(program, {.loops = true, .unroll = 3});
    const Action cut = bounded.machine.run(bounded.thread, bounded.memory);
    EXPECT_EQ(cut.kind, ActionKind::Block);
    EXPECT_EQ(cut.reason, BlockReason::LoopBound);
}

TEST(Loops, BoundsHoldAtTheRightIterationAndPlace) {
    const Program program = compile("int main(void) {\n int n = 0;\n"
                                    " for (;;) {\n  atomic_store(&x, ++n);\n  if (n == plain + 7) break;\n }\n return 0; }");
    Alone enough(program, {.unroll = 7});
    EXPECT_EQ(enough.next().kind, ActionKind::Exit);
    Alone short_of_one(program, {.unroll = 6});
    for (int again = 0; again < 2; ++again) {
        const Action a = short_of_one.next();
        EXPECT_EQ(a.kind, ActionKind::Block);
        EXPECT_EQ(a.reason, BlockReason::LoopBound);
        EXPECT_EQ(short_of_one.line(a), 3u);
    }
    const auto x = std::ranges::find(short_of_one.program.globals, "x", &Global::name);
    EXPECT_EQ(short_of_one.memory.load(x->address, 4).lo, 6u);
}

TEST(Loops, CountersStartAgainAtEveryEntry) {
    Alone alone(compile(
        "NOINLINE static void inner(int n) { while (atomic_load(&y) < n) atomic_fetch_add(&y, 1); atomic_store(&y, 0); }\n"
        "int main(void) {\n while (atomic_load(&x) < 2) {\n"
        "  while (atomic_load(&y) < 3)\n   atomic_fetch_add(&y, 1);\n"
        "  atomic_store(&y, 0); inner(1); atomic_fetch_add(&x, 1); }\n return 0; }"));
    std::vector<std::pair<std::uint32_t, std::uint64_t>> seen;
    for (Action a = alone.pass(); a.kind == ActionKind::Loop; a = alone.pass()) {
        seen.emplace_back(alone.line(a), a.count);
    }
    const std::vector<std::pair<std::uint32_t, std::uint64_t>> expected = {
        {3, 1}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {1, 1}, {1, 2}, {3, 2}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {1, 1}, {1, 2}, {3, 3}};
    EXPECT_EQ(seen, expected);
}

TEST(Loops, FailedSpinsChangeNothing) {
    expect_settles("int main(void) { while (atomic_load(&x) == 0) ; return 0; }");
    expect_settles("int main(void) { while (atomic_load(&x) == 0) sched_yield(); return 0; }");
    expect_settles("int main(void) { int r; do { r = atomic_load(&x); } while (r == 0); return r; }");
    expect_settles("int main(void) { atomic_store(&x, 1); while (atomic_exchange(&x, 1)) _mm_pause(); return 0; }");
    expect_settles("int main(void) { atomic_store(&x, 2);\n for (;;) { int expected = 0;\n"
                   "if (atomic_compare_exchange_strong(&x, &expected, 1)) break; } return 0; }");
    expect_settles("int main(void) { atomic_store(&x, 2); int expected = 0;\n"
                   "while (!atomic_compare_exchange_weak(&x, &expected, 1)) expected = 0; return 0; }");
    expect_settles("int main(void) { atomic_store(&x, 1);\n"
                   "do { while (atomic_load(&x)) ; } while (atomic_exchange(&x, 1)); return 0; }");
    expect_settles("int main(void) { atomic_store(&x, 1); int e;\n"
                   "do { while (atomic_load(&y)) ; e = 0; } while (!atomic_compare_exchange_strong(&x, &e, 1)); return 0; }");
    // A value that is carried through the loop, not changed by it; and the last value read, used after.
    expect_settles("int main(void) { int n = atomic_load(&y) + 3, r; while ((r = atomic_load(&x)) == 0) ; return n + r; }");
}

TEST(Loops, DependenciesAndUndefinedBitsAreNoObstacle) {
    const std::string text =
        "struct pair { char a; int b; };\n"
        "int main(void) { struct pair p, q; p.b = 1; q = p; while (atomic_load(&x) == 0) q = p; return q.b; }";
    for (const bool dependencies : {false, true}) {
        Alone alone(compile(text), {.dependencies = dependencies, .loops = true});
        ASSERT_EQ(alone.pass().kind, ActionKind::Loop);
        ASSERT_EQ(alone.next().kind, ActionKind::Loop);
        const ThreadState before = alone.thread;
        EXPECT_FALSE(same_iteration(before, alone.machine.start_main()));
        alone.machine.resume(alone.thread, {});
        EXPECT_FALSE(same_iteration(before, alone.thread)) << "it has left the head";
        ASSERT_EQ(alone.next().kind, ActionKind::Loop);
        EXPECT_TRUE(same_iteration(before, alone.thread));
        EXPECT_GT(alone.thread.actions, before.actions);
    }
}

TEST(Loops, LibraryCallsAroundASpin) {
    expect_settles("int main(void) { for (;;) { pthread_mutex_lock(&m); int r = atomic_load(&x); pthread_mutex_unlock(&m);\n"
                   "if (r) break; } return 0; }");
    expect_settles("int main(void) { pthread_mutex_lock(&m); while (pthread_mutex_trylock(&m) != 0) sched_yield(); return 0; }");
    expect_settles("NOINLINE static int is_set(atomic_int *p) { return atomic_load(p); }\n"
                   "int main(void) { while (!is_set(&x)) ; return 0; }");
    expect_settles("NOINLINE static int look(int *to) { *to = atomic_load(&x); return *to; }\n"
                   "int main(void) { int seen; while (!look(&seen)) ; return seen; }");
}

TEST(Loops, ChangesAreSeen) {
    expect_changes(
        "int main(void) { int n = 1000 + atomic_load(&y), tries; for (tries = 0; tries < n; tries++) if (atomic_load(&x)) "
        "break; return tries; }");
    expect_changes("static _Thread_local int tries; int main(void) { while (atomic_load(&x) == 0) tries++; return tries; }");
    expect_changes("int main(void) { while (atomic_load(&x) == 0) { keep = malloc(4); free(keep); } return 0; }");
    expect_changes("NOINLINE static void count(int *n) { ++*n; }\n"
                   "int main(void) { int n = 0; while (atomic_load(&x) == 0) count(&n); return n; }");
    expect_changes("int main(void) { unsigned sum = 1; while (atomic_load(&x) == 0) sum = sum * 3 + 1; return (int)sum; }");
    expect_changes(
        "int main(void) { int a[20] = {0}; int i = 0; while (atomic_load(&x) == 0) a[i++ % 20] = 1; return a[i % 20]; }");
}

TEST(Loops, DelaysDoNotCount) {
    const std::string start = "int main(void) { atomic_store(&x, 1); int delay = 1; while (atomic_exchange(&x, 1)) { ";
    expect_settles(start + "for (int i = 0; i < delay; i++) _mm_pause(); delay *= 2; } return 0; }");
    expect_settles(start + "for (int i = 0; i < delay; i++) __asm__ volatile(\"\" ::: \"memory\"); delay <<= 1; } return 0; }");
    expect_settles(start +
                   "for (int i = 0; i < delay; i++) __asm__ volatile(\"rep; nop\"); if (delay < 64) delay *= 2; } return 0; }");
    expect_settles(start +
                   "int i = delay; while (i-- > 0) sched_yield(); delay = delay * 2 > 64 ? 64 : delay * 2; } return 0; }");
    expect_settles(start + "for (int i = 0; i < delay; i++) for (int k = 0; k < delay; k++) _mm_pause(); delay++; } return 0; }");
    expect_settles(start + "for (int i = 0; i < (1 << delay); i++) _mm_pause(); if (delay < 10) delay++; } return 0; }");
    // Sleeping is a yield, unless somebody looks at the clock.
    expect_settles("#include <unistd.h>\nint main(void) { while (atomic_load(&x) == 0) usleep(10); return 0; }");
    expect_settles(
        "#include <time.h>\nint main(void) { while (atomic_load(&x) == 0) nanosleep(&(struct timespec){0, 5}, 0); return 0; }");
    expect_settles(
        "static void relax(void) { _mm_pause(); } static void wait(unsigned n) { for (unsigned i = 0; i < n; i++) relax(); }\n" +
        start + "wait(delay); delay *= 2; if (delay > 100) delay = 100; } return 0; }");
}

TEST(Loops, WhatIsMoreThanADelayStays) {
    expect_changes("#include <time.h>\n#include <unistd.h>\n"
                   "int main(void) { while (atomic_load(&x) == 0 && time(0) != 5) usleep(10); return 0; }");
    // The count is used, and so is the delay.
    expect_changes(
        "int main(void) { int delay = 1; while (atomic_load(&x) == 0) { for (int i = 0; i < delay; i++) _mm_pause(); delay++; }\n"
        "return delay; }");
    expect_changes(
        "int main(void) { unsigned n = 0; while (atomic_load(&x) == 0) { for (int i = 0; i < 3; i++) { _mm_pause(); n++; } }\n"
        "return (int)n; }");
    // A volatile counter is memory; the loop may not end; the loop writes.
    EXPECT_EQ(heads(compile("int main(void) { for (volatile int i = 0; i < 10; i++) ; return 0; }")), 1u);
    EXPECT_EQ(heads(compile("int main(void) { for (unsigned i = 0; i != (unsigned)plain; i += 2) _mm_pause(); return 0; }")), 1u);
    EXPECT_EQ(
        heads(compile("int main(void) { int n = atomic_load(&x); for (int i = 0; i < n; i++) atomic_store(&y, i); return 0; }")),
        1u);
    EXPECT_EQ(heads(compile("int main(void) { int n = atomic_load(&x); for (int i = 0; i < n; i++) _mm_pause(); return 0; }")),
              0u);
}

} // namespace
} // namespace heddle
