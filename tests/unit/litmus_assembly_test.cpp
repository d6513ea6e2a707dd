// The assembly dialects: what instructions do to registers and memory, and which dependencies they make.
#include "litmus_trace.hpp"

#include <gtest/gtest.h>

namespace heddle::litmus {
namespace {

/// A test of one thread; `observed` registers are asked about.
LitmusTest thread(std::string_view architecture, std::string_view init, std::string_view code, std::string_view observed = "") {
    std::string rows;
    for (const char c : code) {
        rows += c == '\n' ? std::string(" ;\n") : std::string(1, c);
    }
    return parsed(fmt::format("{} t\n{{ {} }}\n P0 ;\n{} ;\n{}", architecture, init, rows,
                              observed.empty() ? "" : fmt::format("locations [{}]", observed)));
}

// ---- PowerPC

TEST(LitmusPpc, AccessesAndDependencies) {
    const LitmusTest t = thread("PPC", "0:r2=x; 0:r4=y; 0:r6=z;",
                                "lwz r1,0(r2)\nxor r3,r1,r1\nlwzx r5,r3,r4\nlwsync\nstw r5,0(r6)", "0:r1; 0:r5;");
    EXPECT_EQ(trace(t, 0, {1, 2}), (Lines{"R x", "R y addr{0}", "F lwsync", "W z=2 data{1}", "0:r1=1", "0:r5=2", "end"}));
}

TEST(LitmusPpc, BranchesAreControlDependencies) {
    const LitmusTest t = thread("PPC", "0:r2=x; 0:r4=y; 0:r3=1;", "lwz r1,0(r2)\ncmpw r1,r1\nbeq L\nL:\nstw r3,0(r4)");
    EXPECT_EQ(trace(t, 0, {1}), (Lines{"R x", "W y=1 ctrl{0}", "end"}));
}

TEST(LitmusPpc, StoreConditionalNeedsItsReservationAndMayFail) {
    const LitmusTest t =
        thread("PPC", "0:r2=x; 0:r3=7; 0:r5=y;", "lwarx r1,r0,r2\nstwcx. r3,r0,r2\nbne F\nli r4,1\nF: stw r4,0(r5)", "0:r4;");
    EXPECT_EQ(trace(t, 0, {0, 1}), (Lines{"Rx x", "choose 2", "Wx x=7", "W y=1", "0:r4=1", "end"}));
    EXPECT_EQ(trace(t, 0, {0, 0}), (Lines{"Rx x", "choose 2", "W y=0", "0:r4=0", "end"})); // the choice is no dependency
    const LitmusTest without = thread("PPC", "0:r2=x; 0:r3=7;", "stwcx. r3,r0,r2\nstwcx. r3,r0,r2");
    EXPECT_EQ(trace(without, 0, {0, 0}), (Lines{"choose 1", "choose 1", "end"}));
}

TEST(LitmusPpc, WordsInRegistersOf64Bits) {
    const LitmusTest t = thread("PPC", "0:r1=x; x=-1; int64_t 0:r2; int64_t 0:r3; int64_t 0:r4;",
                                "lwa r2,0(r1)\nlwz r3,0(r1)\nextsw r4,r3", "0:r2; 0:r3; 0:r4;");
    EXPECT_EQ(trace(t, 0, {~0ull, ~0ull}), (Lines{"R x", "R x", "0:r2=-1", "0:r3=4294967295", "0:r4=-1", "end"}));
}

TEST(LitmusPpc, AddressesPassThroughWords) {
    const LitmusTest t = thread("PPC", "0:r2=p; p=x; 0:r5=1;", "lwz r1,0(r2)\nstw r5,0(r1)");
    const Address x = t.program.globals.at(1).address;
    EXPECT_EQ(t.program.globals.at(1).name, "x");
    EXPECT_EQ(trace(t, 0, {x}), (Lines{"R p", "W x=1 addr{0}", "end"}));
}

TEST(LitmusPpc, Arithmetic) {
    const LitmusTest t = thread("PPC", "0:r1=5; 0:r2=-3; uint64_t 0:r9;",
                                "add r3,r1,r2\nsubf r4,r1,r2\nmullw r5,r1,r2\ndivw r6,r2,r1\nlis r7,1\nrlwinm r8,r1,4,24,27\nli "
                                "r9,-1\nrlwimi r9,r1,0,28,31\n"
                                "divw r10,r1,r11",
                                "0:r3; 0:r4; 0:r5; 0:r6; 0:r7; 0:r8; 0:r9; 0:r10;");
    EXPECT_EQ(trace(t, 0, {}),
              (Lines{"0:r3=2", "0:r4=-8", "0:r5=-15", "0:r6=0", "0:r7=65536", "0:r8=80", "0:r9=-11", "0:r10=0", "end"}));
}

// ---- ARM

TEST(LitmusArm, AccessesFencesAndDependencies) {
    const LitmusTest t =
        thread("ARM", "%x0=x; %y0=y;", "LDR R0,[%x0]\nEOR R1,R0,R0\nLDR R2,[R1,%y0]\nDMB ST\nDSB\nISB\nSTR R2,[%x0]", "0:R2;");
    EXPECT_EQ(trace(t, 0, {1, 2}), (Lines{"R x", "R y addr{0}", "F dmb.st", "F dsb", "F isb", "W x=2 data{1}", "0:R2=2", "end"}));
}

TEST(LitmusArm, ConditionsOnAnyInstruction) {
    const LitmusTest t = thread("ARM", "0:R0=x; 0:R3=5;", "LDR R1,[R0]\nCMP R1,#1\nMOVEQ R2,#7\nSTRNE R3,[R0]", "0:R2;");
    EXPECT_EQ(trace(t, 0, {1}), (Lines{"R x", "0:R2=7", "end"}));
    EXPECT_EQ(trace(t, 0, {2}), (Lines{"R x", "W x=5 ctrl{0}", "0:R2=0", "end"}));
}

TEST(LitmusArm, ExclusivesAndShifts) {
    const LitmusTest t =
        thread("ARM", "0:R0=x; 0:R3=5;", "LDREX R1,[R0]\nSTREX R2,R3,[R0]\nMOVT R4,#1\nLSL R5,R3,#2", "0:R2; 0:R4; 0:R5;");
    EXPECT_EQ(trace(t, 0, {0, 1}), (Lines{"Rx x", "choose 2", "Wx x=5", "0:R2=0", "0:R4=65536", "0:R5=20", "end"}));
    EXPECT_EQ(trace(t, 0, {0, 0}), (Lines{"Rx x", "choose 2", "0:R2=1", "0:R4=65536", "0:R5=20", "end"}));
}

TEST(LitmusArm, ElementsOfArrays) {
    const LitmusTest t = thread("ARM", "int v[2]={1,2}; 0:R1=v; 0:R3=1;", "LDR R2,[R1,R3,lsl #2]\nSTR R2,[R1]", "v[0];");
    EXPECT_EQ(trace(t, 0, {2}), (Lines{"R v+4", "W v=2 data{0}", "end"}));
}

// ---- AArch64

TEST(LitmusAArch64, OrdersOfAccesses) {
    const LitmusTest t =
        thread("AArch64", "0:X1=x; 0:X2=1;",
               "LDAR W0,[X1]\nLDAPR W3,[X1]\nSTLR W2,[X1]\nLDAXR W4,[X1]\nSTLXR W5,W2,[X1]\nDMB ISHLD\nDSB SY", "0:X5;");
    EXPECT_EQ(trace(t, 0, {0, 0, 0, 1}), (Lines{"R x acquire", "R x acquire-pc", "W x=1 release", "Rx x acquire", "choose 2",
                                                "Wx x=1 release", "F dmb.ld", "F dsb", "0:X5=0", "end"}));
}

TEST(LitmusAArch64, AddressesAndWords) {
    const LitmusTest t = thread("AArch64", "0:X1=x; 0:X4=y; int64_t 0:X3; 0:X5=-1;",
                                "LDR W0,[X1]\nEOR W2,W0,W0\nLDR W6,[X4,W2,SXTW]\nMOV W3,W5\nSTR W3,[X4],#8", "0:X3;");
    EXPECT_EQ(trace(t, 0, {1, 0}), (Lines{"R x", "R y addr{0}", "W y=-1", "0:X3=4294967295", "end"}));
}

TEST(LitmusAArch64, SelectionDependsOnWhatIsSelected) {
    const LitmusTest t = thread("AArch64", "0:X1=x; 0:X4=y; 0:X9=z;",
                                "LDR W0,[X1]\nLDR W2,[X4]\nCMP W0,#1\nCSEL W3,W5,W2,EQ\nLDR W6,[X9,W3,SXTW]", "0:X6;");
    EXPECT_EQ(trace(t, 0, {1, 0, 7}), (Lines{"R x", "R y", "R z ctrl{0}", "0:X6=7", "end"}));
    EXPECT_EQ(trace(t, 0, {0, 0, 7}), (Lines{"R x", "R y", "R z addr{1} ctrl{0}", "0:X6=7", "end"}));
}

TEST(LitmusAArch64, OnlyWritesThatUseASelectionAreDecidedByIt) {
    const std::string_view init = "0:X1=x; 0:X3=1; 0:X5=z; 0:X9=y; 0:X4=a; 0:X6=b;";
    const std::string select = "LDR W0,[X1]\nCMP W0,#1\nCSEL W2,W3,W7,EQ\n";
    EXPECT_EQ(trace(thread("AArch64", init, select + "STR W3,[X9]"), 0, {1}), (Lines{"R x", "W y=1", "end"}));
    EXPECT_EQ(trace(thread("AArch64", init, select + "STR W2,[X9]\nSTR W3,[X5]"), 0, {1}),
              (Lines{"R x", "W y=1 ctrl{0}", "W z=1", "end"}));
    // Through memory of the thread itself, unless something else was written there since.
    EXPECT_EQ(trace(thread("AArch64", init, select + "STR W2,[X5]\nLDR W8,[X5]\nSTR W8,[X9]"), 0, {1, 1}),
              (Lines{"R x", "W z=1 ctrl{0}", "R z", "W y=1 data{2} ctrl{0}", "end"}));
    EXPECT_EQ(trace(thread("AArch64", init, select + "STR W2,[X5]\nSTR W3,[X5]\nLDR W8,[X5]\nSTR W8,[X9]"), 0, {1, 1}),
              (Lines{"R x", "W z=1 ctrl{0}", "W z=1", "R z", "W y=1 data{3}", "end"}));
    // An address decides about everything behind it, and so does a branch.
    EXPECT_EQ(trace(thread("AArch64", init, "LDR W0,[X1]\nCMP W0,#1\nCSEL X2,X4,X6,EQ\nSTR W3,[X2]\nSTR W3,[X9]"), 0, {1}),
              (Lines{"R x", "W a=1 ctrl{0}", "W y=1 ctrl{0}", "end"}));
    EXPECT_EQ(trace(thread("AArch64", init, select + "CBNZ W2,L\nL: STR W3,[X9]"), 0, {1}),
              (Lines{"R x", "W y=1 ctrl{0}", "end"}));
}

TEST(LitmusAArch64, UpdatesWithAndWithoutResult) {
    const LitmusTest t = thread("AArch64", "0:X1=x; 0:X2=3;",
                                "LDADDAL W2,W0,[X1]\nSTADD W2,[X1]\nSWPA W2,WZR,[X1]\nLDCLR W2,W4,[X1]", "0:X0; 0:X4;");
    EXPECT_EQ(trace(t, 0, {5, 8, 11, 3}),
              (Lines{"U x 3 acq_rel", "U x 3 noret", "U x 3 noret", "U x -4", "0:X0=5", "0:X4=3", "end"}));
}

TEST(LitmusAArch64, CompareAndSwapEndsInOneOfItsWays) {
    const LitmusTest t = thread("AArch64", "0:X1=x; 0:X2=3; 0:X0=1;", "CAS W0,W2,[X1]", "0:X0;");
    EXPECT_EQ(trace(t, 0, {0, 5}), (Lines{"choose 5", "R x", "0:X0=5", "end"}));
    EXPECT_EQ(trace(t, 0, {0, 1}), (Lines{"choose 5", "R x", "blocked"})); // it would have succeeded
    EXPECT_EQ(trace(t, 0, {2, 5}), (Lines{"choose 5", "U x 0", "0:X0=5", "end"}));
    EXPECT_EQ(trace(t, 0, {3, 1}), (Lines{"choose 5", "U x 3", "0:X0=1", "end"}));
    EXPECT_EQ(trace(t, 0, {4, 5}), (Lines{"choose 5", "U x 3", "blocked"}));
}

TEST(LitmusAArch64, BranchesOnBitsAndConditions) {
    const LitmusTest t =
        thread("AArch64", "0:X1=x; 0:X2=1;", "LDR W0,[X1]\nCBZ W0,L\nTBNZ W0,#1,L\nCMP W0,#5\nB.GT L\nSTR W2,[X1]\nL:");
    EXPECT_EQ(trace(t, 0, {0}), (Lines{"R x", "end"}));
    EXPECT_EQ(trace(t, 0, {2}), (Lines{"R x", "end"}));
    EXPECT_EQ(trace(t, 0, {9}), (Lines{"R x", "end"}));
    EXPECT_EQ(trace(t, 0, {5}), (Lines{"R x", "W x=1 ctrl{0}", "end"}));
}

// ---- RISC-V

TEST(LitmusRiscV, AnnotationsAndFences) {
    const LitmusTest t = thread("RISCV", "0:x6=x; 0:x7=1;",
                                "lw.aq x5,0(x6)\nsw.rl x7,0(x6)\nfence rw,w\nfence.tso\nfence iorw,iorw\namoadd.w.aq.rl "
                                "x8,x7,(x6)\namoswap.w.rl x0,x7,(x6)",
                                "0:x8;");
    EXPECT_EQ(trace(t, 0, {0, 4, 5}), (Lines{"R x acquire", "W x=1 release", "F fence rw,w", "F fence.tso", "F fence rw,rw",
                                             "U x 1 seq_cst", "U x 1 release noret", "0:x8=4", "end"}));
}

TEST(LitmusRiscV, RegistersHaveTwoNames) {
    const LitmusTest t = thread(
        "RISCV", "0:s0=x; 0:t1=3;",
        "lr.w a0,0(s0)\nsc.w a1,t1,0(s0)\nxor a2,a0,a0\nori a2,a2,1\nsw a2,0(s0)\nadd zero,t1,t1\nmv a3,zero", "0:a1; 0:x13;");
    EXPECT_EQ(t.observables[0].name, "0:x11");
    EXPECT_EQ(trace(t, 0, {9, 1}), (Lines{"Rx x", "choose 2", "Wx x=3", "W x=1 data{0}", "0:x11=0", "0:x13=0", "end"}));
}

TEST(LitmusRiscV, SuccessOfAStoreConditionalIsADependency) {
    // On action 1, the choice, which stands for the conditional store.
    const LitmusTest t = thread("RISCV", "0:x6=x; 0:x7=1; 0:x8=y;", "lr.w x5,0(x6)\nsc.w x9,x7,0(x6)\nsw x9,0(x8)\nsw x7,0(x8)");
    EXPECT_EQ(trace(t, 0, {0, 1}), (Lines{"Rx x", "choose 2", "Wx x=1", "W y=0 data{1}", "W y=1", "end"}));
    EXPECT_EQ(trace(t, 0, {0, 0}), (Lines{"Rx x", "choose 2", "W y=1 data{1}", "W y=1", "end"}));
}

TEST(LitmusRiscV, BranchesCompareRegisters) {
    const LitmusTest t = thread("RISCV", "0:x6=x; 0:x7=1;", "lw x5,0(x6)\nblt x5,x7,L\nsw x7,0(x6)\nL:");
    EXPECT_EQ(trace(t, 0, {~0ull}), (Lines{"R x", "end"}));
    EXPECT_EQ(trace(t, 0, {3}), (Lines{"R x", "W x=1 ctrl{0}", "end"}));
}

// ---- x86

TEST(LitmusX86, IntelNotation) {
    const LitmusTest t =
        thread("X86", "0:EBX=5;", "MOV EAX,[x]\nMOV [y],$1\nMFENCE\nXCHG [x],EBX\nLOCK ADD [y],2\nADD [x],EAX", "0:EAX; 0:EBX;");
    EXPECT_EQ(trace(t, 0, {3, 7, 1, 10}), (Lines{"R x", "W y=1", "F mfence", "U x 5 seq_cst", "U y 2 seq_cst", "R x",
                                                 "W x=13 data{0,5}", "0:EAX=3", "0:EBX=7", "end"}));
}

TEST(LitmusX86, AttNotation) {
    const LitmusTest t =
        thread("X86_64", "int64_t t[2]={1,-1}; 0:rax=t; 0:rbx=1; int64_t 0:rcx;",
               "movq 0(%rax,%rbx,8),%rcx\nmovl $2,%edx\nxchgl (y),%edx\ncmp $3,%edx\nja L\nmovl $1,(z)\nL: ret", "0:rcx; 0:edx;");
    EXPECT_EQ(t.observables[1].name, "0:rdx");
    EXPECT_EQ(trace(t, 0, {~0ull, 3}), (Lines{"R t+8", "U y 2 seq_cst", "W z=1 ctrl{1}", "0:rcx=-1", "0:rdx=3", "end"}));
    EXPECT_EQ(trace(t, 0, {~0ull, 4}), (Lines{"R t+8", "U y 2 seq_cst", "0:rcx=-1", "0:rdx=4", "end"}));
}

TEST(LitmusX86, CompareExchangeNeedsLock) {
    const LitmusTest t = thread("X86_64", "0:rax=1; 0:rbx=2;", "lock cmpxchgl %ebx,(x)\njne L\nmovl $1,(y)\nL:", "0:rax;");
    EXPECT_EQ(trace(t, 0, {1}), (Lines{"U x 2 seq_cst", "W y=1 ctrl{0}", "0:rax=1", "end"}));
    EXPECT_EQ(trace(t, 0, {5}), (Lines{"U x 2 seq_cst", "0:rax=5", "end"}));
    EXPECT_EQ(refusal("X86_64 t\n{}\n P0 ;\n cmpxchgl %ebx,(x) ;\n"), "t.litmus:4:16: cmpxchg without LOCK is not supported");
}

} // namespace
} // namespace heddle::litmus
