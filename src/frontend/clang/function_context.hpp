// One function while it is lowered: where its values are, and the code so far. The files lower_*.cpp do the work on top of it, by theme.
//
// The rules that keep single assignment safe:
//   - define() gives an instruction fresh slots, which differ from the slots of its operands (those are released only at the end of the
//     instruction), so an expansion into several instructions may write results before it has read all operands;
//   - rename() makes a value the same slots as others. Safe in SSA form: wherever the new name is live, the old one was not
//     assigned again, since its assignment dominates the new one's (phis included: see lower_control.cpp).
#pragma once

#include "frontend/clang/code_builder.hpp"
#include "frontend/clang/loop_heads.hpp"
#include "frontend/clang/module_context.hpp"
#include "frontend/clang/slot_allocator.hpp"
#include "support/check.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>
#include <string>

namespace heddle::clang_frontend {

using Slots = llvm::SmallVector<Slot, 4>;

/// A byte of a Local.
struct LocalByte {
    std::uint32_t local; ///< into Function::locals
    std::uint32_t offset;
};

/// Where an access goes: a byte of a Local, or an address in a slot plus a constant.
struct MemoryPlace {
    std::optional<LocalByte> local;
    Slot base = 0;
    std::int64_t offset = 0;
};

class FunctionContext {
  public:
    FunctionContext(ModuleContext& module_context, const llvm::Function& function);

    ModuleContext& module;
    const llvm::Function& source;
    heddle::Function result; ///< everything but what `code` and `slots` hold
    CodeBuilder code;
    SlotAllocator slots;
    LoopHeads loops;

    // --- values ---
    const Shape& shape(const llvm::Value& value) { return module.shapes.of(value.getType()); }
    /// The slots of a value; may emit code that makes it (an address of a Local, an undefined value).
    Slots operand(const llvm::Value& value);
    /// The same for a value of one slot.
    Slot single(const llvm::Value& value);
    /// Fresh neighbouring slots for the instruction's result; the first.
    Slot define(const llvm::Instruction& instruction);
    void rename(const llvm::Instruction& instruction, llvm::ArrayRef<Slot> same);
    /// For results made slot by slot: the k-th slot becomes `from[k]`.
    void copy_to(Slot first, llvm::ArrayRef<Slot> from);

    Slot constant(std::uint64_t value) { return slots.constant(value); }
    /// A wide constant: a pair.
    Slot constant_pair(std::uint64_t low, std::uint64_t high) { return slots.constant_pair(low, high); }
    /// Slots until the end of the current instruction.
    Slot scratch(unsigned count = 1);
    /// A scratch slot (or `results` of them) with the result of an operation.
    Slot compute(Op op, Slot a, Slot b = 0, std::uint64_t imm = 0, unsigned results = 1);
    Slot select(Slot condition, Slot then, Slot otherwise);

    // --- memory ---
    /// The Local byte that a pointer is known to point to, one past the end included.
    std::optional<LocalByte> local_byte(const llvm::Value& pointer);
    MemoryPlace place_of(const llvm::Value& pointer);
    Slot address(const MemoryPlace& place, std::int64_t offset = 0);
    /// Loads into dst.., stores from src..; neighbouring slots for a pair.
    void load(Slot dst, const MemoryPlace& from, std::int64_t offset, unsigned bytes, unsigned bits, std::uint16_t flags);
    void store(Slot src, const MemoryPlace& to, std::int64_t offset, unsigned bytes, std::uint16_t flags);
    /// A Local that is no variable of the source.
    std::uint32_t add_local(std::string name, std::uint64_t size, std::uint64_t align);
    [[nodiscard]] const std::uint32_t* local_of(const llvm::AllocaInst& variable) const;
    /// Keeps the name of a variable that Op::Alloca makes: its index in Function::variables.
    std::uint16_t add_variable(const llvm::AllocaInst& variable);
    /// The Local in which calls of variadic functions lay out `size` bytes of unnamed arguments.
    std::uint32_t argument_area(std::uint32_t size);
    /// Of a variadic function: the slot of the hidden parameter.
    [[nodiscard]] Slot hidden_parameter() const { return static_cast<Slot>(result.params - 1); }

    // --- control ---
    Label label(const llvm::BasicBlock& block);
    void unsupported(const std::string& what);
    /// Ends an instruction: its scratch slots and the operands that are used no more are free again.
    void end(const llvm::Instruction& instruction);
    /// One use of `value` by something lowered now is over.
    void release_use(const llvm::Value& value);
    /// Frees what scratch() gave since the last end.
    void release_scratch();
    /// `value` shall be computed directly into the slot of `phi` (one slot).
    void coalesce(const llvm::Instruction& value, const llvm::PHINode& phi) { coalesced_[&value] = &phi; }

  private:
    void add_parameters();
    void add_locals();
    void count_uses();
    Slots constant_operand(const llvm::Constant& value);
    void append_constant(const llvm::Constant& value, Slots& out);
    void append_wide_constant(const llvm::Constant& value, const Leaf& leaf, Slots& out);
    void append_undefined(llvm::Type* type, Slots& out);
    Slot thread_local_address(const llvm::GlobalVariable& variable);
    Slot local_address(LocalByte byte);

    llvm::DenseMap<const llvm::Value*, Slots> values_;
    /// The uses still to come of values that are used only in their own block; others are not in here.
    llvm::DenseMap<const llvm::Instruction*, unsigned> uses_left_;
    llvm::DenseMap<const llvm::Instruction*, const llvm::PHINode*> coalesced_;
    llvm::DenseMap<const llvm::AllocaInst*, std::uint32_t> locals_;
    llvm::DenseMap<const llvm::BasicBlock*, Label> labels_;
    std::map<std::uint32_t, std::uint32_t> argument_areas_; ///< by size
    Slots scratch_;
};

} // namespace heddle::clang_frontend
