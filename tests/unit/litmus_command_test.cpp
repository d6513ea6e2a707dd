// `heddle litmus` as a user meets it: folders, records, what cannot be read, exit codes.
#include "cli/exit_code.hpp"
#include "shell_test.hpp"

#include <gmock/gmock.h>

namespace {

using namespace heddle::cli;
using heddle::testing_support::Outcome;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kMessagePassing = R"(PPC passing
{ 0:r1=x; 0:r2=y; 1:r1=x; 1:r2=y; }
 P0           | P1           ;
 li r3,1      | lwz r3,0(r2) ;
 stw r3,0(r1) | lwz r4,0(r1) ;
 stw r3,0(r2) |              ;
exists (1:r3=1 /\ 1:r4=0)
)";
constexpr const char* kUnknownInstruction = R"(PPC unknown
{ 0:r1=x; }
 P0           ;
 frobnicate r1 ;
exists (x=0)
)";
constexpr const char* kNotClosed = R"(PPC open
{ 0:r1=x;
 P0           ;
 li r1,1      ;
exists (x=0
)";

class LitmusCommand : public heddle::testing_support::ShellTest {};

TEST_F(LitmusCommand, AnswersInHerdsFormat) {
    file("mp.litmus", kMessagePassing);
    const Outcome o = shell("heddle litmus mp.litmus");
    EXPECT_EQ(o.exit, kExitSafe);
    EXPECT_THAT(o.out, StartsWith("Test passing Allowed\n"
                                  "States 4\n"
                                  "1:r3=0; 1:r4=0;\n"
                                  "1:r3=0; 1:r4=1;\n"
                                  "1:r3=1; 1:r4=0;\n"
                                  "1:r3=1; 1:r4=1;\n"
                                  "Ok\n"
                                  "Witnesses\n"
                                  "Positive: 1 Negative: 3\n"
                                  "Condition exists (1:r3=1 /\\ 1:r4=0)\n"
                                  "Observation passing Sometimes 1 3\n"
                                  "Time passing "));
    EXPECT_THAT(o.out, HasSubstr("\n\n1 test: 1 Ok, 0 No, 0 Undef, 0 not read, 0 unsupported, 0 stopped; 4 executions in "));
}

TEST_F(LitmusCommand, TheModelIsAnOption) {
    file("mp.litmus", kMessagePassing);
    EXPECT_THAT(shell("heddle litmus mp.litmus --model sc").out, HasSubstr("\nNo\n"));
    file("any.cat", "\"anything goes\"\nacyclic po-loc | rf | co | fr as coherence\n");
    EXPECT_THAT(shell("heddle litmus mp.litmus --model any.cat").out, HasSubstr("\nOk\n"));
    const Outcome unknown = shell("heddle litmus mp.litmus --model pdp11");
    EXPECT_EQ(unknown.exit, kExitBadUsage);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("no model 'pdp11'"), HasSubstr("power")));
    file("bad.cat", "\"bad\"\nacyclic (po | rf as\n");
    const Outcome bad = shell("heddle litmus mp.litmus --model bad.cat");
    EXPECT_EQ(bad.exit, kExitBadUsage);
    EXPECT_THAT(bad.err, HasSubstr("bad.cat:2:"));
}

TEST_F(LitmusCommand, InAFolderTheOthersGoOn) {
    std::ignore = shell("mkdir -p d/e");
    file("d/1.litmus", kUnknownInstruction);
    file("d/2.litmus", kNotClosed);
    file("d/e/3.litmus", kMessagePassing);
    file("d/4.txt", "not a test");
    const Outcome all = shell("heddle litmus d -j 2");
    EXPECT_EQ(all.exit, kExitBadUsage);
    EXPECT_THAT(all.err, AllOf(HasSubstr("d/1.litmus:4:"), HasSubstr("frobnicate"), HasSubstr("d/2.litmus:")));
    EXPECT_THAT(all.out,
                AllOf(HasSubstr("Test passing Allowed"), HasSubstr("3 tests: 1 Ok, 0 No, 0 Undef, 1 not read, 1 unsupported")));
    std::ignore = shell("rm d/2.litmus");
    EXPECT_EQ(shell("heddle litmus d").exit, kExitUnsupported);
}

TEST_F(LitmusCommand, ComparesWithRecords) {
    std::ignore = shell("mkdir -p d");
    file("d/mp.litmus", kMessagePassing);
    EXPECT_EQ(shell("heddle litmus d --json r.jsonl -q").exit, kExitSafe);
    const Outcome same = shell("heddle litmus d --expect r.jsonl -q");
    EXPECT_EQ(same.exit, kExitSafe);
    EXPECT_THAT(same.out, StartsWith("1 of 1 agree\n1 test: "));
    const Outcome other = shell("heddle litmus d/mp.litmus --expect r.jsonl -q --model sc");
    EXPECT_EQ(other.exit, kExitViolation);
    EXPECT_THAT(other.out, AllOf(HasSubstr("verdict No, recorded Ok"), HasSubstr("positive 0 negative 3, recorded 1 and 3"),
                                 HasSubstr("recorded states not found: 1:r3=1; 1:r4=0"), HasSubstr("0 of 1 agree")));
    file("bad.jsonl", "{\"name\": \"passing\"}\n");
    const Outcome bad = shell("heddle litmus d --expect bad.jsonl");
    EXPECT_EQ(bad.exit, kExitBadUsage);
    EXPECT_THAT(bad.err, HasSubstr("bad.jsonl:1: expected the keys"));
}

TEST_F(LitmusCommand, ATestThatTakesTooLongIsStopped) {
    std::string text = "X86 long\n{ }\n";
    std::string row;
    for (const char* thread : {" P0 ", "| P1 ", "| P2 ", "| P3 "}) {
        text += thread;
    }
    text += ";\n";
    for (int k = 1; k <= 4; ++k) {
        text +=
            " MOV [x],$1 | MOV [x],$2 | MOV [x],$3 | MOV [x],$4 ;\n MOV EAX,[x] | MOV EAX,[x] | MOV EAX,[x] | MOV EAX,[x] ;\n";
    }
    file("long.litmus", text + "exists (x=1)\n");
    const Outcome o = shell("heddle litmus long.litmus --timeout 0.2");
    EXPECT_EQ(o.exit, kExitOutOfBudget);
    EXPECT_THAT(o.err, HasSubstr("long.litmus: stopped after "));
    EXPECT_THAT(o.out, HasSubstr("1 stopped"));
}

TEST_F(LitmusCommand, NothingToRunIsBadUsage) {
    for (const char* command : {"heddle litmus", "heddle litmus nowhere.litmus", "mkdir -p empty; heddle litmus empty",
                                "heddle litmus --unroll 0 nowhere.litmus"}) {
        EXPECT_EQ(shell(command).exit, kExitBadUsage) << command;
    }
}

} // namespace
