// ThreadBuilder: one function of a Program under construction.
//
// Slots are handed out in order and constants numbered behind them at the end, as the machine wants it. Jumps go to labels. A jump to a label that
// stands before it is bounded: after `unroll` of them the execution is cut off (Builtin::Assume), which is how herd treats loops. The counter
// is computed from constants only, so the bound adds no dependency.
#pragma once

#include "program/program.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::litmus {

class ThreadBuilder {
  public:
    using Label = std::uint32_t;

    ThreadBuilder(std::string name, std::uint16_t params, unsigned unroll);

    /// The place of what is emitted from here on.
    void set_place(PlaceId place) { place_ = place; }
    [[nodiscard]] PlaceId place() const { return place_; }

    /// New slots, neighbours when more than one.
    Slot slot(unsigned n = 1);
    /// A slot that always holds `value`.
    Slot constant(std::uint64_t value);
    /// A slot that holds `value` when the function begins and may change.
    Slot variable(std::uint64_t value = 0);

    void emit(Op op, Slot dst, Slot a, Slot b, std::uint64_t imm);
    /// A new slot with the result of an instruction; imm as the instruction set says (mask or width).
    Slot compute(Op op, Slot a, Slot b, std::uint64_t imm = 0);
    void move(Slot to, Slot from) { emit(Op::Mov, to, from, 0, 0); }

    // Arithmetic on 64 bits, and comparisons of `width` bits.
    Slot add(Slot a, Slot b) { return compute(Op::Add, a, b, ~std::uint64_t{0}); }
    Slot subtract(Slot a, Slot b) { return compute(Op::Sub, a, b, ~std::uint64_t{0}); }
    Slot multiply(Slot a, Slot b) { return compute(Op::Mul, a, b, ~std::uint64_t{0}); }
    Slot bit_and(Slot a, Slot b) { return compute(Op::And, a, b); }
    Slot bit_or(Slot a, Slot b) { return compute(Op::Or, a, b); }
    Slot bit_xor(Slot a, Slot b) { return compute(Op::Xor, a, b); }
    Slot equal(Slot a, Slot b, unsigned width = 64) { return compute(Op::CmpEq, a, b, width); }
    Slot negate_bit(Slot a) { return compute(Op::Xor, a, constant(1)); }
    Slot select(Slot condition, Slot yes, Slot no) { return compute(Op::Select, condition, yes, no); }
    Slot mask(Slot a, std::uint64_t bits) { return compute(Op::Trunc, a, 0, bits); }
    Slot sign_extend(Slot a, unsigned from_width) { return compute(Op::Sext, a, 0, Instr::pack(from_width, 64)); }

    // Memory. `flags` is an Order with access flags (program/instr.hpp).
    Slot load(Slot address, unsigned bytes, std::uint16_t flags);
    void store(Slot address, Slot value, unsigned bytes, std::uint16_t flags);
    Slot update(Slot address, Slot operand, unsigned bytes, RmwOp op, std::uint16_t flags);
    /// The old value; the slot after it says whether the exchange happened.
    Slot compare_exchange(Slot address, Slot expected, Slot desired, unsigned bytes, std::uint16_t flags, Order failure);
    void fence(Order order, FenceKind kind);

    Slot builtin(Builtin id, std::initializer_list<Slot> arguments);
    Slot call_pointer(Slot function, std::initializer_list<Slot> arguments, unsigned results);
    void ret(std::initializer_list<Slot> results);

    /// Keeps what decided the way so far (Op::ControlMark), to go back to it at `control_end`.
    Slot control_mark();
    void control_end(Slot mark) { emit(Op::ControlEnd, 0, mark, 0, 0); }

    Label label();
    void bind(Label label);
    void jump(Label to);
    /// Goes to `to` when `condition` is not zero, else on.
    void branch(Slot condition, Label to);

    /// Adds the values of `variable` before everything else, and hands the function over. A builder is finished once.
    Function finish();

  private:
    struct Target {
        std::optional<std::uint32_t> at; ///< index into the code, once bound
        std::optional<Slot> jumps_back;  ///< counts the jumps to it from behind
    };
    static constexpr Slot kConstantBase = 0xc000; ///< constants are numbered from here until `finish`

    std::uint32_t operands(std::initializer_list<Slot> slots);
    void go_to(Label to);
    void count_backward_jump(Target& target);
    void resolve_labels();
    void place_constants();

    Function function_;
    PlaceId place_;
    unsigned unroll_;
    Slot next_ = 0;
    std::map<std::uint64_t, Slot> constants_;
    std::vector<Target> labels_;
    std::vector<std::pair<Slot, std::uint64_t>> variables_;
};

constexpr std::uint16_t access(Order order, std::uint16_t flags = 0) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(order) | flags);
}

} // namespace heddle::litmus
