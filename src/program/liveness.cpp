// The textbook backward analysis, an instruction at a time: live before = (live after - written) + read. One bit a register, and one a local
// that is only ever named directly; a local whose address is taken may be read by whoever has the address, and counts as live everywhere.
//
// Only functions with loops, and those that somebody asks about, pay: a set of bits for each target of a jump, and a few rounds over the code.
#include "program/liveness.hpp"

#include "program/slot_uses.hpp"
#include "program/targets.hpp"

#include <utility>

namespace heddle {

namespace {

/// A set of registers and locals: [slots], then [locals].
class Bits {
  public:
    Bits() = default;
    explicit Bits(std::size_t size) : words_((size + 63) / 64, 0) {}
    [[nodiscard]] bool empty() const { return words_.empty(); } ///< it has no size: not a set at all
    [[nodiscard]] bool test(std::size_t k) const { return ((words_[k / 64] >> (k % 64)) & 1) != 0; }
    void set(std::size_t k) { words_[k / 64] |= std::uint64_t{1} << (k % 64); }
    void reset(std::size_t k) { words_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }
    void add(const Bits& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            words_[w] |= other.words_[w];
        }
    }
    friend bool operator==(const Bits&, const Bits&) = default;

  private:
    std::vector<std::uint64_t> words_;
};

class Liveness {
  public:
    Liveness(const Program& program, const Function& function, bool counters)
        : program_(program), function_(function), counters_(counters), at_(function.code.size()),
          address_taken_(function.locals.size() + 1) {
        for (const Instr& i : function.code) {
            if (i.op == Op::LocalAddr) {
                address_taken_.set(i.imm);
            }
        }
        mark_targets();
    }

    void run() {
        for (bool changed = true; changed;) {
            changed = false;
            Bits live = nothing();
            for (std::size_t k = function_.code.size(); k-- > 0;) {
                before(function_.code[k], live);
                if (!at_[k].empty() && at_[k] != live) {
                    at_[k] = live;
                    changed = true;
                }
            }
        }
    }

    /// What is live before the instruction. Pre: run() was called.
    [[nodiscard]] LiveAt at(std::size_t index) const {
        Bits live = nothing();
        for (std::size_t k = function_.code.size(); k-- > index;) {
            before(function_.code[k], live);
        }
        LiveAt found;
        for (unsigned s = 0; s < function_.first_constant; ++s) {
            if (live.test(s)) {
                found.slots.push_back(static_cast<Slot>(s));
            }
        }
        for (std::uint32_t l = 0; l < function_.locals.size(); ++l) {
            if (address_taken_.test(l) || live.test(function_.slots + l)) {
                found.locals.push_back(l);
            }
        }
        return found;
    }

  private:
    [[nodiscard]] Bits nothing() const { return Bits(function_.slots + function_.locals.size() + 1); }

    void mark_targets() {
        for (std::size_t k = 0; k < function_.code.size(); ++k) {
            if (function_.code[k].op == Op::Loop) {
                at_[k] = nothing();
            }
            each_target(function_.code[k], function_.switches, [&](std::size_t target) { at_[target] = nothing(); });
        }
    }

    void read_list(Bits& live, std::uint32_t first, std::uint32_t count) const {
        for (std::uint32_t k = 0; k < count; ++k) {
            live.set(function_.operands[first + k]);
        }
    }

    /// From what is live after the instruction to what is live before it.
    void before(const Instr& i, Bits& live) const {
        if (is_terminator(i.op)) {
            live = nothing();
            each_target(i, function_.switches, [&](std::size_t target) { live.add(at_[target]); });
        }
        const SlotUses uses = slot_uses(i);
        for (const SlotUse& use : uses.all()) {
            for (unsigned k = 0; use.writes && k < use.count; ++k) {
                live.reset(slot_in(i, use.field) + k);
            }
        }
        for (unsigned k = 0; i.op == Op::Call && i.dst != kNoSlot && k < program_.functions[i.x()].results; ++k) {
            live.reset(i.dst + k);
        }
        for (const SlotUse& use : uses.all()) {
            for (unsigned k = 0; !use.writes && k < use.count; ++k) {
                live.set(slot_in(i, use.field) + k);
            }
        }
        if (counters_ && i.op == Op::Loop) {
            live.set(i.dst);
        }
        lists_and_locals(i, live);
    }

    void lists_and_locals(const Instr& i, Bits& live) const {
        switch (i.op) {
        case Op::Call:
        case Op::Builtin:
        case Op::Ret:
            return read_list(live, i.y(), i.a);
        case Op::CallPtr:
            return read_list(live, i.y(), i.b);
        case Op::LocalUndef:
            live.reset(function_.slots + i.imm);
            return;
        case Op::LoadLocal:
            live.set(function_.slots + i.a);
            return;
        case Op::StoreLocal:
            if (i.x() == 0 && i.e() == function_.locals[i.a].size) {
                live.reset(function_.slots + i.a);
            }
            return;
        default:
            return;
        }
    }

    const Program& program_;
    const Function& function_;
    const bool counters_;  ///< the counters of loops are read by their heads
    std::vector<Bits> at_; ///< what is live before an instruction, for heads of loops and targets of jumps; empty elsewhere
    Bits address_taken_;   ///< by local
};

} // namespace

void find_what_loops_need(Program& program) {
    for (Function& function : program.functions) {
        if (function.loops.empty()) {
            continue;
        }
        Liveness liveness(program, function, false);
        liveness.run();
        for (std::size_t k = 0; k < function.code.size(); ++k) {
            if (function.code[k].op == Op::Loop) {
                Loop& loop = function.loops[function.code[k].imm];
                LiveAt live = liveness.at(k);
                loop.live = std::move(live.slots);
                loop.live_locals = std::move(live.locals);
            }
        }
    }
}

struct LiveSets::Known {
    Known(const Program& program, const Function& function, bool counters) : liveness(program, function, counters) {
        liveness.run();
    }
    Liveness liveness;
    std::unordered_map<std::uint32_t, LiveAt> before;
};

LiveSets::LiveSets(const Program& program, bool counters) : program_(program), counters_(counters) {}
LiveSets::~LiveSets() = default;

const LiveAt& LiveSets::before(const Function& function, std::uint32_t pc) {
    auto& known = known_[&function];
    if (!known) {
        known = std::make_unique<Known>(program_, function, counters_);
    }
    const auto [it, fresh] = known->before.try_emplace(pc);
    if (fresh) {
        it->second = known->liveness.at(pc);
    }
    return it->second;
}

} // namespace heddle
