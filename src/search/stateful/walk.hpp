// Walk: the code of one function from some instruction on, for Futures.
#pragma once

#include "search/stateful/future.hpp"

namespace heddle::stateful {

class Walk {
  public:
    Walk(Futures& futures, const Function& function, Futures::Barred barred);
    /// What a register holds at first. Pre: `from` was not called yet.
    void set(Slot slot, const Word& word) { join(futures_.cells_, slots_[slot], word); }
    Future from(std::uint32_t pc);

  private:
    /// The effect of the instruction, and where it goes on (into next_).
    void instruction(std::uint32_t pc);
    void access(const Instr& i);
    void call(const Instr& i, std::uint32_t pc);
    void call_pointer(const Instr& i, std::uint32_t pc);
    /// False: it does not go on to the next instruction.
    bool builtin(const Instr& i);
    void branch(const Instr& i);
    void put(Slot slot, const Word& word) { changed_ = join(futures_.cells_, slots_[slot], word) || changed_; }
    /// Everything that the instruction writes may be anything that it reads, or what is made from it.
    void mix(const Instr& i);
    [[nodiscard]] const Word& argument(const Instr& i, unsigned k) const { return slots_[function_.operands[i.y() + k]]; }
    [[nodiscard]] std::vector<Word> list(std::uint32_t first, std::uint32_t count) const;
    void go(std::uint64_t pc) { next_.push_back(static_cast<std::uint32_t>(pc)); }

    Futures& futures_;
    const Function& function_;
    const Futures::Barred barred_;
    std::vector<Word> slots_;
    std::vector<bool> reached_;
    std::vector<std::uint32_t> next_;
    Future future_;
    bool changed_ = false;
};

} // namespace heddle::stateful
