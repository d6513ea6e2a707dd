// Code as text. The form, one instruction a line:
//
//     index  Op  written slots = read slots, what else the instruction says   ; place
//
// Slots are s0, s1, ...; constants are shown by value (#5); a range of neighbouring slots as s3..s4.
#include "program/program.hpp"
#include "program/slot_uses.hpp"

#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

namespace heddle {

namespace {

/// The pattern with each {} replaced by the next argument (libstdc++ 12 has no std::format).
template <class... Args> std::string fill(std::string_view pattern, const Args&... args) {
    std::ostringstream out;
    const auto next = [&](const auto& value) {
        const std::size_t hole = pattern.find("{}");
        out << pattern.substr(0, hole) << value;
        pattern.remove_prefix(hole + 2);
    };
    (next(args), ...);
    out << pattern;
    return out.str();
}

std::string hex(std::uint64_t value) {
    std::ostringstream out;
    out << "0x" << std::hex << value;
    return out.str();
}

const char* word(Float format) {
    switch (format) {
    case Float::F32:
        return "f32";
    case Float::F64:
        return "f64";
    case Float::F80:
        return "f80";
    }
    return "?";
}

const char* word(RmwOp op) {
    static constexpr const char* words[] = {"xchg", "add",  "sub",  "and",  "nand", "or",   "xor", "max",       "min",
                                            "umax", "umin", "fadd", "fsub", "fmax", "fmin", "cas", "add-unless"};
    return words[static_cast<std::size_t>(op)];
}

const char* name_of_builtin(std::uint32_t index) {
    static constexpr const char* names[] = {
#define X(name, c_name, args) c_name,
        HEDDLE_BUILTINS(X)
#undef X
    };
    return index < std::size(names) ? names[index] : "?";
}

std::string flags(std::uint16_t bits) {
    std::string text(word_of(static_cast<Order>(bits & 0xff)));
    if ((bits & kVolatile) != 0) {
        text += " volatile";
    }
    if ((bits & kPointerValue) != 0) {
        text += " pointer";
    }
    return text;
}

class Disassembler {
  public:
    Disassembler(const Program& program, const Function& function) : program_(program), function_(function) {}

    std::string run() {
        const Function& f = function_;
        std::string text = fill("function {} params={} results={} slots={} constants={}{}{}\n", f.name, f.params, f.results,
                                f.slots, f.constants.size(), f.variadic ? " variadic" : "", f.runtime ? " runtime" : "");
        for (std::size_t i = 0; i < f.locals.size(); ++i) {
            const Local& local = f.locals[i];
            text += fill("  local {} '{}' size={} align={} offset={} region={}\n", i, local.name, local.size, local.align,
                         local.offset, local.region);
        }
        for (std::size_t i = 0; i < f.code.size(); ++i) {
            text += fill("  {}  {}", i, line(f.code[i]));
            text += f.places[i].index == 0 ? "\n" : "   ; " + to_string(program_, f.places[i]) + "\n";
        }
        return text;
    }

  private:
    [[nodiscard]] std::string slot(Slot first, unsigned count = 1) const {
        if (first >= function_.first_constant && first < function_.slots) {
            std::string text = fill("#{}", static_cast<std::int64_t>(function_.constants[first - function_.first_constant]));
            return count < 2 ? text : text + ".." + slot(static_cast<Slot>(first + count - 1));
        }
        return count < 2 ? fill("s{}", first) : fill("s{}..s{}", first, first + count - 1);
    }

    [[nodiscard]] std::string list(std::uint32_t first, std::uint32_t count) const {
        std::string text = "(";
        for (std::uint32_t k = 0; k < count; ++k) {
            text += (k == 0 ? "" : ", ") + slot(function_.operands[first + k]);
        }
        return text + ")";
    }

    [[nodiscard]] std::string line(const Instr& i) const {
        std::string written;
        std::string read;
        for (const SlotUse& use : slot_uses(i).all()) {
            std::string& part = use.writes ? written : read;
            part += (part.empty() ? "" : ", ") + slot(slot_in(i, use.field), use.count);
        }
        if (i.op == Op::Call && i.dst != kNoSlot && program_.functions[i.x()].results != 0) {
            written = slot(i.dst, program_.functions[i.x()].results);
        }
        std::string text = name_of(i.op);
        if (!written.empty()) {
            text += " " + written + " =";
        }
        if (!read.empty()) {
            text += " " + read;
        }
        const std::string rest = details(i);
        return rest.empty() ? text : text + (read.empty() ? " " : ", ") + rest;
    }

    [[nodiscard]] std::string details(const Instr& i) const {
        switch (i.op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Trunc:
            return fill("mask={}", hex(i.imm));
        case Op::Sext:
        case Op::WSext:
            return fill("{} to {} bits", i.x(), i.y());
        case Op::FunnelShl:
        case Op::FunnelShr:
            return fill("{} bits", i.d());
        case Op::FAdd:
        case Op::FSub:
        case Op::FMul:
        case Op::FDiv:
        case Op::FRem:
        case Op::FNeg:
            return word(static_cast<Float>(i.imm));
        case Op::FCmp:
            return fill("predicate {} {}", i.x(), word(static_cast<Float>(i.y())));
        case Op::FToSi:
        case Op::FToUi:
        case Op::SiToF:
        case Op::UiToF:
            return fill("{} {} bits", word(static_cast<Float>(i.x())), i.y());
        case Op::FConv:
            return fill("{} to {}", word(static_cast<Float>(i.x())), word(static_cast<Float>(i.y())));
        case Op::FMath:
            return fill("function {} {}", i.d(), word(static_cast<Float>(i.e())));
        case Op::Gep:
            return fill("scale={} offset={}", i.x(), static_cast<std::int32_t>(i.y()));
        case Op::PtrAdd:
            return fill("offset={}", static_cast<std::int64_t>(i.imm));
        case Op::Unsupported:
            return "\"" + program_.messages[i.imm] + "\"";
        case Op::Jump:
        case Op::Br:
        case Op::BrEq:
        case Op::BrNe:
        case Op::BrUlt:
        case Op::BrUle:
        case Op::BrSlt:
        case Op::BrSle:
        case Op::Switch:
        case Op::Call:
        case Op::CallPtr:
        case Op::Ret:
        case Op::Builtin:
        case Op::Loop:
            return control(i);
        case Op::Mov:
        case Op::Undef:
        case Op::Freeze:
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Select:
        case Op::StackSave:
        case Op::StackRestore:
        case Op::ControlMark:
        case Op::ControlEnd:
        case Op::Unreachable:
            return "";
        default:
            return i.op >= Op::LocalAddr && i.op <= Op::LocalUndef ? memory(i) : fill("{} bits", i.imm);
        }
    }

    [[nodiscard]] std::string memory(const Instr& i) const {
        switch (i.op) {
        case Op::LocalAddr:
        case Op::LocalUndef:
            return fill("local {}", i.imm);
        case Op::TlsAddr:
            return program_.thread_locals[i.imm].name;
        case Op::Load:
            return fill("{} bytes, {} bits, {}", i.c(), i.e(), flags(i.d()));
        case Op::Store:
            return fill("{} bytes, {}", i.c(), flags(i.d()));
        case Op::Rmw:
            return fill("{} {} bytes, {}", word(static_cast<RmwOp>(i.e())), i.c(), flags(i.d()));
        case Op::CmpXchg:
            return fill("{} bytes, {}, else {}{}{}", i.e(), flags(i.d()), word_of(static_cast<Order>(i.f() & 0xff)),
                        (i.f() & kWeakExchange) != 0 ? ", weak" : "", (i.f() & kUnless) != 0 ? ", add unless" : "");
        case Op::Fence:
            return fill("{} {}", word_of(static_cast<Order>(i.c())), word_of(static_cast<FenceKind>(i.d())));
        case Op::LoadLocal:
        case Op::StoreLocal:
            return fill("local {}+{} {} bytes, {} bits", i.a, i.x(), i.e(), i.f());
        case Op::MemCpy:
        case Op::MemMove:
        case Op::MemSet:
            return flags(i.d());
        case Op::Alloca:
            return fill("align={}{}", i.x(), i.y() != 0 ? " shared" : "");
        default:
            return "";
        }
    }

    [[nodiscard]] std::string control(const Instr& i) const {
        switch (i.op) {
        case Op::Jump:
            return fill("-> {}", i.imm);
        case Op::Br:
            return fill("-> {} else {}", i.x(), i.y());
        case Op::Switch: {
            const Switch& s = function_.switches[i.imm];
            std::string text;
            for (const Switch::Case& c : s.cases) {
                text += fill("{} -> {}, ", c.value, c.target);
            }
            return text + fill("else {}", s.otherwise);
        }
        case Op::Call:
            return program_.functions[i.x()].name + list(i.y(), i.a);
        case Op::CallPtr:
            return list(i.y(), i.b);
        case Op::Ret:
            return list(i.y(), i.a);
        case Op::Builtin:
            return name_of_builtin(i.x()) + list(i.y(), i.a);
        case Op::Loop:
            return loop(function_.loops[i.imm], i.imm);
        default:
            return fill("{} bits -> {} else {}", i.dst, i.x(), i.y());
        }
    }

    [[nodiscard]] std::string loop(const Loop& loop, std::uint64_t index) const {
        std::string text = fill("loop {}{}, live", index, loop.acts ? ", acts" : "");
        for (const Slot live : loop.live) {
            text += " " + slot(live);
        }
        for (const std::uint32_t local : loop.live_locals) {
            text += fill(" local {}", local);
        }
        return text;
    }

    const Program& program_;
    const Function& function_;
};

} // namespace

std::string disassemble(const Program& program, FunctionId function) {
    return Disassembler(program, program.function(function)).run();
}

} // namespace heddle
