// Litmus tests made from cycles: their text, their names, how many there are, and what is refused.
#include "frontend/generate/critical_cycles.hpp"
#include "frontend/generate/litmus_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle::generate;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Vocabulary& architecture(std::string_view word) {
    const Vocabulary* found = find_vocabulary(word);
    EXPECT_NE(found, nullptr) << word;
    return *found;
}

std::vector<Relation> relations(const Vocabulary& vocabulary, const std::string& patterns) {
    std::vector<Relation> all;
    std::istringstream words(patterns);
    for (std::string word; words >> word;) {
        const auto some = parse_relations(vocabulary, word);
        EXPECT_TRUE(some.has_value()) << some.error().message;
        all.insert(all.end(), some->begin(), some->end());
    }
    return all;
}

Cycle cycle(std::string_view word, const std::string& text) {
    const Vocabulary& vocabulary = architecture(word);
    auto made = make_cycle(vocabulary, relations(vocabulary, text));
    EXPECT_TRUE(made.has_value()) << made.error().message;
    return made.value_or(Cycle{});
}

std::string test(std::string_view word, const std::string& text) {
    const auto made = litmus_text(architecture(word), cycle(word, text));
    return made ? *made : made.error().message;
}

std::string refusal(std::string_view word, const std::string& text) {
    const Vocabulary& vocabulary = architecture(word);
    const auto made = make_cycle(vocabulary, relations(vocabulary, text));
    return made ? "made " + made->name : made.error().message;
}

/// The line of the question.
std::string question(std::string_view word, const std::string& text) {
    const std::string whole = test(word, text);
    const std::string last = whole.substr(whole.find("exists"));
    return last.substr(0, last.find('\n'));
}

std::vector<Cycle> all_cycles(std::string_view word, const std::string& patterns, unsigned min_threads, unsigned max_threads,
                              unsigned max_length) {
    const Vocabulary& vocabulary = architecture(word);
    std::vector<Cycle> found;
    for_each_critical_cycle(vocabulary,
                            {.relations = patterns.empty() ? usual_relations(vocabulary) : relations(vocabulary, patterns),
                             .min_threads = min_threads,
                             .max_threads = max_threads,
                             .max_length = max_length},
                            [&](const Cycle& c) {
                                found.push_back(c);
                                return true;
                            });
    return found;
}

TEST(Generate, PpcMessagePassing) {
    EXPECT_EQ(test("PPC", "LwSyncdWW Rfe DpAddrdR Fre"), R"(PPC MP+lwsync+addr
"LwSyncdWW Rfe DpAddrdR Fre"
Cycle=LwSyncdWW Rfe DpAddrdR Fre
{
0:r2=x; 0:r4=y;
1:r2=y; 1:r5=x;
}
 P0           | P1            ;
 li r1,1      | lwz r1,0(r2)  ;
 stw r1,0(r2) | xor r3,r1,r1  ;
 lwsync       | lwzx r4,r3,r5 ;
 li r3,1      |               ;
 stw r3,0(r4) |               ;
exists (1:r1=1 /\ 1:r4=0)
)");
}

TEST(Generate, PpcDependenciesOfWrites) {
    EXPECT_EQ(test("PPC", "DpAddrdW Rfe DpDatadW Rfe DpCtrlIsyncdW Rfe DpCtrldW Rfe"), R"(PPC 4.LB+addr+data+ctrlisync+ctrl
"DpAddrdW Rfe DpDatadW Rfe DpCtrlIsyncdW Rfe DpCtrldW Rfe"
Cycle=DpAddrdW Rfe DpDatadW Rfe DpCtrlIsyncdW Rfe DpCtrldW Rfe
{
0:r2=x; 0:r5=y;
1:r2=y; 1:r4=z;
2:r2=z; 2:r4=a;
3:r2=a; 3:r4=x;
}
 P0            | P1           | P2           | P3           ;
 lwz r1,0(r2)  | lwz r1,0(r2) | lwz r1,0(r2) | lwz r1,0(r2) ;
 xor r3,r1,r1  | xor r3,r1,r1 | cmpw r1,r1   | cmpw r1,r1   ;
 li r4,1       | addi r3,r3,1 | beq LC00     | beq LC01     ;
 stwx r4,r3,r5 | stw r3,0(r4) | LC00:        | LC01:        ;
               |              | isync        | li r3,1      ;
               |              | li r3,1      | stw r3,0(r4) ;
               |              | stw r3,0(r4) |              ;
exists (0:r1=1 /\ 1:r1=1 /\ 2:r1=1 /\ 3:r1=1)
)");
}

TEST(Generate, X86) {
    EXPECT_EQ(test("X86", "Fre MFencedWR Fre Rfi PodRR"), R"(X86 SB+mfence+rfi-po
"MFencedWR Fre Rfi PodRR Fre"
Cycle=MFencedWR Fre Rfi PodRR Fre
{
}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MFENCE      | MOV EAX,[y] ;
 MOV EAX,[y] | MOV EBX,[x] ;
exists (0:EAX=0 /\ 1:EAX=1 /\ 1:EBX=0)
)");
    EXPECT_EQ(test("X86_64", "PodWW Coe MFencedWR Fre"), R"(X86_64 R+po+mfence
"PodWW Coe MFencedWR Fre"
Cycle=PodWW Coe MFencedWR Fre
{
}
 P0          | P1            ;
 movl $1,(x) | movl $2,(y)   ;
 movl $1,(y) | mfence        ;
             | movl (x),%eax ;
exists (y=2 /\ 1:rax=0)
)");
}

TEST(Generate, Arm) {
    EXPECT_EQ(test("ARM", "DMB.STdWW Rfe DpAddrdW Coe"), R"(ARM S+dmb.st+addr
"DMB.STdWW Rfe DpAddrdW Coe"
Cycle=DMB.STdWW Rfe DpAddrdW Coe
{
0:R1=x; 0:R3=y;
1:R1=y; 1:R4=x;
}
 P0          | P1             ;
 MOV R0,#2   | LDR R0,[R1]    ;
 STR R0,[R1] | EOR R2,R0,R0   ;
 DMB ST      | MOV R3,#1      ;
 MOV R2,#1   | STR R3,[R2,R4] ;
 STR R2,[R3] |                ;
exists (x=2 /\ 1:R0=1)
)");
}

TEST(Generate, AArch64Marks) {
    // The address of an acquire load is in a register alone, so the false index is added to it first.
    EXPECT_EQ(test("AArch64", "PodWWPL RfeLQ DpAddrdRQA Fre"), R"(AArch64 MP+popl+addrqa
"PodWWPL RfeLQ DpAddrdRQA FreAP"
Cycle=PodWWPL RfeLQ DpAddrdRQA FreAP
{
0:X1=x; 0:X3=y;
1:X1=y; 1:X4=x;
}
 P0           | P1                ;
 MOV W0,#1    | LDAPR W0,[X1]     ;
 STR W0,[X1]  | EOR W2,W0,W0      ;
 MOV W2,#1    | ADD X5,X4,W2,SXTW ;
 STLR W2,[X3] | LDAR W3,[X5]      ;
exists (1:X0=1 /\ 1:X3=0)
)");
    EXPECT_EQ(cycle("AArch64", "RfeLA PodRRAA FreAP Rfe PodRR FrePL").name, "IRIW+poaa+po+LP"); // marks of lone writes come last
}

TEST(Generate, RiscV) {
    EXPECT_EQ(test("RISCV", "PodWWPRl Rfe DpCtrlFenceIdR PosRRPAq Fre"), R"(RISCV MP+poprl+ctrlfenceiR-pospaq
"PodWWPRl RfeRlP DpCtrlFenceIdR PosRRPAq FreAqP"
Cycle=PodWWPRl RfeRlP DpCtrlFenceIdR PosRRPAq FreAqP
{
0:x6=x; 0:x8=y;
1:x6=y; 1:x8=x;
}
 P0             | P1             ;
 ori x5,x0,1    | lw x5,0(x6)    ;
 sw x5,0(x6)    | bne x5,x0,LC00 ;
 ori x7,x0,1    | LC00:          ;
 sw.rl x7,0(x8) | fence.i        ;
                | lw x7,0(x8)    ;
                | lw.aq x9,0(x8) ;
exists (1:x5=1 /\ 1:x9=0)
)");
}

TEST(Generate, C) {
    EXPECT_EQ(test("C", "FenceScdWW RfeRlxAcq DpCtrldWAcqRlx Coe"), R"(C S+fencesc+ctrlacqrlx
"FenceScdWW RfeRlxAcq DpCtrldWAcqRlx Coe"
Cycle=FenceScdWW RfeRlxAcq DpCtrldWAcqRlx Coe
{ [x] = 0; [y] = 0; }

P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 2, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}

P1 (atomic_int* y, atomic_int* x) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  if (r0 == 1) {
    atomic_store_explicit(x, 1, memory_order_relaxed);
  }
}

exists (x=2 /\ 1:r0=1)
)");
}

TEST(Generate, KnownShapesHaveTheirNames) {
    const std::vector<std::pair<const char*, const char*>> names = {
        {"PodWW Rfe PodRR Fre", "MP"},
        {"PodWR Fre PodWR Fre", "SB"},
        {"PodRW Rfe PodRW Rfe", "LB"},
        {"PodWW Wse PodWW Wse", "2+2W"},
        {"PodWW Rfe PodRW Wse", "S"},
        {"PodWW Wse PodWR Fre", "R"},
        {"Rfe PodRW Rfe PodRR Fre", "WRC"},
        {"Rfe PodRR Fre PodWR Fre", "RWC"},
        {"Rfe PodRW Rfe PodRW Wse", "WWC"},
        {"Rfe PodRR Fre Rfe PodRR Fre", "IRIW"},
        {"Rfe PodRR Fre Rfe PodRW Wse", "IRRWIW"},
        {"Rfe PodRW Wse Rfe PodRW Wse", "IRWIW"},
        {"Rfe PodRW Wse PodWR Fre", "WRW+WR"},
        {"Rfe PodRW Wse PodWW Wse", "WRW+2W"},
        {"Rfe PodRR Fre PodWW Wse", "WRR+2W"},
        {"PodWW Rfe PodRW Rfe PodRR Fre", "ISA2"},
        {"PodWW Rfe PodRR Fre PodWR Fre", "W+RWC"},
        {"PodWW Rfe PodRW Wse PodWR Fre", "Z6.0"},
        {"PodWW Wse PodWW Rfe PodRW Wse", "Z6.1"},
        {"PodWW Rfe PodRW Rfe PodRW Wse", "Z6.2"},
        {"PodWW Wse PodWW Rfe PodRR Fre", "Z6.3"},
        {"PodWW Wse PodWR Fre PodWR Fre", "Z6.4"},
        {"PodWW Wse PodWW Wse PodWR Fre", "Z6.5"},
        {"PodWR Fre PodWR Fre PodWR Fre", "3.SB"},
        {"PodRW Rfe PodRW Rfe PodRW Rfe PodRW Rfe", "4.LB"},
        {"PodWW Wse PodWW Wse PodWW Wse", "3.2W"},
        {"PodWW Rfe PodRW Rfe PodRR Fre PodWR Fre", "WW+RW+RR+WR"},
        {"SyncdWR Fre SyncdWR Fre", "SB+syncs"},
        {"SyncdWR Fre PodWR Fre", "SB+po+sync"},
        {"LwSyncdWW Rfe PodRR Fre", "MP+lwsync+po"},
        {"Rfe DpDatadW Rfe DpCtrlIsyncdR Fre", "WRC+data+ctrlisync"},
        {"SyncdWW Rfe DpAddrdR Fri Rfi DpAddrdR Fre", "MP+sync+addr-fri-rfi-addr"},
        {"Rfe PosRR Fre", "CoRR"},
        {"Rfe PosRW Wse", "CoRW2"},
        {"Rfe SyncsRR Fre", "CoRR+syncs"},
        {"PosWW Wse", "CoWW"},
        {"PosRW Rfe", "CoRW1"},
        {"PosWR Fre", "CoWR0"},
    };
    for (const auto& [text, name] : names) {
        EXPECT_EQ(cycle("PPC", text).name, name) << text;
    }
    // What an access is that two plain steps leave open is said by a letter; others need none.
    EXPECT_EQ(cycle("PPC", "PodWW Rfe PodRR PodRR Fre").name, "MP+po+poR-po");
    EXPECT_EQ(cycle("PPC", "PodWW Rfe PodRW PodWR Fre").name, "MP+po+poW-po");
    EXPECT_EQ(cycle("PPC", "PodWW Rfe PodRW Coi PodWR Fre").name, "MP+po+po-coi-po");
}

TEST(Generate, RotationsAreOneTest) {
    const Vocabulary& ppc = architecture("PPC");
    std::vector<Relation> turned = relations(ppc, "Rfe LwSyncdRW Rfe DpAddrdR Fre SyncdWW Coe");
    const auto first = make_cycle(ppc, turned);
    ASSERT_TRUE(first.has_value()) << first.error().message;
    for (std::size_t k = 0; k < turned.size(); ++k) {
        std::ranges::rotate(turned, std::next(turned.begin()));
        const auto again = make_cycle(ppc, turned);
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(litmus_text(ppc, *again).value(), litmus_text(ppc, *first).value());
    }
}

TEST(Generate, FinalStatesSingleOutTheCycle) {
    // Two writes: the last is the final value. One write, or none: nothing to say.
    EXPECT_EQ(question("PPC", "PodWW Wse PodWW Wse"), "exists (x=2 /\\ y=2)");
    EXPECT_EQ(question("PPC", "PodWW Rfe DpAddrdR DpAddrdR Fre"), "exists (1:r1=1 /\\ 1:r7=0)");
    // Coherence is violated where the values start: the second read is older.
    EXPECT_EQ(question("PPC", "Rfe PosRR Fre"), "exists (1:r1=1 /\\ 1:r3=0)");
    EXPECT_EQ(question("PPC", "PosWW Wse"), "exists (x=2)");
    EXPECT_THAT(test("PPC", "PosWW Wse"), AllOf(HasSubstr("li r1,2"), HasSubstr("li r3,1")));
    EXPECT_EQ(question("PPC", "PosRW Rfe"), "exists (0:r1=1)");
    EXPECT_EQ(question("PPC", "PosWR Fre"), "exists (0:r3=0)");
}

TEST(Generate, ObserversWhereTheFinalValueIsNotEnough) {
    // x: 1 and 2 in one thread, 3 in another. Program order has 1 before 2, the final value has 3 last.
    EXPECT_THAT(cycle("PPC", "PodWW Coi Coe PodWR Fre").observers, IsEmpty());
    // x: 1 in one thread, 2 and 3 in another. That 1 comes before 2 needs an observer.
    const Cycle watched = cycle("PPC", "PodWW Coe Coi PodWR Fre");
    ASSERT_EQ(watched.observers.size(), 1U);
    EXPECT_EQ(test("PPC", "PodWW Coe Coi PodWR Fre"), R"(PPC R+po+coi-po
"PodWW Coe Coi PodWR Fre"
Cycle=PodWW Coe Coi PodWR Fre
{
0:r2=x; 0:r4=y;
1:r2=y; 1:r5=x;
2:r2=y;
}
 P0           | P1           | P2           ;
 li r1,1      | li r1,2      | lwz r1,0(r2) ;
 stw r1,0(r2) | stw r1,0(r2) | lwz r3,0(r2) ;
 li r3,1      | li r3,3      |              ;
 stw r3,0(r4) | stw r3,0(r2) |              ;
              | lwz r4,0(r5) |              ;
exists (y=3 /\ 1:r4=0 /\ 2:r1=1 /\ 2:r3=2)
)");
    // A thread that reads 1 and then writes 2 is as good as an observer.
    EXPECT_THAT(cycle("PPC", "PodWW Rfe Fri Coi PodWR Fre").observers, IsEmpty());
}

TEST(Generate, NamesOfRelationsAreReadBack) {
    for (const Vocabulary& vocabulary : vocabularies()) {
        std::vector<std::string> patterns = {"Rfe", "Rfi", "Fre", "Fri", "Coe", "Coi", "Pod**", "Pos**"};
        for (const FenceWord& fence : vocabulary.fences) {
            patterns.push_back(std::string(fence.name) + "d**");
            patterns.push_back(std::string(fence.name) + "s**");
        }
        for (const std::string& pattern : patterns) {
            for (Relation relation : relations(vocabulary, pattern)) {
                EXPECT_EQ(parse_relation(vocabulary, to_string(vocabulary, relation)).value(), relation) << pattern;
                for (Mark a = 0; vocabulary.marks.size() > 1 && a < vocabulary.marks.size(); ++a) {
                    relation.source_mark = a;
                    relation.target_mark = kUnmarked;
                    const bool fits =
                        relation.source == Direction::Read ? vocabulary.marks[a].on_reads : vocabulary.marks[a].on_writes;
                    const auto again = parse_relation(vocabulary, to_string(vocabulary, relation));
                    EXPECT_EQ(again.has_value(), fits) << to_string(vocabulary, relation);
                    EXPECT_TRUE(!again || *again == relation);
                }
            }
        }
    }
    const Vocabulary& ppc = architecture("PPC");
    EXPECT_EQ(parse_relation(ppc, "Wse").value(), parse_relation(ppc, "Coe").value());
    EXPECT_EQ(relations(ppc, "DpDatad*").size(), 1U); // there is no data dependency of a read
}

TEST(Generate, UnknownRelationsAreAnsweredWithTheKnownOnes) {
    const auto complaint = [](std::string_view word, std::string_view name) {
        const auto found = parse_relation(architecture(word), name);
        return found ? "found " + to_string(architecture(word), *found) : found.error().message;
    };
    EXPECT_THAT(complaint("PPC", "MFencedWR"), AllOf(HasSubstr("PPC has no relation 'MFencedWR'"), HasSubstr("LwSyncd**"),
                                                     HasSubstr("DpCtrlIsyncd*"), Not(HasSubstr("marks"))));
    EXPECT_THAT(complaint("X86", "DpAddrdR"),
                AllOf(HasSubstr("MFenced**"), Not(HasSubstr("Dp*")), Not(HasSubstr("dependencies"))));
    EXPECT_THAT(complaint("AArch64", "PodWRAP"), HasSubstr("A (reads)")); // no acquire writes
    for (const char* name : {"", "Rf", "Rfx", "Pod", "PodR", "PodRX", "PoRR", "DpDatadR", "DpdR", "PodRRPP", "RfePA", "DMBdRR",
                             "Sync", "SyncdRRx"}) {
        EXPECT_THAT(complaint("PPC", name), HasSubstr("has no relation")) << name;
    }
}

TEST(Generate, IllFormedCyclesAreRefusedWithTheReason) {
    EXPECT_THAT(refusal("PPC", ""), HasSubstr("at least two relations"));
    EXPECT_THAT(refusal("PPC", "PodWR Rfe"), HasSubstr("PodWR ends at a read, but Rfe, which follows it, starts at a write"));
    EXPECT_THAT(refusal("PPC", "PodWW Coe PodWR"),
                HasSubstr("PodWR ends at a read, but PodWW, which is the next again when the cycle closes"));
    EXPECT_THAT(refusal("PPC", "PodWW PodWW"), HasSubstr("no external communication"));
    EXPECT_THAT(refusal("PPC", "PodRW Rfe"), HasSubstr("PodRW is the only relation that changes the location"));
    EXPECT_THAT(refusal("PPC", "Rfe Fre"), HasSubstr("communications only"));
    EXPECT_THAT(refusal("PPC", "PosWW Coe PosWW Coe"), HasSubstr("all its accesses are to one location"));
    EXPECT_THAT(refusal("AArch64", "PodWWPL RfePA PodRR Fre"), HasSubstr("mark the access between them differently (L and P)"));
    std::string long_cycle;
    for (int k = 0; k < 27; ++k) {
        long_cycle += "PodRW Rfe ";
    }
    EXPECT_THAT(refusal("PPC", long_cycle), HasSubstr("more than 26 locations"));
    std::string reads = "Rfe ";
    for (int k = 0; k < 7; ++k) {
        reads += "PosRR ";
    }
    EXPECT_THAT(test("X86", reads + "PodRR Fre PodWW"), HasSubstr("thread 1 would need more than the 6 registers of X86"));
}

TEST(Generate, NumbersOfShapes) {
    std::vector<std::string> names;
    for (const Cycle& found : all_cycles("X86", "Rfe Fre Coe Pod**", 2, 2, 4)) {
        names.push_back(found.name);
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre("MP", "SB", "LB", "2+2W", "S", "R"));
    // Threads are RR, RW, WR, WW or a lone write S. Behind one that ends with a read comes a write, so WR, WW or S; behind one that ends with a write
    // any; behind S one that starts with a read, since fr;co and co;co are one relation. The powers of the matrix of "may follow" have the traces
    // 3, 13, 45, 161, 573. Burnside's lemma makes of them the numbers of cycles up to rotation: (45 + 2*3)/3, (161 + 13 + 2*3)/4, (573 + 4*3)/5.
    EXPECT_EQ(all_cycles("X86", "Rfe Fre Coe Pod**", 3, 3, 6).size(), 17U);
    EXPECT_EQ(all_cycles("X86", "Rfe Fre Coe Pod**", 4, 4, 8).size(), 45U);
    EXPECT_EQ(all_cycles("X86", "Rfe Fre Coe Pod**", 5, 5, 10).size(), 117U);
    EXPECT_EQ(all_cycles("X86", "Rfe Fre Coe Pod**", 2, 5, 10).size(), 6U + 17 + 45 + 117);
    // Without IRIW and the like, which have lone writes and so fewer relations: 6 relations, 4 threads, are RR or RW with lone writes between them.
    EXPECT_EQ(all_cycles("X86", "Rfe Fre Coe Pod**", 4, 4, 6).size(), 3U);
}

TEST(Generate, NumbersOfUsualTests) {
    // PPC has 5 ways from W to W and from W to R (po and four fences), 8 from R to R (addr, ctrl and ctrlisync too), 9 from R to W (data too).
    // MP 5*8, S 5*9, R 5*5; SB and 2+2W: two of 5, order apart: 15; LB: two of 9: 45.
    EXPECT_EQ(all_cycles("PPC", "", 2, 2, 4).size(), 40U + 45 + 25 + 15 + 15 + 45);
    // X86 has 2 ways everywhere: MP, S, R 4 each, SB, 2+2W, LB 3 each.
    EXPECT_EQ(all_cycles("X86", "", 2, 2, 4).size(), 21U);
    // Coherence: CoWW, CoRW1, CoWR0 in one thread, CoRR and CoRW2 in two; WR with a write between would be fr;co.
    std::vector<std::string> names;
    for (const Cycle& found : all_cycles("ARM", "Rfe Fre Coe Pos**", 1, 3, 6)) {
        names.push_back(found.name);
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre("CoWW", "CoRW1", "CoWR0", "CoRR", "CoRW2"));
}

/// The definition of critical_cycles.hpp, word by word, on a given rotation.
bool is_critical(const std::vector<Relation>& cycle) {
    using Kind = Relation::Kind;
    const std::size_t n = cycle.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Kind a = cycle[k].kind;
        const Kind b = cycle[(k + 1) % n].kind;
        if ((a == Kind::Rf && b == Kind::Fr) || (a == Kind::Fr && b == Kind::Co) || (a == Kind::Co && b == Kind::Co) ||
            (a == Kind::Po && b == Kind::Po)) {
            return false;
        }
        int moves = 0;
        for (std::size_t j = k; cycle[k].external && j < k + n; ++j) { // the thread behind k
            const Relation& step = cycle[(j + 1) % n];
            if (step.external) {
                break;
            }
            moves += step.same_location ? 0 : 1;
        }
        if (moves > 1) {
            return false;
        }
    }
    return true;
}

/// All cycles by trying every sequence of relations; their names.
std::set<std::string> by_brute_force(const Vocabulary& vocabulary, const std::vector<Relation>& all, unsigned max_threads,
                                     unsigned max_length) {
    std::set<std::string> names;
    std::vector<std::size_t> digits(1, 0);
    while (digits.size() <= max_length) {
        std::vector<Relation> sequence;
        for (const std::size_t digit : digits) {
            sequence.push_back(all[digit]);
        }
        const auto threads = std::ranges::count_if(sequence, [](const Relation& r) { return r.external; });
        if (threads >= 1 && threads <= max_threads && is_critical(sequence)) {
            if (const auto made = make_cycle(vocabulary, sequence)) {
                names.insert(made->name);
            }
        }
        std::size_t k = 0;
        while (k < digits.size() && ++digits[k] == all.size()) {
            digits[k++] = 0;
        }
        if (k == digits.size()) {
            digits.push_back(0);
        }
    }
    return names;
}

TEST(Generate, FindsWhatBruteForceFinds) {
    struct Case {
        const char* architecture;
        const char* relations;
        unsigned max_threads;
        unsigned max_length;
    };
    for (const Case& c : {Case{"PPC", "Rfe Fre Coe PodWW PodRW DpAddrdR LwSyncdWR", 4, 6},
                          Case{"PPC", "Rfe Fre Coe Rfi Fri Coi PodWR DpDatadW PosRR", 3, 6},
                          Case{"AArch64", "Rfe RfeLA Fre PodWWPL PodRR PodRRAP DMB.SYdRW", 3, 6},
                          Case{"C", "Rfe RfeRelAcq FreScSc Fre PosWRScSc PodWRScSc PodRR", 2, 6}}) {
        const Vocabulary& vocabulary = architecture(c.architecture);
        std::set<std::string> names;
        for (const Cycle& found : all_cycles(c.architecture, c.relations, 1, c.max_threads, c.max_length)) {
            EXPECT_TRUE(names.insert(found.name).second) << found.name << " twice";
        }
        EXPECT_FALSE(names.empty()) << c.relations;
        EXPECT_EQ(names, by_brute_force(vocabulary, relations(vocabulary, c.relations), c.max_threads, c.max_length))
            << c.relations;
    }
}

/// A cycle with its rotation taken out of it, without the help of names.
std::vector<Relation> least_rotation(std::vector<Relation> cycle) {
    std::vector<Relation> least = cycle;
    for (std::size_t k = 1; k < cycle.size(); ++k) {
        std::ranges::rotate(cycle, std::next(cycle.begin()));
        least = std::min(least, cycle);
    }
    return least;
}

TEST(Generate, DifferentCyclesHaveDifferentNamesAndTexts) {
    struct Case {
        const char* architecture;
        const char* relations;
    };
    for (const Case& c :
         {Case{"PPC", "Rfe Fre Coe Rfi Fri Coi Pod** Pos** DpAddrd* DpAddrs* DpDatadW DpCtrld* DpCtrlIsyncdR SyncdW* LwSyncs**"},
          Case{"AArch64", "Rfe RfeLA RfeLQ Fre FreAL Coe CoeLL CoePL Pod** PodRRAA PodRRAP PodRWAL PodWWPL PodWRLA DpAddrdRAA "
                          "DMB.SYd** DMB.LDdR*"},
          Case{"RISCV",
               "Rfe RfeRlAq Fre FreAqRl Coe Rfi Pos** Pod** PodRRAqP PodWWPRl Fence.rw.rwd** Fence.tsod** DpCtrlFenceIdR"},
          Case{"C",
               "Rfe RfeRelAcq RfeScSc Fre FreScSc Coe Pod** PodWRScSc PodWWRlxRel PodRRAcqRlx FenceScd** FenceARdRW DpCtrld*"}}) {
        const Vocabulary& vocabulary = architecture(c.architecture);
        std::set<std::string> names;
        std::set<std::string> texts;
        std::set<std::vector<Relation>> cycles;
        std::size_t count = 0;
        for_each_critical_cycle(
            vocabulary, {.relations = relations(vocabulary, c.relations), .min_threads = 1, .max_threads = 3, .max_length = 6},
            [&](const Cycle& found) {
                names.insert(found.name);
                cycles.insert(least_rotation(found.relations));
                const std::string text = litmus_text(vocabulary, found).value();
                texts.insert(text.substr(text.find('{'))); // what is tested, without name and cycle
                return ++count < 20'000;
            });
        EXPECT_GT(count, 500U) << c.relations;
        EXPECT_EQ(names.size(), count);
        EXPECT_EQ(cycles.size(), count);
        EXPECT_EQ(texts.size(), count);
    }
}

TEST(Generate, TheOrderOfTheRelationsDoesNotMatter) {
    const auto names = [](const std::string& patterns) {
        std::vector<std::string> list;
        for (const Cycle& found : all_cycles("ARM", patterns, 2, 3, 6)) {
            list.push_back(found.name);
        }
        return list;
    };
    EXPECT_EQ(names("Rfe Fre Coe Pod** DMBdWW DpAddrdR"), names("DpAddrdR DMBdWW PodWW Wse Pod** Fre Rfe Rfe"));
}

} // namespace
