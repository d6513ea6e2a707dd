// The code of one function while it grows: instructions with their places, labels, argument lists, switches.
#pragma once

#include "frontend/clang/slot_allocator.hpp"
#include "program/program.hpp"

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>
#include <vector>

namespace heddle::clang_frontend {

/// A point of the code that may be named before it is known.
enum class Label : std::uint32_t {};

class CodeBuilder {
  public:
    void set_place(PlaceId place) { place_ = place; }

    void emit(Op op, Slot dst, Slot a = 0, Slot b = 0, std::uint64_t imm = 0) { emit(Instr{op, dst, a, b, imm}); }
    void emit(const Instr& instr);
    /// Of another place than what is emitted before and after it.
    void emit_at(PlaceId place, const Instr& instr);

    /// Stores an argument list; its position in Function::operands.
    std::uint32_t list(llvm::ArrayRef<Slot> slots);

    Label make_label();
    /// The label names the next instruction.
    void put(Label label);
    void jump(Label target);
    /// `op` is Br or a comparing one (then `dst` is its width).
    void branch(Op op, Slot width, Slot a, Slot b, Label then, Label otherwise);
    void switch_on(Slot value, std::vector<std::pair<std::uint64_t, Label>> cases, Label otherwise);

    /// Targets instead of labels, packed slots instead of provisional ones; the code moves into `function`.
    void finish(SlotAllocator& slots, Function& function);

  private:
    /// Where a jump to the label ends, jumps to jumps taken together.
    [[nodiscard]] std::uint32_t target(std::uint64_t label) const;

    PlaceId place_{};
    std::vector<Instr> code_; ///< targets are labels
    std::vector<PlaceId> places_;
    std::vector<Slot> operands_;
    std::vector<Switch> switches_;
    std::vector<std::uint32_t> labels_; ///< position of each
};

} // namespace heddle::clang_frontend
