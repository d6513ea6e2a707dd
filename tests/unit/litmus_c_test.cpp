// The C dialects of litmus tests: what their threads do, what depends on what, and what is said about tests that are wrong.
#include "litmus_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::litmus {
namespace {

/// A test with one thread.
std::string thread(std::string_view parameters, std::string_view body, std::string_view init = "") {
    return fmt::format("C t\n{{ {} }}\nP0({}) {{\n{}\n}}\nexists (true)\n", init, parameters, body);
}

/// What the thread does, but for its end.
Lines actions(std::string_view parameters, std::string_view body, std::vector<std::uint64_t> outcomes,
              std::string_view init = "") {
    Lines lines = trace(parsed(thread(parameters, body, init)), 0, std::move(outcomes));
    EXPECT_FALSE(lines.empty());
    if (!lines.empty() && lines.back() == "end") {
        lines.pop_back();
    }
    return lines;
}

/// The value of an expression of r (a read of `type`) when the read gives `value`.
std::int64_t computed(std::string_view type, std::string_view expression, std::uint64_t value) {
    const LitmusTest test = parsed(
        fmt::format("C t\n{{}}\nP0({0} *x) {{\n  {0} r = *x;\n  {0} result = {1};\n}}\nexists (0:result=0)\n", type, expression));
    const Lines lines = trace(test, 0, {value});
    EXPECT_EQ(lines.size(), 3u);
    return lines.size() == 3 ? std::stoll(lines[1].substr(lines[1].find('=') + 1)) : -1;
}

// --- C11 ------------------------------------------------------------------------------------------------------------------------------------------

TEST(LitmusC, OrdersOfAccesses) {
    EXPECT_EQ(actions("atomic_int* x, int* y",
                      R"(int r0 = *y;
                         r0 = atomic_load_explicit(x, memory_order_relaxed);
                         r0 = atomic_load_explicit(x, memory_order_acquire);
                         r0 = atomic_load(x);
                         r0 = x->load(memory_order_acquire);
                         r0 = x.load();
                         *y = 1;
                         atomic_store_explicit(x, 2, memory_order_relaxed);
                         atomic_store_explicit(x, 3, memory_order_release);
                         atomic_store(x, 4);
                         x.store(5, memory_order_release);)",
                      {0, 0, 0, 0, 0, 0}),
              (Lines{"R y plain", "R x", "R x acquire", "R x seq_cst", "R x acquire", "R x seq_cst", "W y=1 plain", "W x=2",
                     "W x=3 release", "W x=4 seq_cst", "W x=5 release"}));
}

TEST(LitmusC, UpdatesAndFences) {
    EXPECT_EQ(actions("atomic_int* x",
                      R"(int r0 = atomic_fetch_add_explicit(x, 2, memory_order_acq_rel);
                         atomic_fetch_sub(x, 1);
                         r0 = atomic_exchange_explicit(x, 7, memory_order_acquire);
                         atomic_thread_fence(memory_order_release);
                         atomic_thread_fence(memory_order_seq_cst);)",
                      {5, 7, 6}),
              (Lines{"U x 2 acq_rel", "U x 1 seq_cst", "U x 7 acquire", "F release", "F seq_cst"}));
}

TEST(LitmusC, CompareExchangeReadsAndWritesTheExpectedValue) {
    const char* body = "int r0 = atomic_compare_exchange_strong_explicit(x, e, 9, memory_order_acquire, memory_order_relaxed);\n"
                       "*y = r0;";
    const char* parameters = "atomic_int* x, int* e, int* y";
    // Success: nothing is written to the expected value. Failure: what was found is. Whether it succeeded is what its read gave.
    EXPECT_EQ(actions(parameters, body, {3, 3}), (Lines{"R e plain", "U x 9 acquire data{0}", "W y=1 plain data{1}"}));
    EXPECT_EQ(actions(parameters, body, {3, 4}),
              (Lines{"R e plain", "U x 9 acquire data{0}", "W e=4 plain data{1} ctrl{1}", "W y=0 plain data{1}"}));
    EXPECT_EQ(actions("atomic_int* x, int* y", "int r0 = 3; atomic_compare_exchange_strong(x, &r0, 9); *y = r0;", {4}),
              (Lines{"U x 9 seq_cst", "W y=4 plain data{0}"}));
}

TEST(LitmusC, WeakCompareExchangeMayFailOnTheValueItWants) {
    const char* body = "int r0 = 3; int r1 = atomic_compare_exchange_weak(x, &r0, 9); *y = r1;";
    EXPECT_EQ(actions("atomic_int* x, int* y", body, {1, 3}), (Lines{"choose 2", "U x 9 seq_cst", "W y=1 plain data{1}"}));
    EXPECT_EQ(actions("atomic_int* x, int* y", body, {1, 4}), (Lines{"choose 2", "U x 9 seq_cst", "W y=0 plain data{1}"}));
    EXPECT_EQ(actions("atomic_int* x, int* y", body, {0, 3}), (Lines{"choose 2", "R x seq_cst", "W y=0 plain"}));
}

// --- dependencies ----------------------------------------------------------------------------------------------------------------------------------

TEST(LitmusC, DependenciesAreSyntactic) {
    EXPECT_EQ(actions("int* x, int* y, int* z",
                      "int r = *x; int s = r ^ r; *y = s + 1; *(z + s) = 1; int u = z[r & 0]; r = 0; *y = r;", {7, 0}),
              (Lines{"R x plain", "W y=1 plain data{0}", "W z=1 plain addr{0}", "R z plain addr{0}", "W y=0 plain"}));
    const LitmusTest test = parsed(thread("int** p, int* y", "int* r = *p; *y = 1; int s = *r; *r = s;", "p=q;"));
    const auto q = std::ranges::find(test.program.globals, "q", &Global::name);
    ASSERT_NE(q, test.program.globals.end());
    EXPECT_EQ(trace(test, 0, {q->address, 5}),
              (Lines{"R p plain", "W y=1 plain", "R q plain addr{0}", "W q=5 plain addr{0} data{2}", "end"}));
}

TEST(LitmusC, ControlDependenciesEndAtTheJoin) {
    const char* body = "int r = *x; if (r == 1) { *y = 1; } else *y = 2; *z = 1;";
    EXPECT_EQ(actions("int* x, int* y, int* z", body, {1}), (Lines{"R x plain", "W y=1 plain ctrl{0}", "W z=1 plain"}));
    EXPECT_EQ(actions("int* x, int* y, int* z", body, {0}), (Lines{"R x plain", "W y=2 plain ctrl{0}", "W z=1 plain"}));
    EXPECT_EQ(actions("int* x, int* y, int* z", "if (*x) { if (*y) *z = 1; *z = 2; } *z = 3;", {1, 1}),
              (Lines{"R x plain", "R y plain ctrl{0}", "W z=1 plain ctrl{0,1}", "W z=2 plain ctrl{0}", "W z=3 plain"}));
}

TEST(LitmusC, LogicalOperatorsAccessTheRightSideOnlyIfTheyMust) {
    const char* body = "int r = *x && *y; *z = r; int s = r || 0; *z = s;";
    EXPECT_EQ(actions("int* x, int* y, int* z", body, {0}), (Lines{"R x plain", "W z=0 plain data{0}", "W z=0 plain data{0}"}));
    EXPECT_EQ(actions("int* x, int* y, int* z", body, {2, 3}),
              (Lines{"R x plain", "R y plain ctrl{0}", "W z=1 plain data{0,1}", "W z=1 plain data{0,1}"}));
}

// --- loops -----------------------------------------------------------------------------------------------------------------------------------------

TEST(LitmusC, LoopsAreUnrolledTwice) {
    const char* body = "while (*x) { *y = 1; } *z = 1;";
    EXPECT_EQ(actions("int* x, int* y, int* z", body, {0}), (Lines{"R x plain", "W z=1 plain"}));
    EXPECT_EQ(actions("int* x, int* y, int* z", body, {1, 1, 0}),
              (Lines{"R x plain", "W y=1 plain ctrl{0}", "R x plain ctrl{0}", "W y=1 plain ctrl{0,2}", "R x plain ctrl{0,2}",
                     "W z=1 plain"}));
    EXPECT_EQ(actions("int* x, int* y, int* z", body, {1, 1, 1}).back(), "blocked");
    EXPECT_EQ(actions("int* x, int* y", "do { *y = 1; } while (*x);", {1, 0}),
              (Lines{"W y=1 plain", "R x plain", "W y=1 plain ctrl{1}", "R x plain ctrl{1}"}));
    EXPECT_EQ(actions("int* x", "for (int i = 0; i < 2; i++) { *x = i; }", {}), (Lines{"W x=0 plain", "W x=1 plain"}));
    EXPECT_EQ(actions("int* x", "for (int i = 0; i < 3; i++) { *x = i; }", {}), (Lines{"W x=0 plain", "W x=1 plain", "blocked"}));
    // An inner loop is counted anew each time it is entered.
    EXPECT_EQ(actions("int* x", "int i = 0; while (i < 2) { int j = 0; while (j < 2) { *x = i; j += 1; } ++i; }", {}),
              (Lines{"W x=0 plain", "W x=0 plain", "W x=1 plain", "W x=1 plain"}));
}

// --- the kernel ------------------------------------------------------------------------------------------------------------------------------------

TEST(LitmusC, KernelAccessesAndFences) {
    EXPECT_EQ(actions("int* x, int** p",
                      R"(int r0 = READ_ONCE(*x);
                         r0 = smp_load_acquire(x);
                         WRITE_ONCE(*x, 1);
                         smp_store_release(x, 2);
                         smp_store_mb(*x, 3);
                         rcu_assign_pointer(*p, x);
                         rcu_read_lock(); rcu_read_unlock(); synchronize_rcu();
                         smp_mb(); smp_rmb(); smp_wmb(); smp_mb__before_atomic(); smp_mb__after_atomic();)",
                      {0, 0})
                  .size(),
              15u);
    EXPECT_EQ(actions("int* x", "int r0 = READ_ONCE(*x); r0 = smp_load_acquire(x); smp_store_mb(*x, r0); smp_rmb();", {1, 2}),
              (Lines{"R x", "R x acquire", "W x=2 data{1}", fmt::format("F {}", word_of(FenceKind::Mb)),
                     fmt::format("F {}", word_of(FenceKind::Rmb))}));
}

TEST(LitmusC, KernelUpdates) {
    EXPECT_EQ(
        actions("atomic_t* x, int* y",
                R"(int r = atomic_add_return(2, x); *y = r;
                         r = atomic_fetch_add_acquire(2, x); *y = r;
                         atomic_add(3, x); atomic_inc(x);
                         r = atomic_dec_and_test(x); *y = r;
                         r = atomic_sub_return_relaxed(1, x); *y = r;
                         r = atomic_xchg_release(x, 4); *y = r;
                         r = xchg(y, 5);
                         r = atomic_add_negative(-9, x); *y = r;)",
                {10, 20, 0, 0, 1, 30, 40, 0, 8}),
        (Lines{"U x 2 seq_cst", "W y=12 plain data{0}", "U x 2 acquire", "W y=20 plain data{2}", "U x 3 noret", "U x 1 noret",
               "U x 1 seq_cst", "W y=1 plain data{6}", "U x 1", "W y=29 plain data{8}", "U x 4 release", "W y=40 plain data{10}",
               "U y 5 seq_cst", fmt::format("U x {} seq_cst", 0xfffffff7), "W y=1 plain data{13}"}));
}

TEST(LitmusC, KernelComparisonsThatFailOrderNothing) {
    const LitmusTest test =
        parsed("C t\n{}\nP0(int* x, atomic_t* y) {\n  int r0 = cmpxchg(x, 1, 2);\n  int r1 = atomic_add_unless(y, 3, 5);\n}\n"
               "exists (0:r0=1 /\\ 0:r1=1)\n");
    EXPECT_EQ(trace(test, 0, {7, 5}), (Lines{"U x 2 seq_cst", "U y 3 seq_cst", "0:r0=7", "0:r1=0", "end"}));
    EXPECT_EQ(trace(test, 0, {1, 4}), (Lines{"U x 2 seq_cst", "U y 3 seq_cst", "0:r0=1", "0:r1=1", "end"}));
    Machine machine(test.program);
    const Memory memory(test.program);
    ThreadState state = machine.start_at(test.threads[0].function, ThreadId(1));
    for (int k = 0; k < 2; ++k) {
        const Action a = machine.run(state, memory.objects());
        EXPECT_EQ(order_of_read(a, false), Order::Relaxed);
        EXPECT_EQ(order_of_read(a, true), Order::SeqCst);
        machine.resume(state, {.lo = 1});
    }
}

TEST(LitmusC, Spinlocks) {
    EXPECT_EQ(
        actions("spinlock_t* l, int* x", "spin_lock(l); *x = 1; spin_unlock(l); int r = spin_trylock(l); if (r) *x = 2;", {1, 1}),
        (Lines{"lock l", "W x=1 plain", "unlock l", "trylock l", "W x=2 plain ctrl{3}"}));
}

TEST(LitmusC, Dialects) {
    EXPECT_EQ(parsed(thread("int* x", "*x = 1;")).architecture, Architecture::C);
    EXPECT_EQ(parsed(thread("int* x", "WRITE_ONCE(*x, 1);")).architecture, Architecture::Lkmm);
    EXPECT_EQ(parse(thread("int* x", "*x = 1;"), "t", {.kernel = true})->architecture, Architecture::Lkmm);
    // Herd's primitives are known in both and decide nothing.
    EXPECT_EQ(parsed(thread("int* x", "int r = __xchg{acquire}(x, 1);")).architecture, Architecture::C);
    // The same name, and the location first or last.
    EXPECT_EQ(actions("atomic_int* x", "atomic_fetch_add(x, 3);", {0}), Lines{"U x 3 seq_cst"});
    EXPECT_EQ(actions("atomic_t* x", "atomic_fetch_add(3, x); smp_mb();", {0}).front(), "U x 3 seq_cst");
}

// --- types and values --------------------------------------------------------------------------------------------------------------------------------

TEST(LitmusC, Arithmetic) {
    EXPECT_EQ(computed("int", "r + 1", 0x7fffffff), -0x80000000LL);
    EXPECT_EQ(computed("int", "-r", 5), -5);
    EXPECT_EQ(computed("int", "(r < 0) + 2 * (r > 0) + 4 * (r <= 0) + 8 * (r >= 0)", 0xffffffff), 5);
    EXPECT_EQ(computed("unsigned int", "r > 0", 0xffffffff), 1);
    EXPECT_EQ(computed("unsigned int", "r / 2", 0xffffffff), 0x7fffffff);
    EXPECT_EQ(computed("int", "r / 2 + r % 2 * 100", static_cast<std::uint32_t>(-7)), -103);
    EXPECT_EQ(computed("int", "1 + 2 * 3 - 4 == 3", 0), 1);
    EXPECT_EQ(computed("int", "(r & 6) | (r ^ 15) << 4", 5), 4 | (10 << 4));
    EXPECT_EQ(computed("int", "~r", 5), -6);
    EXPECT_EQ(computed("int", "!r + !!r * 10", 5), 10);
    EXPECT_EQ(computed("int", "r >> 1", static_cast<std::uint32_t>(-8)), -4);
    EXPECT_EQ(computed("long", "r + (int)4294967295", 10), 9);
    EXPECT_EQ(computed("long", "(unsigned char)r", 0x1ff), 0xff);
    EXPECT_EQ(computed("int", "r ? 7 : 8", 0), 8);
    EXPECT_EQ(computed("__int128", "(r + r) - 1 ^ 3", 8), 15 ^ 3);
    EXPECT_EQ(computed("__int128", "r < 9 && r == 8", 8), 1);
}

TEST(LitmusC, LocationsHaveTheTypesOfTheirParameters) {
    const LitmusTest test = parsed("C t\n{ a[3] = {1, 2, 3}; x = y; u = -1; }\n"
                                   "P0(int* a, intptr_t* x, char* c, __int128* w) {\n"
                                   "  int r0 = a[1]; intptr_t r1 = *x; char r2 = *c; *r1 = 7; *w = -2; a[2] = 5;\n}\n"
                                   "exists (0:r0=1 /\\ 0:r1=y /\\ 0:r2=-1 /\\ a[2]=3 /\\ x=y /\\ u=-1 /\\ w=1)\n");
    EXPECT_EQ(test.condition_text, "exists (0:r0=1 /\\ 0:r1=y /\\ 0:r2=-1 /\\ a[2]=3 /\\ [x]=y /\\ [u]=-1 /\\ [w]=1)");
    Machine machine(test.program);
    const Memory memory(test.program);
    ThreadState state = machine.start_at(test.threads[0].function, ThreadId(1));
    std::vector<unsigned> sizes;
    for (Action a = machine.run(state, memory.objects()); a.kind == ActionKind::Load || a.address < test.first_register;
         a = machine.run(state, memory.objects())) {
        sizes.push_back(a.size);
        EXPECT_EQ(a.value.hi, a.size == 16 ? ~std::uint64_t{0} : 0);
        machine.resume(state, a.kind == ActionKind::Load ? memory.load(a.address, a.size) : Value{});
    }
    EXPECT_EQ(sizes, (std::vector<unsigned>{4, 8, 1, 8, 16, 4}));
}

TEST(LitmusC, VariablesAreZeroAndNeedNoDeclaration) {
    EXPECT_EQ(
        trace(
            parsed("C t\n{ 0:r2=5; }\nP0(int** p) {\n  int r0;\n  int r2;\n  r1 = READ_ONCE(*p);\n  if (r0) { int r3 = 1; }\n}\n"
                   "exists (0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ 0:r3=0)\n"),
            0, {42}),
        (Lines{"R p", "0:r0=0", "0:r1=42", "0:r2=5", "0:r3=0", "end"}));
}

// --- what is wrong ---------------------------------------------------------------------------------------------------------------------------------

TEST(LitmusC, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(refusal(thread("int* x", "*x = 1")), "t.litmus:5:1: `}` where `;` after a statement was expected");
    EXPECT_EQ(refusal(thread("int* x", "*x = ;")), "t.litmus:4:6: `;` where an expression was expected");
    EXPECT_EQ(refusal(thread("int* x", "*z = 1;")),
              "t.litmus:4:2: `z` is neither a parameter nor a local variable of this thread");
    EXPECT_EQ(refusal(thread("int* x", "if *x { }")), "t.litmus:4:4: `*` where `(` after `if` was expected");
    EXPECT_EQ(refusal(thread("int* x", "int r = atomic_load_explicit(x, relaxed);")),
              "t.litmus:4:33: a memory order, such as `memory_order_relaxed`, was expected");
    EXPECT_EQ(refusal(thread("int* x", "int r = atomic_load_explicit(x);")),
              "t.litmus:4:9: `atomic_load_explicit` takes 2 arguments, and has 1");
    EXPECT_EQ(refusal(thread("int* x", "atomic_store_explicit(x, 1, memory_order_acquire);")),
              "t.litmus:4:1: `atomic_store_explicit` cannot be acquire");
    EXPECT_EQ(refusal(thread("int* x", "int r = smp_mb();")), "t.litmus:4:9: `smp_mb` gives no value");
    EXPECT_EQ(refusal(thread("int* x", "READ_ONCE(x);")), "t.litmus:4:11: a location, such as `*x`, was expected");
    EXPECT_EQ(refusal(thread("int* x", "int r = 0; *r = 1;")),
              "t.litmus:4:12: what is dereferenced here is too small for an address");
    EXPECT_EQ(refusal("C t\n{}\nP1(int* x) { }\nexists (true)\n"), "t.litmus:3:1: thread `P1` where `P0` was expected");
    EXPECT_EQ(refusal("C t\n{}\nexists (true)\n"),
              "t.litmus:3:1: the text ends where a thread, such as `P0(int* x) { ... }`, was expected");
    EXPECT_EQ(refusal("C t\n{}\nP0(int* x) {\n  *x = 1;\n"),
              "t.litmus:5:1: the text ends where `}` after the statements of a block was expected");
    EXPECT_EQ(refusal("C t\n{}\nP0(int* x) { }\nexists (0:r7=1)\n"), "t.litmus:4:9: thread 0 has no variable `r7`");
}

TEST(LitmusC, NamesWhatIsNotModelled) {
    const auto kind = [](std::string_view text) { return parse(text, "t", {}).error().kind; };
    EXPECT_EQ(refusal(thread("int* x", "frobnicate(x);")), "t.litmus:4:1: the function `frobnicate` is not supported");
    EXPECT_EQ(kind(thread("int* x", "frobnicate(x);")), Diagnostic::Kind::Unsupported);
    EXPECT_EQ(refusal(thread("int* x", "smp_mb(); srcu_read_lock(x);")),
              "t.litmus:4:11: the function `srcu_read_lock` is not supported");
    EXPECT_EQ(refusal(thread("int* x", "goto end;")), "t.litmus:4:1: the statement `goto` is not supported");
    EXPECT_EQ(refusal(thread("int* x", "int a[3];")), "t.litmus:4:5: the local array `a` is not supported");
    EXPECT_EQ(refusal(thread("int* x", "int r = x->next;")), "t.litmus:4:12: the member `next` of a structure is not supported");
    EXPECT_EQ(refusal(thread("int x", "")),
              "t.litmus:3:8: the parameter `x`, which is not a pointer to a location, is not supported");
    EXPECT_EQ(refusal(thread("int* x", "*x += 1;")),
              "t.litmus:4:1: an assignment that reads and writes something other than a local variable is not supported");
    EXPECT_EQ(refusal(thread("int* x", "", "x=y;")),
              "t.litmus:2:3: the address in `x`, which has only 4 bytes, is not supported");
    const auto unrolled = parse(thread("int* x", "while (*x) { while (*x) { } }"), "t", {.unroll = 100});
    ASSERT_FALSE(unrolled.has_value());
    EXPECT_EQ(unrolled.error().message, "t:4:14: unrolling loops to more than 500 bodies is not supported");
    EXPECT_EQ(refusal("C t\n{}\nP0(int* x) { }\nP1(long* x) { }\nexists (true)\n"),
              "t.litmus:4:4: `x` with 8 bytes here and 4 elsewhere is not supported");
}

} // namespace
} // namespace heddle::litmus
