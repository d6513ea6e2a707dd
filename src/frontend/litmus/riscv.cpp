// RISC-V: the user-level instructions of RV64I and RV64A that litmus tests use. As in herd, loads and stores also come with .aq and .rl.
#include "frontend/litmus/dialects.hpp"
#include "frontend/litmus/instruction_row.hpp"

#include <array>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

std::optional<RegisterName> x_register(unsigned n) {
    return RegisterName{.shown = fmt::format("x{}", n), .order = n, .bytes = 8, .is_zero = n == 0};
}

/// The names of the calling convention for x0 .. x31.
std::optional<RegisterName> register_named(std::string_view text) {
    static constexpr std::array<std::string_view, 32> kNames = {
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
        "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    if (const auto numbered = numbered_register(text, "x", 31)) {
        return x_register(numbered->order);
    }
    const auto* named = std::ranges::find(kNames, text);
    if (named != kNames.end()) {
        return x_register(static_cast<unsigned>(named - kNames.begin()));
    }
    return text == "fp" ? x_register(8) : symbolic_register(text);
}

void load(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.write(i.operands[0], t.load(t.displaced(i.operands[1]), row.bytes, row.is_signed, row.order));
}

void store(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.store(t.displaced(i.operands[1]), t.reg(i.operands[0]), row.bytes, row.order);
}

void load_reserve(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.write(i.operands[0], t.load_reserve(t.displaced(i.operands[1]), row.bytes, true, row.order));
}

/// The result is 0 when the store happened and 1 when it did not; by the ISA, instructions that use it depend on the sc.
void store_conditional(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const Slot stored = t.store_conditional(t.displaced(i.operands[2]), t.reg(i.operands[1]), row.bytes, row.order,
                                            AssemblyThread::Success::DependsOnStore);
    t.write(i.operands[0], t.code().negate_bit(stored));
}

/// With .aq.rl, both the read and the write have both annotations, which is what SeqCst says of an update's events.
void update(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const Order order = row.order == Order::AcqRel ? Order::SeqCst : row.order;
    const std::uint16_t flags = t.expect_register(i.operands[0]).is_zero ? kNoReturn : 0;
    const Slot old = t.update(t.displaced(i.operands[2]), t.reg(i.operands[1]), row.bytes, row.rmw, order, flags);
    t.write(i.operands[0], t.cut_signed(old, row.bytes));
}

/// Of two registers, or a register and a number; on words, the result is sign-extended.
void arithmetic(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const Slot result = t.operate(row.op, t.reg(i.operands[1]), t.reg_or_number(i.operands[2]), row.bytes);
    t.write(i.operands[0], t.cut_signed(result, row.bytes));
}

void load_immediate(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    const std::uint64_t value = t.expect_number(i.operands[1]);
    t.write(i.operands[0], t.code().constant(row.mnemonic == "lui" ? value << 12 : value));
}

/// mv, neg, not, sext.w: the operation of the source with a constant.
void unary(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    const Slot a = t.reg(i.operands[1]);
    const Slot result = row.op == Op::Sub   ? t.code().subtract(t.zero(), a)
                        : row.op == Op::Xor ? t.code().bit_xor(a, t.code().constant(~std::uint64_t{0}))
                                            : a;
    t.write(i.operands[0], t.cut_signed(result, row.bytes));
}

/// beq, blt, ...: compares two registers. beqz, bnez: with 0.
void branch(AssemblyThread& t, const Instruction& i, const Row& row) {
    const bool with_zero = row.mnemonic.ends_with('z');
    t.expect_operands(i, with_zero ? 2 : 3);
    const Slot a = t.reg(i.operands[0]);
    const Slot b = with_zero ? t.zero() : t.reg(i.operands[1]);
    const Slot result = t.code().compute(row.op, a, b, 64);
    const bool negated = row.condition == Condition::NotEqual;
    t.code().branch(negated ? t.code().negate_bit(result) : result, t.target(i.operands.back()));
}

/// fence PREDECESSORS,SUCCESSORS; i and o count as r and w.
void fence(AssemblyThread& t, const Instruction& i, const Row&) {
    struct Named {
        std::string_view before;
        std::string_view after;
        FenceKind kind;
    };
    static constexpr std::array kFences = {
        Named{"rw", "rw", FenceKind::FenceRwRw}, Named{"rw", "r", FenceKind::FenceRwR}, Named{"rw", "w", FenceKind::FenceRwW},
        Named{"r", "rw", FenceKind::FenceRRw},   Named{"r", "r", FenceKind::FenceRR},   Named{"r", "w", FenceKind::FenceRW},
        Named{"w", "rw", FenceKind::FenceWRw},   Named{"w", "r", FenceKind::FenceWR},   Named{"w", "w", FenceKind::FenceWW},
    };
    const auto set_of = [&](std::size_t k) -> std::string {
        if (i.operands.empty()) {
            return "rw";
        }
        const std::string text = lower_case(i.operands[k].text);
        const bool reads = text.find_first_of("ri") != std::string::npos;
        const bool writes = text.find_first_of("wo") != std::string::npos;
        return std::string(reads ? "r" : "") + (writes ? "w" : "");
    };
    if (!i.operands.empty()) {
        t.expect_operands(i, 2);
    }
    const std::string before = set_of(0);
    const std::string after = set_of(1);
    const auto* named = std::ranges::find_if(kFences, [&](const Named& n) { return n.before == before && n.after == after; });
    if (named == kFences.end()) {
        t.unknown(i);
    }
    t.code().fence(Order::NonAtomic, named->kind);
}

constexpr Row amo_row(std::string_view mnemonic, RmwOp rmw, unsigned bytes) {
    return {.mnemonic = mnemonic, .handler = update, .rmw = rmw, .bytes = bytes};
}
constexpr Row word_row(std::string_view mnemonic, Handler handler, Op op) {
    return {.mnemonic = mnemonic, .handler = handler, .op = op, .bytes = 4};
}
constexpr Row compare_row(std::string_view mnemonic, Op op, bool negated = false) {
    return {.mnemonic = mnemonic, .handler = branch, .op = op, .condition = negated ? Condition::NotEqual : Condition::Equal};
}

constexpr std::array kInstructions = {
    access_row("lb", load, 1, true),
    access_row("lbu", load, 1),
    access_row("lh", load, 2, true),
    access_row("lhu", load, 2),
    access_row("lw", load, 4, true),
    access_row("lwu", load, 4),
    access_row("ld", load, 8),
    access_row("sb", store, 1),
    access_row("sh", store, 2),
    access_row("sw", store, 4),
    access_row("sd", store, 8),
    access_row("lr.w", load_reserve, 4),
    access_row("lr.d", load_reserve, 8),
    access_row("sc.w", store_conditional, 4),
    access_row("sc.d", store_conditional, 8),
    amo_row("amoswap.w", RmwOp::Xchg, 4),
    amo_row("amoswap.d", RmwOp::Xchg, 8),
    amo_row("amoadd.w", RmwOp::Add, 4),
    amo_row("amoadd.d", RmwOp::Add, 8),
    amo_row("amoand.w", RmwOp::And, 4),
    amo_row("amoand.d", RmwOp::And, 8),
    amo_row("amoor.w", RmwOp::Or, 4),
    amo_row("amoor.d", RmwOp::Or, 8),
    amo_row("amoxor.w", RmwOp::Xor, 4),
    amo_row("amoxor.d", RmwOp::Xor, 8),
    amo_row("amomax.w", RmwOp::Max, 4),
    amo_row("amomax.d", RmwOp::Max, 8),
    amo_row("amomin.w", RmwOp::Min, 4),
    amo_row("amomin.d", RmwOp::Min, 8),
    amo_row("amomaxu.w", RmwOp::UMax, 4),
    amo_row("amomaxu.d", RmwOp::UMax, 8),
    amo_row("amominu.w", RmwOp::UMin, 4),
    amo_row("amominu.d", RmwOp::UMin, 8),
    op_row("add", arithmetic, Op::Add),
    op_row("addi", arithmetic, Op::Add),
    op_row("sub", arithmetic, Op::Sub),
    op_row("mul", arithmetic, Op::Mul),
    op_row("and", arithmetic, Op::And),
    op_row("andi", arithmetic, Op::And),
    op_row("or", arithmetic, Op::Or),
    op_row("ori", arithmetic, Op::Or),
    op_row("xor", arithmetic, Op::Xor),
    op_row("xori", arithmetic, Op::Xor),
    op_row("sll", arithmetic, Op::Shl),
    op_row("slli", arithmetic, Op::Shl),
    op_row("srl", arithmetic, Op::LShr),
    op_row("srli", arithmetic, Op::LShr),
    op_row("sra", arithmetic, Op::AShr),
    op_row("srai", arithmetic, Op::AShr),
    word_row("addw", arithmetic, Op::Add),
    word_row("addiw", arithmetic, Op::Add),
    word_row("subw", arithmetic, Op::Sub),
    word_row("mulw", arithmetic, Op::Mul),
    word_row("slliw", arithmetic, Op::Shl),
    word_row("srliw", arithmetic, Op::LShr),
    word_row("sraiw", arithmetic, Op::AShr),
    op_row("li", load_immediate),
    op_row("lui", load_immediate),
    op_row("mv", unary),
    op_row("neg", unary, Op::Sub),
    op_row("not", unary, Op::Xor),
    word_row("sext.w", unary, Op::Mov),
    compare_row("beq", Op::CmpEq),
    compare_row("bne", Op::CmpNe),
    compare_row("beqz", Op::CmpEq),
    compare_row("bnez", Op::CmpNe),
    compare_row("blt", Op::CmpSlt),
    compare_row("bltu", Op::CmpUlt),
    compare_row("bge", Op::CmpSlt, true),
    compare_row("bgeu", Op::CmpUlt, true),
    op_row("j", jump),
    op_row("nop", do_nothing),
    op_row("ret", end_thread),
    op_row("fence", fence),
    fence_row("fence.tso", FenceKind::FenceTso),
    fence_row("fence.i", FenceKind::FenceI),
};

struct Annotation {
    std::string_view suffix;
    Order order;
};

/// The longest first: ".aq.rl" ends in ".rl".
constexpr std::array kAnnotations = {Annotation{".aq.rl", Order::AcqRel}, Annotation{".aqrl", Order::AcqRel},
                                     Annotation{".rl", Order::Release}, Annotation{".aq", Order::Acquire}};

void translate(AssemblyThread& t, const Instruction& i) {
    std::string_view mnemonic = i.mnemonic;
    Order order = Order::Relaxed;
    for (const Annotation& a : kAnnotations) {
        if (mnemonic.ends_with(a.suffix)) {
            mnemonic.remove_suffix(a.suffix.size());
            order = a.order;
            break;
        }
    }
    const Row* found = find_row(kInstructions, mnemonic);
    if (found == nullptr) {
        t.unknown(i);
    }
    Row row = *found;
    row.order = order;
    row.handler(t, i, row);
}

} // namespace

LitmusTest read_riscv(const Source& source, const Frame& frame, const Options& options) {
    return assemble(source, frame,
                    {.architecture = Architecture::RiscV, .register_named = register_named, .translate = translate}, options);
}

} // namespace heddle::litmus
