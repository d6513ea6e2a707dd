// ARM: the user-level instructions of ARMv7 (A32) that litmus tests use. Any instruction may carry a condition (ANDEQ); it is then branched around
// when it touches memory, and otherwise a selection between the new and the old value.
#include "frontend/litmus/arm_operands.hpp"
#include "frontend/litmus/dialects.hpp"
#include "frontend/litmus/instruction_row.hpp"

#include <array>
#include <cctype>

namespace heddle::litmus {

namespace {

constexpr unsigned kWord = 4;
constexpr unsigned kWordBits = 32;

std::optional<RegisterName> register_named(std::string_view text) {
    std::string upper(text);
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::optional<RegisterName> named = numbered_register(upper, "R", 15);
    if (upper == "FP" || upper == "SP" || upper == "LR" || upper == "PC") {
        const unsigned number = upper == "FP" ? 11 : upper == "SP" ? 13 : upper == "LR" ? 14 : 15;
        named = RegisterName{.shown = upper, .order = number};
    }
    if (!named) {
        return symbolic_register(text);
    }
    named->bytes = kWord;
    return named;
}

/// Old tests write a register without brackets.
Slot address_of(AssemblyThread& t, const Operand& operand) {
    return operand.text.starts_with('[') ? bracketed_address(t, operand) : t.reg(operand);
}

void load(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.write(i.operands[0], t.load(address_of(t, i.operands[1]), row.bytes, row.is_signed, row.order));
}

void store(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.store(address_of(t, i.operands[1]), t.reg(i.operands[0]), row.bytes, row.order);
}

void load_exclusive(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.write(i.operands[0], t.load_reserve(address_of(t, i.operands[1]), row.bytes, false, row.order));
}

void store_exclusive(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const Slot stored = t.store_conditional(address_of(t, i.operands[2]), t.reg(i.operands[1]), row.bytes, row.order);
    t.write(i.operands[0], t.code().negate_bit(stored));
}

void set_flags(AssemblyThread& t, Op op, Slot a, Slot b, Slot result) {
    if (op == Op::Sub) {
        t.flags_of_subtraction(a, b, kWordBits);
    } else if (op == Op::Add) {
        t.flags_of_addition(a, b, kWordBits);
    } else {
        t.flags_of_logic(result, kWordBits);
    }
}

void arithmetic(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3, 4);
    const Slot a = t.reg(i.operands[1]);
    const Slot b = shifted_operand(t, i, 2);
    const Slot result = t.operate(row.op, a, b, kWord);
    if (row.sets_flags) {
        set_flags(t, row.op, a, b, result);
    }
    t.write(i.operands[0], result);
}

void compare(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2, 3);
    const Slot a = t.reg(i.operands[0]);
    const Slot b = shifted_operand(t, i, 1);
    set_flags(t, row.op, a, b, t.operate(row.op, a, b, kWord));
}

void move(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2, 3);
    const Slot value = shifted_operand(t, i, 1);
    const Slot result = row.op == Op::Xor ? t.operate(Op::Xor, value, t.code().constant(0xffffffff), kWord) : value;
    if (row.sets_flags) {
        t.flags_of_logic(result, kWordBits);
    }
    t.write(i.operands[0], result);
}

void move_top(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 2);
    const Slot low = t.code().bit_and(t.reg(i.operands[0]), t.code().constant(0xffff));
    t.write(i.operands[0], t.code().bit_or(low, t.code().constant((t.expect_number(i.operands[1]) & 0xffff) << 16)));
}

void data_memory_barrier(AssemblyThread& t, const Instruction& i, const Row&) {
    arm_barrier(t, i, FenceKind::DmbSy, FenceKind::DmbSt, FenceKind::DmbLd);
}
void data_synchronization_barrier(AssemblyThread& t, const Instruction& i, const Row&) {
    arm_barrier(t, i, FenceKind::DsbSy, FenceKind::DsbSt, FenceKind::DsbLd);
}

constexpr std::array kInstructions = {
    access_row("ldr", load, 4),
    access_row("ldrb", load, 1),
    access_row("ldrh", load, 2),
    access_row("str", store, 4),
    access_row("strb", store, 1),
    access_row("strh", store, 2),
    access_row("lda", load, 4, false, Order::Acquire),
    access_row("stl", store, 4, false, Order::Release),
    access_row("ldrex", load_exclusive, 4),
    access_row("strex", store_exclusive, 4),
    access_row("ldaex", load_exclusive, 4, false, Order::Acquire),
    access_row("stlex", store_exclusive, 4, false, Order::Release),
    op_row("mov", move),
    op_row("movs", move, Op::Mov, true),
    op_row("movw", move),
    op_row("mvn", move, Op::Xor),
    op_row("movt", move_top),
    op_row("add", arithmetic, Op::Add),
    op_row("adds", arithmetic, Op::Add, true),
    op_row("sub", arithmetic, Op::Sub),
    op_row("subs", arithmetic, Op::Sub, true),
    op_row("mul", arithmetic, Op::Mul),
    op_row("and", arithmetic, Op::And),
    op_row("ands", arithmetic, Op::And, true),
    op_row("orr", arithmetic, Op::Or),
    op_row("orrs", arithmetic, Op::Or, true),
    op_row("eor", arithmetic, Op::Xor),
    op_row("eors", arithmetic, Op::Xor, true),
    op_row("lsl", arithmetic, Op::Shl),
    op_row("lsr", arithmetic, Op::LShr),
    op_row("asr", arithmetic, Op::AShr),
    op_row("cmp", compare, Op::Sub),
    op_row("cmn", compare, Op::Add),
    op_row("tst", compare, Op::And),
    op_row("teq", compare, Op::Xor),
    op_row("b", jump),
    op_row("nop", do_nothing),
    op_row("dmb", data_memory_barrier),
    op_row("dsb", data_synchronization_barrier),
    fence_row("isb", FenceKind::Isb),
};

bool touches_memory(const Row& row) {
    return row.handler == load || row.handler == store || row.handler == load_exclusive || row.handler == store_exclusive;
}

void translate_conditional(AssemblyThread& t, const Instruction& i, const Row& row, Condition condition) {
    if (row.handler == jump) {
        t.expect_operands(i, 1);
        t.branch_if(condition, i.operands[0]);
        return;
    }
    if (touches_memory(row)) {
        const ThreadBuilder::Label around = t.code().label();
        t.code().branch(t.code().negate_bit(t.holds(condition)), around);
        row.handler(t, i, row);
        t.code().bind(around);
        return;
    }
    if (row.sets_flags || row.handler == compare || row.fence != FenceKind::C11 || i.operands.empty()) {
        t.unknown(i);
    }
    const Slot target = t.reg(i.operands[0]);
    const Slot chosen = t.holds(condition);
    const Slot old = t.code().slot();
    t.code().move(old, target);
    row.handler(t, i, row);
    t.code().move(target, t.code().select(chosen, target, old));
}

void translate(AssemblyThread& t, const Instruction& i) {
    if (const Row* row = find_row(kInstructions, i.mnemonic)) {
        row->handler(t, i, *row);
        return;
    }
    const std::size_t size = i.mnemonic.size();
    if (size > 2) {
        const std::string_view mnemonic = i.mnemonic;
        const auto condition = condition_named(mnemonic.substr(size - 2));
        const Row* row = find_row(kInstructions, mnemonic.substr(0, size - 2));
        if (condition && row != nullptr) {
            translate_conditional(t, i, *row, *condition);
            return;
        }
    }
    t.unknown(i);
}

} // namespace

LitmusTest read_arm(const Source& source, const Frame& frame, const Options& options) {
    return assemble(source, frame, {.architecture = Architecture::Arm, .register_named = register_named, .translate = translate},
                    options);
}

} // namespace heddle::litmus
