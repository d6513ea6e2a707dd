// PowerPC: the user-level instructions of Power ISA 2.06, book I and II, that litmus tests use.
//
// As in herd, r0 is an ordinary register also where the ISA reads it as the number 0. Condition fields are three slots each; only what a compare or
// a dotted instruction computes is in them (SO is not modelled).
#include "frontend/litmus/assembly.hpp"
#include "frontend/litmus/dialects.hpp"
#include "frontend/litmus/instruction_row.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

std::optional<RegisterName> register_named(std::string_view text) {
    const std::string lower = lower_case(text);
    if (auto named = numbered_register(lower, "r", 31)) {
        return named;
    }
    return symbolic_register(text);
}

Slot condition_bit(AssemblyThread& t, std::string_view field, std::string_view bit) {
    return t.reg(fmt::format("{}:{}", field, bit));
}

void set_condition(AssemblyThread& t, std::string_view field, Slot a, Slot b, unsigned width, bool is_signed) {
    const Op less = is_signed ? Op::CmpSlt : Op::CmpUlt;
    t.code().emit(less, condition_bit(t, field, "lt"), a, b, width);
    t.code().emit(less, condition_bit(t, field, "gt"), b, a, width);
    t.code().emit(Op::CmpEq, condition_bit(t, field, "eq"), a, b, width);
}

/// Writes the result; a dotted instruction compares it with 0.
void set_result(AssemblyThread& t, const Instruction& i, Slot value) {
    t.set(t.reg(i.operands[0]), value);
    if (i.mnemonic.ends_with('.')) {
        set_condition(t, "cr0", value, t.zero(), 64, true);
    }
}

/// d(rA); old tests also write `d,rA`.
Slot displaced_address(AssemblyThread& t, const Instruction& i) {
    t.expect_operands(i, 2, 3);
    return i.operands.size() == 3 ? t.code().add(t.reg(i.operands[2]), t.reg_or_number(i.operands[1]))
                                  : t.displaced(i.operands[1]);
}

Slot indexed_address(AssemblyThread& t, const Instruction& i) {
    t.expect_operands(i, 3);
    return t.code().add(t.reg(i.operands[1]), t.reg(i.operands[2]));
}

Slot address_of(AssemblyThread& t, const Instruction& i) {
    const bool indexed = i.mnemonic.ends_with('x') || i.mnemonic.ends_with("x.");
    return indexed ? indexed_address(t, i) : displaced_address(t, i);
}

void load(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.set(t.reg(i.operands[0]), t.load(address_of(t, i), row.bytes, row.is_signed, Order::Relaxed));
}

void store(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.store(address_of(t, i), t.reg(i.operands[0]), row.bytes, Order::Relaxed);
}

void load_reserve(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.set(t.reg(i.operands[0]), t.load_reserve(indexed_address(t, i), row.bytes, false, Order::Relaxed));
}

void store_conditional(AssemblyThread& t, const Instruction& i, const Row& row) {
    const Slot stored = t.store_conditional(indexed_address(t, i), t.reg(i.operands[0]), row.bytes, Order::Relaxed);
    t.set(condition_bit(t, "cr0", "lt"), t.zero());
    t.set(condition_bit(t, "cr0", "gt"), t.zero());
    t.set(condition_bit(t, "cr0", "eq"), stored);
}

void load_immediate(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    const std::uint64_t value = t.expect_number(i.operands[1]);
    t.set(t.reg(i.operands[0]), t.code().constant(row.mnemonic == "lis" ? value << 16 : value));
}

void move_register(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 2);
    set_result(t, i, t.reg(i.operands[1]));
}

/// Of two registers, or a register and a number.
void arithmetic(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    set_result(t, i, t.code().compute(row.op, t.reg(i.operands[1]), t.reg_or_number(i.operands[2]), ~std::uint64_t{0}));
}

void logic(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    set_result(t, i, t.code().compute(row.op, t.reg(i.operands[1]), t.reg_or_number(i.operands[2])));
}

void add_shifted(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 3);
    set_result(t, i, t.code().add(t.reg(i.operands[1]), t.code().constant(t.expect_number(i.operands[2]) << 16)));
}

void subtract_from(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 3);
    set_result(t, i, t.code().subtract(t.reg(i.operands[2]), t.reg(i.operands[1])));
}

void negate(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 2);
    set_result(t, i, t.code().subtract(t.zero(), t.reg(i.operands[1])));
}

void multiply_word(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 3);
    ThreadBuilder& c = t.code();
    set_result(t, i, c.multiply(t.cut_signed(t.reg(i.operands[1]), 4), t.cut_signed(t.reg_or_number(i.operands[2]), 4)));
}

/// A division by zero has no defined result; it is 0 here.
void divide_word(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 3);
    ThreadBuilder& c = t.code();
    const Slot left = t.cut_signed(t.reg(i.operands[1]), 4);
    const Slot right = t.cut_signed(t.reg(i.operands[2]), 4);
    const Slot by_zero = c.equal(right, t.zero());
    const Slot quotient = c.compute(Op::SDiv, left, c.select(by_zero, c.constant(1), right), 64);
    set_result(t, i, c.select(by_zero, t.zero(), quotient));
}

void extend_word(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 2);
    set_result(t, i, t.cut_signed(t.reg(i.operands[1]), 4));
}

void clear_left(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 3);
    const std::uint64_t n = t.expect_number(i.operands[2]) & 63;
    set_result(t, i, t.code().mask(t.reg(i.operands[1]), ~std::uint64_t{0} >> n));
}

/// The bits first .. last of a word, counted from the left and around the end.
std::uint32_t word_mask(std::uint64_t first, std::uint64_t last) {
    const std::uint32_t from = ~std::uint32_t{0} >> (first & 31);
    const std::uint32_t to = ~std::uint32_t{0} << (31 - (last & 31));
    return first <= last ? from & to : from | to;
}

Slot rotate_word(AssemblyThread& t, Slot value, std::uint64_t by) {
    ThreadBuilder& c = t.code();
    const Slot word = c.mask(value, 0xffffffff);
    const Slot left = c.compute(Op::Shl, word, c.constant(by & 31), 64);
    const Slot right = c.compute(Op::LShr, word, c.constant((32 - by) & 31), 64);
    return (by & 31) == 0 ? word : c.mask(c.bit_or(left, right), 0xffffffff);
}

void rotate_and_mask(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 5);
    const std::uint32_t mask = word_mask(t.expect_number(i.operands[3]), t.expect_number(i.operands[4]));
    set_result(t, i, t.code().mask(rotate_word(t, t.reg(i.operands[1]), t.expect_number(i.operands[2])), mask));
}

void rotate_and_insert(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 5);
    ThreadBuilder& c = t.code();
    const std::uint64_t mask = word_mask(t.expect_number(i.operands[3]), t.expect_number(i.operands[4]));
    const Slot inserted = c.mask(rotate_word(t, t.reg(i.operands[1]), t.expect_number(i.operands[2])), mask);
    set_result(t, i, c.bit_or(inserted, c.bit_and(t.reg(i.operands[0]), c.constant(~mask))));
}

void compare(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2, 3);
    const std::size_t first = i.operands.size() - 2;
    const std::string field = first == 0 ? "cr0" : lower_case(i.operands[0].text);
    const Slot a = t.reg(i.operands[first]);
    const Slot b = t.reg_or_number(i.operands[first + 1]);
    if (row.bytes == 8) {
        set_condition(t, field, a, b, 64, row.is_signed);
    } else { // as 64 bits, for addresses in words
        set_condition(t, field, t.cut_signed(a, 4), t.cut_signed(b, 4), 64, row.is_signed);
    }
}

Slot condition_of(AssemblyThread& t, std::string_view field, Condition condition) {
    const bool equality = condition == Condition::Equal || condition == Condition::NotEqual;
    const bool less = condition == Condition::Less || condition == Condition::GreaterEqual;
    const Slot bit = condition_bit(t, field, equality ? "eq" : less ? "lt" : "gt");
    const bool when_set = condition == Condition::Equal || condition == Condition::Less || condition == Condition::Greater;
    return when_set ? bit : t.code().negate_bit(bit);
}

void branch(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 1, 2);
    const std::string field = i.operands.size() == 1 ? "cr0" : lower_case(i.operands[0].text);
    t.code().branch(condition_of(t, field, row.condition), t.target(i.operands.back()));
}

// A dot at the end of a mnemonic is taken off before the table is asked, except for the conditional stores.
constexpr std::array kInstructions = {
    access_row("lwz", load, 4),
    access_row("lwzx", load, 4),
    access_row("lwa", load, 4, true),
    access_row("lwax", load, 4, true),
    access_row("ld", load, 8),
    access_row("ldx", load, 8),
    access_row("stw", store, 4),
    access_row("stwx", store, 4),
    access_row("std", store, 8),
    access_row("stdx", store, 8),
    access_row("lwarx", load_reserve, 4),
    access_row("ldarx", load_reserve, 8),
    access_row("stwcx.", store_conditional, 4),
    access_row("stdcx.", store_conditional, 8),
    access_row("cmpw", compare, 4, true),
    access_row("cmpwi", compare, 4, true),
    access_row("cmpd", compare, 8, true),
    access_row("cmpdi", compare, 8, true),
    access_row("cmplw", compare, 4),
    access_row("cmplwi", compare, 4),
    access_row("cmpld", compare, 8),
    access_row("cmpldi", compare, 8),
    op_row("li", load_immediate),
    op_row("lis", load_immediate),
    op_row("mr", move_register),
    op_row("add", arithmetic, Op::Add),
    op_row("addi", arithmetic, Op::Add),
    op_row("sub", arithmetic, Op::Sub),
    op_row("subi", arithmetic, Op::Sub),
    op_row("mulld", arithmetic, Op::Mul),
    op_row("mulli", arithmetic, Op::Mul),
    op_row("addis", add_shifted),
    op_row("subf", subtract_from),
    op_row("neg", negate),
    op_row("mullw", multiply_word),
    op_row("divw", divide_word),
    op_row("xor", logic, Op::Xor),
    op_row("xori", logic, Op::Xor),
    op_row("or", logic, Op::Or),
    op_row("ori", logic, Op::Or),
    op_row("and", logic, Op::And),
    op_row("andi", logic, Op::And),
    op_row("extsw", extend_word),
    op_row("clrldi", clear_left),
    op_row("rlwinm", rotate_and_mask),
    op_row("rlwimi", rotate_and_insert),
    op_row("b", jump),
    branch_row("beq", branch, Condition::Equal),
    branch_row("bne", branch, Condition::NotEqual),
    branch_row("blt", branch, Condition::Less),
    branch_row("bge", branch, Condition::GreaterEqual),
    branch_row("bgt", branch, Condition::Greater),
    branch_row("ble", branch, Condition::LessEqual),
    op_row("blr", end_thread),
    op_row("nop", do_nothing),
    fence_row("sync", FenceKind::Sync),
    fence_row("hwsync", FenceKind::Sync),
    fence_row("lwsync", FenceKind::LwSync),
    fence_row("isync", FenceKind::ISync),
    fence_row("eieio", FenceKind::EIEIO),
};

void translate(AssemblyThread& t, const Instruction& i) {
    const Row* row = find_row(kInstructions, i.mnemonic);
    if (row == nullptr && i.mnemonic.ends_with('.')) {
        row = find_row(kInstructions, std::string_view(i.mnemonic).substr(0, i.mnemonic.size() - 1));
    }
    if (row == nullptr) {
        t.unknown(i);
    }
    row->handler(t, i, *row);
}

} // namespace

LitmusTest read_ppc(const Source& source, const Frame& frame, const Options& options) {
    return assemble(source, frame,
                    {.architecture = Architecture::Power, .register_named = register_named, .translate = translate}, options);
}

} // namespace heddle::litmus
