// Builds tiny Programs by hand, for tests and benchmarks of the machine without a front end.
#pragma once

#include "program/program.hpp"
#include "program/verify.hpp"
#include "support/check.hpp"

#include <initializer_list>
#include <map>
#include <vector>

namespace heddle::testing_support {

/// One function under construction. Slots are handed out in order; constants come last, as the machine wants them.
class Assembler {
  public:
    explicit Assembler(std::string name, std::uint16_t params = 0, std::uint16_t results = 0) {
        f_.name = std::move(name);
        f_.params = params;
        f_.results = results;
        next_ = params;
    }
    Slot slot(unsigned n = 1) {
        const Slot s = next_;
        next_ = static_cast<Slot>(next_ + n);
        return s;
    }
    /// A slot that holds `value`. Its number is known only at the end: see `finish`.
    Slot constant(std::uint64_t value) {
        const auto [it, fresh] = constants_.try_emplace(value, static_cast<Slot>(constants_.size()));
        if (fresh) {
            f_.constants.push_back(value);
        }
        return static_cast<Slot>(kConstantBase + it->second);
    }
    std::uint32_t here() const { return static_cast<std::uint32_t>(f_.code.size()); }
    Instr& emit(Op op, Slot dst = 0, Slot a = 0, Slot b = 0, std::uint64_t imm = 0) {
        f_.places.push_back(place_);
        return f_.code.emplace_back(Instr{op, dst, a, b, imm});
    }
    /// Of what is emitted from here on; unknown at first. See make_program.
    void place(PlaceId place) { place_ = place; }
    Instr& at(std::uint32_t index) { return f_.code[index]; }
    Slot load(Slot address, unsigned bytes, Order order = Order::NonAtomic) {
        const Slot s = slot();
        emit(Op::Load, s, address, 0,
             Instr::pack(static_cast<std::uint16_t>(bytes), static_cast<std::uint16_t>(order),
                         static_cast<std::uint16_t>(bytes * 8), 0));
        return s;
    }
    void store(Slot address, Slot value, unsigned bytes, Order order = Order::NonAtomic) {
        emit(Op::Store, 0, address, value,
             Instr::pack(static_cast<std::uint16_t>(bytes), static_cast<std::uint16_t>(order), 0, 0));
    }
    Slot builtin(Builtin id, std::initializer_list<Slot> args) {
        const Slot s = slot();
        emit(Op::Builtin, s, static_cast<Slot>(args.size()), 0, Instr::pack(static_cast<std::uint32_t>(id), operands(args)));
        return s;
    }
    std::uint32_t operands(std::initializer_list<Slot> slots) {
        const auto at = static_cast<std::uint32_t>(f_.operands.size());
        f_.operands.insert(f_.operands.end(), slots);
        return at;
    }
    /// The head of a loop whose iterations act. `counter` was set to zero before it; `live`: what an iteration reads of what was there before.
    void loop(Slot counter, std::vector<Slot> live) {
        f_.loops.push_back({.place = PlaceId{}, .acts = true, .live = std::move(live), .live_locals = {}});
        emit(Op::Loop, counter, 0, 0, f_.loops.size() - 1);
    }
    std::uint32_t local(std::uint32_t size) {
        f_.locals.push_back({.name = "local", .size = size, .align = 8, .offset = f_.local_bytes, .region = f_.local_regions});
        f_.local_bytes += (size + 7) & ~7u;
        f_.local_regions += static_cast<std::uint32_t>(span_of(size, 8).regions);
        return static_cast<std::uint32_t>(f_.locals.size() - 1);
    }
    /// Ends the thread with `value`.
    void exit(Slot value) {
        builtin(Builtin::ThreadExit, {value});
        emit(Op::Unreachable);
    }
    Function finish() {
        f_.first_constant = next_;
        f_.slots = static_cast<std::uint16_t>(next_ + f_.constants.size());
        const auto place = [this](Slot& s) {
            if (s >= kConstantBase && s != kNoSlot) {
                s = static_cast<Slot>(next_ + (s - kConstantBase));
            }
        };
        for (Instr& i : f_.code) {
            place(i.a);
            place(i.b);
            if (i.op == Op::Select || i.op == Op::CmpXchg || i.op == Op::MemCpy || i.op == Op::MemMove || i.op == Op::MemSet) {
                Slot c = i.c();
                place(c);
                i.imm = (i.imm & ~std::uint64_t{0xffff}) | c;
            }
        }
        for (Slot& s : f_.operands) {
            place(s);
        }
        return f_;
    }

  private:
    static constexpr Slot kConstantBase = 0xf000;
    Function f_;
    PlaceId place_{};
    Slot next_ = 0;
    std::map<std::uint64_t, Slot> constants_;
};

/// A program of these functions (the first is what main runs) and 8-byte globals "g0", "g1", ... that start as zero. Place number n is line n.
inline Program make_program(std::vector<Function> functions, unsigned globals = 0) {
    Program p;
    p.functions = std::move(functions);
    p.files = {"assembled"};
    for (const Function& f : p.functions) {
        for (const PlaceId place : f.places) {
            while (p.places.size() <= place.index) {
                p.places.push_back({.line = static_cast<std::uint32_t>(p.places.size())});
            }
        }
    }
    std::uint32_t region = 0;
    for (unsigned k = 0; k < globals; ++k) {
        const Span span = span_of(8, 8);
        p.globals.push_back({.name = "g" + std::to_string(k),
                             .place = {},
                             .address = make_static_address(AddressKind::Global, region, span.offset),
                             .size = 8,
                             .align = 8,
                             .constant = false,
                             .runtime = false,
                             .init = {}});
        region += static_cast<std::uint32_t>(span.regions);
    }
    p.first_constant_global = p.globals.size();
    const auto wrong = verify(p);
    HEDDLE_CHECK(wrong.empty(), wrong.front());
    return p;
}

inline Address global_address(unsigned k) {
    const Span span = span_of(8, 8);
    return make_static_address(AddressKind::Global, static_cast<std::uint32_t>(k * span.regions), span.offset);
}

} // namespace heddle::testing_support
