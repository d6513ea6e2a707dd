// What the assembly dialects share: AssemblyThread, a thread whose instructions a Dialect translates one by one.
//
// Registers are slots of 64 bits that start as the test says, or as 0. Memory is cells of 8 bytes, or of the elements' size in tests with
// arrays. An instruction that moves fewer bytes than its cell still reads or writes the whole cell (herd's mode without mixed sizes): what is stored
// is cut to the size and sign-extended, what is loaded is cut again, except that an address is kept whole, as old tests keep addresses in words.
//
// Load-reserve and store-conditional: the builder keeps the reserved address in a slot. A store-conditional chooses between failure and, if
// the address is the reserved one, success: Choose(1 + equal). The outcome of a choice depends on no read, so the comparison adds no dependency that
// the instruction does not have. (The enumeration of executions takes the choice before an exclusive store for the store, where something
// depends on it.)
#pragma once

#include "frontend/litmus/columns.hpp"
#include "frontend/litmus/picks.hpp"
#include "frontend/litmus/test_builder.hpp"
#include "frontend/litmus/thread_builder.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::litmus {

/// The flags of ARM and x86 as slots of 0 or 1.
struct Flags {
    Slot negative = 0;
    Slot zero = 0;
    Slot carry = 0; ///< of a subtraction: no borrow, as ARM has it
    Slot overflow = 0;
};

/// A condition on Flags. Those of unsigned comparisons are named by what ARM calls them.
enum class Condition : std::uint8_t {
    Equal,
    NotEqual,
    CarrySet,
    CarryClear,
    Minus,
    Plus,
    Overflow,
    NoOverflow,
    Higher,
    LowerSame,
    GreaterEqual,
    Less,
    Greater,
    LessEqual
};

class AssemblyThread {
  public:
    AssemblyThread(TestBuilder& test, unsigned number, unsigned unroll);

    ThreadBuilder& code() { return code_; }
    TestBuilder& test() { return *test_; }
    [[nodiscard]] const Source& source() const { return test_->source(); }

    void begin(const Instruction& i);
    void define_label(const Instruction& i);
    /// The label of this name, which may come later.
    ThreadBuilder::Label target(const Operand& operand);
    /// The end of the thread, for instructions that return.
    void jump_to_end() { code_.jump(end_); }
    Function finish();

    /// The slot of a register; `name` is as Conventions::register_named shows it.
    Slot reg(const std::string& name);
    /// Reads the register of an operand, all of it; fails when it is not a register.
    Slot reg(const Operand& operand);
    /// Writes the register of an operand: cut to what its name means, the rest zero.
    void write(const Operand& operand, Slot value);
    [[nodiscard]] std::optional<RegisterName> register_named(std::string_view text) const {
        return test_->conventions().register_named(text);
    }
    /// The register of an operand; fails when it is not one.
    [[nodiscard]] RegisterName expect_register(const Operand& operand) const;
    void set(Slot target, Slot value) { code_.move(target, value); }
    Slot zero() { return code_.constant(0); }

    // Cutting a value to a width; an address stays whole.
    Slot cut_unsigned(Slot value, unsigned bytes) { return cut(value, bytes, false); }
    Slot cut_signed(Slot value, unsigned bytes) { return cut(value, bytes, true); }

    /// Arithmetic on `bytes` bytes: Add, Sub, Mul, And, Or, Xor, or a shift, whose amount is taken modulo the width.
    Slot operate(Op op, Slot a, Slot b, unsigned bytes);
    /// d(r): the sum of a number and a register.
    Slot displaced(const Operand& operand);

    // Accesses of `bytes` by the instruction; see the head of the file.
    Slot load(Slot address, unsigned bytes, bool is_signed, Order order, std::uint16_t flags = 0);
    void store(Slot address, Slot value, unsigned bytes, Order order, std::uint16_t flags = 0);
    Slot update(Slot address, Slot operand, unsigned bytes, RmwOp op, Order order, std::uint16_t flags = 0);
    /// The old value; `desired` is written when that is `expected`. Both orders are those of the instruction.
    Slot compare_exchange(Slot address, Slot expected, Slot desired, unsigned bytes, Order order, Order failure);
    Slot load_reserve(Slot address, unsigned bytes, bool is_signed, Order order);
    /// 1 when the store happened, else 0. Who uses that depends on the store where the architecture says so (RISC-V).
    enum class Success : std::uint8_t { IsFree, DependsOnStore };
    Slot store_conditional(Slot address, Slot value, unsigned bytes, Order order, Success success = Success::IsFree);
    [[nodiscard]] unsigned cell(unsigned bytes) const { return wide_ ? 8 : bytes; }

    // Flags.
    void flags_of_subtraction(Slot a, Slot b, unsigned width);
    void flags_of_addition(Slot a, Slot b, unsigned width);
    /// Of a logical operation: no overflow, and this carry.
    void flags_of_logic(Slot result, unsigned width, bool carry = false);
    void invert_carry() { set(flags().carry, code_.negate_bit(flags().carry)); }
    Slot holds(Condition condition);
    /// On a value computed from what the instruction read.
    void branch(Slot condition, const Operand& to);
    void branch_if(Condition condition, const Operand& to) { branch(holds(condition), to); }

    /// Null when the thread does nothing that would need them.
    Picks* picks() { return picks_ ? &*picks_ : nullptr; }
    void track_picks() { picks_.emplace(code_); }

    /// Fails unless the instruction has this number of operands.
    void expect_operands(const Instruction& i, std::size_t least, std::size_t most) const;
    void expect_operands(const Instruction& i, std::size_t number) const { expect_operands(i, number, number); }
    /// A number, with or without the mark ('#' or '$') that the dialect puts before it.
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view text) const;
    std::uint64_t expect_number(const Operand& operand) const;
    /// The slot of a register, or a constant.
    Slot reg_or_number(const Operand& operand);
    /// The instruction is not one the dialect knows, or not with these operands.
    [[noreturn]] void unknown(const Instruction& i) const;

  private:
    Flags& flags();
    const Flags& write_flags();
    Slot cut(Slot value, unsigned bytes, bool is_signed);
    Slot in_memory(Slot value, unsigned bytes);

    TestBuilder* test_;
    unsigned number_;
    ThreadBuilder code_;
    std::map<std::string, Slot> registers_;
    struct NamedLabel {
        ThreadBuilder::Label label;
        std::size_t used_at; ///< offset of its first use or definition
        bool defined;
    };
    std::map<std::string, NamedLabel> labels_;
    ThreadBuilder::Label end_;
    std::optional<Slot> reserved_; ///< the reserved address, 0 for none
    std::optional<Flags> flags_;
    std::optional<Picks> picks_;
    bool wide_ = true; ///< cells are of 8 bytes
};

/// An assembly language.
struct Dialect {
    Architecture architecture = Architecture::C;
    std::optional<RegisterName> (*register_named)(std::string_view) = nullptr;
    void (*translate)(AssemblyThread&, const Instruction&) = nullptr;
    /// Does the instruction decide a value without a branch (picks.hpp)? Null: none does.
    bool (*picks)(const Instruction&) = nullptr;
};

/// The test of an assembly dialect.
LitmusTest assemble(const Source& source, const Frame& frame, const Dialect& dialect, const Options& options);

/// A register called `prefix` and a number up to `last`.
std::optional<RegisterName> numbered_register(std::string_view text, std::string_view prefix, unsigned last);
/// A symbolic register, %x0.
std::optional<RegisterName> symbolic_register(std::string_view text);

} // namespace heddle::litmus
