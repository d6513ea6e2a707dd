// AArch64: the user-level instructions of ARMv8 with large-system atomics (LSE) and RCpc that litmus tests use.
//
// wN is the low word of xN; states show it as XN. An update whose old value goes to the zero register returns nothing (STADD and friends), and has
// no acquire semantics then.
#include "frontend/litmus/arm_operands.hpp"
#include "frontend/litmus/dialects.hpp"
#include "frontend/litmus/instruction_row.hpp"

#include <array>

namespace heddle::litmus {

namespace {

std::optional<RegisterName> register_named(std::string_view text) {
    const std::string lower = lower_case(text);
    if (lower == "wzr" || lower == "xzr") {
        return RegisterName{.shown = "XZR", .order = 31, .bytes = lower == "wzr" ? 4u : 8u, .is_zero = true};
    }
    if (lower == "sp") {
        return RegisterName{.shown = "SP", .order = 32};
    }
    for (const std::string_view prefix : {"x", "w"}) {
        if (const auto named = numbered_register(lower, prefix, 30)) {
            return RegisterName{
                .shown = "X" + std::to_string(named->order), .order = named->order, .bytes = prefix == "w" ? 4u : 8u};
        }
    }
    return symbolic_register(text);
}

/// The bytes that an access moves: those the mnemonic says, or those of its register.
unsigned bytes_of(AssemblyThread& t, const Row& row, const Operand& data) {
    return row.bytes != 0 ? row.bytes : t.expect_register(data).bytes;
}

/// The address of an access; [Xn],#4 changes the register behind it.
Slot address_of(AssemblyThread& t, const Instruction& i, std::size_t at) {
    const Slot address = bracketed_address(t, i.operands[at]);
    if (i.operands.size() == at + 1) {
        return address;
    }
    t.expect_operands(i, at + 2);
    const std::string_view text = i.operands[at].text;
    const Operand base{trimmed(text.substr(1, text.size() - 2)), i.operands[at].offset + 1};
    const Slot before = t.code().slot();
    t.code().move(before, address);
    t.write(base, t.code().add(address, t.code().constant(t.expect_number(i.operands[at + 1]))));
    return before;
}

void load(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2, 3);
    t.write(i.operands[0], t.load(address_of(t, i, 1), bytes_of(t, row, i.operands[0]), row.is_signed, row.order));
}

void store(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2, 3);
    const Slot value = t.reg(i.operands[0]);
    t.store(address_of(t, i, 1), value, bytes_of(t, row, i.operands[0]), row.order);
}

/// A pair is two accesses, the lower address first. In tests without arrays, whose cells are wider than words, the second would not be a location.
Slot second_address(AssemblyThread& t, Slot first, unsigned bytes) { return t.code().add(first, t.code().constant(bytes)); }

void load_pair(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const unsigned bytes = bytes_of(t, row, i.operands[0]);
    const Slot address = bracketed_address(t, i.operands[2]);
    const Slot second = second_address(t, address, bytes);
    const Slot low = t.load(address, bytes, false, row.order);
    const Slot high = t.load(second, bytes, false, row.order);
    t.write(i.operands[0], low);
    t.write(i.operands[1], high);
}

void store_pair(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const unsigned bytes = bytes_of(t, row, i.operands[0]);
    const Slot address = bracketed_address(t, i.operands[2]);
    t.store(address, t.reg(i.operands[0]), bytes, row.order);
    t.store(second_address(t, address, bytes), t.reg(i.operands[1]), bytes, row.order);
}

void load_exclusive(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.write(i.operands[0],
            t.load_reserve(bracketed_address(t, i.operands[1]), bytes_of(t, row, i.operands[0]), false, row.order));
}

/// The status is 0 when the store happened and 1 when it did not.
void store_exclusive(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const Slot stored = t.store_conditional(bracketed_address(t, i.operands[2]), t.reg(i.operands[1]),
                                            bytes_of(t, row, i.operands[1]), row.order);
    t.write(i.operands[0], t.code().negate_bit(stored));
}

Order without_acquire(Order order) {
    return order == Order::AcqRel ? Order::Release : order == Order::Acquire ? Order::Relaxed : order;
}

/// CAS Ws,Wt,[Xn]: the old value to Ws.
///
/// The architecture leaves open whether a CAS that fails writes back what it read, and whether one that succeeds writes Ws, which holds the value
/// already. Each is an execution of its own, chosen beforehand and kept if the comparison turns out so. What is stored depends on Wt; Ws
/// and memory decide by a comparison (picks.hpp), also about the write itself. herd tells two ways apart in which a CAS fails without a write: in
/// one Ws decides about the new Ws, in the other not. So do we, for its counts to be comparable.
class CompareAndSwap {
  public:
    CompareAndSwap(AssemblyThread& t, const Instruction& i, const Row& row)
        : t_(t), c_(t.code()), picks_(*t.picks()), target_(i.operands[0]), lost_(t.expect_register(target_).is_zero),
          order_(lost_ ? without_acquire(row.order) : row.order), bytes_(bytes_of(t, row, target_)),
          address_(bracketed_address(t, i.operands[2])), expected_(t.cut_unsigned(t.reg(target_), bytes_)),
          desired_(t.reg(i.operands[1])), old_(c_.slot()), decides_(picks_.as_shadow(expected_)) {}

    void translate() {
        const ThreadBuilder::Label succeeds = c_.label();
        const ThreadBuilder::Label writes_back = c_.label();
        const ThreadBuilder::Label done = c_.label();
        picks_.accesses();           // what the address decides stays decided behind the instruction
        before_ = c_.control_mark(); // neither the choice nor the comparison does
        const Slot way = c_.builtin(Builtin::Choose, {c_.constant(kWays)});
        c_.branch(c_.compute(Op::CmpUle, c_.constant(kSucceeds), way, 64), succeeds);
        c_.branch(c_.equal(way, c_.constant(kWritesBack)), writes_back);
        fail(way, done);
        c_.bind(writes_back);
        write(t_.zero(), RmwOp::Add, false);
        set_target(picks_.none());
        c_.jump(done);
        c_.bind(succeeds);
        write(desired_, RmwOp::Xchg, true);
        const ThreadBuilder::Label keeps = c_.label();
        c_.branch(c_.equal(way, c_.constant(kSucceedsAndKeeps)), keeps);
        set_target(picks_.none());
        c_.jump(done);
        c_.bind(keeps);
        keep_target();
        c_.bind(done);
        c_.control_end(before_);
    }

  private:
    enum Way : std::uint64_t { kFails, kFailsUndecided, kWritesBack, kSucceeds, kSucceedsAndKeeps, kWays };

    void assume_equal(bool equal) {
        const Slot same = c_.equal(old_, expected_);
        c_.builtin(Builtin::Assume, {equal ? same : c_.negate_bit(same)});
    }
    void set_target(Slot pick) {
        picks_.set_result(pick);
        t_.write(target_, old_);
    }
    /// That it was left alone is what the value read decided.
    void keep_target() {
        if (!lost_) {
            const Slot shadow = picks_.shadow(t_.reg(t_.expect_register(target_).shown));
            c_.move(shadow, picks_.both(shadow, picks_.as_shadow(old_)));
        }
    }
    void fail(Slot way, ThreadBuilder::Label done) {
        const bool acquires = order_ == Order::Acquire || order_ == Order::AcqRel;
        c_.control_end(before_);
        c_.move(old_, t_.load(address_, bytes_, false, acquires ? Order::Acquire : Order::Relaxed));
        assume_equal(false);
        set_target(picks_.none());
        c_.branch(c_.equal(way, c_.constant(kFailsUndecided)), done);
        set_target(decides_);
        c_.jump(done);
    }
    /// The update itself; what it writes is decided by the comparison, of which the value read is a part.
    void write(Slot operand, RmwOp op, bool equal) {
        c_.control_end(before_);
        picks_.decide(decides_);
        c_.move(old_, t_.update(address_, operand, bytes_, op, order_, lost_ ? kNoReturn : std::uint16_t{0}));
        assume_equal(equal);
        picks_.add_to_last_write(picks_.both(decides_, picks_.as_shadow(old_)));
    }

    AssemblyThread& t_;
    ThreadBuilder& c_;
    Picks& picks_;
    const Operand& target_;
    bool lost_; ///< the old value goes nowhere
    Order order_;
    unsigned bytes_;
    Slot address_;
    Slot expected_;
    Slot desired_;
    Slot old_;
    Slot decides_;
    Slot before_ = 0; ///< what decided about the instruction
};

void compare_and_swap(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    CompareAndSwap(t, i, row).translate();
}

/// What LDCLR takes off is what And keeps the complement of.
Slot operand_of_update(AssemblyThread& t, const Row& row, const Operand& operand) {
    const Slot value = t.reg(operand);
    return row.rmw == RmwOp::And ? t.code().bit_xor(value, t.code().constant(~std::uint64_t{0})) : value;
}

/// LDADD Ws,Wt,[Xn] and SWP: the old value to Wt.
void update(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const bool lost = t.expect_register(i.operands[1]).is_zero;
    const Slot old =
        t.update(bracketed_address(t, i.operands[2]), operand_of_update(t, row, i.operands[0]), bytes_of(t, row, i.operands[0]),
                 row.rmw, lost ? without_acquire(row.order) : row.order, lost ? kNoReturn : 0);
    t.write(i.operands[1], old);
}

/// STADD Ws,[Xn].
void update_without_result(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    t.update(bracketed_address(t, i.operands[1]), operand_of_update(t, row, i.operands[0]), bytes_of(t, row, i.operands[0]),
             row.rmw, row.order, kNoReturn);
}

void set_flags(AssemblyThread& t, Op op, Slot a, Slot b, Slot result, unsigned bytes) {
    if (op == Op::Sub) {
        t.flags_of_subtraction(a, b, bytes * 8);
    } else if (op == Op::Add) {
        t.flags_of_addition(a, b, bytes * 8);
    } else {
        t.flags_of_logic(result, bytes * 8);
    }
}

void arithmetic(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3, 4);
    const unsigned bytes = t.expect_register(i.operands[0]).bytes;
    const Slot a = t.reg(i.operands[1]);
    const Slot b = shifted_operand(t, i, 2);
    const Slot result = t.operate(row.op, a, b, bytes);
    if (row.sets_flags) {
        set_flags(t, row.op, a, b, result, bytes);
    }
    t.write(i.operands[0], result);
}

void compare(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2, 3);
    const unsigned bytes = t.expect_register(i.operands[0]).bytes;
    const Slot a = t.reg(i.operands[0]);
    const Slot b = shifted_operand(t, i, 1);
    set_flags(t, row.op, a, b, t.operate(row.op, a, b, bytes), bytes);
}

void move(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2, 3);
    const Slot value = shifted_operand(t, i, 1);
    t.write(i.operands[0], row.op == Op::Xor ? t.code().bit_xor(value, t.code().constant(~std::uint64_t{0})) : value);
}

/// One of two values by a condition. The result depends on what is selected, and on what decides it as picks.hpp says.
void write_selected(AssemblyThread& t, const Operand& target, Condition condition, const Operand* yes, Slot yes_value,
                    const Operand* no, Slot no_value) {
    ThreadBuilder& c = t.code();
    Picks& picks = *t.picks();
    const auto shadow_of = [&](const Operand* o) {
        return o == nullptr || t.expect_register(*o).is_zero ? picks.none() : picks.shadow(t.reg(t.expect_register(*o).shown));
    };
    const Slot holds = t.holds(condition);
    const Slot result = c.slot();
    const Slot pick = c.slot();
    const ThreadBuilder::Label done = c.label();
    const Slot before = c.control_mark();
    c.move(result, yes_value);
    c.move(pick, shadow_of(yes));
    c.branch(holds, done);
    c.move(result, no_value);
    c.move(pick, shadow_of(no));
    c.bind(done);
    c.control_end(before);
    picks.set_result(picks.both(picks.both(pick, picks.as_shadow(holds)), picks.shadow_of_flags()));
    t.write(target, result);
}

Condition expect_condition(AssemblyThread& t, const Operand& operand) {
    const auto condition = condition_named(operand.text);
    if (!condition) {
        t.source().fail(operand.offset, "a condition was expected here");
    }
    return *condition;
}

/// CSEL Xd,Xn,Xm,cond; CSINC and CSNEG and CSINV change the second.
void select(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 4);
    const Condition condition = expect_condition(t, i.operands[3]);
    const Slot other = t.reg(i.operands[2]);
    ThreadBuilder& c = t.code();
    const Slot no = row.op == Op::Add   ? c.add(other, c.constant(1))
                    : row.op == Op::Sub ? c.subtract(t.zero(), other)
                    : row.op == Op::Xor ? c.bit_xor(other, c.constant(~std::uint64_t{0}))
                                        : other;
    write_selected(t, i.operands[0], condition, &i.operands[1], t.reg(i.operands[1]), &i.operands[2], no);
}

void set_on_condition(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 2);
    const Condition condition = expect_condition(t, i.operands[1]);
    write_selected(t, i.operands[0], condition, nullptr, t.code().constant(1), nullptr, t.zero());
}

bool picks(const Instruction& i) {
    return i.mnemonic.starts_with("cas") || i.mnemonic.starts_with("csel") || i.mnemonic.starts_with("csinc") ||
           i.mnemonic.starts_with("csneg") || i.mnemonic.starts_with("csinv") || i.mnemonic.starts_with("cset");
}

/// CBZ and CBNZ.
void compare_and_branch(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 2);
    const unsigned width = t.expect_register(i.operands[0]).bytes * 8;
    t.branch(t.code().compute(row.op, t.reg(i.operands[0]), t.zero(), width), i.operands[1]);
}

/// TBZ and TBNZ.
void test_and_branch(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 3);
    const Slot bit =
        t.code().bit_and(t.reg(i.operands[0]), t.code().constant(std::uint64_t{1} << (t.expect_number(i.operands[1]) & 63)));
    t.branch(t.code().compute(row.op, bit, t.zero(), 64), i.operands[2]);
}

void data_memory_barrier(AssemblyThread& t, const Instruction& i, const Row&) {
    arm_barrier(t, i, FenceKind::DmbSy, FenceKind::DmbSt, FenceKind::DmbLd);
}
void data_synchronization_barrier(AssemblyThread& t, const Instruction& i, const Row&) {
    arm_barrier(t, i, FenceKind::DsbSy, FenceKind::DsbSt, FenceKind::DsbLd);
}

constexpr unsigned kOfRegister = 0; ///< the register's name says how many bytes

constexpr Row update_row(std::string_view mnemonic, Handler handler, RmwOp rmw = RmwOp::CompareExchange) {
    return {.mnemonic = mnemonic, .handler = handler, .rmw = rmw, .bytes = kOfRegister};
}

constexpr std::array kInstructions = {
    access_row("ldr", load, kOfRegister),
    access_row("ldur", load, kOfRegister),
    access_row("ldrb", load, 1),
    access_row("ldrh", load, 2),
    access_row("ldrsw", load, 4, true),
    access_row("str", store, kOfRegister),
    access_row("stur", store, kOfRegister),
    access_row("strb", store, 1),
    access_row("strh", store, 2),
    access_row("ldar", load, kOfRegister, false, Order::Acquire),
    access_row("ldarb", load, 1, false, Order::Acquire),
    access_row("ldarh", load, 2, false, Order::Acquire),
    access_row("ldapr", load, kOfRegister, false, Order::AcquirePc),
    access_row("stlr", store, kOfRegister, false, Order::Release),
    access_row("stlrb", store, 1, false, Order::Release),
    access_row("stlrh", store, 2, false, Order::Release),
    access_row("ldp", load_pair, kOfRegister),
    access_row("stp", store_pair, kOfRegister),
    access_row("ldiapp", load_pair, kOfRegister, false, Order::AcquirePc),
    access_row("stilp", store_pair, kOfRegister, false, Order::Release),
    access_row("ldxr", load_exclusive, kOfRegister),
    access_row("ldaxr", load_exclusive, kOfRegister, false, Order::Acquire),
    access_row("stxr", store_exclusive, kOfRegister),
    access_row("stlxr", store_exclusive, kOfRegister, false, Order::Release),
    op_row("mov", move),
    op_row("movz", move),
    op_row("mvn", move, Op::Xor),
    op_row("add", arithmetic, Op::Add),
    op_row("adds", arithmetic, Op::Add, true),
    op_row("sub", arithmetic, Op::Sub),
    op_row("subs", arithmetic, Op::Sub, true),
    op_row("mul", arithmetic, Op::Mul),
    op_row("and", arithmetic, Op::And),
    op_row("ands", arithmetic, Op::And, true),
    op_row("orr", arithmetic, Op::Or),
    op_row("eor", arithmetic, Op::Xor),
    op_row("lsl", arithmetic, Op::Shl),
    op_row("lsr", arithmetic, Op::LShr),
    op_row("asr", arithmetic, Op::AShr),
    op_row("cmp", compare, Op::Sub),
    op_row("cmn", compare, Op::Add),
    op_row("tst", compare, Op::And),
    op_row("csel", select),
    op_row("csinc", select, Op::Add),
    op_row("csneg", select, Op::Sub),
    op_row("csinv", select, Op::Xor),
    op_row("cset", set_on_condition),
    op_row("cbz", compare_and_branch, Op::CmpEq),
    op_row("cbnz", compare_and_branch, Op::CmpNe),
    op_row("tbz", test_and_branch, Op::CmpEq),
    op_row("tbnz", test_and_branch, Op::CmpNe),
    op_row("b", jump),
    op_row("ret", end_thread),
    op_row("nop", do_nothing),
    op_row("dmb", data_memory_barrier),
    op_row("dsb", data_synchronization_barrier),
    fence_row("isb", FenceKind::Isb),
};

// Each comes with a, l or al for its order, then b or h for its size.
constexpr std::array kUpdates = {
    update_row("cas", compare_and_swap),
    update_row("swp", update, RmwOp::Xchg),
    update_row("ldadd", update, RmwOp::Add),
    update_row("ldset", update, RmwOp::Or),
    update_row("ldclr", update, RmwOp::And),
    update_row("ldeor", update, RmwOp::Xor),
    update_row("ldsmax", update, RmwOp::Max),
    update_row("ldsmin", update, RmwOp::Min),
    update_row("ldumax", update, RmwOp::UMax),
    update_row("ldumin", update, RmwOp::UMin),
    update_row("stadd", update_without_result, RmwOp::Add),
    update_row("stset", update_without_result, RmwOp::Or),
    update_row("stclr", update_without_result, RmwOp::And),
    update_row("steor", update_without_result, RmwOp::Xor),
    update_row("stsmax", update_without_result, RmwOp::Max),
    update_row("stsmin", update_without_result, RmwOp::Min),
    update_row("stumax", update_without_result, RmwOp::UMax),
    update_row("stumin", update_without_result, RmwOp::UMin),
};

std::optional<Row> find_update(std::string_view mnemonic) {
    unsigned bytes = kOfRegister;
    if (mnemonic.ends_with('b') || mnemonic.ends_with('h')) {
        bytes = mnemonic.ends_with('b') ? 1 : 2;
        mnemonic.remove_suffix(1);
    }
    struct Annotation {
        std::string_view suffix;
        Order order;
    };
    for (const Annotation& a : {Annotation{"", Order::Relaxed}, Annotation{"al", Order::AcqRel}, Annotation{"a", Order::Acquire},
                                Annotation{"l", Order::Release}}) {
        if (!mnemonic.ends_with(a.suffix)) {
            continue;
        }
        if (const Row* found = find_row(kUpdates, mnemonic.substr(0, mnemonic.size() - a.suffix.size()))) {
            Row row = *found;
            row.order = a.order;
            row.bytes = bytes;
            return row;
        }
    }
    return std::nullopt;
}

void translate(AssemblyThread& t, const Instruction& i) {
    if (const Row* row = find_row(kInstructions, i.mnemonic)) {
        row->handler(t, i, *row);
        return;
    }
    if (i.mnemonic.starts_with("b.") || i.mnemonic.size() == 3) {
        const std::string_view mnemonic = i.mnemonic;
        const auto condition = mnemonic.starts_with('b') ? condition_named(mnemonic.substr(mnemonic.size() - 2)) : std::nullopt;
        if (condition) {
            t.expect_operands(i, 1);
            t.branch_if(*condition, i.operands[0]);
            return;
        }
    }
    if (const auto row = find_update(i.mnemonic)) {
        row->handler(t, i, *row);
        return;
    }
    t.unknown(i);
}

} // namespace

LitmusTest read_aarch64(const Source& source, const Frame& frame, const Options& options) {
    return assemble(
        source, frame,
        {.architecture = Architecture::AArch64, .register_named = register_named, .translate = translate, .picks = picks},
        options);
}

} // namespace heddle::litmus
