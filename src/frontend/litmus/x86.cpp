// x86: X86 tests are in Intel's notation with 32-bit registers (MOV EAX,[x]), X86_64 tests in AT&T's (movl (x),%eax).
//
// An instruction that reads and writes memory is one update when it is locked (LOCK, and XCHG always), else a load and a store. Carry is kept as ARM
// has it, "no borrow", and the conditions are named accordingly.
#include "frontend/litmus/dialects.hpp"
#include "frontend/litmus/instruction_row.hpp"

#include <array>
#include <cctype>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

// In the order in which states list them.
constexpr std::array<std::string_view, 8> kNames = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};

std::optional<RegisterName> register_of_x86(std::string_view text) {
    std::string upper(text);
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (upper.size() == 3 && upper.starts_with('E')) {
        const auto* named = std::ranges::find(kNames, lower_case(upper.substr(1)));
        if (named != kNames.end()) {
            return RegisterName{.shown = upper, .order = static_cast<unsigned>(named - kNames.begin()), .bytes = 4};
        }
    }
    return std::nullopt;
}

std::optional<RegisterName> register_of_x86_64(std::string_view text) {
    std::string lower = lower_case(text.starts_with('%') ? text.substr(1) : text);
    if (lower == "rip" || lower == "cs") {
        return RegisterName{.shown = lower, .order = 100};
    }
    if (lower.size() >= 2 && lower[0] == 'r' &&
        std::isdigit(static_cast<unsigned char>(lower[1])) != 0) { // r8 .. r15, r8d, r8w, r8b
        const char last = lower.back();
        const unsigned bytes = last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
        const auto named = numbered_register(bytes == 8 ? lower : lower.substr(0, lower.size() - 1), "r", 15);
        return named ? std::optional(RegisterName{.shown = named->shown, .order = named->order, .bytes = bytes}) : std::nullopt;
    }
    const bool is_byte = lower.size() == 2 && lower[1] == 'l';
    const bool is_prefixed = lower.size() == 3 && (lower[0] == 'e' || lower[0] == 'r');
    const unsigned bytes = is_byte ? 1 : !is_prefixed ? 2 : lower[0] == 'e' ? 4 : 8;
    const std::string base = is_byte ? lower.substr(0, 1) + "x" : is_prefixed ? lower.substr(1) : lower;
    const auto* named = std::ranges::find(kNames, base);
    if (named == kNames.end()) {
        return std::nullopt;
    }
    return RegisterName{.shown = "r" + base, .order = static_cast<unsigned>(named - kNames.begin()), .bytes = bytes};
}

/// What an operand is, once looked at.
struct Place {
    enum class Kind : std::uint8_t { Register, Number, Memory };
    Kind kind = Kind::Number;
    const Operand* operand = nullptr;
    Slot slot = 0; ///< of a number its constant, of memory the address
};

/// A location, or registers: `x`, `%rax,%rbx,8`, `EAX`.
Slot address_inside(AssemblyThread& t, std::string_view text, std::size_t offset) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const Operand base{trimmed(text.substr(0, comma)), offset};
    Slot address = t.zero();
    if (t.register_named(base.text)) {
        address = t.reg(base);
    } else if (!base.text.empty()) {
        address = t.code().constant(t.test().location(std::string(base.text)).address);
    }
    if (comma < text.size()) {
        const std::string_view rest = text.substr(comma + 1);
        const std::size_t second = std::min(rest.find(','), rest.size());
        const Slot index = t.reg(Operand{trimmed(rest.substr(0, second)), offset});
        const std::uint64_t scale = second < rest.size() ? t.expect_number({trimmed(rest.substr(second + 1)), offset}) : 1;
        address = t.code().add(address, t.code().multiply(index, t.code().constant(scale)));
    }
    return address;
}

Place place_of(AssemblyThread& t, const Operand& operand) {
    const std::string_view text = operand.text;
    if (const auto number = t.number(text)) {
        return {Place::Kind::Number, &operand, t.code().constant(*number)};
    }
    if (t.register_named(text)) {
        return {Place::Kind::Register, &operand, 0};
    }
    const std::size_t open = text.find_first_of("([");
    if (open == std::string_view::npos || (text.back() != ')' && text.back() != ']')) {
        t.source().fail(operand.offset, fmt::format("`{}` where a register, a number or memory was expected", text));
    }
    Slot address = address_inside(t, text.substr(open + 1, text.size() - open - 2), operand.offset + open + 1);
    if (const std::string_view distance = trimmed(text.substr(0, open)); !distance.empty()) {
        address = t.code().add(address, t.code().constant(t.expect_number({distance, operand.offset})));
    }
    return {Place::Kind::Memory, &operand, address};
}

/// An instruction with its operands in Intel's order: destination first.
struct Decoded {
    std::vector<Operand> operands;
    unsigned bytes = 4;
    bool locked = false;
};

Slot read(AssemblyThread& t, const Place& p, unsigned bytes) {
    switch (p.kind) {
    case Place::Kind::Number:
        return p.slot;
    case Place::Kind::Register:
        return t.reg(*p.operand);
    case Place::Kind::Memory:
        return t.load(p.slot, bytes, false, Order::Relaxed);
    }
    return p.slot;
}

void write(AssemblyThread& t, const Place& p, Slot value, unsigned bytes) {
    if (p.kind == Place::Kind::Number) {
        t.source().fail(p.operand->offset, "a number cannot be written to");
    }
    if (p.kind == Place::Kind::Register) {
        t.write(*p.operand, value);
    } else {
        t.store(p.slot, value, bytes, Order::Relaxed);
    }
}

struct Row86;
using Handler86 = void (*)(AssemblyThread&, const Decoded&, const Row86&);
struct Row86 {
    std::string_view mnemonic;
    Handler86 handler;
    std::size_t operands;
    Op op = Op::Mov;
    RmwOp rmw = RmwOp::Xchg;
};

// What a locked update is ordered as: everything before it before everything after it.
constexpr Order kLocked = Order::SeqCst;

void set_flags(AssemblyThread& t, Op op, Slot a, Slot b, Slot result, unsigned bytes) {
    if (op == Op::Sub) {
        t.flags_of_subtraction(a, b, bytes * 8);
    } else if (op == Op::Add) {
        t.flags_of_addition(a, b, bytes * 8);
        t.invert_carry();
    } else {
        t.flags_of_logic(result, bytes * 8, true);
    }
}

void move(AssemblyThread& t, const Decoded& d, const Row86&) {
    const Place from = place_of(t, d.operands[1]);
    const Slot value = read(t, from, d.bytes);
    write(t, place_of(t, d.operands[0]), value, d.bytes);
}

void exchange(AssemblyThread& t, const Decoded& d, const Row86&) {
    Place a = place_of(t, d.operands[0]);
    Place b = place_of(t, d.operands[1]);
    if (b.kind == Place::Kind::Memory) {
        std::swap(a, b);
    }
    if (a.kind == Place::Kind::Memory && b.kind == Place::Kind::Register) {
        t.write(*b.operand, t.update(a.slot, t.reg(*b.operand), d.bytes, RmwOp::Xchg, kLocked));
        return;
    }
    const Slot first = t.code().slot();
    t.code().move(first, read(t, a, d.bytes));
    write(t, a, read(t, b, d.bytes), d.bytes);
    write(t, b, first, d.bytes);
}

/// add, sub, and, or, xor: a = a op b.
void arithmetic(AssemblyThread& t, const Decoded& d, const Row86& row) {
    const Place to = place_of(t, d.operands[0]);
    const Slot b = d.operands.size() > 1 ? read(t, place_of(t, d.operands[1]), d.bytes) : t.code().constant(1); // inc and dec
    if (d.locked) {
        if (to.kind != Place::Kind::Memory) {
            t.source().fail(to.operand->offset, "LOCK needs a destination in memory");
        }
        const Slot old = t.update(to.slot, b, d.bytes, row.rmw, kLocked);
        set_flags(t, row.op, old, b, t.operate(row.op, old, b, d.bytes), d.bytes);
        return;
    }
    const Slot a = read(t, to, d.bytes);
    const Slot result = t.operate(row.op, a, b, d.bytes);
    set_flags(t, row.op, a, b, result, d.bytes);
    write(t, to, result, d.bytes);
}

void shift(AssemblyThread& t, const Decoded& d, const Row86& row) {
    const Place to = place_of(t, d.operands[0]);
    const Slot amount = read(t, place_of(t, d.operands[1]), d.bytes);
    write(t, to, t.operate(row.op, read(t, to, d.bytes), amount, d.bytes), d.bytes);
}

void compare(AssemblyThread& t, const Decoded& d, const Row86& row) {
    const Slot a = read(t, place_of(t, d.operands[0]), d.bytes);
    const Slot b = read(t, place_of(t, d.operands[1]), d.bytes);
    set_flags(t, row.op, a, b, t.operate(row.op, a, b, d.bytes), d.bytes);
}

/// xadd: the destination gets the sum, the source its old value.
void exchange_add(AssemblyThread& t, const Decoded& d, const Row86&) {
    const Place to = place_of(t, d.operands[0]);
    const Slot b = read(t, place_of(t, d.operands[1]), d.bytes);
    const bool is_update = d.locked && to.kind == Place::Kind::Memory;
    const Slot old = is_update ? t.update(to.slot, b, d.bytes, RmwOp::Add, kLocked) : read(t, to, d.bytes);
    const Slot sum = t.operate(Op::Add, old, b, d.bytes);
    set_flags(t, Op::Add, old, b, sum, d.bytes);
    t.write(d.operands[1], old);
    if (!is_update) {
        write(t, to, sum, d.bytes);
    }
}

/// cmpxchg: compares with the accumulator; needs LOCK to be one update.
void compare_exchange(AssemblyThread& t, const Decoded& d, const Row86&) {
    const Place to = place_of(t, d.operands[0]);
    const Slot accumulator = t.reg(t.register_named("rax") ? "rax" : "EAX");
    const Slot desired = read(t, place_of(t, d.operands[1]), d.bytes);
    if (!d.locked || to.kind != Place::Kind::Memory) {
        t.source().unsupported(to.operand->offset, "cmpxchg without LOCK");
    }
    const Slot old = t.compare_exchange(to.slot, accumulator, desired, d.bytes, kLocked, kLocked);
    t.flags_of_subtraction(accumulator, old, d.bytes * 8);
    t.set(accumulator, old);
}

constexpr std::array kInstructions = {
    Row86{"mov", move, 2},
    Row86{"xchg", exchange, 2},
    Row86{"add", arithmetic, 2, Op::Add, RmwOp::Add},
    Row86{"sub", arithmetic, 2, Op::Sub, RmwOp::Sub},
    Row86{"and", arithmetic, 2, Op::And, RmwOp::And},
    Row86{"or", arithmetic, 2, Op::Or, RmwOp::Or},
    Row86{"xor", arithmetic, 2, Op::Xor, RmwOp::Xor},
    Row86{"inc", arithmetic, 1, Op::Add, RmwOp::Add},
    Row86{"dec", arithmetic, 1, Op::Sub, RmwOp::Sub},
    Row86{"shl", shift, 2, Op::Shl},
    Row86{"shr", shift, 2, Op::LShr},
    Row86{"sar", shift, 2, Op::AShr},
    Row86{"cmp", compare, 2, Op::Sub},
    Row86{"test", compare, 2, Op::And},
    Row86{"xadd", exchange_add, 2},
    Row86{"cmpxchg", compare_exchange, 2},
};

constexpr std::array kPlain = {
    fence_row("mfence", FenceKind::MFence),
    fence_row("lfence", FenceKind::LFence),
    fence_row("sfence", FenceKind::SFence),
    op_row("nop", do_nothing),
    op_row("nopl", do_nothing),
    op_row("nopw", do_nothing),
    op_row("endbr64", do_nothing),
    op_row("ret", end_thread),
    op_row("jmp", jump),
    branch_row("je", branch_on_flags, Condition::Equal),
    branch_row("jz", branch_on_flags, Condition::Equal),
    branch_row("jne", branch_on_flags, Condition::NotEqual),
    branch_row("jnz", branch_on_flags, Condition::NotEqual),
    branch_row("jl", branch_on_flags, Condition::Less),
    branch_row("jle", branch_on_flags, Condition::LessEqual),
    branch_row("jg", branch_on_flags, Condition::Greater),
    branch_row("jge", branch_on_flags, Condition::GreaterEqual),
    branch_row("ja", branch_on_flags, Condition::Higher),
    branch_row("jae", branch_on_flags, Condition::CarrySet),
    branch_row("jb", branch_on_flags, Condition::CarryClear),
    branch_row("jbe", branch_on_flags, Condition::LowerSame),
    branch_row("js", branch_on_flags, Condition::Minus),
    branch_row("jns", branch_on_flags, Condition::Plus),
};

/// The bytes that a suffix of AT&T's notation says; 0 for none.
unsigned bytes_of_suffix(char c) { return c == 'b' ? 1 : c == 'w' ? 2 : c == 'l' ? 4 : c == 'q' ? 8 : 0; }

const Row86* find_row86(std::string_view mnemonic) {
    const auto* found = std::ranges::find(kInstructions, mnemonic, &Row86::mnemonic);
    return found == kInstructions.end() ? nullptr : found;
}

/// The bytes of the first operand that is a register.
unsigned bytes_of_registers(const AssemblyThread& t, const std::vector<Operand>& operands) {
    for (const Operand& o : operands) {
        if (const auto named = t.register_named(o.text)) {
            return named->bytes;
        }
    }
    return 4;
}

void translate(AssemblyThread& t, const Instruction& i, bool destination_first) {
    if (const Row* row = find_row(kPlain, i.mnemonic)) {
        row->handler(t, i, *row);
        return;
    }
    Instruction rest = i;
    Decoded d;
    if (i.mnemonic == "lock") {
        d.locked = true;
        rest = parse_instruction(i.rest, static_cast<std::size_t>(i.rest.data() - t.source().text().data()));
    }
    std::string_view mnemonic = rest.mnemonic;
    const Row86* row = find_row86(mnemonic);
    d.operands = rest.operands;
    d.bytes = bytes_of_registers(t, rest.operands);
    if (row == nullptr && !mnemonic.empty() && bytes_of_suffix(mnemonic.back()) != 0) {
        d.bytes = bytes_of_suffix(mnemonic.back());
        row = find_row86(mnemonic.substr(0, mnemonic.size() - 1));
    }
    if (row == nullptr) {
        t.unknown(i);
    }
    t.expect_operands(rest, row->operands);
    if (!destination_first) {
        std::ranges::reverse(d.operands);
    }
    row->handler(t, d, *row);
}

void translate_intel(AssemblyThread& t, const Instruction& i) { translate(t, i, true); }
void translate_att(AssemblyThread& t, const Instruction& i) { translate(t, i, false); }

} // namespace

LitmusTest read_x86(const Source& source, const Frame& frame, const Options& options) {
    return assemble(source, frame,
                    {.architecture = Architecture::X86, .register_named = register_of_x86, .translate = translate_intel},
                    options);
}

LitmusTest read_x86_64(const Source& source, const Frame& frame, const Options& options) {
    return assemble(source, frame,
                    {.architecture = Architecture::X86, .register_named = register_of_x86_64, .translate = translate_att},
                    options);
}

} // namespace heddle::litmus
