// `heddle check` of C programs under models with dependencies and under models that are only written in cat, as a user meets it.
#include "cli/exit_code.hpp"
#include "shell_test.hpp"

#include <gmock/gmock.h>

namespace {

using namespace heddle::cli;
using heddle::testing_support::Outcome;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kLoadBuffering = R"(#include <pthread.h>
volatile int x, y;
void* t(void* a) { int r = x; (void)r; y = 1; return a; }
void* u(void* a) { int r = y; (void)r; x = 1; return a; }
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, t, 0);
    pthread_create(&q, 0, u, 0);
    return 0;
}
)";

class ProcessorCommand : public heddle::testing_support::ShellTest {};

TEST_F(ProcessorCommand, SaysAtWhichLevelTheProgramWasCompiled) {
    file("lb.c", kLoadBuffering);
    const Outcome o = shell("heddle check lb.c --model power -- -O1");
    EXPECT_EQ(o.exit, kExitSafe);
    EXPECT_THAT(o.out, AllOf(HasSubstr("4 complete, 0 blocked"), HasSubstr("clang made at -O1")));
}

TEST_F(ProcessorCommand, WhatIsMissingIsRefused) {
    file("lb.c", kLoadBuffering);
    EXPECT_EQ(shell("heddle check lb.c --model power --races").exit, kExitUnsupported);
    EXPECT_EQ(shell("heddle check lb.c --model armv8 --equivalence rf").exit, kExitUnsupported);
    file("sc.litmus", "PPC reserve\n{ 0:r1=x; }\n P0 ;\n lwarx r2,r0,r1 ;\n stwcx. r2,r0,r1 ;\nexists (x=0)\n");
    const Outcome o = shell("heddle check sc.litmus --model power");
    EXPECT_EQ(o.exit, kExitUnsupported);
    EXPECT_THAT(o.out, HasSubstr("sc.litmus:4:2: a conditional store or its load"));
}

TEST_F(ProcessorCommand, CatModelsRefuseWhatTheyWouldIgnore) {
    file("lb.c", kLoadBuffering);
    for (const char* option :
         {"--races", "--spurious-wakeups", "--unroll 2", "--max-memory 100", "--max-executions 1", "--equivalence rf"}) {
        const Outcome o = shell(std::string("heddle check lb.c --model imm ") + option);
        EXPECT_EQ(o.exit, kExitBadUsage) << option;
        EXPECT_THAT(o.err, HasSubstr("a model written in cat knows no")) << option;
    }
}

TEST_F(ProcessorCommand, ReferenceSearchEnumerates) {
    file("lb.c", kLoadBuffering);
    const Outcome o = shell("heddle check lb.c --model power --search reference");
    EXPECT_EQ(o.exit, kExitSafeWithinBound);
    EXPECT_THAT(o.out, HasSubstr("4 complete, 0 blocked"));
}

TEST_F(ProcessorCommand, ModelsThatAreOnlyCatGoByName) {
    file("lb.c", kLoadBuffering);
    for (const char* model : {"imm", "armv7"}) {
        EXPECT_THAT(shell(std::string("heddle check lb.c --model ") + model).out,
                    AllOf(HasSubstr("4 complete, 0 blocked"), HasSubstr("clang made at -O0")))
            << model;
    }
    EXPECT_THAT(shell("heddle check lb.c --model rc11-c11").out, HasSubstr("3 complete, 0 blocked"));
    const Outcome silent = shell("heddle check lb.c --model riscv");
    EXPECT_EQ(silent.exit, kExitUnsupported);
    EXPECT_THAT(silent.out, HasSubstr("says nothing of C's orders"));
}

TEST_F(ProcessorCommand, ModelsOfOnesOwn) {
    file("lb.c", kLoadBuffering);
    file("coherent.cat", "\"coherence only\"\nacyclic po-loc | rf | co | fr as coherence\n");
    const Outcome all = shell("heddle check lb.c --model coherent.cat");
    EXPECT_EQ(all.exit, kExitSafeWithinBound);
    EXPECT_THAT(all.out, AllOf(HasSubstr("4 complete, 0 blocked"), HasSubstr("complete executions only are judged")));
    file("no_lb.cat", "\"no load buffering\"\nacyclic po-loc | rf | co | fr as coherence\nacyclic po | rf as causality\n");
    EXPECT_THAT(shell("heddle check lb.c --model no_lb.cat").out, HasSubstr("3 complete, 0 blocked"));
    file("odd.cat", "\"odd\"\nacyclic po-loc | rf | co | fr as coherence\n~empty rf as some\n");
    EXPECT_THAT(shell("heddle check lb.c --model odd.cat").out, HasSubstr("its axioms are not monotone"));
    file("bad.cat", "\"bad\"\nacyclic po |\n");
    const Outcome bad = shell("heddle check lb.c --model bad.cat");
    EXPECT_EQ(bad.exit, kExitBadUsage);
    EXPECT_THAT(bad.err, HasSubstr("bad.cat:3:1"));
}

} // namespace
