// The slots of one function while it is lowered.
//
// Three sorts, each with a number range of its own until the end, when they are packed: the sizes are known only then.
//   permanent   parameters, phis, values used in several blocks: never reused. Two values with disjoint lives could share one, but a
//               block lowered later may lie between them on a loop; keeping them apart needs no liveness analysis.
//   temporary   values used only in the block that defines them: reused after the last use, across blocks too. Counted, because two
//               values may be the same slot (a zero-extension is its operand).
//   constant    one a distinct value.
#pragma once

#include "program/instr.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace heddle::clang_frontend {

class SlotAllocator {
  public:
    /// `count` neighbouring permanent slots.
    Slot permanent(unsigned count);
    /// `count` neighbouring temporaries, each with one reference.
    Slot temporary(unsigned count);
    Slot constant(std::uint64_t value);
    Slot constant_pair(std::uint64_t low, std::uint64_t high);

    static bool is_temporary(Slot slot) { return slot >= kFirstTemporary && slot < kFirstConstant; }
    /// Both do nothing for slots that are not temporary.
    void retain(Slot slot);
    void release(Slot slot);

    /// A sort ran out of numbers: the slots handed out since are wrong, and the function cannot be lowered.
    [[nodiscard]] bool exhausted() const { return exhausted_; }

    [[nodiscard]] Slot packed(Slot slot) const;
    [[nodiscard]] Slot first_packed_constant() const { return static_cast<Slot>(permanents_ + references_.size()); }
    [[nodiscard]] std::vector<std::uint64_t> take_constants() { return std::move(constants_); }

  private:
    static constexpr Slot kFirstTemporary = 40000;
    static constexpr Slot kFirstConstant = 50000;
    static constexpr Slot kEnd = 65000;

    unsigned permanents_ = 0;
    std::vector<std::uint32_t> references_; ///< of each temporary ever used; 0: free
    std::vector<std::uint64_t> constants_;
    std::map<std::uint64_t, Slot> singles_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Slot> pairs_;
    bool exhausted_ = false;
};

} // namespace heddle::clang_frontend
