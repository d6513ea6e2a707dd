#include "frontend/litmus/assembly.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

/// Tests with arrays of small elements need accesses of that size; all others use whole cells.
bool uses_wide_cells(const Frame& frame) {
    return std::ranges::none_of(frame.locations, [](const InitLocation& l) { return l.elements > 0 && l.type.bits() < 64; });
}

unsigned bits_of(unsigned bytes) { return bytes * 8; }
std::uint64_t mask_of(unsigned width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

} // namespace

AssemblyThread::AssemblyThread(TestBuilder& test, unsigned number, unsigned unroll)
    : test_(&test), number_(number), code_(fmt::format("P{}", number), 1, unroll), end_(code_.label()),
      wide_(uses_wide_cells(test.frame())) {
    for (const InitRegister& r : test.frame().registers) {
        if (r.thread && *r.thread != number) {
            continue;
        }
        const auto named = register_named(r.name);
        if (!named) {
            source().fail(r.offset, fmt::format("{} has no register `{}`", test.frame().architecture, r.name));
        }
        registers_[named->shown] = code_.variable(r.value ? test.value_of(*r.value) : 0);
    }
}

void AssemblyThread::begin(const Instruction& i) {
    code_.set_place(test_->place(i.offset, number_));
    if (picks_) {
        picks_->begin();
    }
}

void AssemblyThread::define_label(const Instruction& i) {
    const auto [it, fresh] = labels_.try_emplace(i.label, NamedLabel{0, i.offset, true});
    if (fresh) {
        it->second.label = code_.label();
    } else if (it->second.defined) {
        source().fail(i.offset, fmt::format("the label `{}` is defined twice", i.label));
    }
    it->second.defined = true;
    code_.bind(it->second.label);
}

ThreadBuilder::Label AssemblyThread::target(const Operand& operand) {
    const auto [it, fresh] = labels_.try_emplace(std::string(operand.text), NamedLabel{0, operand.offset, false});
    if (fresh) {
        it->second.label = code_.label();
    }
    return it->second.label;
}

Function AssemblyThread::finish() {
    for (const auto& [name, label] : labels_) {
        if (!label.defined) {
            source().fail(label.used_at, fmt::format("there is no label `{}` in this thread", name));
        }
    }
    code_.bind(end_);
    for (const FinalRegister& r : test_->final_registers(number_)) {
        const Slot value = r.type.bits() < 64 ? cut_signed(reg(r.name), r.type.bits() / 8) : reg(r.name);
        code_.store(code_.constant(r.address), value, 8, access(Order::NonAtomic));
    }
    code_.ret({zero()});
    return code_.finish();
}

Slot AssemblyThread::reg(const std::string& name) {
    const auto known = registers_.find(name);
    return known != registers_.end() ? known->second : registers_[name] = code_.variable(0);
}

RegisterName AssemblyThread::expect_register(const Operand& operand) const {
    const auto named = register_named(operand.text);
    if (!named) {
        source().fail(operand.offset, fmt::format("`{}` where a register was expected", operand.text));
    }
    return *named;
}

Slot AssemblyThread::reg(const Operand& operand) {
    const RegisterName named = expect_register(operand);
    if (named.is_zero) {
        return zero();
    }
    const Slot s = reg(named.shown);
    if (picks_) {
        picks_->reads(s);
    }
    return s;
}

void AssemblyThread::write(const Operand& operand, Slot value) {
    const RegisterName named = expect_register(operand);
    if (named.is_zero) {
        return;
    }
    const Slot s = reg(named.shown);
    set(s, cut_unsigned(value, named.bytes));
    if (picks_) {
        picks_->writes(s);
    }
}

Slot AssemblyThread::cut(Slot value, unsigned bytes, bool is_signed) {
    if (bytes >= 8) {
        return value;
    }
    const unsigned bits = bits_of(bytes);
    const Slot low = code_.mask(value, mask_of(bits));
    const Slot number = is_signed ? code_.sign_extend(low, bits) : low;
    if (!wide_) {
        return number;
    }
    const Slot kind = code_.compute(Op::LShr, value, code_.constant(kKindShift), 64);
    return code_.select(code_.equal(kind, code_.constant(static_cast<std::uint64_t>(AddressKind::Global))), value, number);
}

Slot AssemblyThread::in_memory(Slot value, unsigned bytes) {
    return wide_ ? cut_signed(value, bytes) : code_.mask(value, mask_of(bits_of(bytes)));
}

Slot AssemblyThread::operate(Op op, Slot a, Slot b, unsigned bytes) {
    const unsigned width = bits_of(bytes);
    if (op == Op::Shl || op == Op::LShr || op == Op::AShr) {
        const Slot amount = code_.bit_and(b, code_.constant(width - 1));
        return cut_unsigned(code_.compute(op, code_.mask(a, mask_of(width)), amount, width), bytes);
    }
    const bool wraps = op == Op::Add || op == Op::Sub || op == Op::Mul;
    return cut_unsigned(code_.compute(op, a, b, wraps ? ~std::uint64_t{0} : 0), bytes);
}

Slot AssemblyThread::displaced(const Operand& operand) {
    const std::string_view text = operand.text;
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) {
        source().fail(operand.offset, fmt::format("`{}` where an address, `d(r)`, was expected", text));
    }
    const Slot base = reg(Operand{trimmed(text.substr(open + 1, text.size() - open - 2)), operand.offset + open + 1});
    const std::string_view distance = trimmed(text.substr(0, open));
    const std::uint64_t number = distance.empty() ? 0 : expect_number({distance, operand.offset});
    return number == 0 ? base : code_.add(base, code_.constant(number));
}

Slot AssemblyThread::load(Slot address, unsigned bytes, bool is_signed, Order order, std::uint16_t flags) {
    if (picks_) {
        picks_->accesses();
    }
    const Slot value = code_.load(address, cell(bytes), access(order, flags));
    if (picks_) {
        picks_->loads(address);
        if (order != Order::Relaxed) {
            picks_->acquires();
        }
    }
    return cut(value, bytes, is_signed);
}

void AssemblyThread::store(Slot address, Slot value, unsigned bytes, Order order, std::uint16_t flags) {
    const Slot stored = in_memory(value, bytes);
    if (!picks_) {
        code_.store(address, stored, cell(bytes), access(order, flags));
        return;
    }
    picks_->accesses();
    const Slot mark = picks_->begin_write();
    code_.store(address, stored, cell(bytes), access(order, flags));
    picks_->end_write(mark, address);
}

Slot AssemblyThread::update(Slot address, Slot operand, unsigned bytes, RmwOp op, Order order, std::uint16_t flags) {
    const Slot operand_in_memory = in_memory(operand, bytes);
    const auto emit = [&] { return code_.update(address, operand_in_memory, cell(bytes), op, access(order, flags)); };
    if (!picks_) {
        return cut(emit(), bytes, false);
    }
    picks_->accesses();
    picks_->loads(address);
    const Slot mark = picks_->begin_write();
    const Slot old = emit();
    picks_->end_write(mark, address);
    return cut(old, bytes, false);
}

Slot AssemblyThread::compare_exchange(Slot address, Slot expected, Slot desired, unsigned bytes, Order order, Order failure) {
    const Slot old = code_.compare_exchange(address, in_memory(expected, bytes), in_memory(desired, bytes), cell(bytes),
                                            access(order), failure);
    return cut_unsigned(old, bytes);
}

Slot AssemblyThread::load_reserve(Slot address, unsigned bytes, bool is_signed, Order order) {
    if (!reserved_) {
        reserved_ = code_.variable(0);
    }
    const Slot value = load(address, bytes, is_signed, order, kExclusive);
    set(*reserved_, address);
    return value;
}

Slot AssemblyThread::store_conditional(Slot address, Slot value, unsigned bytes, Order order, Success success) {
    if (!reserved_) {
        reserved_ = code_.variable(0);
    }
    const Slot same = code_.equal(address, *reserved_);
    const Slot chosen = code_.builtin(Builtin::Choose, {code_.add(same, code_.constant(1))});
    const Slot stored = code_.slot();
    code_.move(stored, success == Success::DependsOnStore ? chosen : zero());
    const ThreadBuilder::Label done = code_.label();
    const Slot before = code_.control_mark();
    code_.branch(code_.negate_bit(chosen), done);
    code_.control_end(before); // the choice is part of the instruction, not a branch of the program
    store(address, value, bytes, order, kExclusive);
    if (success == Success::IsFree) {
        code_.move(stored, code_.constant(1));
    }
    code_.bind(done);
    code_.control_end(before);
    set(*reserved_, zero());
    return stored;
}

Flags& AssemblyThread::flags() {
    if (!flags_) {
        flags_ = Flags{code_.variable(0), code_.variable(0), code_.variable(0), code_.variable(0)};
    }
    return *flags_;
}

const Flags& AssemblyThread::write_flags() {
    if (picks_) {
        picks_->writes_flags();
    }
    return flags();
}

void AssemblyThread::branch(Slot condition, const Operand& to) {
    if (picks_) {
        picks_->branches();
    }
    code_.branch(condition, target(to));
}

void AssemblyThread::flags_of_subtraction(Slot a, Slot b, unsigned width) {
    const Flags& f = write_flags();
    const Slot left = code_.mask(a, mask_of(width));
    const Slot right = code_.mask(b, mask_of(width));
    const Slot difference = code_.slot(2); // the result, and whether it overflowed
    code_.emit(Op::SSubO, difference, left, right, width);
    code_.emit(Op::CmpSlt, f.negative, difference, zero(), width);
    code_.emit(Op::CmpEq, f.zero, left, right, width);
    code_.emit(Op::CmpUle, f.carry, right, left, width);
    code_.move(f.overflow, static_cast<Slot>(difference + 1));
}

void AssemblyThread::flags_of_addition(Slot a, Slot b, unsigned width) {
    const Flags& f = write_flags();
    const Slot left = code_.mask(a, mask_of(width));
    const Slot right = code_.mask(b, mask_of(width));
    const Slot sum = code_.slot(2);
    code_.emit(Op::UAddO, sum, left, right, width);
    code_.move(f.carry, static_cast<Slot>(sum + 1));
    code_.emit(Op::SAddO, sum, left, right, width);
    code_.move(f.overflow, static_cast<Slot>(sum + 1));
    code_.emit(Op::CmpSlt, f.negative, sum, zero(), width);
    code_.emit(Op::CmpEq, f.zero, sum, zero(), width);
}

void AssemblyThread::flags_of_logic(Slot result, unsigned width, bool carry) {
    const Flags& f = write_flags();
    const Slot value = code_.mask(result, mask_of(width));
    code_.emit(Op::CmpSlt, f.negative, value, zero(), width);
    code_.emit(Op::CmpEq, f.zero, value, zero(), width);
    code_.move(f.carry, code_.constant(carry ? 1 : 0));
    code_.move(f.overflow, zero());
}

Slot AssemblyThread::holds(Condition condition) {
    if (picks_) {
        picks_->reads_flags();
    }
    const Flags& f = flags();
    const auto less = [&] { return code_.bit_xor(f.negative, f.overflow); };
    const auto lower_same = [&] { return code_.bit_or(code_.negate_bit(f.carry), f.zero); };
    switch (condition) {
    case Condition::Equal:
        return f.zero;
    case Condition::NotEqual:
        return code_.negate_bit(f.zero);
    case Condition::CarrySet:
        return f.carry;
    case Condition::CarryClear:
        return code_.negate_bit(f.carry);
    case Condition::Minus:
        return f.negative;
    case Condition::Plus:
        return code_.negate_bit(f.negative);
    case Condition::Overflow:
        return f.overflow;
    case Condition::NoOverflow:
        return code_.negate_bit(f.overflow);
    case Condition::Higher:
        return code_.negate_bit(lower_same());
    case Condition::LowerSame:
        return lower_same();
    case Condition::GreaterEqual:
        return code_.negate_bit(less());
    case Condition::Less:
        return less();
    case Condition::Greater:
        return code_.negate_bit(code_.bit_or(f.zero, less()));
    case Condition::LessEqual:
        return code_.bit_or(f.zero, less());
    }
    return f.zero;
}

void AssemblyThread::expect_operands(const Instruction& i, std::size_t least, std::size_t most) const {
    if (i.operands.size() < least || i.operands.size() > most) {
        source().fail(i.offset, fmt::format("`{}` has {} operands, and {} were expected", i.mnemonic, i.operands.size(),
                                            least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
    }
}

std::optional<std::uint64_t> AssemblyThread::number(std::string_view text) const {
    if (text.starts_with('#') || text.starts_with('$')) {
        text.remove_prefix(1);
    }
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
    if (base == 16) {
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
        return std::nullopt;
    }
    return negative ? 0 - value : value;
}

std::uint64_t AssemblyThread::expect_number(const Operand& operand) const {
    const auto value = number(operand.text);
    if (!value) {
        source().fail(operand.offset, fmt::format("`{}` where a number was expected", operand.text));
    }
    return *value;
}

Slot AssemblyThread::reg_or_number(const Operand& operand) {
    const auto value = number(operand.text);
    return value ? code_.constant(*value) : reg(operand);
}

void AssemblyThread::unknown(const Instruction& i) const {
    const std::string text = i.rest.empty() ? i.mnemonic : fmt::format("{} {}", i.mnemonic, i.rest);
    source().unsupported(i.offset, fmt::format("the {} instruction `{}`", test_->frame().architecture, text));
}

std::optional<RegisterName> numbered_register(std::string_view text, std::string_view prefix, unsigned last) {
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    text.remove_prefix(prefix.size());
    unsigned n = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), n);
    if (text.empty() || result.ec != std::errc{} || result.ptr != text.data() + text.size() || n > last) {
        return std::nullopt;
    }
    return RegisterName{.shown = fmt::format("{}{}", prefix, n), .order = n};
}

std::optional<RegisterName> symbolic_register(std::string_view text) {
    return text.starts_with('%') && text.size() > 1 ? std::optional(RegisterName{.shown = std::string(text), .order = 1000})
                                                    : std::nullopt;
}

LitmusTest assemble(const Source& source, const Frame& frame, const Dialect& dialect, const Options& options) {
    const bool wide = uses_wide_cells(frame);
    TestBuilder test(source, frame,
                     {.architecture = dialect.architecture,
                      .register_named = dialect.register_named,
                      .cell = [wide](const CType& type) { return wide ? 8 : std::max(type.bits() / 8, 1u); }});
    const auto columns = parse_columns(source, frame.body_begin, frame.body_end);
    test.set_threads(static_cast<unsigned>(columns.size()));
    for (const InitRegister& r : frame.registers) {
        if (r.thread && *r.thread >= columns.size()) {
            source.fail(r.offset, fmt::format("there is no thread {}", *r.thread));
        }
    }
    test.read_question();
    for (unsigned k = 0; k < columns.size(); ++k) {
        AssemblyThread thread(test, k, options.unroll);
        if (dialect.picks != nullptr && std::ranges::any_of(columns[k], dialect.picks)) {
            thread.track_picks();
        }
        for (const Instruction& i : columns[k]) {
            thread.begin(i);
            if (!i.label.empty()) {
                thread.define_label(i);
            } else {
                dialect.translate(thread, i);
            }
        }
        test.add_thread(thread.finish());
    }
    return test.finish();
}

} // namespace heddle::litmus
