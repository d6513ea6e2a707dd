// The frame of litmus tests: header, initial state, columns, questions, and what is said about those that are wrong.
#include "litmus_trace.hpp"

#include "program/verify.hpp"

#include <gtest/gtest.h>

namespace heddle::litmus {
namespace {

/// A PowerPC test with this initial state and question, and two threads that do nothing much.
std::string with(std::string_view init, std::string_view question) {
    return fmt::format(
        "PPC t\n\"a doc string with {{ in it\"\nCycle=Rfe Fre\n{{ {} }}\n P0 | P1 ;\n li r1,1 | nop ;\n | lwz r1,0(r2) ;\n{}\n",
        init, question);
}

std::string question_of(std::string_view question) { return parsed(with("0:r2=x; 1:r2=y;", question)).condition_text; }

const Global* global_named(const LitmusTest& test, std::string_view name) {
    for (const Global& g : test.program.globals) {
        if (g.name == name) {
            return &g;
        }
    }
    return nullptr;
}

std::uint64_t initial(const LitmusTest& test, std::string_view name, std::size_t at = 0, unsigned bytes = 8) {
    const Global* g = global_named(test, name);
    if (!g) {
        ADD_FAILURE() << "no location " << name;
        return 0;
    }
    std::uint64_t value = 0;
    for (unsigned k = 0; k < bytes; ++k) {
        value |= std::uint64_t{g->init.at(at + k)} << (8 * k);
    }
    return value;
}

std::string shown(const LitmusTest& test) {
    std::string names;
    for (const std::uint32_t k : test.shown) {
        names += test.observables[k].name + " ";
    }
    return names;
}

TEST(LitmusFrame, HeaderNamesTheTest) {
    const LitmusTest test = parsed(with("", "exists (0:r1=1)"));
    EXPECT_EQ(test.name, "t");
    EXPECT_EQ(test.architecture_word, "PPC");
    EXPECT_EQ(test.architecture, Architecture::Power);
    EXPECT_EQ(test.threads.size(), 2u);
    EXPECT_EQ(test.program.files, std::vector<std::string>{"test.litmus"});
}

TEST(LitmusFrame, CommentsNestAndKeepPlaces) {
    EXPECT_EQ(refusal("PPC t (* a (* nested *) comment\n over lines *)\n{}\n P0 ;\n bogus r1 ;\nexists (0:r1=0)"),
              "t.litmus:5:2: the PPC instruction `bogus r1` is not supported");
    EXPECT_EQ(refusal("PPC t (* open\n{}"), "t.litmus:1:7: this comment is not closed by *)");
}

TEST(LitmusFrame, InitialStates) {
    const LitmusTest test = parsed(
        with("int x=7; uint64_t y = 0x10; [z]=-1; int *p=&x; q=x; uint64_t 0:r3; P1:r2=q; 0:r2=&x; %s=z;", "exists (x=7)"));
    EXPECT_EQ(initial(test, "x"), 7u);
    EXPECT_EQ(initial(test, "y"), 16u);
    EXPECT_EQ(initial(test, "z"), ~std::uint64_t{0});
    EXPECT_EQ(initial(test, "p"), global_named(test, "x")->address);
    EXPECT_EQ(initial(test, "q"), global_named(test, "x")->address);
}

TEST(LitmusFrame, ElementsOfArraysLieSideBySide) {
    const LitmusTest test = parsed(with("int a[3]={1,2,3}; x=4;", "exists (a[1]=2 /\\ x=4)"));
    EXPECT_EQ(initial(test, "a", 0, 4), 1u);
    EXPECT_EQ(initial(test, "a", 4, 4), 2u);
    EXPECT_EQ(initial(test, "a", 8, 4), 3u);
    EXPECT_EQ(test.condition_text, "exists (a[1]=2 /\\ [x]=4)");
    EXPECT_EQ(test.observables[0].size, 4);
}

TEST(LitmusFrame, QuestionsInNormalForm) {
    EXPECT_EQ(question_of("exists (x=1 /\\ P0:r1 = 0x10)"), "exists ([x]=1 /\\ 0:r1=16)");
    EXPECT_EQ(question_of("~exists x=1 \\/ y=2 /\\ 0:r1=3"), "~exists ([x]=1 \\/ [y]=2 /\\ 0:r1=3)");
    EXPECT_EQ(question_of("~ exists ((x=1 \\/ y=2) /\\ 0:r1=3)"), "~exists (([x]=1 \\/ [y]=2) /\\ 0:r1=3)");
    EXPECT_EQ(question_of("forall not (x=1) /\\ ~(y=2)"), "forall (not ([x]=1) /\\ not ([y]=2))");
    EXPECT_EQ(question_of("forall (0:r1<>1 /\\ x != 2)"), "forall (not (0:r1=1) /\\ not ([x]=2))");
    EXPECT_EQ(question_of("exists (x=y /\\ [y]=-1)"), "exists ([x]=y /\\ [y]=-1)");
    EXPECT_EQ(question_of("exists (0:r1=1:r1)"), "exists (0:r1=1:r1)");
    EXPECT_EQ(question_of("exists (true) trailing words << are not read >>"), "exists (true)");
    EXPECT_EQ(question_of(""), "forall (true)");
    EXPECT_EQ(question_of("locations [x;]\nfilter (y=1)\nexists (0:r1=1)"), "exists (0:r1=1)");
}

TEST(LitmusFrame, OldForms) {
    EXPECT_EQ(question_of("final (x=1 /\\ y=2);\nwith default: ~exists; power: exists;"), "exists ([x]=1 /\\ [y]=2)");
    EXPECT_EQ(question_of("Observed x=1; 0:r1=0; and x=2; 0:r1=1;"), "exists ([x]=1 /\\ 0:r1=0 \\/ [x]=2 /\\ 0:r1=1)");
}

TEST(LitmusFrame, StatesShowRegistersFirstByNumber) {
    const LitmusTest test = parsed(with("", "locations [y; 1:r10; 1:r9; x]\nexists (0:r1=1 /\\ x=2)"));
    EXPECT_EQ(shown(test), "0:r1 1:r9 1:r10 [x] [y] ");
}

TEST(LitmusFrame, ValuesAreShownByTheirTypes) {
    const LitmusTest test =
        parsed(with("uint64_t x; uint32_t y; int z; uint64_t 0:r1;", "exists (x=0 /\\ y=0 /\\ z=0 /\\ 0:r1=0 /\\ 1:r1=0)"));
    const auto show = [&](std::size_t k, std::uint64_t value) { return show_value(test, test.observables[k], value); };
    EXPECT_EQ(show(0, ~std::uint64_t{0}), "18446744073709551615");
    EXPECT_EQ(show(1, ~std::uint64_t{0}), "4294967295");
    EXPECT_EQ(show(2, ~std::uint64_t{0}), "-1");
    EXPECT_EQ(show(3, ~std::uint64_t{0}), "18446744073709551615");
    EXPECT_EQ(show(4, ~std::uint64_t{0}), "-1");
    EXPECT_EQ(show(4, global_named(test, "y")->address), "y");
}

TEST(LitmusFrame, ProgramsAreWellFormed) {
    const LitmusTest test = parsed(with("0:r2=x; 1:r2=y;", "exists (1:r1=1)"));
    EXPECT_EQ(verify(test.program), std::vector<std::string>{});
    EXPECT_EQ(test.program.function(test.program.start).name, "main");
    ASSERT_TRUE(test.program.thread_main);
    EXPECT_EQ(test.observables.at(0).address >= test.first_register, true);
}

TEST(LitmusFrame, MistakesAreNamedWithTheirPlace) {
    EXPECT_EQ(refusal(""), "t.litmus:1:1: a litmus test begins with its architecture and its name");
    EXPECT_EQ(refusal("PPC t\nno initial state"),
              "t.litmus:2:17: the text ends where the initial state, `{ ... }`, was expected");
    EXPECT_EQ(refusal("VAX t\n{}\n P0 ;\nexists (x=1)"), "t.litmus:1:1: the architecture `VAX` is not supported");
    EXPECT_EQ(refusal("PPC t\n{ x=; }\n P0 ;\n"), "t.litmus:2:5: `;` where a number or the name of a location was expected");
    EXPECT_EQ(refusal("PPC t\n{ 0:q9=1; }\n P0 ;\n nop ;\n"), "t.litmus:2:3: PPC has no register `q9`");
    EXPECT_EQ(refusal("PPC t\n{ 3:r1=1; }\n P0 ;\n nop ;\n"), "t.litmus:2:3: there is no thread 3");
    EXPECT_EQ(refusal("PPC t\n{}\n P1 ;\n nop ;\n"), "t.litmus:3:2: `P1` where the header of a thread, `P0`, was expected");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n nop | nop ;\n"), "t.litmus:4:8: this row has 2 columns, and there are 1 threads");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n nop\nexists (x=1)"), "t.litmus:4:2: this row of the program does not end in `;`");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n b L1 ;\n"), "t.litmus:4:4: there is no label `L1` in this thread");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n L: nop ;\n L: nop ;\n"), "t.litmus:5:2: the label `L` is defined twice");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n nop ;\nexists (5:r1=1)"), "t.litmus:5:9: there is no thread `5`");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n nop ;\nexists (0:r1 1)"), "t.litmus:5:14: `1` where `=` was expected");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n nop ;\nexists (0:r1=1"),
              "t.litmus:5:15: the text ends where `)` after a proposition was expected");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n lwz r1 ;\n"), "t.litmus:4:2: `lwz` has 1 operands, and 2 to 3 were expected");
    EXPECT_EQ(refusal("PPC t\n{}\n P0 ;\n lwz r1,0[r2] ;\n"), "t.litmus:4:9: `0[r2]` where an address, `d(r)`, was expected");
}

TEST(LitmusFrame, WhatIsNotModelledIsUnsupported) {
    const auto kind = [](std::string_view text) { return parse(text, "t.litmus", {}).error().kind; };
    EXPECT_EQ(kind("AArch64 t\n{ [PTE(x)]=1; }\n P0 ;\n NOP ;\n"), Diagnostic::Kind::Unsupported);
    EXPECT_EQ(kind("AArch64 t\n{ 0:X1=P0:L0; }\n P0 ;\n L0: NOP ;\n"), Diagnostic::Kind::Unsupported);
    EXPECT_EQ(kind("AArch64 t\n{}\n P0 ;\n TLBI VAAE1IS,X0 ;\n"), Diagnostic::Kind::Unsupported);
    EXPECT_EQ(kind("AArch64 t\n{}\n P0 ;\n NOP ;\nexists (fault(P0:L0,x))"), Diagnostic::Kind::Unsupported);
}

TEST(LitmusFrame, LoopsAreCutOff) {
    const LitmusTest test = parsed("PPC t\n{ 0:r2=x; }\n P0 ;\n L: lwz r1,0(r2) ;\n cmpwi r1,0 ;\n beq L ;\nexists (0:r1=1)");
    EXPECT_TRUE(test.has_loops);
    EXPECT_EQ(trace(test, 0, {0, 0, 1}), (Lines{"R x", "R x ctrl{0}", "R x ctrl{0,1}", "0:r1=1", "end"}));
    EXPECT_EQ(trace(test, 0, {0, 0, 0}).back(), "blocked");
    EXPECT_FALSE(parsed(with("", "exists (x=1)")).has_loops);
}

TEST(LitmusFrame, InstructionsKnowTheirPlaces) {
    const LitmusTest test = parsed(with("0:r2=x; 1:r2=y;", "exists (1:r1=1)"));
    Machine machine(test.program, {});
    const Memory memory(test.program);
    ThreadState state = machine.start_at(test.threads[1].function, ThreadId(1));
    const Action load = machine.run(state, memory.objects());
    EXPECT_EQ(to_string(test.program, load.place), "test.litmus:7:4");
}

} // namespace
} // namespace heddle::litmus
