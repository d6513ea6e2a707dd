// What each architecture has. diy's names where diy has one.
#include "frontend/generate/relation.hpp"

#include <algorithm>
#include <array>

namespace heddle::generate {
namespace {

constexpr std::array<FenceWord, 4> kPpcFences = {{
    {"Sync", "sync", "sync"},
    {"LwSync", "lwsync", "lwsync"},
    {"Eieio", "eieio", "eieio"},
    {"ISync", "isync", "isync"},
}};
constexpr std::array<FenceWord, 1> kX86Fences = {{{"MFence", "mfence", "MFENCE"}}};
constexpr std::array<FenceWord, 1> kX8664Fences = {{{"MFence", "mfence", "mfence"}}};
constexpr std::array<FenceWord, 5> kArmFences = {{
    {"DMB", "dmb", "DMB"},
    {"DSB", "dsb", "DSB"},
    {"DMB.ST", "dmb.st", "DMB ST"},
    {"DSB.ST", "dsb.st", "DSB ST"},
    {"ISB", "isb", "ISB"},
}};
constexpr std::array<FenceWord, 7> kAArch64Fences = {{
    {"DMB.SY", "dmb.sy", "DMB SY"},
    {"DMB.LD", "dmb.ld", "DMB LD"},
    {"DMB.ST", "dmb.st", "DMB ST"},
    {"DSB.SY", "dsb.sy", "DSB SY"},
    {"DSB.LD", "dsb.ld", "DSB LD"},
    {"DSB.ST", "dsb.st", "DSB ST"},
    {"ISB", "isb", "ISB"},
}};
constexpr std::array<FenceWord, 11> kRiscVFences = {{
    {"Fence.rw.rw", "fence.rw.rw", "fence rw,rw"},
    {"Fence.rw.r", "fence.rw.r", "fence rw,r"},
    {"Fence.rw.w", "fence.rw.w", "fence rw,w"},
    {"Fence.r.rw", "fence.r.rw", "fence r,rw"},
    {"Fence.r.r", "fence.r.r", "fence r,r"},
    {"Fence.r.w", "fence.r.w", "fence r,w"},
    {"Fence.w.rw", "fence.w.rw", "fence w,rw"},
    {"Fence.w.r", "fence.w.r", "fence w,r"},
    {"Fence.w.w", "fence.w.w", "fence w,w"},
    {"Fence.tso", "fence.tso", "fence.tso"},
    {"Fence.i", "fence.i", "fence.i"},
}};
constexpr std::array<FenceWord, 5> kCFences = {{
    {"FenceRlx", "fencerlx", "memory_order_relaxed"},
    {"FenceAcq", "fenceacq", "memory_order_acquire"},
    {"FenceRel", "fencerel", "memory_order_release"},
    {"FenceAR", "fencear", "memory_order_acq_rel"},
    {"FenceSc", "fencesc", "memory_order_seq_cst"},
}};

constexpr std::array<MarkWord, 1> kNoMarks = {{{"P"}}};
constexpr std::array<MarkWord, 4> kAArch64Marks = {{
    {"P"},
    {.name = "A", .on_writes = false},
    {.name = "Q", .on_writes = false},
    {.name = "L", .on_reads = false},
}};
constexpr std::array<MarkWord, 3> kRiscVMarks = {{
    {"P"},
    {.name = "Aq", .on_writes = false},
    {.name = "Rl", .on_reads = false},
}};
// An unmarked access is relaxed, not plain: with plain ones every test would be a data race.
constexpr std::array<MarkWord, 4> kCMarks = {{
    {"Rlx"},
    {.name = "Acq", .on_writes = false},
    {.name = "Rel", .on_reads = false},
    {"Sc"},
}};

constexpr std::array<Vocabulary, 7> kVocabularies = {{
    {.dialect = Dialect::Ppc,
     .word = "PPC",
     .fences = kPpcFences,
     .marks = kNoMarks,
     .has_data_and_ctrl = true,
     .has_addr = true,
     .control_fence = "Isync",
     .control_fence_instruction = "isync"},
    {.dialect = Dialect::X86, .word = "X86", .fences = kX86Fences, .marks = kNoMarks},
    {.dialect = Dialect::X86_64, .word = "X86_64", .fences = kX8664Fences, .marks = kNoMarks},
    {.dialect = Dialect::Arm,
     .word = "ARM",
     .fences = kArmFences,
     .marks = kNoMarks,
     .has_data_and_ctrl = true,
     .has_addr = true,
     .control_fence = "Isb",
     .control_fence_instruction = "ISB"},
    {.dialect = Dialect::AArch64,
     .word = "AArch64",
     .fences = kAArch64Fences,
     .marks = kAArch64Marks,
     .has_data_and_ctrl = true,
     .has_addr = true,
     .control_fence = "Isb",
     .control_fence_instruction = "ISB"},
    {.dialect = Dialect::RiscV,
     .word = "RISCV",
     .fences = kRiscVFences,
     .marks = kRiscVMarks,
     .has_data_and_ctrl = true,
     .has_addr = true,
     .control_fence = "FenceI",
     .control_fence_instruction = "fence.i"},
    {.dialect = Dialect::C, .word = "C", .fences = kCFences, .marks = kCMarks, .has_data_and_ctrl = true},
}};

} // namespace

std::span<const Vocabulary> vocabularies() { return kVocabularies; }

const Vocabulary* find_vocabulary(std::string_view word) {
    const auto at = std::ranges::find(kVocabularies, word, &Vocabulary::word);
    return at == kVocabularies.end() ? nullptr : &*at;
}

} // namespace heddle::generate
